"""The bytes of contexts that come and go, reserved and given back as `polyrhythm.runtime` does it."""

from __future__ import annotations

from collections.abc import Callable

from polyrhythm.analysis import Ledger, overlap
from polyrhythm.analysis.ledger import SHARED, Line
from polyrhythm.memory import BudgetError, Budgets, Machine
from polyrhythm.runtime.ledger import release, reserve


class Memory:
    """What is reserved of a machine, and what should be.

    Args:
        ledger: of the bundle whose contexts these are; each load of it keeps `contexts` of them.
        budgets: makes the budgets of a load, in a machine that is there already, if any.
    """

    def __init__(self, ledger: Ledger, budgets: Callable[[Machine | None], Budgets]) -> None:
        self._ledger = ledger
        self._make = budgets
        self._first = budgets(None)
        self.machine = self._first.machine
        self._budget_nbytes = self.machine.nbytes
        self._loads: dict[int, Budgets] = {}  # by context
        self.should_be = 0
        self.refused = 0

    def load(self, context: int, *, fails_at: int | None = None) -> None:
        """Reserve what a context needs: all of it, or nothing.

        Args:
            fails_at: this reservation of it, counted from 0, finds no room; None: none but by the budget.

        Raises:
            BudgetError: it does not fit.
        """
        budgets = self._make(self.machine)
        if fails_at is not None:
            room = self._room_until(fails_at)
            self.machine.nbytes = room if self._budget_nbytes is None else min(room, self._budget_nbytes)
        taken: list[Line] = []
        try:
            reserve(budgets, self._ledger)
            try:
                for line in self._each():
                    budgets.take(line.owners[0], line.kind, line.nbytes)
                    taken.append(line)
            except BudgetError:
                for line in taken:
                    budgets.give(line.owners[0], line.kind, line.nbytes)
                release(budgets, self._ledger)
                raise
        except BudgetError:
            self.refused += 1
            raise
        finally:
            self.machine.nbytes = self._budget_nbytes
        self._loads[context] = budgets
        self._count()

    def free(self, context: int) -> None:
        """Give back what a context had."""
        budgets = self._loads.pop(context)
        for line in self._each():
            budgets.give(line.owners[0], line.kind, line.nbytes)
        release(budgets, self._ledger)
        self._count()

    def __len__(self) -> int:
        """How many contexts hold memory."""
        return len(self._loads)

    @property
    def reservations(self) -> int:
        """How many a context makes at most."""
        return sum(line.nbytes > 0 for line in self._ledger.lines)

    def audit(self) -> None:
        """The live reservations are what the ledger says of the contexts that are there."""
        used, budget = self.machine.used, self.machine.nbytes
        assert used == self.should_be, f"{used} bytes held, {self.should_be} due"
        assert budget is None or used <= budget, f"{used} bytes held of {budget}"

    def _each(self) -> list[Line]:
        return [line for line in self._ledger.lines if line.key is None]

    def _count(self) -> None:
        self.should_be = overlap(*[self._ledger.with_contexts(1)] * len(self._loads)).total
        assert sum(self.machine.account().values()) == self.machine.used

    def _room_until(self, fails_at: int) -> int:
        """A budget that has room for just so many of the reservations to come."""
        there = bool(self._loads)
        lines = [
            line
            for line in (*(li for li in self._ledger.lines if li.key is not None), *self._each())
            if line.nbytes and not (there and line.kind in SHARED and line.key is not None)
        ]
        return self.machine.used + sum(line.nbytes for line in lines[:fails_at])
