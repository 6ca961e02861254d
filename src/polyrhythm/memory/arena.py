"""One allocation cut into aligned arrays, with an account by owner and kind.

Every array starts on a 64-byte boundary (a cache line, and what devices ask for); one of at least a page
starts on a page, so that big arrays share no page with others. Sizes are rounded up accordingly, and the
account counts the rounded sizes: the sum of the ledger is exactly what has been taken.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.binding import ALIGNMENT, STORAGE
from polyrhythm.memory.budget import Budgets

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
    return sum(row.reserved for row in layout(("", "", item) for item in items))


def layout(items: Iterable[tuple[str, str, Tensor | int]]) -> Iterator[LedgerRow]:
    """The rows of an arena that has given these (owner, kind, item), in this order."""
    end = 0
    for owner, kind, item in items:
        row = _row(end, owner, kind, item)
        end += row.reserved
        yield row


class Arena:
    """`nbytes` of zeroed memory. Pages are touched when an array is taken, so that no access faults later.

    The memory lives as long as the arena or any array taken from it.

    Args:
        budgets: what arrays are drawn from, by their owner, until `close`.

    Raises:
        ArenaError: the system does not give so much.
    """

    def __init__(self, nbytes: int, name: str = "arena", budgets: Budgets | None = None) -> None:
        self.name = name
        self.nbytes = nbytes
        self._budgets = budgets or Budgets()
        try:
            mapping = mmap.mmap(-1, max(nbytes, 1))
        except (OSError, OverflowError) as error:
            raise ArenaError(f"{name}: the system does not give {nbytes} bytes: {error}") from error
        if hasattr(mmap, "MADV_HUGEPAGE") and nbytes >= 1 << 21:
            mapping.madvise(mmap.MADV_HUGEPAGE)
        self._memory: np.ndarray | None = np.frombuffer(mapping, np.uint8)
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
            BudgetError: the owner's budget does not allow it.
        """
        if self._memory is None:
            raise ArenaError(f"{self.name} is closed")
        row = _row(self._end, owner, kind, item)
        if self._end + row.reserved > self.nbytes:
            raise ArenaError(
                f"{self.name} is full: {owner}/{kind} {row.name!r} needs {row.reserved} bytes, "
                f"{self.nbytes - self._end} of {self.nbytes} are left; taken: {self._summary()}"
            )
        self._budgets.take(owner, kind, row.reserved)
        self._rows.append(row)
        # The first page may be in use already.
        self._memory[-(-self._end // PAGE) * PAGE : self._end + row.reserved : PAGE] = 0
        self._end += row.reserved
        raw = self._memory[row.offset : row.offset + row.nbytes]
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
        for row in self._rows:
            self._budgets.give(row.owner, row.kind, row.reserved)
        self._memory = None
        self._rows.clear()
        self._end = 0

    def _summary(self) -> str:
        parts = [f"{owner}/{kind} {nbytes}" for (owner, kind), nbytes in self.account().items()]
        return ", ".join(parts) or "nothing"


def _row(end: int, owner: str, kind: str, item: Tensor | int) -> LedgerRow:
    """Where an item lies after `end`. The gap before a page boundary belongs to what asked for the page."""
    name, nbytes = (kind, item) if isinstance(item, int) else (item.name, item.nbytes)
    unit = PAGE if nbytes >= PAGE else ALIGNMENT
    start = -(-end // unit) * unit
    occupied = max(-(-nbytes // ALIGNMENT), 1) * ALIGNMENT
    return LedgerRow(owner, kind, name, nbytes, start + occupied - end, start)
