"""Release instants on a rational grid: never accumulated, never floats."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor, lcm

NS_PER_S = 1_000_000_000


def hyperperiod(periods_ns: Iterable[Fraction]) -> Fraction:
    """The shortest time after which grids of these periods stand to one another as before; 1 for none."""
    periods_ns = list(periods_ns)
    parts = lcm(*(period_ns.denominator for period_ns in periods_ns))
    return Fraction(lcm(*(int(period_ns * parts) for period_ns in periods_ns)), parts)


class Grid:
    """The instants ``anchor_ns + floor(k * period_ns + rest_ns)`` for k = 0, 1, 2, ...

    `period_ns` is an exact fraction of nanoseconds (3 Hz is 10**9/3), so that instant k is right to the
    nanosecond for every k, and the number of instants in any span is off by at most one. `rest_ns`, below
    1 ns, is there only after a change of the period. Period and rest are kept as whole numbers of one
    fraction of a nanosecond, so that an instant costs a multiplication and a division of integers.
    """

    __slots__ = ("_parts_per_ns", "_period", "_rest", "anchor_ns", "period_ns", "rest_ns")

    def __init__(self, period_ns: Fraction, anchor_ns: int = 0, rest_ns: Fraction | int = 0) -> None:
        self.period_ns, self.anchor_ns, self.rest_ns = period_ns, anchor_ns, rest_ns
        self._parts_per_ns = parts = lcm(period_ns.denominator, rest_ns.denominator)
        self._period = period_ns.numerator * (parts // period_ns.denominator)
        self._rest = rest_ns.numerator * (parts // rest_ns.denominator)

    @classmethod
    def of_rate(cls, rate_hz: Fraction | int | str, anchor_ns: int = 0) -> Grid:
        """The grid of a rate in hertz; tick 0 fires at `anchor_ns`."""
        return cls(NS_PER_S / Fraction(rate_hz), anchor_ns)

    def at(self, k: int) -> int:
        """Instant k, in nanoseconds."""
        return self.anchor_ns + (k * self._period + self._rest) // self._parts_per_ns

    def last_at_or_before(self, now_ns: int) -> int:
        """The largest k with ``at(k) <= now_ns`` (negative before the anchor)."""
        return ((now_ns - self.anchor_ns + 1) * self._parts_per_ns - self._rest - 1) // self._period

    def anchored(self, k: int, now_ns: int) -> Grid:
        """The same period, moved so that instant k falls on `now_ns`."""
        return Grid(self.period_ns, now_ns - (self.at(k) - self.anchor_ns), self.rest_ns)

    def changed(self, k: int, period_ns: Fraction) -> Grid:
        """Another period from instant k on, which stays where it is, to the fraction of a nanosecond: so
        however often the period changes, instants are never closer than the shorter one."""
        exact_ns = k * (self.period_ns - period_ns) + self.rest_ns
        whole_ns = floor(exact_ns)
        return Grid(period_ns, self.anchor_ns + whole_ns, exact_ns - whole_ns)
