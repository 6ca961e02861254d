"""What must not happen when reports come late, twice, or at the wrong moment."""

from __future__ import annotations

import pytest

from polyrhythm.schedule import InvariantError, Mode, OnStale, Scheduler
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Drop,
    EpisodeEnd,
    Hold,
    Isolate,
    Launch,
    Renew,
    Sampled,
    StageDone,
    Start,
    Stop,
    Wake,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def test_a_report_that_lies_in_the_inbox_saves_its_module() -> None:
    """The host stands still for 5 s, and the robot's report comes before the device's: nobody hangs."""
    plan = plan_of(module("m", 10, deadline_ns=MS), control_hz=50)
    harness = Harness(plan, lambda launch: 5 * MS, act_ns=lambda tick: 4 * MS, stalls=[(MS, 5 * S)])
    harness.start().run(6 * S)
    assert not harness.all(Isolate)


def test_a_wake_up_after_a_suspend_blames_no_stage() -> None:
    scheduler = Scheduler(plan_of(module("m", 10, deadline_ns=MS)))
    scheduler.handle(Start(0))
    commands = scheduler.handle(Wake(60 * S))  # the devices stood still as well
    assert not any(isinstance(c, Isolate) for c in commands)
    hangs_ns = 60 * S + scheduler.modules[0].plan.hang_ns
    while (due_ns := scheduler.next_ns()) < hangs_ns:
        assert not any(isinstance(c, Isolate) for c in scheduler.handle(Wake(due_ns)))
    commands = scheduler.handle(Wake(hangs_ns))
    assert Isolate("m", "hung") in commands and Renew("d", "m") in commands


@pytest.mark.parametrize("until_ms", [1040, 1060, 1200, 1340, 1360])
def test_who_comes_back_short_of_a_hang_blames_no_stage(until_ms: int) -> None:
    """The devices stood still with the host; a stage would hang at 1100 ms."""
    plan = plan_of(module("m", 20, 80, deadline_ns=50 * MS), module("t", 100, 1, device="e"))

    def cost(launch: Launch) -> int:
        frozen_ns = (until_ms - 30) * MS if (launch.module, launch.tick) == ("m", 0) else 0
        return frozen_ns + (30 if launch.module == "m" else 1) * MS

    stalls = [(30 * MS, until_ms * MS)]
    harness = Harness(plan, cost, stalls=stalls, watch=[Auditor(plan).audit]).start().run(3 * S)
    assert not harness.all(Isolate)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_first_of_several_stages_in_flight_fails(k: int) -> None:
    plan = plan_of(
        module("m", 10, stages=("a", "b", "c"), costs_ns=(MS, MS, MS), outputs=("m.out",), max_failures=9),
        k=k,
    )
    harness = (
        Harness(plan, lambda launch: Fate(MS, "boom" if launch.stage == 0 else None)).start().run(50 * MS)
    )
    assert harness.scheduler.drops == {("m", "failed"): 1}
    # K - 1 stages stood behind it; none is launched once the failure is known.
    assert [c.stage for _, c in harness.all(Launch) if isinstance(c, Launch)] == list(range(k))
    assert harness.scheduler.drained


def test_a_duplicate_acted_does_not_let_a_second_answer_out() -> None:
    scheduler = Harness(plan_of(module("m", 1), control_hz=100)).scheduler
    commands = [
        *scheduler.handle(Start(0)),
        *scheduler.handle(Acted(MS, 0)),
        *scheduler.handle(Wake(10 * MS)),
    ]
    assert [c.tick for c in commands if isinstance(c, Hold)] == [0, 1]
    scheduler.handle(Acted(11 * MS, 0))  # once more; tick 1 is still being executed
    assert scheduler.handle(Wake(20 * MS)) == []
    assert scheduler.handle(Wake(30 * MS)) == [Drop("control", "robot_busy")]
    late = scheduler.handle(Acted(31 * MS, 1))
    assert [c.tick for c in late if isinstance(c, Hold)] == [2], "the answer that waited leaves at once"


def test_an_unasked_sample_is_counted_and_not_published() -> None:
    plan = plan_of(module("m", 10, inputs=reads("robot.a")), control_hz=50, observations={"robot.a": 50})
    scheduler = Harness(plan).scheduler
    assert scheduler.handle(Sampled(0, "robot.a", 0, 0)) == [Drop("robot.a", "unasked")]


