"""One arena for all that a plan needs while it runs: buffers that live at different times share memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ALIGNMENT = 64


class Lifetime(NamedTuple):
    """Bytes that are needed from step `first` to step `last`, both included."""

    nbytes: int
    first: int
    last: int

    def meets(self, other: Lifetime) -> bool:
        """Whether there is a step at which both are needed."""
        return self.first <= other.last and other.first <= self.last


def place(lifetimes: Sequence[Lifetime]) -> tuple[list[int], int]:
    """Where each of them lies in an arena, and the size of the arena; all multiples of `ALIGNMENT`.

    The largest first, each at the lowest place that is free for as long as it lives.
    """
    offsets = [0] * len(lifetimes)
    placed: list[int] = []
    size = 0
    for index in sorted(range(len(lifetimes)), key=lambda i: (-lifetimes[i].nbytes, lifetimes[i].first, i)):
        mine, offset = lifetimes[index], 0
        for other in sorted((i for i in placed if mine.meets(lifetimes[i])), key=offsets.__getitem__):
            if offset + _rounded(mine.nbytes) <= offsets[other]:
                break
            offset = max(offset, offsets[other] + _rounded(lifetimes[other].nbytes))
        offsets[index] = offset
        placed.append(index)
        size = max(size, offset + _rounded(mine.nbytes))
    return offsets, size


def _rounded(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT
