"""How many control ticks pass while a chunk is made: a high quantile of the last few."""

from __future__ import annotations

from bisect import insort
from collections import deque
from math import ceil


class DelayEstimate:
    """A high quantile over a bounded window, so that neither a slow start nor one slow chunk stays for ever.

    Ticks are those that were *consumed*, never wall clock divided by a period: a control loop that runs
    slower than declared consumes fewer.

    Args:
        initial: the estimate until there is a measurement, in ticks.
        window: how many chunks are remembered.
        quantile: 0..1; the smallest delay that at least this share of them did not exceed.
        warm_up: this many first chunks are not counted: their time goes into caches and page faults.
    """

    def __init__(self, initial: int = 0, window: int = 50, quantile: float = 0.95, warm_up: int = 1) -> None:
        self._initial = initial
        self._recent: deque[int] = deque(maxlen=window)
        self._ranked: list[int] = []
        self._quantile = quantile
        self._skip = warm_up

    def add(self, ticks: int) -> None:
        """A chunk came `ticks` after the tick that it starts with."""
        if self._skip:
            self._skip -= 1
            return
        if len(self._recent) == self._recent.maxlen:
            self._ranked.remove(self._recent[0])
        self._recent.append(ticks)
        insort(self._ranked, ticks)

    @property
    def ticks(self) -> int:
        """The estimate."""
        if not self._ranked:
            return self._initial
        # The epsilon keeps 0.95 * 20 from being rounded up to 20.
        rank = ceil(self._quantile * len(self._ranked) - 1e-9)
        return self._ranked[max(rank, 1) - 1]
