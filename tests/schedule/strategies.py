"""Random plans and worlds as hypothesis strategies: what `polyrhythm.simulate` makes, by their chance."""

from __future__ import annotations

from hypothesis import strategies as st

from polyrhythm.schedule import SchedulePlan
from polyrhythm.simulate import plans as made
from polyrhythm.simulate import worlds as played
from polyrhythm.simulate.worlds import Scene, World

chance = st.randoms(use_true_random=False)


def plans() -> st.SearchStrategy[SchedulePlan]:
    """See `random_plan`."""
    return chance.map(made.random_plan)


def giving_way_plans() -> st.SearchStrategy[SchedulePlan]:
    """See `giving_way`."""
    return plans().map(made.giving_way)


def chunk_plans() -> st.SearchStrategy[SchedulePlan]:
    """See `random_chunk_plan`."""
    return chance.map(made.random_chunk_plan)


def powered(base: st.SearchStrategy[SchedulePlan]) -> st.SearchStrategy[SchedulePlan]:
    """See `polyrhythm.simulate.plans.powered`."""
    return st.builds(made.powered, chance, base)


def takes_turns(plan: SchedulePlan) -> st.SearchStrategy[SchedulePlan]:
    """See `taking_turns`."""
    return chance.map(lambda rng: made.taking_turns(rng, plan))


def worlds(faults: bool = True) -> st.SearchStrategy[World]:
    """See `random_world`."""
    return chance.map(lambda rng: played.random_world(rng, faults))


def switching(faults: bool = True) -> st.SearchStrategy[World]:
    """See `polyrhythm.simulate.worlds.switching`."""
    return chance.map(lambda rng: played.switching(rng, faults))


def turns() -> st.SearchStrategy[list[Scene]]:
    """See `to_and_fro`."""
    return chance.map(played.to_and_fro)


def scenes() -> st.SearchStrategy[list[Scene]]:
    """See `random_scenes`."""
    return chance.map(played.random_scenes)
