"""How a duration spreads, in bounded memory: exact for the first samples, then a logarithmic histogram."""

from __future__ import annotations

import math
from typing import NamedTuple

#: Up to so many samples, quantiles are exact.
EXACT = 1024
#: A bucket is at most 1/128 of its value wide, so later quantiles are at most 0.8 % too high.
_SUB_BITS = 7


class Quantiles(NamedTuple):
    """Samples and their quantiles in nanoseconds (nearest rank). The maximum is always exact."""

    samples: int
    p50_ns: int
    p99_ns: int
    max_ns: int

    def to_ms(self) -> dict[str, float | int]:
        """For JSON: ``{"count", "p50", "p99", "max"}``, milliseconds exact to the nanosecond."""
        return {
            "count": self.samples,
            "p50": self.p50_ns / 1e6,
            "p99": self.p99_ns / 1e6,
            "max": self.max_ns / 1e6,
        }


class Spread:
    """Adds non-negative integers of nanoseconds; tells quantiles.

    One thread adds; any thread may ask meanwhile, because what it asks for is copied in one step.
    """

    __slots__ = ("_buckets", "_first", "count", "max_ns", "sum_ns")

    def __init__(self) -> None:
        self.count = 0
        self.sum_ns = 0
        self.max_ns = 0
        self._first: list[int] = []
        self._buckets: dict[int, int] = {}

    def add(self, value_ns: int) -> None:
        """Take one sample; negative ones count as 0."""
        value_ns = max(value_ns, 0)
        if self.count < EXACT:
            self._first.append(value_ns)
        self.count += 1
        self.sum_ns += value_ns
        self.max_ns = max(self.max_ns, value_ns)
        bucket = _bucket(value_ns)
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1

    def quantiles(self) -> Quantiles | None:
        """p50, p99 and maximum, or None while there is no sample."""
        buckets, first = self._buckets.copy(), self._first[:]
        count = sum(buckets.values())
        if not count:
            return None
        if count <= len(first):
            ordered = sorted(first[:count])
            return Quantiles(count, _rank(ordered, 0.5), _rank(ordered, 0.99), self.max_ns)
        p50_ns, p99_ns = (min(_from(buckets, count, q), self.max_ns) for q in (0.5, 0.99))
        return Quantiles(count, p50_ns, p99_ns, self.max_ns)

    def bins(self) -> list[tuple[int, int, int]]:
        """The histogram: (from_ns, to_ns, samples), ascending, `to_ns` exclusive."""
        return [(_lower(b), _lower(b + 1), n) for b, n in sorted(self._buckets.copy().items())]


def _rank(ordered: list[int], q: float) -> int:
    return ordered[max(0, math.ceil(q * len(ordered)) - 1)]


def _from(buckets: dict[int, int], count: int, q: float) -> int:
    left = math.ceil(q * count)
    for bucket in sorted(buckets):
        left -= buckets[bucket]
        if left <= 0:
            return _lower(bucket + 1) - 1
    raise AssertionError("the buckets hold fewer samples than they were counted to")


def _bucket(value: int) -> int:
    """Exact below 2**8; above, 128 buckets for each power of two."""
    shift = max(0, value.bit_length() - _SUB_BITS - 1)
    return (shift << _SUB_BITS) + (value >> shift)


def _lower(bucket: int) -> int:
    """The smallest value of a bucket."""
    shift = max(0, (bucket >> _SUB_BITS) - 1)
    return (bucket - (shift << _SUB_BITS)) << shift
