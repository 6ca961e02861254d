"""All that is told of a run in which a bundle was swapped in whose modules are cut otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polyrhythm.cli._common import _swap_told
from polyrhythm.observe import Recorder, RunInfo, Stats, render, summarise, write_report, write_trace
from polyrhythm.observe.status import describe_status
from polyrhythm.observe.status_server import metrics
from polyrhythm.runtime import Context, Plan, Runtime, check
from polyrhythm.schedule.events import Command, Event, Finish
from tests.cli.bundles import MANIFEST, make_bundle

#: One stage of the head, and no condition; the other has two and a module more.
SHORT = """\
name: solo
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - id: head
    vmfb: head.vmfb
    rate_hz: 25
    cost_ms: 1
    entry: step
  links: []
"""


class Swaps:
    """Lets the other context play when every module of the first has finished a job, stops when every module
    of the other has."""

    def __init__(self, runtime: Runtime, other: Context, *, switch: bool = True) -> None:
        self.runtime, self.other, self.first = runtime, other, runtime.live
        self.finished: set[tuple[int, str]] = set()
        self.switch = switch  # otherwise it stops when the other is ready

    def step(self, event: Event, commands: list[Command]) -> None:
        self.finished |= {(c.context, c.module) for c in commands if type(c) is Finish}
        if self.other.state != "ready" or not self.done(self.first):
            if self.done(self.other):
                self.runtime.stop("complete")
        elif self.switch:
            self.runtime.switch(self.other)
        else:
            self.runtime.stop("complete")

    def done(self, context: Context) -> bool:
        return self.finished >= {(context.number, module.id) for module in context.plan.schedule.modules}

    def note(self, note: object) -> None:
        pass


def planned(root: Path, manifest: str) -> Plan:
    plan = check(make_bundle(root, manifest)).plan
    assert plan is not None
    return plan


@pytest.mark.parametrize("manifests", [(SHORT, MANIFEST), (MANIFEST, SHORT)], ids=["grows", "shrinks"])
def test_modules_of_one_name_may_be_cut_otherwise(manifests: tuple[str, str], tmp_path: Path) -> None:
    old, new = (planned(tmp_path / name, text) for name, text in zip("ab", manifests, strict=True))
    stats, recorder = Stats(old.schedule), Recorder()
    with Runtime(old) as runtime:
        context = runtime.load(new)
        assert context.wait("loaded", timeout_s=60) == "loaded" and not context.played
        swaps = Swaps(runtime, context)
        outcome = runtime.run(seconds=60, listeners=[stats, recorder, swaps])
        assert context.played and outcome.reason == "complete"
    info = RunInfo.of(old, lockstep=False, seed=0)
    summary = summarise(info, outcome, stats)
    assert summary["modules"].keys() == {"head", "vlm"} == summary["times"]["modules"].keys()
    assert all(found["finished"] and not found["unexplained"] for found in summary["modules"].values())
    head = next(module for module in new.schedule.modules if module.id == "head")
    assert summary["modules"]["head"]["asked_hz"] == float(10**9 / head.period_ns)
    assert set(summary["times"]["modules"]["head"]["stages_ms"]) == {"encode", "step"}
    write_report(tmp_path / "report.html", info, summary, stats, recorder)
    assert "head.encode" in (tmp_path / "report.html").read_text()
    write_trace(tmp_path / "trace", info, recorder)
    assert b"head.encode" in (tmp_path / "trace").read_bytes()
    status = describe_status("solo", stats.snapshot())
    assert json.loads(json.dumps(status)) == status and 'module="vlm"' in "".join(metrics(status))
    render(summary)


def test_what_came_of_a_swap_is_told(tmp_path: Path) -> None:
    """A bundle that became ready and never played was not swapped in, also if it plays in a later run."""
    old, new = planned(tmp_path / "a", SHORT), planned(tmp_path / "b", MANIFEST)
    bundle = Path("other")
    assert "the run was over before" in _swap_told(bundle, [])
    with Runtime(old) as runtime:
        context = runtime.load(new)
        assert context.wait("loaded", timeout_s=60) == "loaded"
        assert _swap_told(bundle, [context]) == "other was not ready when the run was over"
        runtime.run(seconds=60, listeners=[Swaps(runtime, context, switch=False)])
        assert _swap_told(bundle, [context]) == "other was ready but had not played when the run was over"
        runtime.switch(context)
        assert _swap_told(bundle, [context]) == "other was ready but had not played when the run was over"
        runtime.run(seconds=0.05)
        assert _swap_told(bundle, [context]) == "other was swapped in"
