"""Who comes before whom: vector clocks of queues, and what has touched every byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from polyrhythm.hal.dsa.ranges import Intervals, Span

#: So many commands of each queue, counted from its first, are known to have ended.
Clock = dict[str, int]


def join(clock: Clock, other: Mapping[str, int]) -> None:
    """What `other` knows, `clock` knows too."""
    for queue, count in other.items():
        if count > clock.get(queue, 0):
            clock[queue] = count


class Ref(NamedTuple):
    """A command by its place: the `nth` of its queue, from 1 on, and number `at` of all."""

    queue: str
    nth: int
    at: int

    def before(self, clock: Mapping[str, int]) -> bool:
        """Whether it has ended by then."""
        return clock.get(self.queue, 0) >= self.nth


class _Touched(NamedTuple):
    writer: Ref | None
    readers: tuple[Ref, ...]


class Conflict(NamedTuple):
    """An earlier command that must have ended first, where they meet, and how: ``RAW``, ``WAR``, ``WAW``."""

    ref: Ref
    span: Span
    kind: str


class History:
    """Which commands have touched every byte since it was last written, that one included."""

    def __init__(self) -> None:
        self._maps: dict[str, Intervals[_Touched]] = {}

    def conflicts(self, span: Span, writes: bool) -> Iterator[Conflict]:
        """Who must have ended before `span` is read, or written."""
        known = self._maps.get(span.memory)
        if known is None:
            return
        for start, end, touched in known.parts(span.start, span.end):
            if touched is None:
                continue
            where = Span(span.memory, start, end)
            if touched.writer is not None:
                yield Conflict(touched.writer, where, "WAW" if writes else "RAW")
            if writes:
                yield from (Conflict(reader, where, "WAR") for reader in touched.readers)

    def note(self, ref: Ref, span: Span, writes: bool) -> None:
        """`ref` reads or writes `span`."""
        known = self._maps.setdefault(span.memory, Intervals())
        if writes:
            known.set(span.start, span.end, _Touched(ref, ()))
            return
        for start, end, touched in list(known.parts(span.start, span.end)):
            writer, readers = touched or _Touched(None, ())
            if ref not in readers:
                known.set(start, end, _Touched(writer, (*readers, ref)))
