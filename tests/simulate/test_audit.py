"""What happens at once is no fault of the scheduler."""

from __future__ import annotations

from polyrhythm.schedule import OnStale, SchedulePlan
from polyrhythm.schedule.events import Admit, Drained, Halt, Isolate, Refused, Switch
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def test_two_devices_hang_at_once() -> None:
    plan = plan_of(module("a", 10), module("b", 10, device="other"))
    harness = Harness(plan, lambda launch: Fate(None), watch=[Auditor(plan).audit]).start().run(10 * S)
    isolated = harness.all(Isolate)
    assert [command for _, command in isolated] == [Isolate("a", "hung"), Isolate("b", "hung")]
    assert isolated[0][0] == isolated[1][0]


def ending() -> SchedulePlan:
    """The plan of a run that ends after 105 ms: what the module on `d` reads is stale then."""
    link = reads("robot.x", max_age_ns=10 * MS, on_stale=OnStale.STOP)
    first = module("b", 1, device="other", phase_ns=S)
    second = module("a", 10, rank=1, phase_ns=5 * MS, inputs=link)
    return plan_of(first, second, control_hz=50, observations={"robot.x": 1})


def test_a_switch_is_asked_for_as_the_run_ends() -> None:
    plan = ending()
    harness = Harness(plan, watch=[Auditor(plan).audit])
    harness.at(50 * MS, Admit(50 * MS, 1, plan, warm=True))
    harness.at(105 * MS, Switch(105 * MS, 1))
    harness.start().run(200 * MS)
    assert harness.all(Refused) == [(105 * MS, Refused(1, "the run has stopped"))]
    assert harness.all(Halt) == [(105 * MS, Halt("link robot.x -> a is stale"))]


def test_a_switch_is_refused_and_what_it_was_for_is_given_up_with_the_run() -> None:
    plan = ending()
    harness = Harness(plan, lambda launch: S if launch.tick < 0 else 0, watch=[Auditor(plan).audit])
    harness.at(50 * MS, Admit(50 * MS, 1, plan))
    harness.at(105 * MS, Switch(105 * MS, 1))
    harness.start().run(2 * S)
    reasons = ["it is not ready", "the run has stopped"]
    assert harness.all(Refused) == [(105 * MS, Refused(1, reason)) for reason in reasons]
    assert harness.all(Drained) == [(1050 * MS, Drained(1))]


def test_a_context_comes_as_the_run_ends() -> None:
    plan = ending()
    harness = Harness(plan, watch=[Auditor(plan).audit])
    harness.at(105 * MS, Admit(105 * MS, 1, plan))
    harness.start().run(2 * S)
    assert harness.all(Refused) == [(105 * MS, Refused(1, "the run has stopped"))]
    assert harness.all(Drained) == [(105 * MS, Drained(1))]