def test_one_reader_of_a_stale_link_does_not_speak_for_another() -> None:
    """`strict` holds the robot because of its own limit, though `lax` finds the same link fresh."""
    head = module("head", 50, 1, outputs=("head.chunk",), chunk=("head.chunk", 50), inputs=reads("robot.a"))
    source = module("source", 1, 1, outputs=("source.out",))
    strict = module(
        "strict", 50, 1, inputs=reads("source.out", max_age_ns=100 * MS, on_stale=OnStale.HOLD), device="e"
    )
    lax = module("lax", 50, 1, inputs=reads("source.out"), device="f")
    plan = plan_of(head, source, strict, lax, control_hz=50, observations={"robot.a": 50})
    harness = Harness(plan).start().run(900 * MS)
    late = [c for at, c in harness.all(Hold) if at > 200 * MS]
    assert late and all(c.reason == "stale: source.out -> strict" for c in late if isinstance(c, Hold))
    assert not [at for at, _ in harness.all(Act) if at > 200 * MS]
    harness.run(1100 * MS)
    assert [at for at, _ in harness.all(Act) if at > S], "a fresh value ends the hold"


def test_sequential_mode_passes_the_turn_on_across_devices() -> None:
    """The first in order, on the second device, has no input: the turn goes on in the same step."""
    first = module("first", 10, 1, device="e", rank=0, inputs=reads("second.out"))
    second = module("second", 10, 1, device="d", rank=1, outputs=("second.out",))
    commands = Harness(plan_of(first, second, mode=Mode.SEQUENTIAL)).give(Start(0))
    assert [type(c) for c in commands] == [Drop, Launch]


def test_a_module_may_be_called_control() -> None:
    plan = plan_of(module("control", 50, 30), control_hz=50)
    harness = Harness(plan, act_ns=lambda tick: 30 * MS).start().run(S)
    assert harness.scheduler.modules[0].dropped > 0 and not harness.scheduler.modules[0].unexplained


def test_a_chunk_of_a_module_without_inputs_starts_at_the_present_tick() -> None:
    head = module("head", 10, 1, outputs=("head.chunk",), chunk=("head.chunk", 8))
    harness = Harness(plan_of(head, control_hz=50)).start().run(2 * S)
    assert len(harness.all(Act)) == 100 and not harness.scheduler.drops


def test_a_module_that_reads_itself_never_starts() -> None:
    harness = Harness(plan_of(module("m", 10, outputs=("m.out",), inputs=reads("m.out")))).start().run(S)
    assert harness.scheduler.drops == {("m", "absent"): 11} and not harness.all(Launch)


def test_on_stale_stop_ends_the_run() -> None:
    source = module("source", 1, 1, outputs=("source.out",))
    link = reads("source.out", max_age_ns=100 * MS, on_stale=OnStale.STOP)
    harness = Harness(plan_of(source, module("m", 50, 1, inputs=link, device="e"))).start().run(S)
    assert harness.scheduler.phase == "stopped" and harness.scheduler.drained


@pytest.mark.parametrize("end", [EpisodeEnd, lambda t: Stop(t, "enough")])
def test_a_hang_in_the_last_moment_still_drains(end: type[EpisodeEnd]) -> None:
    harness = Harness(plan_of(module("m", 10, deadline_ns=MS)), lambda launch: Fate(None)).start()
    harness.at(MS, end)
    harness.at(2 * MS, Start)
    harness.run(2 * S)
    assert harness.scheduler.drained and harness.scheduler.modules[0].isolated
    assert harness.scheduler.phase == ("running" if end is EpisodeEnd else "stopped")


def test_a_late_report_from_a_queue_left_behind_changes_nothing() -> None:
    harness = Harness(plan_of(module("m", 10, deadline_ns=MS)), lambda launch: Fate(None)).start().run(2 * S)
    assert harness.give(StageDone(2 * S, 0, 0, 0, 2 * S)) == []


def test_time_does_not_run_backwards() -> None:
    scheduler = Harness(plan_of(module("m", 10))).scheduler
    scheduler.handle(Wake(5))
    with pytest.raises(InvariantError, match="backwards"):
        scheduler.handle(Wake(4))
