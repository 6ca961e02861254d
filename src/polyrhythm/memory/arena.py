"""One allocation cut into aligned arrays, with an account by owner and kind.

Every array starts on a 64-byte boundary (a cache line, and what devices ask for); one of at least a page
starts on a page, so that big arrays share no page with others. Sizes are rounded up accordingly, and the
account counts the rounded sizes: the sum of the ledger is exactly what has been taken.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.binding import ALIGNMENT, STORAGE

PAGE = mmap.PAGESIZE


class ArenaError(Exception):
    """The arena is full or closed; the message holds the account."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One array: `nbytes` of content in `reserved` bytes of the arena, at `offset`."""

    owner: str
    kind: str
    name: str
    nbytes: int
    reserved: int
    offset: int


def footprint(items: Iterable[Tensor | int]) -> int:
    """Bytes that an arena needs to give these (tensors or byte counts), taken in this order."""
    end = 0
    for item in items:
        start, reserved = _place(end, _nbytes(item))
        end = start + reserved
    return end


class Arena:
    """`nbytes` of zeroed memory; every page is touched now, so that no access faults later.

    The memory lives as long as the arena or any array taken from it.
    """

    def __init__(self, nbytes: int, name: str = "arena") -> None:
        self.name = name
        self.nbytes = nbytes
        mapping = mmap.mmap(-1, max(nbytes, 1))
        if hasattr(mmap, "MADV_HUGEPAGE") and nbytes >= 1 << 21:
            mapping.madvise(mmap.MADV_HUGEPAGE)
        self._memory: np.ndarray | None = np.frombuffer(mapping, np.uint8)
        self._memory[::PAGE] = 0
        self._end = 0
        self._rows: list[LedgerRow] = []

    @property
    def used(self) -> int:
        """Bytes taken, gaps before page-aligned arrays included: what `footprint` foretells."""
        return self._end

    def take(self, owner: str, kind: str, item: Tensor | int) -> np.ndarray:
        """A zeroed array: of the tensor's shape and element type (bf16 as uint16), or of that many bytes.

        Raises:
            ArenaError: it does not fit, or the arena is closed.
        """
        if self._memory is None:
            raise ArenaError(f"{self.name} is closed")
        nbytes = _nbytes(item)
        start, reserved = _place(self._end, nbytes)
        name = item.name if isinstance(item, Tensor) else kind
        if start + reserved > self.nbytes:
            raise ArenaError(
                f"{self.name} is full: {owner}/{kind} {name!r} needs {reserved} bytes, "
                f"{self.nbytes - self._end} of {self.nbytes} are left; taken: {self._summary()}"
            )
        # The gap before a page boundary belongs to what asked for the page.
        self._rows.append(LedgerRow(owner, kind, name, nbytes, start + reserved - self._end, start))
        self._end = start + reserved
        raw = self._memory[start : start + nbytes]
        if isinstance(item, int):
            return raw
        return raw.view(STORAGE[item.dtype]).reshape(item.shape)

    def ledger(self) -> tuple[LedgerRow, ...]:
        """What was taken, in order. The sum of `reserved` is `used`."""
        return tuple(self._rows)

    def account(self) -> dict[tuple[str, str], int]:
        """Reserved bytes by (owner, kind)."""
        sums: dict[tuple[str, str], int] = {}
        for row in self._rows:
            sums[row.owner, row.kind] = sums.get((row.owner, row.kind), 0) + row.reserved
        return sums

    def close(self) -> None:
        """Give everything back: the ledger is empty, nothing can be taken any more.

        The system gets the memory when the last array (or device buffer over one) is gone.
        """
        self._memory = None
        self._rows.clear()
        self._end = 0

    def _summary(self) -> str:
        parts = [f"{owner}/{kind} {nbytes}" for (owner, kind), nbytes in self.account().items()]
        return ", ".join(parts) or "nothing"


def _nbytes(item: Tensor | int) -> int:
    return item if isinstance(item, int) else item.nbytes


def _place(end: int, nbytes: int) -> tuple[int, int]:
    """Where an item starts after `end`, and how many bytes it occupies from there."""
    unit = PAGE if nbytes >= PAGE else ALIGNMENT
    return -(-end // unit) * unit, max(-(-nbytes // ALIGNMENT), 1) * ALIGNMENT
