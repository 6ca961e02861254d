"""Release instants on a rational grid: never accumulated, never floats."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Grid:
    """The instants ``anchor_ns + floor(k * period_ns + rest_ns)`` for k = 0, 1, 2, ...

    `period_ns` is an exact fraction of nanoseconds (3 Hz is 10**9/3), so that instant k is right to the
    nanosecond for every k, and the number of instants in any span is off by at most one. `rest_ns`, below
    1 ns, is there only after a change of the period.
    """

    period_ns: Fraction
    anchor_ns: int = 0
    rest_ns: Fraction | int = 0

    @classmethod
    def of_rate(cls, rate_hz: Fraction | int | str, anchor_ns: int = 0) -> Grid:
        """The grid of a rate in hertz; tick 0 fires at `anchor_ns`."""
        return cls(NS_PER_S / Fraction(rate_hz), anchor_ns)

    def at(self, k: int) -> int:
        """Instant k, in nanoseconds."""
        if self.rest_ns:
            return self.anchor_ns + floor(k * self.period_ns + self.rest_ns)
        numerator, denominator = self.period_ns.as_integer_ratio()
        return self.anchor_ns + k * numerator // denominator

    def last_at_or_before(self, now_ns: int) -> int:
        """The largest k with ``at(k) <= now_ns`` (negative before the anchor)."""
        elapsed_ns = now_ns - self.anchor_ns + 1
        if self.rest_ns:
            return ceil((elapsed_ns - self.rest_ns) / self.period_ns) - 1
        numerator, denominator = self.period_ns.as_integer_ratio()
        return -(-elapsed_ns * denominator // numerator) - 1

    def anchored(self, k: int, now_ns: int) -> Grid:
        """The same period, moved so that instant k falls on `now_ns`."""
        return Grid(self.period_ns, now_ns - (self.at(k) - self.anchor_ns), self.rest_ns)

    def changed(self, k: int, period_ns: Fraction) -> Grid:
        """Another period from instant k on, which stays where it is, to the fraction of a nanosecond: so
        however often the period changes, instants are never closer than the shorter one."""
        exact_ns = k * (self.period_ns - period_ns) + self.rest_ns
        whole_ns = floor(exact_ns)
        return Grid(period_ns, self.anchor_ns + whole_ns, exact_ns - whole_ns or 0)
