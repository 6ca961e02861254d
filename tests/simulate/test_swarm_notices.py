"""The swarm of `make test` can fail: what is planted is noticed by the very trials that it plays.

All of it is slow; a sample, of all kinds of rules, is not.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.simulate.mutants import ALL, MUTANTS, Mutant, planted
from tests.simulate.test_swarm import SEEDS, SELDOM

#: Noticed within a few trials: grid, overrun, priority, slots, splice, ledger, swap.
SAMPLE = {
    "the phase is forgotten",
    "skip does not count the tick that waited",
    "the least urgent goes first",
    "the newest slot is free once nobody reads it",
    "a chunk answers the tick after its own",
    "a budget has no end",
    "the last context goes on",
}


def noticed(mutant: Mutant) -> int | None:
    """By the trial of which seed."""
    with planted(mutant, ALL):
        setting = import_module("polyrhythm.simulate.campaign").Setting(None)
        for seed in (*SEEDS, *SELDOM):
            try:
                trial = setting.trial(seed)
                trial.play()
            except Exception:
                return seed
            if trial.failure is not None:
                return seed
    return None


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.name, marks=[pytest.mark.slow] * (mutant.name not in SAMPLE))
        for mutant in MUTANTS
    ],
)
def test_the_swarm_notices(mutant: Mutant) -> None:
    assert noticed(mutant) is not None, "nobody noticed"


def test_every_name_is_one_of_a_mutant() -> None:
    assert {mutant.name for mutant in MUTANTS} >= SAMPLE
