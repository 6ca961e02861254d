"""Where chance comes from: each decision has a source of its own; leaving one out changes no other."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

_MASK = (1 << 64) - 1
_HALF, _P99, _ONE = 1 << 31, 4252017623, 1 << 32  # in 2**32ths


def source(seed: int, *names: object) -> Random:
    """The source of a decision, known by its names."""
    return Random(" ".join(map(str, (seed, *names))))


def mixed(*numbers: int) -> int:
    """32 bits that look random, from whole numbers: splitmix64. Cheaper than a source for each."""
    state = 0
    for number in numbers:
        state = (state ^ number) + 0x9E3779B97F4A7C15 & _MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
        state ^= state >> 31
    return state >> 32


class Spread(NamedTuple):
    """What a stage takes, in ns: one time in two up to `p50_ns`, 99 in 100 up to `p99_ns`, never more than
    `max_ns`; evenly between these."""

    least_ns: int
    p50_ns: int
    p99_ns: int
    max_ns: int

    def at(self, chance: int) -> int:
        """The cost for 32 random bits."""
        if chance < _HALF:
            return self.least_ns + (self.p50_ns - self.least_ns) * chance // _HALF
        if chance < _P99:
            return self.p50_ns + (self.p99_ns - self.p50_ns) * (chance - _HALF) // (_P99 - _HALF)
        return self.p99_ns + (self.max_ns - self.p99_ns) * (chance - _P99 + 1) // (_ONE - _P99)


def planned(cost_ns: int) -> Spread:
    """Of a stage of which only the planned cost is known: all of it every other time, else at least half."""
    return Spread(cost_ns // 2, cost_ns, cost_ns, cost_ns)
