"""All that is told of a run in which a bundle was swapped in whose modules are cut otherwise."""

from __future__ import annotations

import io
import json
import signal
from pathlib import Path

import pytest
from rich.console import Console

from polyrhythm.cli._errors import FAILED
from polyrhythm.observe import Recorder, RunInfo, Stats, render, summarise, write_report, write_trace
from polyrhythm.observe.status import describe_status
from polyrhythm.observe.status_server import metrics
from polyrhythm.runtime import Context, Plan, RunError, Runtime, SwapAt, check, play
from polyrhythm.runtime.outcome import Swapped
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
    bundle, refused = Path("other"), Context(7)
    refused.refused("another switch came first")
    refused.become("retired")
    assert Swapped.of(bundle, refused).reason == "another switch came first"
    ready = Swapped("other", False, "it was ready but had not played when the run was over")
    assert Swapped.of(bundle, None) == Swapped("other", False, "the run was over before")
    with Runtime(old) as runtime:
        context = runtime.load(new)
        assert context.wait("loaded", timeout_s=60) == "loaded"
        assert Swapped.of(bundle, context).reason == "it was not ready when the run was over"
        runtime.run(seconds=60, listeners=[Swaps(runtime, context, switch=False)])
        assert Swapped.of(bundle, context) == ready
        runtime.switch(context)
        assert Swapped.of(bundle, context) == ready
        runtime.run(seconds=0.05)
        assert Swapped.of(bundle, context) == Swapped("other", True)


def test_a_run_whose_swap_failed_has_failed(cli, tmp_path: Path) -> None:
    """The summary says why, in both shapes."""
    old = make_bundle(tmp_path / "a", SHORT)
    run = ("run", old, "--seconds", "3", "--quiet", "--swap-to", tmp_path / "none", "--swap-at", "0")
    result = cli(*run, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == FAILED and found["run"]["complete"]
    assert not found["swap"]["played"] and found["swap"]["reason"]
    told = Console(width=200, record=True, file=io.StringIO())
    told.print(render(found))
    assert "none was not swapped in: " in told.export_text()


def test_a_swap_that_was_never_begun_has_failed_too(cli, tmp_path: Path) -> None:
    old = make_bundle(tmp_path / "a", SHORT)
    run = ("run", old, "--seconds", "0.1", "--quiet", "--json", "--swap-to", old, "--swap-at", "100")
    result = cli(*run)
    assert result.exit_code == FAILED
    assert json.loads(result.stdout)["swap"]["reason"] == "the run was over before"


@pytest.mark.parametrize("when", [1e12, float("inf"), float("nan"), -1.0])
def test_a_swap_at_an_instant_that_never_comes_is_refused(tmp_path: Path, when: float) -> None:
    plan = planned(tmp_path / "a", SHORT)
    with pytest.raises(RunError, match="can be waited for"):
        play(plan, seconds=0.1, swap=SwapAt(when, tmp_path))


def test_a_swap_that_plays_is_in_the_summary(cli, tmp_path: Path) -> None:
    old, new = make_bundle(tmp_path / "a", SHORT), make_bundle(tmp_path / "b", MANIFEST)
    plan, stats = check(old).plan, Stats(check(old).plan.schedule)
    outcome = play(plan, seconds=60, listeners=[stats, stop := Stops()], swap=SwapAt(0.0, new))
    assert stop.seen and outcome.swap == Swapped(str(new), True)
    assert summarise(RunInfo.of(plan, lockstep=False, seed=0), outcome, stats)["swap"]["played"]


class Stops:
    """Interrupts the run once another context has played for a job."""

    seen = False

    def step(self, event: Event, commands: list[Command]) -> None:
        if not self.seen and any(type(c) is Finish and c.context for c in commands):
            self.seen = True
            signal.raise_signal(signal.SIGINT)

    def note(self, note: object) -> None:
        pass
