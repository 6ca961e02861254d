"""The bytes of contexts that come and go, reserved and given back as `polyrhythm.runtime` does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from polyrhythm.analysis import Ledger, overlap
from polyrhythm.analysis.ledger import SHARED, Line
from polyrhythm.memory import Budget, BudgetError, Budgets, Machine
from polyrhythm.runtime.ledger import release, reserve


class Share(NamedTuple):
    """What a bundle takes of a machine: the ledger of which each load keeps one context, what makes the
    budgets of a load, in a machine that is there already, if any, and module -> the group that it is in."""

    ledger: Ledger
    budgets: Callable[[Machine | None], Budgets]
    groups: Mapping[str, str] = MappingProxyType({})


class _Load(NamedTuple):
    """A context that is there."""

    ledger: Ledger
    budgets: Budgets
    groups: Mapping[str, str]

    def group(self, line: Line) -> Budget | None:
        """The group that a line is drawn from: that of the first who needs it."""
        name = self.groups.get(line.owners[0])
        return None if name is None else self.budgets.groups[name]


class Memory:
    """What is reserved of a machine, and what should be.

    Args:
        shares: of the bundles whose contexts these are.
    """

    def __init__(self, *shares: Share) -> None:
        self._shares = shares
        self.machine = shares[0].budgets(None).machine
        self._loads: dict[int, _Load] = {}  # by context
        #: What is shared -> the group that it was drawn from, be its load still there or not; None: no group.
        self._drawn: dict[tuple[str, str], Budget | None] = {}
        self._groups: dict[Budget, int] = {}  # what should be of each
        self.should_be = 0
        self._limit: int | None = None  # what should be
        self.refused = 0

    def load(self, context: int, share: int = 0, *, fails_at: int | None = None) -> None:
        """Reserve what a context needs: all of it, or nothing.

        Args:
            share: whose context it is.
            fails_at: this reservation of it, counted from 0, finds no room; None: none but by the budget.

        Raises:
            BudgetError: it does not fit.
        """
        ledger, make, groups = self._shares[share]
        budgets = make(self.machine)
        room = None if fails_at is None else self._room_until(ledger, fails_at)
        if room is not None:
            self.machine.enter(room)
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
            if room is not None:
                self.machine.leave(room)
        self._loads[context] = _Load(ledger, budgets, groups)
        self._count()

    def free(self, context: int) -> None:
        """Give back what a context had."""
        ledger, budgets, _ = self._loads.pop(context)
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
        used, limit = self.machine.used, self.machine.nbytes
        assert used == self.should_be, f"{used} bytes held, {self.should_be} due"
        assert limit == self._limit, f"the limit is {limit} bytes, {self._limit} due"
        assert limit is None or used <= limit, f"{used} bytes held of {limit}"
        for group, due in self._groups.items():
            assert group.used == due, f"{group.name}: {group.used} bytes held, {due} due"
            assert group.nbytes is None or due <= group.nbytes, f"{group.name}: {due} bytes of {group.nbytes}"

    def _count(self) -> None:
        self.should_be = overlap(*[load.ledger.with_contexts(1) for load in self._loads.values()]).total
        assert sum(self.machine.account().values()) == self.machine.used
        totals = [load.budgets.total for load in self._loads.values()]
        self._limit = min((total for total in totals if total is not None), default=None)
        self._count_groups()

    def _count_groups(self) -> None:
        """Whoever is the first to need what is shared draws it from his group, and it stays there."""
        self._groups = {group: 0 for load in self._loads.values() for group in load.budgets.groups.values()}
        shared: dict[tuple[str, str], int] = {}
        for load in self._loads.values():
            for line in load.ledger.lines:
                group = load.group(line)
                if (key := _shared(line)) is not None:
                    self._drawn.setdefault(key, group)
                    shared[key] = max(shared.get(key, 0), line.nbytes)
                elif group is not None:
                    self._groups[group] += line.nbytes
        self._drawn = {key: group for key, group in self._drawn.items() if key in shared}
        for key, group in self._drawn.items():
            if group is not None:
                self._groups[group] = self._groups.get(group, 0) + shared[key]

    def _room_until(self, ledger: Ledger, fails_at: int) -> int:
        """A budget that has room for just so many of the reservations to come."""
        return self.machine.used + sum(line.nbytes for line in self._to_come(ledger)[:fails_at])

    def _to_come(self, ledger: Ledger) -> list[Line]:
        """What loading it reserves, in order; a line of nothing can't fail."""
        there = {_shared(line) for load in self._loads.values() for line in load.ledger.lines} - {None}
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
