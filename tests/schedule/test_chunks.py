"""Chunks through the real scheduler on the virtual clock: nothing is replayed, nothing skipped."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.schedule import Late, Loop, Mode, ModulePlan, SchedulePlan, Scheduler
from polyrhythm.schedule.events import (
    Act,
    Decelerate,
    Drop,
    EpisodeEnd,
    Halt,
    Hold,
    Launch,
    Publish,
    StageDone,
    Start,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness, Step
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads
from tests.effort import examples

PORT = "head.chunk"
RTC = [Mode.RTC, Mode.PIPELINED_RTC]


def head(rate_hz: Fraction | int, cost_ms: float, horizon: int, **more: object) -> ModulePlan:
    """A module that makes chunks from an observation."""
    return module(
        "head", rate_hz, cost_ms, outputs=(PORT,), chunk=(PORT, horizon), inputs=reads("robot.state"), **more
    )


def robot(maker: ModulePlan, control_hz: Fraction | int = 100, **more: object) -> SchedulePlan:
    """A plan in which `maker` drives a robot that is observed at every tick."""
    more = {"mode": Mode.RTC} | more
    return plan_of(maker, control_hz=control_hz, observations={"robot.state": control_hz}, **more)  # type: ignore[arg-type]


class Book:
    """What every chunk holds and what was executed, as a robot and a model would see it.

    A chunk's actions are names: those of its frozen part the names of the actions that it is to continue,
    all others new. `frozen` is, for every chunk, (start tick, cursor when it came, names it was told).
    """

    def __init__(self) -> None:
        self.executed: dict[int, object] = {}
        self.sources: list[tuple[int, int]] = []  # of every action: which chunk, which row
        self.frozen: list[tuple[int, int, list[object]]] = []
        self.delays: list[int] = []  # as estimated when a chunk is begun
        self.cursor = 0
        self._told: dict[int, tuple[int, list[object]]] = {}
        self._slots: dict[int, tuple[int, list[object]]] = {}
        self._horizon: dict[str, int] = {}

    def watch(self, scheduler: Scheduler, step: Step) -> None:
        """Pass this to a harness."""
        if isinstance(step.event, EpisodeEnd):
            self.executed, self.cursor = {}, 0
        for command in step.commands:
            match command:
                case Launch(splice=splice) if splice is not None:
                    self.delays.append(splice.delay)
                    past = [self.executed.get(t) for t in range(splice.start_tick, splice.cursor)]
                    left = []
                    if splice.left:
                        left = self._slots[splice.slot][1][splice.row : splice.row + splice.left]
                        assert len(left) == splice.left
                    self._told[command.job] = splice.start_tick, past + left
                case Publish(port, slot, seq) if port == PORT:
                    assert isinstance(step.event, StageDone)
                    start, told = self._told.pop(step.event.job)
                    maker = next(m for m in scheduler.plan.modules if m.chunk)
                    assert maker.chunk is not None
                    self._slots[slot] = seq, self._contents(seq, maker.chunk[1], told)
                    self.frozen.append((start, self.cursor, told))
                case Act(tick, _, slot, row):
                    seq, names = self._slots[slot]
                    self.executed[tick] = names[row]
                    self.sources.append((seq, row))
                    self.cursor = tick + 1
                case Hold(tick) | Decelerate(tick):
                    self.cursor = tick + 1

    def _contents(self, seq: int, horizon: int, told: list[object]) -> list[object]:
        return [told[i] if i < len(told) and told[i] is not None else (seq, i) for i in range(horizon)]


def played(plan: SchedulePlan, cost=None, until_ns: int = S, **more) -> tuple[Harness, Book]:
    """Play under audit."""
    book = Book()
    watch = [Auditor(plan).audit, book.watch]
    return Harness(plan, cost, watch=watch, **more).start().run(until_ns), book


def answers(harness: Harness) -> list[bool]:
    """For every tick from the first action on: whether it had one."""
    found = [isinstance(c, Act) for s in harness.log for c in s.commands if isinstance(c, Act | Hold)]
    return found[found.index(True) :]


def stalls(harness: Harness) -> list[int]:
    """Lengths in ticks of the pauses between actions; one that has not ended is left out."""
    runs = [(acts, len(list(ticks))) for acts, ticks in groupby(answers(harness))]
    return [length for acts, length in runs[:-1] if not acts]


# -- the cases of others -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", RTC)
def test_case_1_one_slow_generation_does_not_stay(mode: Mode) -> None:
    """The third generation takes 3 s, all others 50 ms, at 30 Hz: 90 ticks are believed for a while, then the
    truth; what is passed over in a chunk is what was consumed meanwhile."""
    plan = robot(head(5, 50, 120, deadline_ns=2 * S), 30, mode=mode)  # else 3 s are taken for hung
    harness, book = played(plan, lambda launch: 3 * S if launch.job == 2 else 50 * MS, 12 * S)
    assert max(book.delays) >= 90
    back = next(i for i, d in enumerate(book.delays) if d >= 90 and book.delays[i + 1] < 90)
    assert back <= 3 + 20, "after 20 chunks the slow one is in the 5 % that may be slower"
    assert max(book.delays[back + 1 :]) <= 4
    assert not stalls(harness)
    for start, cursor, _ in book.frozen:
        assert cursor - start in (1, 2, 3) or cursor - start >= 90
    for (_, before), (_, after) in zip(_starts(book), _starts(book)[1:], strict=False):
        assert before >= 1 and after >= 1


def _starts(book: Book) -> list[tuple[int, int]]:
    """(chunk, row) of the first action of every chunk but the first."""
    firsts = {}
    for seq, row in book.sources:
        firsts.setdefault(seq, row)
    return list(firsts.items())[1:]


def test_case_2_a_slow_consumer_again_and_again() -> None:
    """Declared 30 Hz, the robot manages 20: while a chunk is made for 0.5 s ten actions leave, never fifteen,
    and the chunk goes on after them; the estimate is in consumed ticks, too."""
    plan = robot(head(1, 500, 64), 30)
    harness, book = played(plan, until_ns=10 * S, act_ns=lambda tick: 50 * MS)
    begun = [c.splice for _, c in harness.all(Launch) if isinstance(c, Launch) and c.splice][1:]
    starts = _starts(book)
    assert len(starts) >= 8
    for splice, (_, row) in zip(begun, starts, strict=False):
        # Nine if one was on its way when the snapshot was taken.
        assert splice.start_tick + row - splice.cursor in (9, 10)
    # More passed between the observation and the beginning: it is taken when the robot has time for it.
    assert set(book.delays[3:]) == {12}


def test_case_4_the_prefix_begins_at_the_cursor_whoever_consumes_when() -> None:
    """A robot of 1 ms ticks that now and then takes longer, observations that come late, generations of every
    length: at every launch the snapshot's row is the action that leaves next."""
    plan = robot(head(100, 0, 40), 1000, k=2)
    costs = (0, MS // 3, 2 * MS, 9 * MS, 19 * MS)
    harness, book = played(
        plan, lambda launch: costs[launch.job % 5], 3 * S,
        act_ns=lambda tick: (tick % 7) * 190_000, sample_ns=lambda port: 130_000,
    )  # fmt: skip
    assert len(book.frozen) > 200
    commands = [c for s in harness.log for c in s.commands if isinstance(c, Launch | Act)]
    checked = 0
    for launch, act in pairwise(commands):
        # (A chunk that is published between the two may answer instead: then the slot differs.)
        if isinstance(launch, Launch) and isinstance(act, Act) and launch.splice and launch.splice.left:
            assert launch.splice.cursor == act.tick
            if act.slot == launch.splice.slot:
                assert act.row == launch.splice.row
                checked += 1
    assert checked > 50


@pytest.mark.parametrize("on_demand", [False, True])
@pytest.mark.parametrize("mode", list(Mode))
def test_case_5_a_reset_leaves_nothing(mode: Mode, on_demand: bool) -> None:
    """Ends in the middle of a generation, with chunks playing and waiting: what leaves afterwards is new."""
    plan = robot(head(10, 190 if on_demand else 60, 10, on_demand=on_demand), 50, mode=mode, buffers=3)
    book = Book()
    harness = Harness(plan, watch=[Auditor(plan).audit, book.watch]).start()
    for at_ms in (230, 655, 1010):
        harness.at(at_ms * MS, EpisodeEnd)
        harness.at((at_ms + 1) * MS, Start)
    harness.run(2 * S)
    newest, oldest, ends = -1, 0, 0
    where: dict[int, int] = {}  # slot -> the chunk in it
    for step in harness.log:
        if isinstance(step.event, EpisodeEnd):
            ends, oldest = ends + 1, newest + 1
        for command in step.commands:
            if isinstance(command, Publish) and command.port == PORT:
                newest = where[command.slot] = command.seq
            elif isinstance(command, Act) and ends:
                assert where[command.slot] >= oldest
    assert ends == 3 and newest > 5
    assert harness.scheduler.drops["head", "old_epoch"] >= 2


@pytest.mark.parametrize("on_demand", [False, True])
@pytest.mark.parametrize("mode", list(Mode))
def test_case_11_three_chunks_through_every_mode(mode: Mode, on_demand: bool) -> None:
    plan = robot(head(10, 40, 16, on_demand=on_demand), 100, mode=mode)
    harness, book = played(plan, until_ns=S)
    assert len({seq for seq, _ in book.sources}) >= 3
    assert not stalls(harness)


@examples(30)
@given(
    mode=st.sampled_from(RTC),
    hz=st.integers(5, 1000),
    stride=st.integers(2, 12),
    load=st.floats(0, 0.9),
    spread=st.sampled_from([0.0, 0.5]),
    slow=st.sampled_from([0.0, 0.4, 1.6]),
    k=st.integers(1, 2),
)
def test_case_12_the_frozen_part_is_what_is_executed_once(
    mode: Mode, hz: int, stride: int, load: float, spread: float, slow: float, k: int
) -> None:
    """At any rate: what a chunk was told to continue is, tick by tick, what was executed until it came."""
    tick_ns = Fraction(S, hz)
    cost_ns = float(load * stride * tick_ns)
    plan = robot(head(Fraction(hz, stride), 0, 3 * stride + 3), hz, mode=mode, k=k)
    harness, book = played(
        plan, lambda launch: int(cost_ns * (1 - spread * (launch.job % 3) / 2)), int(14 * stride * tick_ns),
        act_ns=lambda tick: int(slow * tick_ns),
    )  # fmt: skip
    assert len(book.frozen) >= 4
    assert not stalls(harness)
    ticks = sorted(book.executed)
    assert ticks == list(range(ticks[0], book.cursor)), "no tick twice, none left out"
    for start, cursor, told in book.frozen[1:]:
        executed = [book.executed[t] for t in range(max(start, ticks[0]), cursor)]
        assert executed == told[max(start, ticks[0]) - start : cursor - start]
    for (start, cursor, _), believed in zip(book.frozen[3:], book.delays[3:], strict=False):
        # A tick is let in on the way from sensor to grid, no matter how well the last chunks are known.
        assert believed >= cursor - start - 1 or spread


@examples(25)
@given(
    depth=st.integers(1, 3), hz=st.integers(5, 1000), horizon=st.integers(1, 12), load=st.floats(0, 2.5),
    slow=st.sampled_from([0.0, 0.4, 1.6]),
)  # fmt: skip
def test_a_buffered_chunk_is_played_from_its_first_row_to_its_last(
    depth: int, hz: int, horizon: int, load: float, slow: float
) -> None:
    tick_ns = Fraction(S, hz)
    plan = robot(head(hz, 0, horizon, on_demand=True, deadline_ns=60 * S), hz, buffers=depth)
    _, book = played(
        plan, lambda launch: int(load * horizon * tick_ns), int(12 * horizon * tick_ns),
        act_ns=lambda tick: int(slow * tick_ns),
    )  # fmt: skip
    assert book.sources == [(i // horizon, i % horizon) for i in range(len(book.sources))]
    assert book.sources[-1][0] >= 2
    assert set(book.delays) == {0}


# -- double buffering ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buffers", "cost_ms", "stall_ms"), [(2, 76, 0), (3, 76, 0), (2, 1200, 200), (3, 1200, 200), (1, 76, 76)]
)
@pytest.mark.parametrize("hz", [100, 30, 1000])
def test_the_double_buffer_account(buffers: int, cost_ms: int, stall_ms: int, hz: int) -> None:
    """Chunks of 1000 ms: the stall at every boundary is what the account says, within one tick."""
    plan = robot(head(1, cost_ms, hz, on_demand=True), hz, buffers=buffers)
    harness = Harness(plan).start().run(6500 * MS)
    found, tick_ms = stalls(harness), 1000 / hz
    boundaries = len({(c.slot, c.tick - c.row) for _, c in harness.all(Act) if isinstance(c, Act)}) - 1
    assert boundaries >= 4
    if not stall_ms:
        assert not found
    else:
        assert len(found) == boundaries
        assert all(stall_ms - tick_ms <= ticks * tick_ms <= stall_ms + tick_ms for ticks in found)


def test_with_one_buffer_the_next_chunk_is_begun_as_the_last_action_leaves() -> None:
    plan = robot(head(1, 76, 10, on_demand=True), 100, buffers=1)
    harness = Harness(plan).start().run(S)
    launches = [at for at, _ in harness.all(Launch)]
    last = [at for at, c in harness.all(Act) if isinstance(c, Act) and c.row == 9]
    assert launches[1:] == last[: len(launches) - 1]


# -- late chunks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", list(Late))
def test_late(late: Late) -> None:
    """One generation of 0.5 s after five quick ones: the robot waits as it is told, but not before its first
    action; a late chunk is used for the part that is ahead."""
    plan = robot(head(10, 20, 15), 100, late=late)
    harness, _ = played(plan, lambda launch: 500 * MS if launch.job == 5 else 20 * MS, 1400 * MS)
    kinds = [type(c) for s in harness.log for c in s.commands if isinstance(c, Act | Hold | Decelerate)]
    assert kinds[:3] == [Hold, Hold, Act], "nothing fades, and nothing stops, before the first action"
    gap = {type(c) for s in harness.log for c in s.commands if isinstance(c, Hold | Decelerate)} - {Hold}
    if late is Late.STOP:
        ended = [c for _, c in harness.all(Halt)]
        assert ended == [Halt("the action chunks ran out (late: stop)")]
        assert kinds[-1] is Hold and kinds[-2] is Act, "at once"
        return
    assert gap == ({Decelerate} if late is Late.DECELERATE else set())
    assert not harness.all(Halt)
    (missing,) = [len(list(g)) for acts, g in groupby(k is Act for k in kinds[2:]) if not acts]
    # The chunk at tick 40 lasts until 55; the one begun at 50 would have ended at 65, and is done at 100.
    assert missing == 100 + 2 - 55
    assert harness.scheduler.drops["head", "overrun"] == 3
    assert (PORT, "wholly_late") in harness.scheduler.drops


def test_a_stop_that_follows_from_the_robot_being_late_is_a_stop_too() -> None:
    """The answer that was owed leaves with `Acted`, and finds no action."""
    plan = robot(head(1, 5, 4), 100, late=Late.STOP)
    harness, _ = played(plan, until_ns=S, act_ns=lambda tick: 14 * MS)
    assert [c for _, c in harness.all(Halt)] == [Halt("the action chunks ran out (late: stop)")]


@pytest.mark.parametrize("on_demand", [False, True])
def test_the_fewest_slots_are_enough_even_if_a_chunk_comes_wholly_late(on_demand: bool) -> None:
    """One slot to play and one to write: a chunk that is refused leaves one free."""
    plan = robot(head(10, 20, 12, on_demand=on_demand), 100, buffers=1)
    assert plan.ports[PORT] == 2
    harness, _ = played(plan, lambda launch: 300 * MS if launch.job % 4 == 1 else 20 * MS, 4 * S)
    assert on_demand or harness.scheduler.drops[PORT, "wholly_late"] >= 2


# -- anytime steps -------------------------------------------------------------------------------------------


def stepper(cost_ms: tuple[int, int, int], loop: Loop, **more: object) -> ModulePlan:
    """A prefill, steps, a finish."""
    first, step, last = (c * MS for c in cost_ms)
    costs = (first,) * loop.first + (step,) * loop.full + (last,)
    names = tuple(f"s{i}" for i in range(len(costs)))
    return head(10, 0, 20, stages=names, costs_ns=costs, loop=loop, **more)


def counts(harness: Harness) -> list[int]:
    """Stages of every job, in order, the last one (which may be under way) left out."""
    launches = [c for _, c in harness.all(Launch) if isinstance(c, Launch) and c.module == "head"]
    return [len(list(group)) for _, group in groupby(launches, key=lambda c: c.job)][:-1]


@pytest.mark.parametrize(
    ("deadline_ms", "steps"), [(100, 5), (13, 5), (12, 4), (11, 4), (10, 3), (6, 1), (1, 1)]
)
def test_steps_are_as_many_as_fit(deadline_ms: int, steps: int) -> None:
    """1 ms before, 2 ms a step, 2 ms after."""
    plan = robot(stepper((1, 2, 2), Loop(1, 5, 1), deadline_ns=deadline_ms * MS))
    harness, _ = played(plan, until_ns=S)
    assert set(counts(harness)) == {steps + 2}
    assert harness.scheduler.modules[0].late == (0 if deadline_ms >= 5 else len(counts(harness)))


def test_a_slow_first_step_is_forgotten() -> None:
    """Caches are cold in the first job: each of its steps takes 50 ms. It must not be one step for ever
    because the steps left out are never measured again."""
    plan = robot(stepper((1, 2, 2), Loop(1, 5, 1)))
    harness, _ = played(
        plan, lambda launch: 50 * MS if launch.job == 0 and 1 <= launch.stage <= 5 else 2 * MS, 4 * S
    )
    found = counts(harness)
    assert found[0] == 7 and min(found) == 3
    assert set(found[20:]) == {7}


@pytest.mark.parametrize("k", [1, 2, 3])
def test_what_the_device_still_holds_of_a_job_counts(k: int) -> None:
    """With more than one stage in flight the steps are chosen while the prefill runs: its 6 ms are gone."""
    plan = robot(stepper((6, 2, 2), Loop(1, 5, 1), deadline_ns=12 * MS), k=k)
    harness, _ = played(plan, until_ns=S)
    assert set(counts(harness)) == {1 + 2 + 1}
    assert harness.scheduler.modules[0].late == 0


def test_a_step_counts_with_what_is_planned_even_if_it_took_less_lately() -> None:
    """1 + n x 2 + 2 ms in 9: three steps are proven to fit, and the one time that all take 2 ms they do."""
    plan = robot(stepper((1, 2, 2), Loop(1, 5, 1), deadline_ns=9 * MS))
    harness, _ = played(plan, lambda launch: 2 * MS if launch.job == 30 and launch.stage else MS, 4 * S)
    assert set(counts(harness)) == {3 + 2}
    assert harness.scheduler.modules[0].late == 0


def test_what_the_device_holds_of_others_counts() -> None:
    """K = 2, and `other` has 5 ms of the device, from 9 ms on, when the prefill is launched at 10."""
    other = module("other", 10, 5, phase_ns=9 * MS, priority=-1)
    flow = stepper((1, 2, 2), Loop(1, 5, 1), deadline_ns=14 * MS, phase_ns=10 * MS)
    plan = plan_of(flow, other, control_hz=100, observations={"robot.state": 100}, mode=Mode.RTC, k=2)
    harness, _ = played(plan, until_ns=S)
    # Its first step is launched at 14 ms, when `other` is done: 10 ms are left, 1 + 2 of them taken.
    assert set(counts(harness)) == {1 + 3 + 1}
    assert harness.scheduler.modules[0].late == 0


def test_a_loop_may_come_first() -> None:
    plan = robot(stepper((0, 2, 2), Loop(0, 5, 1), deadline_ns=7 * MS))
    harness, _ = played(plan, until_ns=300 * MS)
    launches = [c for _, c in harness.all(Launch) if isinstance(c, Launch)][:3]
    assert [(c.stage, c.skipped, c.splice is not None) for c in launches] == [
        (3, 3, True), (4, 3, False), (5, 3, False),
    ]  # fmt: skip


def test_a_more_urgent_module_comes_between_two_steps() -> None:
    urgent = module("urgent", 200, 1, priority=-1)
    plan = plan_of(
        stepper((1, 4, 1), Loop(1, 5, 1), priority=0), urgent,
        control_hz=100, observations={"robot.state": 100}, mode=Mode.RTC,
    )  # fmt: skip
    harness, _ = played(plan, until_ns=300 * MS)
    order = [(c.module, c.stage) for _, c in harness.all(Launch) if isinstance(c, Launch)]
    assert ("urgent", 0) in order[order.index(("head", 2)) : order.index(("head", 5))]
    assert harness.scheduler.drops[("urgent", "overrun")] == 0


def test_on_demand_fails_and_is_demanded_again() -> None:
    plan = robot(head(10, 5, 10, on_demand=True, max_failures=3), 100)
    harness, book = played(
        plan, lambda launch: Fate(5 * MS, "boom" if launch.job in (0, 3) else None), until_ns=S
    )
    assert harness.scheduler.drops[("head", "failed")] == 2
    assert len(book.frozen) >= 8
    assert all(isinstance(c, Drop) for _, c in harness.all(Drop))
    assert ceil(S / (100 * MS)) - len(book.frozen) <= 1
