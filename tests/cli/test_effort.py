"""What `check` says of policies, budgets, partitions and thread priorities."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.hal.api import HalError
from polyrhythm.manifest.schema import Device
from polyrhythm.runtime import check, check_plan, partitions, ranks
from tests.cli.bundles import MANIFEST, make_bundle
from tests.cli.test_prove import lines

Cli = Callable[..., Result]

BUDGET = MANIFEST.replace("cost_ms: 15\n", "cost_ms: 15\n    budget: { ms: 20, period_ms: 100 }\n")
EDF = 'driver: "null", uri: immediate, policy: edf'
FIXED = 'driver: "null", uri: immediate'
POLICIES = ("", ", policy: edf", ", policy: laxity")
#: Two devices that compute: one for each module.
TWO = MANIFEST.replace(
    '  cpu: { driver: "null", uri: immediate }\n', "  one: { cores: [0] }\n  two: { cores: [0] }\n"
).replace("rate_hz: 50\n", "rate_hz: 50\n    device: two\n")

NOTES = {
    "PC040": TWO,
    "PC041": TWO.replace("two: { cores: [0] }", "two: {}"),
    "PC042": TWO.replace("{ cores: [0] }", "{ uri: local-task }"),
    "PC043": MANIFEST.replace(FIXED, EDF).replace("orchestration:\n", "orchestration:\n  mode: sequential\n"),
    "PC044": BUDGET.replace("ms: 20,", "ms: 4,"),
    "PC045": BUDGET.replace("    budget:", "    deadline_ms: 90\n    budget:"),
    "PC156": TWO.replace("cores: [0]", "cores: [0], threads: { policy: fifo, priority: 10 }").replace(
        "cost_ms: 15", "cost_ms: 82"
    ),
}


@pytest.mark.parametrize("code", NOTES)
def test_note(
    code: str,
    tmp_path: Path,
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
    online: Callable[[str], None],
) -> None:
    def refused(cores: tuple[int, ...]) -> None:
        raise HalError("core 0 does not exist here or is not ours; there are 0 to 1")

    online("0" if code == "PC042" else "0-1")
    if code == "PC041":
        monkeypatch.setattr(partitions, "require_cores", refused)
    root = make_bundle(tmp_path / "duet", NOTES[code])
    (found,) = [d for d in check(root).diagnostics if d.code == code]
    assert not found.is_error
    assert found.render().replace(f"{root.resolve()}/", "") == snapshot


@pytest.mark.parametrize("device", [EDF, FIXED, FIXED + ", policy: laxity"])
def test_check_and_explain(device: str, cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    bundle = make_bundle(tmp_path / "duet", BUDGET.replace(FIXED, device))
    told = lines(cli("check", bundle).stdout, bundle)
    assert told[told.index("time (ms, at worst)") : told.index("memory")] == snapshot(name="check")
    for name in ("vlm", "head"):
        assert lines(cli("check", bundle, "--explain", name).stdout, bundle) == snapshot(name=name)
    found = json.loads(cli("check", bundle, "--json").stdout)["proof"]
    assert found["modules"]["vlm"]["best_effort"]
    # By priority the two are equals, and a deferred job of vlm is due before any of head.
    assert found["complete"] == (device != FIXED)


def test_a_server_that_goes_first_is_a_term_of_the_sum(
    cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = BUDGET.replace("  links:", "  qos: { vlm: 0, head: 1 }\n  links:").replace("ms: 20,", "ms: 1,")
    result = cli("check", make_bundle(tmp_path / "duet", text), "--explain", "head")
    assert lines(result.stdout, tmp_path) == snapshot


def test_devices_with_cores_of_their_own_are_partitions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, online: Callable[[str], None]
) -> None:
    online("0-3")
    monkeypatch.setattr(partitions, "require_cores", lambda cores: None)
    text = TWO.replace("two: { cores: [0] }", "two: { cores: [1, 2] }")
    checked = check(make_bundle(tmp_path / "duet", text))
    assert checked.proof is not None and not checked.diagnostics
    assert checked.proof.assumptions[0] == (
        "partitions: one (core 0), two (cores 1, 2); no other device of the plan computes on their cores"
    )
    shared = check(make_bundle(tmp_path / "shared", TWO)).proof
    assert shared is not None and not any("partitions" in line for line in shared.assumptions)


@pytest.mark.parametrize(
    ("device", "threads"),
    [
        ({"uri": "local-sync", "cores": [0, 1]}, 1),
        ({"uri": "local-task", "cores": [0, 1, 2]}, 3),
        ({"driver": "static", "uri": "local-sync"}, 1),
        ({"driver": "static", "uri": "local-pair", "cores": [0, 1]}, 2),
        ({"driver": "null", "uri": "immediate"}, 0),
        ({"uri": "cuda"}, 0),
    ],
)
def test_the_threads_that_compute_are_counted(device: dict[str, object], threads: int) -> None:
    assert partitions.workers(Device.model_validate(device)) == threads


@pytest.mark.parametrize(
    "text", [*(BUDGET.replace(FIXED, FIXED + more) for more in POLICIES), NOTES["PC043"]]
)
def test_a_manifest_alone_is_proven_as_its_bundle_is(text: str, tmp_path: Path) -> None:
    text = text.replace("    budget:", "    deadline_ms: 90\n    budget:")
    root = make_bundle(tmp_path / "duet", text)
    real, alone = check(root), check_plan(root)
    assert [d.render() for d in real.diagnostics] == [d.render() for d in alone.diagnostics]
    assert real.proof is not None and alone.proof is not None
    assert real.proof.assumptions == alone.proof.assumptions
    verdicts = [[m.verdict for m in proof.modules.values()] for proof in (real.proof, alone.proof)]
    assert verdicts[0] == verdicts[1]


def test_what_is_deferred_is_counted_traced_and_replayed(cli: Cli, tmp_path: Path) -> None:
    """15 ms on a budget of 4 in 100: in 2 s there are 80 ms, and the sixth job goes into debt."""
    text = BUDGET.replace("ms: 20,", "ms: 4,").replace(FIXED, EDF)
    bundle = make_bundle(tmp_path / "duet", text)
    trace, log = tmp_path / "trace.pftrace", tmp_path / "run.prlog"
    run = ("run", bundle, "--lockstep", "--seconds", "1.99")
    result = cli(*run, "--json", "--trace", trace, "--record", log)
    assert result.exit_code == 0, result.output
    vlm = json.loads(result.stdout)["modules"]["vlm"]
    assert (vlm["finished"], vlm["deferred"], vlm["unexplained"]) == (6, 6, 0)
    assert b"deferred: " in trace.read_bytes()
    assert "deferred" in cli(*run).stdout
    assert cli("replay", log).exit_code == 0


def test_a_thread_priority_that_is_not_permitted_is_a_note(cli: Cli, tmp_path: Path) -> None:
    """Also in the summary; the run goes on without."""
    text = MANIFEST.replace(FIXED, FIXED + ", threads: { policy: fifo, priority: 20 }")
    bundle = make_bundle(tmp_path / "duet", text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "refusal", lambda *path: f"{path[-1]} is refused (Operation not permitted)")
        result = cli("run", bundle, "--lockstep", "--seconds", "0.5", "--json")
    (note,) = json.loads(result.stdout)["run"]["notes"]
    assert note.startswith("threads: SCHED_FIFO 21 is refused (Operation not permitted): no thread")
