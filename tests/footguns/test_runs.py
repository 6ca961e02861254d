"""What surprises about bundles, runs and what is left of them."""

from __future__ import annotations

import gc
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.observe.eventlog import record_to
from polyrhythm.observe.replay import replay
from polyrhythm.robots import RobotSpec, StepResult, TensorSpec
from polyrhythm.runtime import Plan, RunError, Runtime, check
from polyrhythm.schedule.events import Command, Event, Launch
from tests.cli.bundles import MANIFEST, make_bundle
from tests.faults.world import make_bundle as eyes

EXAMPLE = Path(__file__).parents[2] / "examples" / "flow_policy" / "bundle"
ROBOT = MANIFEST.replace(
    "devices:",
    """\
robot:
  use: gymnasium
  control_hz: 50
  observations: {}
  action: { dtype: f32, shape: [4] }
devices:""",
).replace("links:", "links:\n  - { from: head.actions, to: robot.action }")


class Patient:
    """A robot whose episodes take `length` ticks."""

    spec = RobotSpec(50.0, {}, TensorSpec("f32", (4,)), ("wait",))

    def __init__(self, length: int) -> None:
        self.length, self.ticks = length, 0

    def reset(self, *, task: str | None, seed: int) -> None:
        self.ticks = 0

    def observe(self, name: str, out: np.ndarray) -> None:
        raise KeyError(name)

    def act(self, action: np.ndarray) -> StepResult:
        return self.hold()

    def hold(self) -> StepResult:
        self.ticks += 1
        over = self.ticks == self.length
        return StepResult(success=over, done=over)

    def telemetry(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        pass


class Watch:
    """A listener that keeps what `look` says at every event."""

    def __init__(self, look) -> None:
        self.look, self.seen = look, []

    def step(self, event: Event, commands: list[Command]) -> None:
        self.seen.append(self.look())

    def note(self, note: object) -> None:
        pass


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "duet")


def planned(root: Path) -> Plan:
    checked = check(root)
    assert checked.plan is not None, [d.render() for d in checked.diagnostics]
    return checked.plan


def test_a_log_replays_the_plan_that_it_was_made_of(bundle: Path, tmp_path: Path) -> None:
    """The plan is in the log: whatever becomes of the bundle changes nothing, so a replay tells whether this
    version decides alike, and not whether an edit of the manifest would help."""
    plan, log = planned(bundle), tmp_path / "run.log"
    with Runtime(plan) as runtime, record_to(log, plan) as writer:
        runtime.run(seconds=0.5, lockstep=True, listeners=[writer])
    shutil.rmtree(bundle)
    found = replay(log)
    assert (found.difference, found.end) == (None, "complete")


def test_lockstep_believes_the_declared_costs(tmp_path: Path) -> None:
    """In virtual time a stage takes what the plan says, whatever it took: here 30 ms instead of 1, and
    nothing is late. A run in lockstep shows what follows from the costs, and measures none."""
    text = MANIFEST.replace("immediate", "sleep_ns:30000000").replace("cost_ms: 15", "cost_ms: 1")
    plan = planned(make_bundle(tmp_path / "duet", text.replace("rate_hz: 50", "rate_hz: 10")))
    with Runtime(plan) as runtime:
        outcome = runtime.run(seconds=0.3, lockstep=True)
    assert [m.late for m in outcome.modules.values()] == [0, 0]
    assert all(m.finished for m in outcome.modules.values())


@pytest.mark.parametrize("lockstep", [False, True])
def test_nothing_is_collected_while_a_piece_plays_in_real_time(bundle: Path, lockstep: bool) -> None:
    """The collector is off until an episode ends: a robot adapter that makes circular garbage at every tick
    grows that long. What ends a thread's turn is shortened too."""
    watch, interval_s = Watch(lambda: (gc.isenabled(), sys.getswitchinterval())), sys.getswitchinterval()
    with Runtime(planned(bundle)) as runtime:
        runtime.run(seconds=0.05, lockstep=lockstep, listeners=[watch])
    assert {enabled for enabled, _ in watch.seen} == {lockstep}
    assert lockstep or max(interval_s for _, interval_s in watch.seen) < 0.001
    assert (gc.isenabled(), sys.getswitchinterval()) == (True, interval_s)


def test_seconds_end_in_the_middle_of_an_episode_which_then_does_not_count(tmp_path: Path) -> None:
    """An episode that was cut off is neither success nor failure: rates are of those that ended by
    themselves."""
    plan = planned(make_bundle(tmp_path / "duet", ROBOT))
    with Runtime(plan) as runtime:
        outcome = runtime.run(Patient(60), seconds=2, lockstep=True)
    assert outcome.reason == "complete"
    assert [(e.success, e.ticks) for e in outcome.episodes] == [(True, 60)]


def test_episodes_and_seconds_together_end_at_whatever_comes_first(tmp_path: Path) -> None:
    """Neither is a promise: `--episodes 5 --seconds 3` may play fewer, and the run is complete all the
    same."""
    plan = planned(make_bundle(tmp_path / "duet", ROBOT))
    with Runtime(plan) as runtime:
        for seconds, played in ((2, 1), (60, 2)):
            outcome = runtime.run(Patient(60), episodes=2, seconds=seconds, lockstep=True)
            assert (outcome.reason, len(outcome.episodes)) == ("complete", played)


def test_what_is_committed_is_compiled_at_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A portable bundle has no machine code. `polyrhythm run` makes it, and packs large weights, once for
    each machine: the first start takes seconds. From Python that is asked for
    (`polyrhythm.compile.prepare`)."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert open_bundle(EXAMPLE).missing
    with pytest.raises(RunError, match="no machine code for this CPU yet"):
        Runtime(planned(EXAMPLE))


def test_outputs_are_checked_for_nan_unless_they_are_large_or_that_is_turned_off(tmp_path: Path) -> None:
    """A NaN fails the stage like an error of the device. What is looked at is the chunk, and of all else that
    a link reads what has up to 64 KiB: a pass over more would cost what it is to protect. An output that no
    link reads reaches nobody. A NaN in a larger one reaches the modules that read it, and the robot only if
    one of them makes a number of it."""
    text = ROBOT.replace("rate_hz: 10", "rate_hz: 10\n    check_finite: false")
    modules = planned(make_bundle(tmp_path / "duet", text)).manifest.orchestration.modules
    assert [m.check_finite for m in modules] == [False, True]
    unread = planned(make_bundle(tmp_path / "unread")).module("head")
    assert unread.outputs == (), "nobody reads its actions"
    for floats, found in ((1 << 14, "output eye.seen holds NaN or infinity"), ((1 << 14) + 1, None)):
        root = eyes(tmp_path / str(floats), seen=floats)
        with Runtime(planned(root)) as runtime:
            runtime.storage.links["eye.seen"].array(0)[...] = np.nan
            assert runtime.storage.not_finite(Launch(0, "eye", 0, 0, "cpu", (), (("eye.seen", 0),))) == found


def test_a_stop_that_comes_before_the_run_stops_it(bundle: Path) -> None:
    """`Runtime.stop` between runs is for the next one: a signal in the last moment before it is not lost."""
    with Runtime(planned(bundle)) as runtime:
        runtime.stop("too late, or too early")
        assert runtime.run(seconds=60, lockstep=True).reason == "too late, or too early"
        assert runtime.run(seconds=0.1, lockstep=True).reason == "complete"
