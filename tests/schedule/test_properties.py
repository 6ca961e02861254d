"""Every rule of the scheduler, over random graphs in random worlds (the rules are in `auditor`)."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from polyrhythm.schedule import SchedulePlan
from polyrhythm.simulate.harness import replayed
from polyrhythm.simulate.worlds import Scene, World
from tests.schedule.strategies import chunk_plans, plans, scenes, takes_turns, turns, worlds

#: Add `Phase.shrink` to make a failing example small; it takes minutes.
always = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@settings(always, max_examples=500)
@given(plans(), worlds())
def test_every_rule_holds_whatever_fails(plan: SchedulePlan, world: World) -> None:
    world.play(plan)


@settings(always, max_examples=200)
@given(plans(), worlds(faults=False))
def test_every_rule_holds_when_nothing_fails(plan: SchedulePlan, world: World) -> None:
    harness = world.play(plan)
    assert not any(m.isolated for m in harness.scheduler.modules)


@settings(always, max_examples=300)
@given(chunk_plans(), worlds())
def test_every_rule_of_chunks_holds_whatever_fails(plan: SchedulePlan, world: World) -> None:
    world.play(plan)


@settings(always, max_examples=400)
@given(st.data(), st.one_of(plans(), chunk_plans()), worlds(), scenes())
def test_every_rule_holds_while_contexts_come_play_and_go(
    data: st.DataObject, plan: SchedulePlan, world: World, happens: list[Scene]
) -> None:
    world.play(plan, plan, data.draw(takes_turns(plan)), scenes=happens)


@settings(always, max_examples=200)
@given(plans(), worlds(faults=False), turns())
def test_every_rule_holds_while_contexts_come_back(
    plan: SchedulePlan, world: World, happens: list[Scene]
) -> None:
    world.play(plan, scenes=happens)


@settings(always, max_examples=40)
@given(plans(), worlds())
def test_the_same_events_give_the_same_commands(plan: SchedulePlan, world: World) -> None:
    log = world.play(plan).log
    assert replayed(plan, log) == [step.commands for step in log]
