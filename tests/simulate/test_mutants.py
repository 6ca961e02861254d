"""The swarm can fail: every fault that is planted is noticed, within a few worlds."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from random import Random

import pytest

from tests.simulate.mutants import MUTANTS, Mutant, planted

#: Worlds that a mutant may live through.
WORLDS = 400
#: Of the trials in which the ledger is watched.
LENGTH_NS = 2_000_000_000


def play(kind: str, seed: int) -> None:
    """One world of a kind, of the rooms as they are imported now."""
    from polyrhythm.simulate.plans import (
        giving_way,
        powered,
        random_chunk_plan,
        random_plan,
        taking_turns,
    )
    from polyrhythm.simulate.worlds import hasty, random_scenes, random_world, switching, to_and_fro

    rng = Random(seed)
    match kind:
        case "ledger":
            play_trial(seed)
        case "plain":
            random_world(rng).play(random_plan(rng))
        case "chunks":
            random_world(rng).play(random_chunk_plan(rng))
        case "profiles":
            switching(rng).play(powered(rng, random_plan(rng)))
        case "steps":
            switching(rng).play(powered(rng, random_chunk_plan(rng)))
        case "giving way":
            switching(rng).play(powered(rng, giving_way(random_plan(rng))))
        case "turns":
            random_world(rng, faults=False).play(random_plan(rng), scenes=to_and_fro(rng))
        case "contexts":
            plan = random_chunk_plan(rng) if rng.random() < 0.5 else random_plan(rng)
            random_world(rng).play(plan, plan, taking_turns(rng, plan), scenes=hasty(rng, random_scenes(rng)))


def play_trial(seed: int) -> None:
    """Contexts are loaded and let go, also where there is no room for them."""
    from polyrhythm.simulate.faults import schedule
    from polyrhythm.simulate.swarm import random_scenario
    from polyrhythm.simulate.trial import Trial

    found = random_scenario(seed)
    faults = ("alloc", "context", "swap")
    strikes = schedule(found.piece, seed, LENGTH_NS, faults, dict.fromkeys(faults, 30))
    trial = Trial(found.piece, seed, LENGTH_NS, strikes)
    trial.play()
    assert trial.failure is None, trial.failure


def lives(mutant: Mutant, seeds: Iterable[int]) -> bool:
    with planted(mutant):
        import_module(
            "polyrhythm.simulate.swarm" if mutant.worlds == "ledger" else "polyrhythm.simulate.worlds"
        )
        for seed in seeds:
            try:
                play(mutant.worlds, seed)
            except Exception:
                return False
    return True


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_every_mutant_is_caught(mutant: Mutant) -> None:
    assert not lives(mutant, range(WORLDS)), "nobody noticed"


@pytest.mark.parametrize(
    "worlds", ["plain", "chunks", "profiles", "steps", "giving way", "turns", "contexts", "ledger"]
)
def test_what_is_sound_lives(worlds: str) -> None:
    """Or the others would prove nothing: the rooms are loaded afresh, and nothing is changed."""
    grid = "self.anchor_ns + (k * self._period"
    assert lives(Mutant("none", "schedule.grid", grid, grid, worlds), range(2 if worlds == "ledger" else 10))


def test_a_mutant_that_does_not_fit_any_more_is_an_error() -> None:
    with pytest.raises(LookupError, match="is 0 times in schedule"):
        lives(Mutant("old", "schedule.grid", "no such text", ""), range(1))
