"""Byte ranges of named memories, and what is known of every byte of one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

#: The name of the memory that kernels work on; every other name is memory behind the DMA channels.
SRAM = "sram"

Value = TypeVar("Value")


class Span(NamedTuple):
    """Bytes `start` to `end` (exclusive) of a memory."""

    memory: str
    start: int
    end: int

    @property
    def nbytes(self) -> int:
        """How many."""
        return self.end - self.start

    def meets(self, other: Span) -> bool:
        """Whether there is a byte in both."""
        return self.memory == other.memory and self.start < other.end and other.start < self.end

    def covers(self, other: Span) -> bool:
        """Whether all of `other` lies in this one."""
        return self.memory == other.memory and self.start <= other.start and other.end <= self.end

    def __str__(self) -> str:
        return f"{self.memory}[{self.start}:{self.end}]"


class Intervals(Generic[Value]):
    """A value for every byte of one memory; at first None for all."""

    def __init__(self) -> None:
        self._starts: list[int] = [0]
        self._values: list[Value | None] = [None]

    def set(self, start: int, end: int, value: Value | None) -> None:
        """From now on it is `value` from `start` to `end`."""
        first, last = self._cut(start), self._cut(end)
        self._starts[first:last] = [start]
        self._values[first:last] = [value]

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, Value | None]]:
        """What is known from `start` to `end`: (start, end, value), adjacent and rising."""
        index = bisect_right(self._starts, start) - 1
        while start < end:
            more = index + 1 < len(self._starts)
            stop = min(end, self._starts[index + 1]) if more else end
            yield start, stop, self._values[index]
            start, index = stop, index + 1

    def _cut(self, at: int) -> int:
        """The index of the interval that begins at `at`."""
        index = bisect_right(self._starts, at) - 1
        if self._starts[index] == at:
            return index
        self._starts.insert(index + 1, at)
        self._values.insert(index + 1, self._values[index])
        return index + 1


class Origin(NamedTuple):
    """What a byte at address a is: byte ``a + shift`` of `memory` as step `version` left it (0: the
    caller)."""

    memory: str
    shift: int
    version: int


class Contents:
    """What lies in every memory, byte by byte; memories other than the SRAM begin as the caller left them."""

    def __init__(self) -> None:
        self._maps: dict[str, Intervals[Origin]] = {}

    def write(self, place: Span, meaning: Span, version: int) -> None:
        """`place` holds `meaning` now, as step `version` made it."""
        self._of(place.memory).set(
            place.start, place.end, Origin(meaning.memory, meaning.start - place.start, version)
        )

    def copy(self, source: Span, target: Span) -> None:
        """What is in `source` is in `target` too."""
        by = target.start - source.start
        for start, end, origin in list(self.parts(source)):
            moved = None if origin is None else origin._replace(shift=origin.shift - by)
            self._of(target.memory).set(start + by, end + by, moved)

    def parts(self, place: Span) -> Iterator[tuple[int, int, Origin | None]]:
        """What lies where: (start, end, origin)."""
        at_first = None if place.memory == SRAM else Origin(place.memory, 0, 0)
        for start, end, origin in self._of(place.memory).parts(place.start, place.end):
            yield start, end, origin or at_first

    def _of(self, memory: str) -> Intervals[Origin]:
        if memory not in self._maps:
            self._maps[memory] = Intervals()
        return self._maps[memory]


class Versions:
    """Which step wrote every byte last, in the order in which steps are meant."""

    def __init__(self, writes: Iterable[tuple[int, Span]] = ()) -> None:
        self._maps: dict[str, Intervals[tuple[int, ...]]] = {}
        for step, span in writes:
            self.add(step, span)

    def add(self, step: int, span: Span) -> None:
        """`step` writes this span; steps come in order."""
        known = self._maps.setdefault(span.memory, Intervals())
        for start, end, steps in list(known.parts(span.start, span.end)):
            if not steps or steps[-1] != step:
                known.set(start, end, (*(steps or ()), step))

    def before(self, step: int, span: Span) -> Iterator[tuple[int, int, int]]:
        """Who wrote the span last before `step`: (start, end, that step or 0)."""
        known = self._maps.get(span.memory)
        if known is None:
            yield span.start, span.end, 0
            return
        for start, end, steps in known.parts(span.start, span.end):
            yield start, end, max((other for other in steps or () if other < step), default=0)


def wrong(
    contents: Contents, place: Span, meaning: Span, versions: Versions, step: int
) -> tuple[int, Origin | None] | None:
    """The first byte of `place` that is not what `meaning` should be for `step`, and what it is instead."""
    by = meaning.start - place.start
    for start, end, version in versions.before(step, meaning):
        for at, _, origin in contents.parts(Span(place.memory, start - by, end - by)):
            if origin != Origin(meaning.memory, by, version):
                return at, origin
    return None
