"""How long jobs that come again and again keep a device busy: least fixed points, in whole time units.

Plain iteration takes about as many steps as there are jobs in the time that it looks for, and that has no
limit as the load comes close to 100 %. But all periods together repeat after their least common multiple, a
*round* (1 s at most if all rates are whole numbers of hertz), and in each round less work comes than it is
long. So it can be told of a whole round, by going through it once, whether the device gets a pause in it; and
if it does, it does so in every later one. Hence the round of the first pause is found by bisection.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import NamedTuple


class Undecided(Exception):
    """Too many steps."""


class Steps:
    """As many steps as may be taken for one answer; all who work on it share them."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def take(self) -> None:
        """One more. Raises `Undecided`: that is one too many."""
        self._left -= 1
        if self._left < 0:
            raise Undecided


class Jobs(NamedTuple):
    """Jobs of one task: released every `period`, known up to `jitter` later, each so much work."""

    period: int
    jitter: int
    cost: int


class Demand:
    """The jobs of several tasks, which together need less than the whole device."""

    def __init__(self, jobs: Iterable[Jobs], steps: Steps) -> None:
        self._jobs, self._steps = tuple(jobs), steps
        self.round = lcm(*(j.period for j in self._jobs))
        shares = [j.cost * (self.round // j.period) for j in self._jobs]
        self._spare = self.round - sum(shares)
        self._early = sum(j.jitter * share for j, share in zip(self._jobs, shares, strict=True))
        self._burst = sum(j.cost for j in self._jobs)

    @property
    def load(self) -> float:
        """The share of the device that they need."""
        return 1 - self._spare / self.round

    def end(self, fixed: int, since: int = 0) -> int:
        """When `fixed` and every job that is known until then are done: the least s >= `since` >= 0 with
        ``s = fixed + sum of (floor((s + jitter) / period) + 1) x cost``.

        Args:
            since: not later than that.

        Raises:
            Undecided: not found in the steps that were left.
        """
        first = max(since, fixed, (fixed * self.round + self._early) // self._spare)
        if (found := self._pause(fixed, first)) is not None:
            return found
        without, last = 0, (self.latest(fixed) - first) // self.round
        while last - without > 1:
            middle = (without + last) // 2
            if self._pause(fixed, first + middle * self.round) is None:
                without = middle
            else:
                last = middle
        found = self._pause(fixed, first + last * self.round)
        assert found is not None
        return found

    def latest(self, fixed: int) -> int:
        """What `end` is not later than; at once, and rising with `fixed`."""
        return ((fixed + self._burst) * self.round + self._early) // self._spare

    def _pause(self, fixed: int, at: int) -> int | None:
        """The first pause in the round that begins at `at`; None if there is none."""
        until, jobs = at + self.round, self._jobs
        while at < until:
            self._steps.take()
            later = fixed + sum([((at + jitter) // period + 1) * cost for period, jitter, cost in jobs])
            if later <= at:
                return at
            at = later
        return None
