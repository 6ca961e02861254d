"""What surprises about devices: queues, policies, budgets, hangs."""

from __future__ import annotations

import pytest

from polyrhythm.manifest import loads
from polyrhythm.schedule import Budget, Policy
from polyrhythm.schedule.events import EpisodeEnd, Finish, Launch, Start
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of


def began_ms(harness: Harness, name: str) -> list[float]:
    """When each job of a module began."""
    found = [(at, c) for at, c in harness.all(Launch) if isinstance(c, Launch) and c.module == name]
    return [at / MS for at, c in found if c.stage == 0]


def ended_ms(harness: Harness, name: str) -> list[float]:
    return [at / MS for at, c in harness.all(Finish) if isinstance(c, Finish) and c.module == name]


@pytest.mark.parametrize(("k", "done_ms"), [(1, 11), (2, 61)])
def test_a_second_stage_in_flight_lets_a_long_one_in_front(k: int, done_ms: float) -> None:
    """What is queued is not taken back: with `in_flight: 2` the urgent job waits for the short stage that
    runs and for the long one behind it."""
    short = module("short", 10, 10, priority=1)
    long = module("long", 10, 50, priority=2, rank=1)
    urgent = module("urgent", 10, 1, priority=0, phase_ns=5 * MS, rank=2)
    harness = Harness(plan_of(short, long, urgent, k=k)).start().run(99 * MS)
    assert ended_ms(harness, "urgent") == [done_ms]


def test_a_stage_that_runs_is_not_interrupted_but_on_a_device_that_gives_way() -> None:
    """Else the most urgent module waits for the longest stage of the least urgent one: cut long models into
    stages, or give them a device of static plans with one stage in flight."""
    long = module("long", 1, 300, priority=9)
    urgent = module("urgent", 100, 1, priority=0, phase_ns=MS, rank=1)
    harness = Harness(plan_of(long, urgent)).start().run(400 * MS)
    assert began_ms(harness, "urgent")[0] == 300
    harness = Harness(plan_of(long, urgent, gives_way=("d",))).start().run(400 * MS)
    assert began_ms(harness, "urgent")[0] == 1


def test_edf_lets_the_unimportant_win_when_there_is_too_much_to_do() -> None:
    """By deadline nobody is important: in overload a nearer deadline beats a lower `qos` number each time."""
    hobby = module("hobby", 100, 9, priority=9)
    vital = module("vital", 10, 20, priority=0, rank=1)
    finished = {}
    for policy in (Policy.FIXED, Policy.EDF):
        harness = Harness(plan_of(hobby, vital, policies={"d": policy})).start().run(S - MS)
        finished[policy] = len([ms for ms in ended_ms(harness, "vital") if ms <= 100 * (ms // 100) + 29])
    assert finished[Policy.FIXED] == 10 > finished[Policy.EDF]


def test_a_budget_does_not_make_a_module_less_urgent() -> None:
    """With `fixed` it keeps its place in `qos`, and goes before others as long as something is left."""
    effort = module("effort", 10, 5, priority=0, budget=Budget(5 * MS, 100 * MS))
    other = module("other", 10, 1, priority=1, rank=1)
    harness = Harness(plan_of(effort, other)).start().run(50 * MS)
    assert (began_ms(harness, "effort"), began_ms(harness, "other")) == ([0], [5])


def test_a_stage_longer_than_its_budget_runs_and_is_paid_for_later() -> None:
    """A budget limits the time that is used, not the length of a stage: 20 ms on 1 in 10 run at once, then
    not for 200 ms."""
    harness = Harness(plan_of(module("m", 100, 20, budget=Budget(MS, 10 * MS)))).start().run(450 * MS)
    assert began_ms(harness, "m") == [0, 200, 400]


def test_who_is_behind_a_hung_stage_is_dropped_with_the_queue() -> None:
    """With `in_flight: 2` a healthy module's stage stands in the queue that is left behind: its tick is
    dropped as `device_renewed`, though nothing is wrong with it."""
    hangs = module("hangs", 1, deadline_ns=MS)
    healthy = module("healthy", 1, 1, priority=1, rank=1)
    harness = Harness(plan_of(hangs, healthy, k=2), lambda c: Fate(None if c.module == "hangs" else MS))
    harness.start().run(5 * S)
    assert harness.scheduler.drops["healthy", "device_renewed"] == 1
    assert [m.isolated for m in harness.scheduler.modules] == [True, False]


def test_an_isolated_module_stays_out_in_the_next_episode() -> None:
    """There is no way back from isolation while the run lasts, whatever was wrong: the next run begins
    anew."""
    harness = Harness(plan_of(module("m", 10, 1)), lambda c: Fate(MS, "boom" if c.job < 3 else None)).start()
    harness.at(S, EpisodeEnd)
    harness.at(S + MS, Start)
    harness.run(3 * S)
    assert harness.scheduler.modules[0].isolated and not harness.all(Finish)


def test_a_module_that_qos_does_not_name_comes_last() -> None:
    """Also if it has a class: a class without a priority is no priority. It is noted (`PM065`), not
    refused."""
    text = """\
orchestration:
  modules:
  - { id: dit, vmfb: dit.vmfb, rate_hz: 10 }
  - { id: eye, vmfb: eye.vmfb, rate_hz: 10, class: perception }
  qos: { dit: 7 }
"""
    found = loads(text)
    assert found.manifest is not None
    plan = found.manifest.orchestration
    dit, eye = map(plan.priority, plan.modules)
    assert dit < eye
    assert [(d.code, d.is_error) for d in found.diagnostics] == [("PM065", False)]
