"""Deliberate faults: see `planting`."""

from tests.simulate.mutants import changes, data, releases
from tests.simulate.mutants.planting import Mutant, planted

MUTANTS = (*releases.MUTANTS, *data.MUTANTS, *changes.MUTANTS)

__all__ = ["MUTANTS", "Mutant", "planted"]
