"""Power profiles: what a switch does to ticks, jobs and chunks, by tables and in random worlds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Finish, Publish
from tests.schedule.harness import replayed
from tests.schedule.test_properties import always
from tests.schedule.worlds import World, chunk_plans, plans, powered, switching


def play(plan: SchedulePlan, world: World) -> None:
    """Under audit; and no chunk is lost: each that was made is handed on, none is dropped by a profile."""
    harness = world.play(plan)
    for module in plan.modules:
        if module.chunk is not None:
            made = sum(c.module == module.id for _, c in harness.all(Finish) if isinstance(c, Finish))
            given = sum(c.port == module.chunk[0] for _, c in harness.all(Publish) if isinstance(c, Publish))
            assert made == given
            assert harness.scheduler.drops[module.id, "profile"] == 0


@settings(always, max_examples=250)
@given(powered(plans()), switching())
def test_every_rule_holds_whatever_profile(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@settings(always, max_examples=120)
@given(powered(chunk_plans()), switching())
def test_no_chunk_is_lost_whatever_profile(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@pytest.mark.slow
@settings(always, max_examples=6000)
@given(powered(plans()), switching())
def test_every_rule_holds_in_thousands_of_worlds(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@pytest.mark.slow
@settings(always, max_examples=4000)
@given(powered(chunk_plans()), switching())
def test_no_chunk_is_lost_in_thousands_of_worlds(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@settings(always, max_examples=20)
@given(powered(plans()), switching())
def test_the_same_switches_give_the_same_commands(plan: SchedulePlan, world: World) -> None:
    log = world.play(plan).log
    assert replayed(plan, log) == [step.commands for step in log]
