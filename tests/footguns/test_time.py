"""What surprises about ticks, deadlines and grids."""

from __future__ import annotations

from polyrhythm.schedule import Mode, Overrun
from polyrhythm.schedule.events import Act, Finish, Launch
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def launched(harness: Harness, name: str) -> list[tuple[float, int]]:
    """(ms, tick) of every first stage."""
    found = [(at, c) for at, c in harness.all(Launch) if isinstance(c, Launch) and c.module == name]
    return [(at / MS, c.tick) for at, c in found if c.stage == 0]


def test_a_second_at_ten_hertz_is_eleven_releases() -> None:
    """Tick 0 fires at the start and the last one at the end: grids are fence posts, not fields."""
    harness = Harness(plan_of(module("m", 10, 1))).start().run(S)
    assert harness.scheduler.modules[0].released == 11


def test_a_slow_robot_stretches_time_and_misses_no_action() -> None:
    """Control ticks are consumed: at 20 Hz instead of 100 the robot gets every row, five times as late."""
    maker = module(
        "head", 10, 5, outputs=("head.chunk",), chunk=("head.chunk", 40), inputs=reads("robot.state")
    )
    plan = plan_of(maker, control_hz=100, observations={"robot.state": 100})
    harness = Harness(plan, act_ns=lambda tick: 50 * MS).start().run(2 * S)
    ticks = [c.tick for _, c in harness.all(Act) if isinstance(c, Act)]
    assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))
    assert 38 <= ticks[-1] <= 40
    assert harness.scheduler.drops["control", "robot_busy"] > 100


def test_a_job_that_is_late_ends_and_is_published_all_the_same() -> None:
    """A deadline that is missed is counted and changes nothing: a late value is better than an older one."""
    harness = Harness(plan_of(module("m", 10, 30, deadline_ns=10 * MS))).start().run(S - MS)
    state = harness.scheduler.modules[0]
    assert state.late == state.finished == 10


def test_skip_runs_the_newest_tick_that_passed_and_that_one_is_late() -> None:
    """The tick that waited keeps the deadline of its own release, so a short job may end too late."""
    plan = plan_of(module("m", 100, deadline_ns=6 * MS))
    harness = Harness(plan, lambda c: (28 if c.tick == 0 else 4) * MS).start().run(35 * MS)
    assert launched(harness, "m")[:2] == [(0, 0), (28, 2)]
    done = [(c.tick, at > c.deadline_ns) for at, c in harness.all(Finish) if isinstance(c, Finish)]
    assert done[:2] == [(0, True), (2, True)]


def test_catch_up_makes_up_for_ticks_and_not_for_inputs() -> None:
    """The ticks that waited all read the newest version there is: nobody kept the old ones for them."""
    eye = module("eye", 100, 0, device="e", outputs=("eye.out",))
    slow = module("m", 100, inputs=reads("eye.out"), on_overrun=Overrun.CATCH_UP)
    cost = lambda c: 0 if c.module == "eye" else (55 if c.tick == 1 else 1) * MS  # noqa: E731
    harness = Harness(plan_of(eye, slow), cost).start().run(75 * MS)
    read = [c.reads[0].seq for _, c in harness.all(Launch) if isinstance(c, Launch) and c.module == "m"]
    assert len(set(read)) < len(read)


def test_shift_runs_less_often_than_its_rate_and_drops_nothing() -> None:
    """Each overrun moves the grid for good: 100 Hz with jobs of 25 ms are 40 ticks a second, all in order."""
    harness = Harness(plan_of(module("m", 100, 25, on_overrun=Overrun.SHIFT))).start().run(S - MS)
    assert harness.scheduler.modules[0].released == 40
    assert harness.scheduler.drops == {}


def test_sequential_asks_who_came_first_and_not_who_is_urgent() -> None:
    """Priorities count between stages that wait for a device; a plain loop has none to give."""
    chore = module("chore", 10, 50, priority=9)
    urgent = module("urgent", 10, 1, priority=0, phase_ns=MS, rank=1)
    late = Harness(plan_of(chore, urgent, mode=Mode.SEQUENTIAL)).start().run(99 * MS)
    assert launched(late, "urgent") == [(50, 0)]
