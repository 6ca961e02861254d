"""What happens at once is no fault of the scheduler."""

from __future__ import annotations

from polyrhythm.schedule import OnStale
from polyrhythm.schedule.events import Admit, Halt, Isolate, Refused, Switch
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def test_two_devices_hang_at_once() -> None:
    plan = plan_of(module("a", 10), module("b", 10, device="other"))
    harness = Harness(plan, lambda launch: Fate(None), watch=[Auditor(plan).audit]).start().run(10 * S)
    isolated = harness.all(Isolate)
    assert [command for _, command in isolated] == [Isolate("a", "hung"), Isolate("b", "hung")]
    assert isolated[0][0] == isolated[1][0]


def test_a_switch_is_asked_for_as_the_run_ends() -> None:
    link = reads("robot.x", max_age_ns=10 * MS, on_stale=OnStale.STOP)
    plan = plan_of(module("a", 10, phase_ns=5 * MS, inputs=link), control_hz=50, observations={"robot.x": 1})
    harness = Harness(plan, watch=[Auditor(plan).audit])
    harness.at(50 * MS, Admit(50 * MS, 1, plan, warm=True))
    harness.at(105 * MS, Switch(105 * MS, 1))
    harness.start().run(200 * MS)
    assert harness.all(Refused) == [(105 * MS, Refused(1, "the run has stopped"))]
    assert harness.all(Halt) == [(105 * MS, Halt("link robot.x -> a is stale"))]
