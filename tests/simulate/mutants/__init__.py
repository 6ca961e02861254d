"""Deliberate faults: see `planting`."""

from tests.simulate.mutants import changes, data, fates, releases
from tests.simulate.mutants.planting import ALL, Mutant, planted

MUTANTS = (*releases.MUTANTS, *data.MUTANTS, *changes.MUTANTS, *fates.MUTANTS)

__all__ = ["ALL", "MUTANTS", "Mutant", "planted"]
