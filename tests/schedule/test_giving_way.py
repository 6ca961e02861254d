"""Devices that leave a stage for a more urgent one: who cuts in, what that costs whom, and what hangs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrhythm.schedule import Budget, Loop, Mode, Policy, Profile, SchedulePlan
from polyrhythm.schedule.events import (
    Admit,
    Defer,
    Drop,
    Finish,
    Isolate,
    Launch,
    Ready,
    Renew,
    SetProfile,
    StageDone,
    Switch,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness, replayed
from polyrhythm.simulate.terse import MS, S, module, plan_of


def play(plan: SchedulePlan, *args: object, **options: object) -> Harness:
    """Started, and audited."""
    return Harness(plan, *args, watch=[Auditor(plan).audit], **options).start()  # type: ignore[arg-type]


def launches(harness: Harness) -> list[tuple[float, str, bool]]:
    """(ms, module, whether it cut in)."""
    return [(at / MS, c.module, c.cuts_in) for at, c in harness.all(Launch) if isinstance(c, Launch)]


def reports(harness: Harness) -> list[StageDone]:
    return [step.event for step in harness.log if isinstance(step.event, StageDone)]


def finished(harness: Harness) -> list[tuple[float, str]]:
    return [(at / MS, c.module) for at, c in harness.all(Finish) if isinstance(c, Finish)]


def three(**more: object) -> SchedulePlan:
    """Released one after the other, each more urgent than the one before."""
    long = module("long", 1, 20, priority=2)
    between = module("between", 1, 4, priority=1, phase_ns=2 * MS)
    urgent = module("urgent", 1, 1, priority=0, phase_ns=3 * MS)
    return plan_of(long, between, urgent, gives_way=("d",), **more)  # type: ignore[arg-type]


def test_the_more_urgent_cuts_in_and_what_was_left_goes_on() -> None:
    harness = play(three()).run(100 * MS)
    assert launches(harness) == [(0, "long", False), (2, "between", True), (3, "urgent", True)]
    assert finished(harness) == [(4, "urgent"), (7, "between"), (25, "long")]
    done = [s.event for s in harness.log if isinstance(s.event, StageDone)]
    assert [(d.away_ns / MS, d.took_ns / MS) for d in done] == [(0, 1), (1, 4), (5, 20)]


def test_equals_and_less_urgent_ones_wait() -> None:
    plan = plan_of(
        module("long", 1, 20, priority=1),
        module("equal", 1, 1, priority=1, phase_ns=MS),
        module("later", 1, 1, priority=2, phase_ns=MS),
        gives_way=("d",),
    )
    harness = play(plan).run(100 * MS)
    assert [(name, cut) for _, name, cut in launches(harness)] == [
        ("long", False), ("equal", False), ("later", False)
    ]  # fmt: skip


def test_a_device_that_does_not_give_way_does_not() -> None:
    plan = three()
    harness = play(plan_of(*plan.modules)).run(100 * MS)
    assert launches(harness) == [(0, "long", False), (20, "urgent", False), (21, "between", False)]


def test_each_device_for_itself() -> None:
    plan = plan_of(
        module("long", 1, 20, priority=1),
        module("urgent", 1, 1, phase_ns=MS),
        module("far", 1, 20, priority=1, device="e"),
        module("soon", 1, 1, phase_ns=MS, device="e"),
        gives_way=("e",),
    )
    assert finished(play(plan).run(100 * MS)) == [(2, "soon"), (20, "long"), (21, "far"), (21, "urgent")]


def test_the_stages_of_an_urgent_job_follow_one_another() -> None:
    urgent = module("urgent", 1, stages=("a", "b", "c"), costs_ns=(MS, MS, MS), phase_ns=5 * MS)
    harness = play(plan_of(module("long", 1, 20, priority=1), urgent, gives_way=("d",))).run(100 * MS)
    assert finished(harness) == [(8, "urgent"), (23, "long")]


def test_nobody_cuts_in_on_its_own_stages() -> None:
    twice = module("twice", 1, stages=("a", "b"), costs_ns=(5 * MS, 5 * MS), deadline_ns=7 * MS)
    harness = play(plan_of(twice, gives_way=("d",), policies={"d": Policy.LAXITY})).run(100 * MS)
    assert launches(harness) == [(0, "twice", False), (5, "twice", False)]


def test_nobody_cuts_in_on_its_own_stage_when_its_costs_rise() -> None:
    """Launched with 70 ms to spare; at 5 ms its next stage has 68, as the profile counts now."""
    thrice = module("thrice", 10, stages=("a", "b", "c"), costs_ns=(10 * MS,) * 3)
    dear = Profile({"thrice": replace(thrice, costs_ns=(16 * MS,) * 3)})
    plan = plan_of(thrice, gives_way=("d",), policies={"d": Policy.LAXITY})
    plan = replace(plan, profiles={"normal": Profile(), "saver": dear}, profile="normal")
    harness = play(plan)
    harness.at(5 * MS, lambda now_ns: SetProfile(now_ns, "saver"))
    harness.run(99 * MS)
    assert launches(harness) == [(0, "thrice", False), (10, "thrice", False), (26, "thrice", False)]
    assert finished(harness.run(2 * S))[0] == (42, "thrice") and not harness.all(Isolate)


def test_by_deadline_the_earlier_one_cuts_in() -> None:
    late = module("late", 1, 20, deadline_ns=100 * MS, priority=0)
    soon = module("soon", 1, 1, deadline_ns=30 * MS, priority=9, phase_ns=5 * MS)
    harness = play(plan_of(late, soon, gives_way=("d",), policies={"d": Policy.EDF})).run(200 * MS)
    assert finished(harness) == [(6, "soon"), (21, "late")]


def test_by_laxity_two_that_are_short_of_time_do_not_take_turns_all_the_time() -> None:
    """A stage keeps the urgency that it was launched with: as it goes on, nobody gets more urgent than it."""
    a = module("a", 1, 20, deadline_ns=40 * MS)
    b = module("b", 1, 20, deadline_ns=39 * MS, phase_ns=2 * MS)
    c = module("c", 1, 1, deadline_ns=10 * MS, phase_ns=3 * MS)
    harness = play(plan_of(a, b, c, gives_way=("d",), policies={"d": Policy.LAXITY})).run(200 * MS)
    assert launches(harness) == [(0, "a", False), (3, "c", True), (21, "b", False)]


def test_in_sequential_a_job_is_one_piece() -> None:
    harness = play(three(mode=Mode.SEQUENTIAL)).run(100 * MS)
    assert launches(harness) == [(0, "long", False), (20, "between", False), (24, "urgent", False)]


def test_a_budget_pays_for_its_own_work_alone() -> None:
    """20 ms of a budget of 20 in 100, with 5 ms of others in between: nothing is owed."""
    spends = module("spends", 10, 20, priority=1, budget=Budget(20 * MS, 100 * MS))
    urgent = module("urgent", 100, 5, phase_ns=3 * MS)
    harness = play(plan_of(spends, urgent, gives_way=("d",))).run(S)
    assert not harness.all(Defer)
    assert [m.finished for m in harness.scheduler.modules] == [10, 100]


def test_a_module_whose_budget_is_used_up_does_not_cut_in() -> None:
    spent = module("spent", 100, 1, budget=Budget(MS, 50 * MS), priority=0)
    long = module("long", 10, 60, priority=1)
    harness = play(plan_of(spent, long, gives_way=("d",))).run(99 * MS)
    ran = [at for at, name, _ in launches(harness) if name == "spent"]
    assert ran == [0, 50], "and then it does, in the middle of the other one"
    assert launches(harness)[-1] == (50, "spent", True)


def test_what_others_took_is_not_remembered_of_a_step() -> None:
    """The first job was left for 5 ms in its second step. The next one finds its steps as short as they are,
    and takes all of them."""
    steps = module(
        "steps",
        10,
        stages=("step",) * 4,
        costs_ns=(2 * MS,) * 4,
        deadline_ns=9 * MS,
        loop=Loop(0, 4, 1),
        priority=1,
    )
    urgent = module("urgent", 1, 5, phase_ns=3 * MS)
    harness = play(plan_of(steps, urgent, gives_way=("d",))).run(200 * MS - 1)
    taken = [c.tick for _, c in harness.all(Launch) if c.module == "steps"]
    assert taken == [0] * 4 + [1] * 4
    assert finished(harness) == [(8, "urgent"), (13, "steps"), (108, "steps")]


@pytest.mark.parametrize(("piece_ns", "steps"), [(None, 2), (MS, 4)])
def test_a_kernel_is_what_a_choice_of_steps_counts_as_held(piece_ns: int | None, steps: int) -> None:
    """10 ms until the deadline; of the stage under way 6 may be to come, or a kernel of 1 ms."""
    long = module("long", 1, 6, priority=1, piece_ns=piece_ns)
    chooses = module(
        "chooses",
        1,
        stages=("step",) * 4,
        costs_ns=(2 * MS,) * 4,
        deadline_ns=10 * MS,
        loop=Loop(0, 4, 1),
        phase_ns=MS,
    )
    harness = play(plan_of(long, chooses, gives_way=("d",))).run(100 * MS)
    assert sum(c.module == "chooses" for _, c in harness.all(Launch)) == steps


def test_what_warms_up_is_left_for_whatever_is_released() -> None:
    plan = plan_of(module("a", 10, 1, phase_ns=50 * MS), gives_way=("d",))
    slow = plan_of(module("b", 10, 200, priority=0), gives_way=("d",))
    harness = play(plan, lambda launch: 200 * MS if launch.context else MS)
    harness.at(20 * MS, lambda now_ns: Admit(now_ns, 1, slow))
    harness.run(S)
    assert launches(harness)[0] == (20, "b", False)
    cuts = [at for at, name, cut in launches(harness) if cut]
    assert cuts == [50, 150], "and goes on in between"
    assert [at / MS for at, c in harness.all(Ready)] == [222]


def test_only_devices_that_give_way_alike_can_be_shared() -> None:
    plan = three()
    harness = play(plan)
    harness.at(MS, lambda now_ns: Admit(now_ns, 1, plan_of(*plan.modules)))
    harness.at(2 * MS, lambda now_ns: Switch(now_ns, 1))
    harness.run(100 * MS)
    refused = [c for s in harness.log for c in s.commands if type(c).__name__ == "Refused"]
    assert refused[0].reason == "only one of the two lets d give way"


def hang(name: str, times: int = 10**9):
    """Stages of this module never end, so many times."""
    left = [times]

    def cost(launch: Launch) -> int | Fate:
        if launch.module == name and left[0]:
            left[0] -= 1
            return Fate(None)
        return {"long": 20, "between": 4, "urgent": 1}[launch.module] * MS

    return cost


def test_one_that_hangs_alone_is_isolated_at_once() -> None:
    plan = plan_of(module("long", 1, 20, priority=2), gives_way=("d",))
    harness = play(plan, hang("long")).run(5 * S)
    assert [c.reason for _, c in harness.all(Isolate)] == ["hung"]


def two() -> SchedulePlan:
    """The urgent one comes while the long one runs."""
    return plan_of(
        module("long", 1, 20, priority=2, deadline_ns=100 * MS),
        module("urgent", 20, 1, priority=0, deadline_ns=50 * MS, phase_ns=5 * MS),
        gives_way=("d",),
    )


@pytest.mark.parametrize("name", ["long", "urgent"])
def test_when_it_is_not_clear_who_hangs_both_have_failed_once(name: str) -> None:
    """Either the one does not give way or the other does not end: who is well proves it by the next job."""
    harness = play(two(), hang(name, 1)).run(10 * S)
    assert len(harness.all(Renew)) == 1 and not harness.all(Isolate)
    failed = [(c.what, c.detail) for _, c in harness.all(Drop) if c.reason == "failed"]
    assert sorted(failed) == [
        ("long", "d hung in one of urgent, long"),
        ("urgent", "d hung in one of urgent, long"),
    ]
    assert all(m.consecutive_failures == 0 for m in harness.scheduler.modules)


@pytest.mark.parametrize("name", ["long", "urgent"])
def test_one_that_hangs_again_and_again_is_isolated_alone(name: str) -> None:
    harness = play(two(), hang(name)).run(30 * S)
    assert [c.module for _, c in harness.all(Isolate)] == [name]
    other = next(m for m in harness.scheduler.modules if m.plan.id != name)
    assert other.finished > 5 and other.consecutive_failures == 0


def in_turn(**costs_ms: int) -> SchedulePlan:
    """Each cuts in on the one before, 10 ms later; they hang after 3 s."""
    modules = [
        module(name, "1/10", cost_ms, priority=-i, phase_ns=10 * i * MS, deadline_ns=S)
        for i, (name, cost_ms) in enumerate(costs_ms.items())
    ]
    return plan_of(*modules, gives_way=("d",))


@pytest.mark.parametrize(
    ("plan", "stalls", "ends_ms"),
    [
        (in_turn(a=2500, b=900, c=800), [], 4200),
        (in_turn(a=2200, b=1400), [(20 * MS, 1400 * MS)], 3600),
    ],
    ids=["for a third", "and the host stood still"],
)
def test_what_it_was_left_for_does_not_count(plan: SchedulePlan, stalls: list, ends_ms: int) -> None:
    harness = play(plan, stalls=stalls).run(6 * S)
    assert not harness.all(Isolate) and (ends_ms, "a") in finished(harness)


def test_steps_are_chosen_for_whoever_holds_the_device() -> None:
    """`mid` has cut in and waits for a kernel of `low`, up to 6 ms; so does `urgent`, with fewer steps."""
    urgent = module("urgent", 10, stages=("step",) * 10, costs_ns=(MS,) * 10, loop=Loop(0, 10, 2),
                    deadline_ns=10 * MS, piece_ns=MS // 10, phase_ns=MS + MS // 10)  # fmt: skip
    mid = module("mid", 10, 1, priority=1, piece_ns=MS, phase_ns=MS)
    low = module("low", 10, 20, priority=2, piece_ns=6 * MS)
    harness = play(plan_of(urgent, mid, low, gives_way=("d",))).run(95 * MS)
    assert finished(harness) == [(10, "urgent"), (11, "mid"), (25, "low")]


def test_a_kernel_is_ended_before_the_device_is_left() -> None:
    """Kernels of 4 ms: `b` cuts in at 10 ms and begins at 12; `c`, at 11 ms, goes before it."""
    plan = in_turn(a=22, b=5, c=3)
    modules = [replace(m, piece_ns=4 * MS) for m in plan.modules]
    modules[2] = replace(modules[2], phase_ns=11 * MS)
    harness = play(replace(plan, modules=tuple(modules))).run(S)
    ran = [(e.started_ns / MS, e.ended_ns / MS, e.away_ns / MS) for e in reports(harness)]
    assert ran == [(12, 15, 0), (15, 20, 0), (0, 30, 8)]


def test_the_last_kernel_of_a_stage_ends_it() -> None:
    """`a` has 2 ms of its last kernel left when `b` cuts in."""
    plan = in_turn(a=12, b=5)
    harness = play(replace(plan, modules=tuple(replace(m, piece_ns=4 * MS) for m in plan.modules))).run(S)
    assert finished(harness) == [(12, "a"), (17, "b")]


def test_who_warms_up_elsewhere_keeps_nobody_from_cutting_in() -> None:
    """The budget of `m` has paid for nothing of that."""
    plan = plan_of(module("m", 10, 5, budget=Budget(50 * MS, 100 * MS)), gives_way=("d",))
    harness = play(plan, lambda launch: (800 if launch.context else 5) * MS)
    harness.at(50 * MS, lambda now_ns: Admit(now_ns, 1, plan, False))
    harness.run(S - 1)
    assert [at for at, _ in finished(harness)] == [5, 105, 205, 305, 405, 505, 605, 705, 805, 905]


def test_the_same_events_give_the_same_commands() -> None:
    log = play(three()).run(3 * S).log
    assert replayed(three(), log) == [step.commands for step in log]
