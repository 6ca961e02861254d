"""`check` on memory: the ledger, budgets, bundles together, manifests alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from tests.cli.bundles import MANIFEST, make_bundle

Cli = Callable[..., Result]

ROOMY = (
    "contexts: 3\n"
    "memory: { total: 4 kB, process: 1000, groups: { slow: { modules: vlm, budget: 1300 } } }\n" + MANIFEST
)


def ledger(text: str, root: Path) -> list[str]:
    found = [line.rstrip() for line in text.replace(str(root.resolve()), "/tmp").splitlines()]
    return found[found.index("memory") :]


def test_check_shows_the_ledger(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("check", make_bundle(tmp_path / "duet", ROOMY))
    assert result.exit_code == 0, result.output
    assert ledger(result.stdout, tmp_path) == snapshot


def test_check_gives_the_ledger_as_json(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("check", make_bundle(tmp_path / "duet", ROOMY), "--json")
    assert json.loads(result.stdout)["memory"] == snapshot


def test_check_refuses_what_does_not_fit_together(
    cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    one = make_bundle(tmp_path / "one", ROOMY)
    two, three = (make_bundle(tmp_path / name) for name in ("two", "three"))
    result = cli("check", one, "--beside", two, "--beside", three, "--swap-to", two)
    assert result.exit_code == 1
    assert "PC062" in result.stderr and "PC063" in result.stderr
    assert ledger(result.stdout, tmp_path) == snapshot
    found = json.loads(cli("check", one, "--swap-to", two, "--json").stdout)
    assert [d["code"] for d in found["diagnostics"]] == ["PC063"]
    assert [(t["how"], t["bytes"], t["budget"]) for t in found["memory"]["together"]] == [
        ("swap", 4170, 4000)
    ]


def test_check_judges_a_manifest_alone(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(MANIFEST.replace("    cost_ms: 15", "    cost_ms: 15\n    bytes: { weights: 1.5 GiB }"))
    refused = cli("check", file)
    assert refused.exit_code == 2
    assert "--plan judges a manifest alone" in refused.stderr
    result = cli("check", file, "--plan")
    assert (result.exit_code, result.stderr) == (0, "")
    assert ledger(result.stdout, tmp_path) == snapshot
    assert "vlm, head meet their deadline every time" in result.stdout
    found = json.loads(cli("check", file, "--plan", "--json").stdout)
    assert (found["ok"], found["plan"]) == (True, None)
    assert found["memory"]["modules"]["vlm"] == {"weights": 3 << 29, "total": 3 << 29}
    costs = cli("check", file, "--plan", "--costs", file)
    assert costs.exit_code == 2
