"""What is proven of a plan holds across a switch of contexts."""

from __future__ import annotations

import pytest

from polyrhythm.analysis import prove
from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Mode, SchedulePlan
from polyrhythm.schedule.events import Admit, Finish, Launch, Renew, Switch, Switched
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
