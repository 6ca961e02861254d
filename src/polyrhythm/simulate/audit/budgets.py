"""The auditor's account of budgets: everything that was ever spent, and when."""

from __future__ import annotations

import numpy as np

from polyrhythm.schedule import Budget


class BudgetBook:
    """Of the budget is left what was not spent within the last period, the present instant included.

    Debts are paid when something comes back. Nothing else is spent before that, so when that will be is known
    as soon as a debt is made. A piece is a stage, or a whole job (`sequential`): only its beginning asks for
    a budget.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.charges: dict[tuple[int, int], tuple[int, int]] = {}  #: piece -> (start, length)
        self._spent: list[tuple[int, int]] = []

    def left_ns(self, now_ns: int) -> int:
        """What may be spent now."""
        since_ns = now_ns - self.budget.period_ns
        left_ns = self.budget.ns - sum(ns for at_ns, ns in self._spent if since_ns < at_ns <= now_ns)
        assert left_ns >= 0, "a part of the budget was spent twice within a period"
        return left_ns

    def comes_ns(self, now_ns: int) -> int:
        """When something may be spent again, if nothing may now."""
        returns_ns = sorted(at_ns + self.budget.period_ns for at_ns, _ in self._spent)
        return next(at_ns for at_ns in returns_ns if at_ns > now_ns and self.left_ns(at_ns) > 0)

    def charge(self, piece: tuple[int, int], started_ns: int, took_ns: int) -> None:
        """A stage has ended."""
        assert piece in self.charges or self.left_ns(started_ns) > 0, "a stage without a budget"
        began_ns, before_ns = self.charges.get(piece, (started_ns, 0))
        self.charges[piece] = (began_ns, before_ns + took_ns)
        at_ns, owed_ns, period_ns = started_ns, took_ns, self.budget.period_ns
        self._spent = [(at, ns) for at, ns in self._spent if at > started_ns - period_ns]
        while owed_ns:
            if paid_ns := min(self.left_ns(at_ns), owed_ns):
                self._spent.append((at_ns, paid_ns))
                owed_ns -= paid_ns
            at_ns = min((at + period_ns for at, _ in self._spent if at + period_ns > at_ns), default=at_ns)

    def check_windows(self) -> None:
        """In any n periods less than n budgets and the last piece: what the analysis counts on."""
        started_ns = np.array([at_ns for at_ns, _ in self.charges.values()], dtype=np.int64)
        took_ns = np.array([ns for _, ns in self.charges.values()], dtype=np.int64)
        before_ns = np.cumsum(took_ns) - took_ns
        for first in range(len(started_ns)):
            periods = (started_ns[first:] - started_ns[first]) // self.budget.period_ns + 1
            sums_ns = before_ns[first:] - before_ns[first]
            assert (sums_ns < periods * self.budget.ns).all(), "more than budgets and the last piece"
