"""Every rule of the scheduler, over random graphs in random worlds (the rules are in `auditor`)."""

from __future__ import annotations

from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from polyrhythm.schedule import SchedulePlan
from polyrhythm.simulate.harness import replayed
from polyrhythm.simulate.worlds import Scene, World
from tests.effort import examples
from tests.schedule.strategies import chunk_plans, plans, scenes, takes_turns, turns, worlds


def played(count: int, **more: Any) -> settings:
    """So many worlds. Add `Phase.shrink` to make a failing example small; it takes minutes."""
    return examples(count, phases=(Phase.explicit, Phase.generate), **more)


@played(200)
@given(plans(), worlds())
def test_every_rule_holds_whatever_fails(plan: SchedulePlan, world: World) -> None:
    world.play(plan)


@played(80)
@given(plans(), worlds(faults=False))
def test_every_rule_holds_when_nothing_fails(plan: SchedulePlan, world: World) -> None:
    harness = world.play(plan)
    assert not any(m.isolated for m in harness.scheduler.modules)


@played(120)
@given(chunk_plans(), worlds())
def test_every_rule_of_chunks_holds_whatever_fails(plan: SchedulePlan, world: World) -> None:
    world.play(plan)


@played(150)
@given(st.data(), st.one_of(plans(), chunk_plans()), worlds(), scenes())
def test_every_rule_holds_while_contexts_come_play_and_go(
    data: st.DataObject, plan: SchedulePlan, world: World, happens: list[Scene]
) -> None:
    world.play(plan, plan, data.draw(takes_turns(plan)), scenes=happens)


@played(80)
@given(plans(), worlds(faults=False), turns())
def test_every_rule_holds_while_contexts_come_back(
    plan: SchedulePlan, world: World, happens: list[Scene]
) -> None:
    world.play(plan, scenes=happens)


@played(20)
@given(plans(), worlds())
def test_the_same_events_give_the_same_commands(plan: SchedulePlan, world: World) -> None:
    log = world.play(plan).log
    assert replayed(plan, log) == [step.commands for step in log]
