"""`check` on time, and `profile`."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.cli._common import cost_choice, planned
from polyrhythm.runtime import profiling
from tests.cli.bundles import MANIFEST, make_bundle

Cli = Callable[..., Result]

#: `vlm` comes in one piece that is three times as long as `head` has time.
CROWDED = MANIFEST.replace("cost_ms: 15", "cost_ms: [60]").replace(
    "  links:", "  qos: { head: 0, vlm: 1 }\n  links:"
)


#: `saver` fits, changing to it does not; without `vlm`, `head` has no input from the next episode on.
POWER = """\
power:
  profiles:
    normal: {}
    saver: { rate_hz: { vlm: 5 }, rate_scale: { head: 0.5 }, cost_scale: { cpu: 1.6 } }
    night: { drop: vlm, contexts: 1 }
"""


def lines(text: str, root: Path) -> list[str]:
    return [line.rstrip() for line in text.replace(str(root.parent.resolve()), "/tmp").splitlines()]


def test_check_tells_what_is_late_and_what_helps(
    cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    bundle = make_bundle(tmp_path / "duet", CROWDED)
    result = cli("check", bundle)
    assert result.exit_code == 1
    assert lines(result.stderr, bundle) == snapshot(name="stderr")
    assert lines(result.stdout, bundle) == snapshot(name="stdout")


def test_check_explains_a_bound(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    bundle = make_bundle(tmp_path / "duet", CROWDED)
    for module in ("head", "vlm"):
        result = cli("check", bundle, "--explain", module)
        assert result.exit_code == 1
        assert lines(result.stdout, bundle) == snapshot(name=module)


def test_check_gives_the_proof_as_json(cli: Cli, bundle: Path, snapshot: SnapshotAssertion) -> None:
    assert json.loads(cli("check", bundle, "--json").stdout)["proof"] == snapshot


def test_check_says_what_it_does_not_know(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    text = MANIFEST.replace("    cost_ms: 15\n", "")
    result = cli("check", make_bundle(tmp_path / "some", text))
    assert result.exit_code == 0
    tail = lines(result.stdout, tmp_path)
    assert tail[tail.index("time: no proof for vlm, head, because costs are not known") :] == snapshot
    broken = cli("check", make_bundle(tmp_path / "broken", MANIFEST.replace('"null"', "nul")))
    assert "time" not in broken.stdout
    result = cli("check", tmp_path / "some", "--explain", "head")
    assert "head has no bound: the costs of vlm are not known" in result.stdout


def test_check_explains_only_what_there_is(cli: Cli, bundle: Path) -> None:
    result = cli("check", bundle, "--explain", "heart")
    assert result.exit_code == 2
    assert "vlm, head" in result.stderr


def test_profile_then_check(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    costs = tmp_path / "costs.json"
    result = cli("profile", bundle, "--seconds", "0.1", "--out", costs)
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith(f"wrote {costs}\n")
    assert "all together, 0.1 s" in result.stderr
    found = json.loads(costs.read_text())
    assert set(found["modules"]) == {"vlm", "head"}
    # A busy machine may well have taken longer than `head` has; whose numbers they are is what counts.
    result = cli("check", bundle, "--costs", costs, "--margin", "1.5", "--json")
    proof = json.loads(result.stdout)["proof"]
    assert proof["modules"]["vlm"]["costs_from"].startswith("measured maxima times 1.5 (costs.json")
    refused = cli("check", bundle, "--costs", tmp_path / "none.json")
    assert refused.exit_code == 1
    assert "PC019" in refused.stderr


def test_profile_speaks_json_and_refuses_what_is_broken(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    result = cli("profile", bundle, "--seconds", "0.1", "--json")
    assert json.loads(result.stdout)["format"] == "polyrhythm.costs"
    (bundle / "head.vmfb").unlink()
    result = cli("profile", bundle, "--seconds", "0.1")
    assert result.exit_code == 2
    assert "head.vmfb" in result.stderr


@pytest.mark.parametrize("how", [(), ("--json",)], ids=["table", "json"])
def test_what_was_measured_is_shown_though_it_cannot_be_written(
    cli: Cli, bundle: Path, how: tuple[str, ...]
) -> None:
    result = cli("profile", bundle, "--seconds", "0.05", "--out", "/dev/full", *how)
    assert result.exit_code == 2
    assert "head" in result.stdout and "wrote" not in result.stdout
    assert result.stderr.endswith("error: /dev/full: No space left on device\n")


def test_a_measurement_that_is_interrupted(
    cli: Cli, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = tmp_path / "costs.json"
    monkeypatch.setattr(profiling, "_fill", lambda plan, runtime: os.kill(os.getpid(), signal.SIGTERM))
    result = cli("profile", bundle, "--seconds", "600", "--out", costs)
    assert (result.exit_code, result.stdout) == (130, "") and not costs.exists()
    assert "error" not in result.stderr


def test_profile_measures_what_is_not_proven(cli: Cli, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "duet", CROWDED)
    assert cli("profile", bundle, "--seconds", "0.1").exit_code == 0


def test_run_plans_with_the_costs_it_was_checked_with(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    costs = tmp_path / "costs.json"
    assert cli("profile", bundle, "--seconds", "0.1", "--out", costs).exit_code == 0
    found = json.loads(costs.read_text())
    for name, ns in (("vlm", 1_000_000), ("head", 4_000_000)):  # whatever else kept the machine busy
        for stage in found["modules"][name]["stages"]:
            for kind in ("alone", "loaded"):
                stage[kind] |= {"p50_ns": ns, "p99_ns": ns, "max_ns": ns}
    found["release"]["max_ns"] = 100_000
    costs.write_text(json.dumps(found))

    plan = planned(bundle, cost_choice(costs, 1.5, False))
    assert plan.module("head").costs_ns == (6_000_000, 6_000_000)
    assert planned(bundle).module("head").costs_ns == (1_000_000, 2_000_000)
    run = ("run", bundle, "--lockstep", "--seconds", "1", "--quiet", "--costs", costs)
    assert cli(*run).exit_code == 0
    refused = cli(*run, "--margin", "20")
    assert refused.exit_code == 2
    assert "PC009" in refused.stderr


def test_check_proves_every_power_profile(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    bundle = make_bundle(tmp_path / "duet", POWER + MANIFEST.replace("cost_ms: 15", "cost_ms: 10"))
    result = cli("check", bundle)
    assert result.exit_code == 0
    table = lines(result.stdout, bundle)
    table = table[table.index("power profiles (slack in ms, at worst)") : table.index("memory") - 1]
    assert table == snapshot(name="table")
    assert json.loads(cli("check", bundle, "--json").stdout)["power"] == snapshot(name="json")
    result = cli("check", bundle, "--profile", "saver", "--explain", "head")
    assert lines(result.stdout, bundle) == snapshot(name="saver")
    wrong = cli("check", bundle, "--profile", "sleep")
    assert wrong.exit_code == 2 and "normal, saver, night" in wrong.stderr


def test_run_begins_with_the_profile_that_is_asked_for(cli: Cli, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "duet", POWER + MANIFEST.replace("cost_ms: 15", "cost_ms: 10"))
    run = ("run", bundle, "--lockstep", "--seconds", "1", "--quiet")
    summary = json.loads(cli(*run, "--profile", "night", "--json").stdout)
    assert summary["power"] == {"profile": "night", "changes": 1, "unreadable": 0}
    assert summary["modules"]["vlm"]["drops"] == {"profile": 11}
    assert summary["modules"]["vlm"]["asked_hz"] == 0
    assert "power profile normal at the end, after 0 changes" in cli(*run).stdout
    wrong = cli(*run, "--profile", "nigth")
    assert wrong.exit_code != 0 and "did you mean night?" in wrong.stderr


def test_a_run_whose_profile_changes_is_replayed_to_the_byte(cli: Cli, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "duet", POWER + MANIFEST.replace("cost_ms: 15", "cost_ms: 10"))
    log = tmp_path / "run.log"
    cli("run", bundle, "--lockstep", "--seconds", "1", "--quiet", "--profile", "saver", "--record", log)
    assert "the same, byte for byte" in cli("replay", log).stdout
