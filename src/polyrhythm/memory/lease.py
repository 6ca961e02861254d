"""A sequence in paged KV, and the leases on its pages that go with launched steps."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from polyrhythm.memory.pages import Block, KVError

if TYPE_CHECKING:
    from polyrhythm.memory.kv import PagedKV


class KVContext:
    """A sequence and its pages; made by `PagedKV.open` and `PagedKV.fork`, changed by nobody else."""

    __slots__ = ("_chain", "_leases", "_pages", "_tail", "_writer", "group", "length", "name")

    def __init__(self, name: str, group: str) -> None:
        self.name = name
        self.group = group
        #: Tokens whose keys and values are in the pages.
        self.length = 0
        self._pages: list[int] = []
        self._tail: list[int] | None = []
        self._chain: Block | None = None
        self._leases = 0
        self._writer = False

    @property
    def pages(self) -> tuple[int, ...]:
        """Its pages, in order."""
        return tuple(self._pages)


class Lease:
    """Pages that stay as they are while a step uses them. Give it back once: `done` or `failed`.

    As a context manager it is `done` at the end, and `failed` if something was raised.
    """

    __slots__ = ("_kv", "_open", "_tokens", "context", "count", "pages", "start")

    def __init__(self, kv: PagedKV, context: KVContext, tokens: tuple[int, ...] | None, count: int) -> None:
        self.context = context
        self.pages = context.pages
        #: Position of the first row that the step writes: the length of the context before it.
        self.start = context.length
        #: How many rows the step writes, at most if it is told at the end; 0 if it only reads.
        self.count = count
        self._kv, self._tokens, self._open = kv, tokens, True

    def write_table(self, out: np.ndarray) -> None:
        """Write the page table into i32 ``[table]``; unused places become 0."""
        out[: len(self.pages)] = self.pages
        out[len(self.pages) :] = 0

    def done(self, tokens: Sequence[int] | None = None) -> None:
        """The step has ended: what it wrote is part of the context now.

        Args:
            tokens: what it has appended, if `PagedKV.step` was told only how many there may be.
        """
        appended = self._tokens if tokens is None else tuple(tokens)
        if self.count and (appended is None or len(appended) > self.count):
            told = "none were told" if appended is None else f"not {len(appended)}"
            raise ValueError(f"the step was to append {self.count} tokens at most: {told}")
        self._end()
        self._kv._return(self)
        if self.count:
            self._kv._commit(self.context, appended or ())

    def failed(self) -> None:
        """The step has failed: the context is as long as before it."""
        self._end()
        self._kv._return(self)
        if self.count:
            self._kv._roll_back(self.context)

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open:
            if kind is None:
                self.done()
            else:
                self.failed()

    def _end(self) -> None:
        if not self._open:
            raise KVError(f"the lease on context {self.context.name!r} was given back already")
        self._open = False
