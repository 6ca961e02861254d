"""Faults that other runtimes have had, each as a case on the virtual clock."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from polyrhythm.schedule import Budget, Grid, Mode, Overrun, Policy, Scheduler
from polyrhythm.schedule.events import Act, Drop, EpisodeEnd, Finish, Launch, StageDone, Start, Wake
from polyrhythm.simulate.harness import NEVER, Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def test_case_2_a_slow_consumer_uses_up_ticks_not_wall_clock() -> None:
    """Declared 30 Hz, the robot manages 20: a generation of 0.5 s consumes ten actions, not fifteen."""
    head = module(
        "head", 1, 500, outputs=("head.chunk",), chunk=("head.chunk", 64), inputs=reads("robot.state")
    )
    slow = Harness(
        plan_of(head, control_hz=30, observations={"robot.state": 30}),
        act_ns=lambda tick: 50 * MS,
    )
    slow.start().run(501 * MS)
    first = slow.all(Act)[0][1]
    assert isinstance(first, Act) and (first.tick, first.row) == (10, 10)


def test_case_5_a_reset_leaves_nothing_of_the_old_episode() -> None:
    head = module(
        "head", 10, 60, outputs=("head.chunk",), chunk=("head.chunk", 30), inputs=reads("robot.state")
    )
    harness = Harness(plan_of(head, control_hz=50, observations={"robot.state": 50})).start()
    harness.at(230 * MS, EpisodeEnd)  # in the middle of a generation
    harness.at(231 * MS, Start)
    harness.run(400 * MS)
    ended = next(i for i, step in enumerate(harness.log) if isinstance(step.event, EpisodeEnd))
    after = [c for step in harness.log[ended:] for c in step.commands]
    assert Drop("head", "old_epoch") in after
    # The new episode can't begin before the old generation has left the device.
    begins = next(s for s in harness.log[ended:] if s.phase == "running")
    assert begins.event.now_ns == 260 * MS
    acts = [(c.tick, c.row) for c in after if isinstance(c, Act)]
    assert acts[0] == (3, 3), "three holds while the first chunk of the new episode is made"


def test_case_15_an_overrun_makes_no_burst() -> None:
    """50 Hz; ten jobs of 45 ms, then 1 ms: at most one tick waits, and the grid is kept."""
    harness = Harness(plan_of(module("slow", 50)), lambda launch: 45 * MS if launch.job < 10 else MS).start()
    waiting = []
    for until_ms in range(1000):
        harness.run(until_ms * MS)
        waiting.append(len(harness.scheduler.modules[0].pending))
    state = harness.scheduler.modules[0]
    assert max(waiting) == 1
    launched = [(at, c.tick) for at, c in harness.all(Launch) if isinstance(c, Launch)]
    # Ten jobs end at 450 ms; tick 22 (released at 440 ms) waits, and from 460 ms on the grid is kept.
    # A job that ends on a grid instant (180 and 360 ms) is followed by the tick that waited already.
    assert launched[:10] == [(0, 0), *((45 * i * MS, (45 * i - 1) // 20) for i in range(1, 10))]
    assert launched[10] == (450 * MS, 22)
    assert launched[11:] == [(20 * k * MS, k) for k in range(23, 50)]
    assert harness.scheduler.drops == {("slow", "overrun"): 12}
    assert (state.released, state.finished, state.dropped) == (50, 38, 12)


def test_case_16_a_kilohertz_is_a_kilohertz() -> None:
    """1000 Hz for 60 s with random cost: 60,000 releases, each at its own millisecond."""
    rng = random.Random(16)
    scheduler = Scheduler(plan_of(module("servo", 1000)))
    commands = scheduler.handle(Start(0))
    for k in range(60_000):
        now_ns = k * MS
        assert commands[-1] == Launch(k, "servo", k, 0, "d", (), ())
        ended_ns = now_ns + rng.randrange(MS)
        assert len(scheduler.handle(StageDone(ended_ns, k, 0, now_ns, ended_ns))) == 1
        assert scheduler.wakeup_ns() == now_ns + MS
        commands = scheduler.handle(Wake(now_ns + MS))
    state = scheduler.modules[0]
    assert (state.released, state.finished, state.late, state.dropped) == (60_001, 60_000, 0, 0)


@pytest.mark.parametrize("rate_hz", [500, 1000])
def test_case_17_an_early_or_late_wake_runs_nothing_twice(rate_hz: int) -> None:
    """Wakes scattered by 50 us around the grid: each module once per period of its own."""
    rng = random.Random(rate_hz)
    harness = Harness(plan_of(module("a", rate_hz), module("b", 250, device="e"))).start()
    period_ns = S // rate_hz
    for k in range(1, 2000):
        for off_ns in (rng.randint(-50_000, 50_000), 50_000):
            now_ns = k * period_ns + off_ns
            harness.clock.advance_to(now_ns)
            harness.give(Wake(now_ns))
            harness.run(now_ns)
    for name, per in (("a", 1), ("b", rate_hz // 250)):
        ticks = [c.tick for _, c in harness.all(Launch) if isinstance(c, Launch) and c.module == name]
        assert ticks == list(range(len(ticks)))
        assert abs(len(ticks) - 2000 // per) <= 1
    assert not harness.scheduler.drops


def test_case_18_rates_that_are_no_multiples_do_not_drift() -> None:
    """A module of 30 Hz has had the right number of releases after 10^6 ticks of a 1000 Hz source."""
    source, slow = Grid.of_rate(1000), Grid.of_rate(30)
    for k in (0, 1, 33, 34, 999, 123_457, 10**6):
        count = slow.last_at_or_before(source.at(k)) + 1
        assert abs(count - (k * 30 / 1000 + 1)) <= 1
    assert slow.last_at_or_before(source.at(10**6)) + 1 == 30_001
    # And through the scheduler, for 4 s.
    harness = Harness(plan_of(module("source", 1000), module("slow", 30, device="e"))).start()
    harness.run(4 * S)
    assert [m.released for m in harness.scheduler.modules] == [4_001, 121]


def test_case_18_a_scheduler_does_not_drift_in_a_million_ticks_either() -> None:
    """The slow module for as long as a source of 1000 Hz has 10^6 ticks; the source joins in at the end."""
    source = module("source", 1000, device="e", phase_ns=1000 * S - 10 * MS)
    harness = Harness(plan_of(module("slow", 30), source), keep=False).start()
    for second in range(1, 1001):
        harness.run(second * S)
        slow = harness.scheduler.modules[0]
        assert (slow.released, slow.next_release_ns - second * S) == (30 * second + 1, 33_333_333)
    assert [(m.released, m.finished) for m in harness.scheduler.modules] == [(30_001, 30_001), (11, 11)]


@pytest.mark.slow
def test_case_18_with_every_tick_of_the_source() -> None:
    harness = Harness(plan_of(module("source", 1000), module("slow", 30, device="e")), keep=False).start()
    harness.run(1000 * S)
    assert [m.released for m in harness.scheduler.modules] == [1_000_001, 30_001]


@pytest.mark.parametrize("mode", [Mode.PIPELINED, Mode.PARALLEL])
def test_case_19_latest_means_latest(mode: Mode) -> None:
    """1 kHz into 10 Hz: the age never exceeds the producer's period and its cost, however long it goes on.

    Ten minutes on a clock that is only looked at around the consumer's ticks: 1 kHz in between is the same
    producer job again and again.
    """
    cost_ns = 200_000
    producer = module("fast", 1000, 0.2, outputs=("fast.out",))
    consumer = module("slow", 10, 80, device="e", inputs=reads("fast.out"), phase_ns=50 * MS)
    harness = Harness(plan_of(producer, consumer, mode=mode)).start()
    ages = []
    for tenth in range(1, 101):
        harness.run(tenth * 100 * MS)
        ages += [c.reads[0].age_ns for _, c in harness.all(Launch) if isinstance(c, Launch) and c.reads]
        harness.log.clear()
    # What has not come after 10 s of this does not come after 10 min: every 100 ms the state is the same.
    assert len(ages) == 100
    assert set(ages) == {MS} and max(ages) <= MS + cost_ns
    assert not harness.scheduler.drops


@pytest.mark.parametrize("mode", list(Mode))
def test_case_20_a_blocked_candidate_hides_nobody(mode: Mode) -> None:
    """B (most urgent) waits for an input that only C can give; C runs all the same, and then B."""
    b = module("b", 10, 1, priority=0, rank=1, inputs=reads("c.out"))
    a = module("a", 10, 1, priority=1, rank=2, inputs=reads("c.out"), device="e")
    c = module("c", 10, 1, priority=2, rank=3, outputs=("c.out",))
    harness = Harness(plan_of(b, a, c, mode=mode)).start().run(99 * MS)
    assert [c.module for _, c in harness.all(Finish) if isinstance(c, Finish)] == ["c"]
    assert harness.scheduler.drops == {("b", "absent"): 1, ("a", "absent"): 1}
    harness.run(199 * MS)
    assert [m.finished for m in harness.scheduler.modules] == [1, 1, 2]


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("k", [1, 2])
def test_case_20_who_waits_for_a_budget_hides_nobody(policy: Policy, k: int) -> None:
    """The most urgent one is out of budget for 9 of every 10 ms: the other runs in all of them."""
    spent = module("spent", 1000, 1, budget=Budget(MS, 10 * MS), on_overrun=Overrun.SHIFT)
    other = module("other", 1000, 1, priority=1, rank=1, on_overrun=Overrun.SHIFT)
    harness = Harness(plan_of(spent, other, k=k, policies={"d": policy})).start().run(S)
    assert harness.scheduler.modules[1].finished >= 895
    assert harness.scheduler.modules[0].finished + harness.scheduler.modules[1].finished >= 999


@pytest.mark.parametrize("k", [1, 2])
def test_case_20_a_device_that_hangs_holds_nobody_else(k: int) -> None:
    hangs = module("hangs", 10, device="d", deadline_ns=MS)
    same = module("same", 10, 1, device="d", priority=1)
    other = module("other", 10, 1, device="e")
    harness = Harness(
        plan_of(hangs, same, other, k=k), lambda launch: Fate(None) if launch.module == "hangs" else MS
    ).start()
    harness.run(3 * S)
    assert [m.isolated for m in harness.scheduler.modules] == [True, False, False]
    assert harness.scheduler.modules[2].finished == 30
    assert harness.scheduler.modules[1].finished >= 19
    assert not any(m.unexplained for m in harness.scheduler.modules)


@pytest.mark.parametrize("period_s", [Fraction(1, 3), Fraction(1, 10), Fraction(1, 400), Fraction(1, 30)])
def test_case_24_odd_periods_stay_exact(period_s: Fraction) -> None:
    """Tick 0 fires, and instant k is `floor(k * period)` to the nanosecond up to k = 10^7."""
    grid = Grid.of_rate(1 / period_s, anchor_ns=5)
    assert grid.at(0) == 5
    rng = random.Random(24)
    for k in [*range(2000), *(rng.randrange(10**7) for _ in range(20_000)), 10**7]:
        at = grid.at(k)
        assert at == 5 + k * S * period_s.numerator // period_s.denominator
        assert grid.last_at_or_before(at) == k
        assert grid.last_at_or_before(at - 1) == k - 1


@pytest.mark.parametrize("policy", list(Overrun))
def test_case_24_tick_0_fires_at_the_phase(policy: Overrun) -> None:
    harness = Harness(plan_of(module("a", 3, 1, phase_ns=7, on_overrun=policy))).start().run(S + 7)
    launches = [(at, c.tick) for at, c in harness.all(Launch) if isinstance(c, Launch)]
    assert launches == [(7, 0), (333_333_340, 1), (666_666_673, 2), (1_000_000_007, 3)]


def test_never_is_later_than_anything() -> None:
    assert Grid.of_rate(1).last_at_or_before(NEVER) > 10**9
