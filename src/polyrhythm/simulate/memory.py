"""The bytes of contexts that come and go, reserved and given back as `polyrhythm.runtime` does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from polyrhythm.analysis import Ledger, overlap
from polyrhythm.analysis.ledger import SHARED, Line
from polyrhythm.memory import BudgetError, Budgets, Machine
from polyrhythm.runtime.ledger import release, reserve


class Share(NamedTuple):
    """What a bundle takes of a machine: the ledger of which each load keeps one context, and what makes the
    budgets of a load, in a machine that is there already, if any."""

    ledger: Ledger
    budgets: Callable[[Machine | None], Budgets]


class Memory:
    """What is reserved of a machine, and what should be.

    Args:
        shares: of the bundles whose contexts these are; the machine is that of the first.
    """

    def __init__(self, *shares: Share) -> None:
        self._shares = shares
        self._first = shares[0].budgets(None)
        self.machine = self._first.machine
        self._budget_nbytes = self.machine.nbytes
        self._loads: dict[int, tuple[Ledger, Budgets]] = {}  # by context
        self.should_be = 0
        self.refused = 0

    def load(self, context: int, share: int = 0, *, fails_at: int | None = None) -> None:
        """Reserve what a context needs: all of it, or nothing.

        Args:
            share: whose context it is.
            fails_at: this reservation of it, counted from 0, finds no room; None: none but by the budget.

        Raises:
            BudgetError: it does not fit.
        """
        ledger, make = self._shares[share]
        budgets = make(self.machine)
        if fails_at is not None:
            room = self._room_until(ledger, fails_at)
            self.machine.nbytes = room if self._budget_nbytes is None else min(room, self._budget_nbytes)
        taken: list[Line] = []
        try:
            reserve(budgets, ledger)
            try:
                for line in _each(ledger):
                    budgets.take(line.owners[0], line.kind, line.nbytes)
                    taken.append(line)
            except BudgetError:
                for line in taken:
                    budgets.give(line.owners[0], line.kind, line.nbytes)
                release(budgets, ledger)
                raise
        except BudgetError:
            self.refused += 1
            raise
        finally:
            self.machine.nbytes = self._budget_nbytes
        self._loads[context] = ledger, budgets
        self._count()

    def free(self, context: int) -> None:
        """Give back what a context had."""
        ledger, budgets = self._loads.pop(context)
        for line in _each(ledger):
            budgets.give(line.owners[0], line.kind, line.nbytes)
        release(budgets, ledger)
        self._count()

    def __len__(self) -> int:
        """How many contexts hold memory."""
        return len(self._loads)

    def reservations(self, share: int) -> int:
        """How many one more context would make now: what is shared is reserved once."""
        return len(self._to_come(self._shares[share].ledger))

    def audit(self) -> None:
        """The live reservations are what the ledgers say of the contexts that are there."""
        used, budget = self.machine.used, self.machine.nbytes
        assert used == self.should_be, f"{used} bytes held, {self.should_be} due"
        assert budget is None or used <= budget, f"{used} bytes held of {budget}"

    def _count(self) -> None:
        self.should_be = overlap(*[ledger.with_contexts(1) for ledger, _ in self._loads.values()]).total
        assert sum(self.machine.account().values()) == self.machine.used

    def _room_until(self, ledger: Ledger, fails_at: int) -> int:
        """A budget that has room for just so many of the reservations to come."""
        return self.machine.used + sum(line.nbytes for line in self._to_come(ledger)[:fails_at])

    def _to_come(self, ledger: Ledger) -> list[Line]:
        """What loading it reserves, in order; a line of nothing can't fail."""
        there = {_shared(line) for known, _ in self._loads.values() for line in known.lines} - {None}
        return [
            line
            for line in (*(li for li in ledger.lines if li.key is not None), *_each(ledger))
            if line.nbytes and _shared(line) not in there
        ]


def _each(ledger: Ledger) -> list[Line]:
    return [line for line in ledger.lines if line.key is None]


def _shared(line: Line) -> tuple[str, str] | None:
    """What makes it the same for all bundles; None if each load has its own."""
    return None if line.key is None or line.kind not in SHARED else (line.kind, line.key)
