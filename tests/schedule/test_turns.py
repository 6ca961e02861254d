"""What is proven of a plan holds across a switch of contexts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrhythm.analysis import prove
from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Mode, ModulePlan, OnStale, Profile, SchedulePlan
from polyrhythm.schedule.events import (
    Act,
    Admit,
    Drained,
    Drop,
    Finish,
    Halt,
    Launch,
    Refused,
    Renew,
    Retire,
    SetProfile,
    Switch,
    Switched,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads

#: 15 ms of every 20: a stage that was carried over would make the next jobs late.
TIGHT = module("head", 50, 15)


def audited(plan: SchedulePlan, **more) -> tuple[Harness, Auditor]:
    piece = Piece("", (plan,), PlayerPlan(), lambda: None)
    auditor = Auditor(plan, piece.proven)
    return Harness(plan, watch=(auditor.audit,), **more).start(), auditor


def responses_ms(harness: Harness, context: int) -> list[float]:
    return [(at - c.release_ns) / MS for at, c in harness.all(Finish) if c.context == context]


@pytest.mark.parametrize("control", [None, 200])
def test_no_stage_of_the_last_context_blocks_the_next(control: int | None) -> None:
    """Tick 1 is launched at 20 ms, the switch comes at 21 ms; the other context begins at 35 ms."""
    seen = {} if control is None else {"robot.state": control}
    harness, auditor = audited(plan_of(TIGHT, control_hz=control, observations=seen))
    harness.give(Admit(0, 1, harness.scheduler.plan, True))
    harness.run(19 * MS)
    harness.at(21 * MS, lambda now_ns: Switch(now_ns, 1))
    harness.run(S)
    first = next(at for at, c in harness.all(Launch) if c.context == 1)
    flip = next(at for at, _ in harness.all(Switched))
    assert first == 35 * MS and flip < first
    assert set(responses_ms(harness, 1)) == {15.0}
    assert auditor.judged == len(harness.all(Finish))


ASIDE = module("eye", 100, 1, device="e"), module("mind", 5, 0, device="e", priority=1, stages=tuple("abcd"),
                                                   costs_ns=(8 * MS,) * 4)  # fmt: skip


@pytest.mark.parametrize("plan", [
    plan_of(TIGHT, *ASIDE, control_hz=100, observations={"robot.state": 100}),
    plan_of(TIGHT, *ASIDE, mode=Mode.PIPELINED),
    plan_of(TIGHT, module("dear", 2, 40, priority=1, stages=tuple("abcdefgh"), costs_ns=(MS,) * 8), k=2),
    plan_of(module("head", 20, 15), module("eye", 20, 1, device="e"), mode=Mode.SEQUENTIAL),
], ids=["robot", "pipelined", "two in flight", "sequential"])  # fmt: skip
def test_bounds_are_judged_across_switches(plan: SchedulePlan) -> None:
    """Back and forth at awkward moments: all that ends is judged."""
    assert prove(plan).feasible
    harness, auditor = audited(plan)
    harness.give(Admit(0, 1, plan, True))
    for turn in range(40):
        harness.at((37 + turn * 61) * MS, lambda now_ns, turn=turn: Switch(now_ns, 1 - turn % 2))
    harness.run(3 * S)
    finished = harness.all(Finish)
    assert len(harness.all(Switched)) == 40
    assert not [c for at, c in finished if at > c.deadline_ns]
    assert auditor.judged == len(finished) > 60


def test_a_stage_that_hangs_is_waited_for_until_its_queue_is_left_behind() -> None:
    plan = plan_of(module("head", 50, 5, inputs=reads("robot.state")), control_hz=50,
                   observations={"robot.state": 50})  # fmt: skip
    harness, _ = audited(plan, cost=lambda launch: Fate(None) if launch.context == 0 else 5 * MS)
    harness.give(Admit(0, 1, plan, True))
    harness.at(30 * MS, lambda now_ns: Switch(now_ns, 1))
    harness.run(3 * S)
    (renewed,) = [at for at, _ in harness.all(Renew)]
    assert renewed == plan.modules[0].hang_ns
    assert min(at for at, c in harness.all(Launch) if c.context == 1) == renewed


def away(*modules: ModulePlan, **more) -> Harness:
    """The context plays until 1 s and from 5 s on."""
    plan = plan_of(*modules)
    harness, _ = audited(plan, **more)
    harness.give(Admit(0, 1, plan, True))
    harness.at(S, lambda now_ns: Switch(now_ns, 1))
    harness.at(5 * S, lambda now_ns: Switch(now_ns, 0))
    return harness


def test_a_context_goes_when_its_chunk_has_been_played() -> None:
    """The one that plays instead makes none: its head fails."""
    head = module("head", 10, 20, inputs=reads("robot.state"), outputs=("head.chunk",),
                  chunk=("head.chunk", 20))  # fmt: skip
    plan = plan_of(head, control_hz=50, observations={"robot.state": 50})
    harness, _ = audited(plan, cost=lambda launch: Fate(20 * MS, "boom" if launch.context else None))
    harness.give(Admit(0, 1, plan, True))
    harness.at(S, lambda now_ns: Switch(now_ns, 1))
    harness.at(1050 * MS, lambda now_ns: Retire(now_ns, 0))
    harness.run(2 * S)
    assert [at / MS for at, _ in harness.all(Drained)] == [1300]
    assert max(at / MS for at, _ in harness.all(Act)) == 1280


SLOW = module("vlm", 2, 100, outputs=("vlm.plan",))


def strict(name: str, source: str, max_age_ms: int, **more: object) -> ModulePlan:
    link = reads(source, max_age_ns=max_age_ms * MS, on_stale=OnStale.STOP)
    return module(name, 20, 5, device="e", inputs=link, outputs=(f"{name}.out",), **more)


def ticks(harness: Harness, name: str, since_ns: int) -> list[float]:
    return [at / MS for at, c in harness.all(Finish) if c.module == name and at >= since_ns]


def test_what_was_made_before_a_context_was_away_is_no_fault_of_the_link() -> None:
    """4 s later it is too old for action, which runs again once vlm has made a plan."""
    harness = away(SLOW, strict("action", "vlm.plan", 1000))
    harness.run(7 * S)
    assert not harness.all(Halt)
    stale = [at / MS for at, c in harness.all(Drop) if (c.what, c.reason) == ("action", "stale")]
    assert stale == [5000, 5050], "while vlm is at it"
    assert ticks(harness, "action", 5 * S)[0] == 5105


def test_nor_is_it_further_down_the_chain() -> None:
    """act insists on what is 80 ms old at most, and mind makes nothing of a plan that is of before."""
    mind = strict("mind", "vlm.plan", 1000, rank=1)
    act = replace(strict("act", "mind.out", 80, rank=2), device="f")
    harness = away(replace(SLOW, phase_ns=150 * MS), mind, act)
    harness.run(7 * S)
    assert not harness.all(Halt)
    assert ticks(harness, "act", 5 * S)[0] > 5250


def test_who_makes_nothing_new_is_to_blame_in_the_end() -> None:

    def cost(launch: Launch) -> Fate:
        fails = launch.module == "vlm" and launch.context == 0 and launch.tick > 1
        return Fate(5 * MS, "boom" if fails else None)

    harness = away(SLOW, strict("action", "vlm.plan", 1000), cost=cost)
    harness.run(7 * S)
    ((at, halt),) = harness.all(Halt)
    assert (at, halt.reason) == (6050 * MS, "link vlm.plan -> action is stale")


def under_saver(plan: SchedulePlan, **modules: ModulePlan | None) -> SchedulePlan:
    """A profile changes these modules."""
    return replace(plan, profiles={"normal": Profile(), "saver": Profile(modules)}, profile="normal")


def test_what_the_profile_drops_is_dropped_as_such_from_the_switch_on() -> None:
    """The first tick of the context that comes is due in the very instant of the switch."""
    eye = module("eye", 50, 1)
    plan = under_saver(plan_of(eye, module("mind", 50, 1), control_hz=50), mind=None)
    harness, _ = audited(plan)
    harness.give(Admit(0, 1, plan, True))
    harness.at(30 * MS, lambda now_ns: SetProfile(now_ns, "saver"))
    harness.at(70 * MS, lambda now_ns: Switch(now_ns, 1))
    harness.run(95 * MS)
    assert [at / MS for at, _ in harness.all(Switched)] == [80]
    drops = [(at / MS, c.what, c.reason) for at, c in harness.all(Drop) if c.context == 1]
    assert drops == [(80, "mind", "profile")]


def test_a_module_is_warmed_up_under_the_profile_of_then() -> None:
    """It waits for the device, and meanwhile the profile changes; its stage hangs."""
    eye = module("eye", 50, 10)
    patient = replace(eye, period_ns=eye.period_ns * 10, deadline_ns=200 * MS)
    plan = under_saver(plan_of(eye), eye=patient)
    harness, _ = audited(plan, cost=lambda launch: Fate(None) if launch.context == 1 else 10 * MS)
    harness.at(5 * MS, lambda now_ns: Admit(now_ns, 1, plan, False))
    harness.at(7 * MS, lambda now_ns: SetProfile(now_ns, "saver"))
    harness.run(3 * S)
    (begun,) = [at for at, c in harness.all(Launch) if c.context == 1]
    (refused,) = [at for at, _ in harness.all(Refused)]
    assert (begun, refused - begun) == (10 * MS, patient.hang_ns)
