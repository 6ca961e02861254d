"""Steps cut into parts that fit into the SRAM, and that several cores can share.

How a kernel goes about its work is its own affair, so this is a model: the parts of a step each do their
share of the operations, with their share of what the step writes and of the largest thing that it reads, and
with the whole of everything else. For a product of matrices these are some columns of the weights, the same
columns of the result, and all rows of the activations.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from polyrhythm.hal.dsa.machine import Machine
from polyrhythm.hal.dsa.ranges import Span
from polyrhythm.hal.dsa.work import WorkEntry, WorkStep

ALIGNMENT = 64


class DoesNotFit(ValueError):
    """A step needs more SRAM at once than there is for calls: its name, the bytes that it needs."""

    def __init__(self, step: str, nbytes: int) -> None:
        super().__init__(f"{step} needs {nbytes} bytes of SRAM at once")
        self.step, self.nbytes = step, nbytes


@dataclass(frozen=True, slots=True)
class Touch:
    """Bytes of one memory that lie together: which are read, which are written; nothing lies between."""

    reads: tuple[Span, ...]
    writes: tuple[Span, ...]

    @property
    def hull(self) -> Span:
        """From the first to the last of them."""
        spans = (*self.reads, *self.writes)
        return Span(spans[0].memory, min(s.start for s in spans), max(s.end for s in spans))

    @property
    def whole(self) -> bool:
        """Whether whatever is done is done with all of it."""
        return all(span == self.hull for span in (*self.reads, *self.writes))

    def share(self, part: int, parts: int) -> Touch | None:
        """What one of so many parts has of it; None if nothing."""
        start, size = self.hull.start, self.hull.nbytes
        ends = [size * index // parts // ALIGNMENT * ALIGNMENT for index in (part, part + 1)]
        if part + 1 == parts:
            ends[1] = size
        if ends[0] == ends[1]:
            return None
        piece = Span(self.hull.memory, start + ends[0], start + ends[1])
        return Touch((piece,) if self.reads else (), (piece,) if self.writes else ())


@dataclass(frozen=True, slots=True)
class Part:
    """A part of step number `step` (from 1), for a core of its own."""

    step: int
    name: str
    flops: int
    touches: tuple[Touch, ...]
    core: int


def parts_of(entry: WorkEntry, machine: Machine, held: Container[str], room: int) -> list[Part]:
    """All steps of an entry in parts, in order.

    Args:
        held: memories that are in SRAM anyhow and take no room.
        room: bytes of SRAM for all others.

    Raises:
        DoesNotFit: a step can't be cut that far.
    """
    found: list[Part] = []
    core = 0
    for number, step in enumerate(entry.steps, 1):
        cut = _cut(step, machine, held, room)
        for index, touches in enumerate(cut):
            flops = step.flops * (index + 1) // len(cut) - step.flops * index // len(cut)
            name = step.name if len(cut) == 1 else f"{step.name} {index + 1}/{len(cut)}"
            found.append(Part(number, name, flops, touches, core % machine.cores))
            core += 1
    return found


def touches_of(step: WorkStep) -> list[Touch]:
    """What a step touches, by ranges that lie apart."""
    spans = [(span, False) for span in step.reads] + [(span, True) for span in step.writes]
    groups: list[list[tuple[Span, bool]]] = []
    end = 0
    for span, writes in sorted(set(spans)):
        if groups and groups[-1][0][0].memory == span.memory and span.start < end:
            groups[-1].append((span, writes))
            end = max(end, span.end)
        else:
            groups.append([(span, writes)])
            end = span.end
    return [
        Touch(merged([s for s, writes in group if not writes]), merged([s for s, writes in group if writes]))
        for group in groups
    ]


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The same bytes of one memory, as spans that lie apart."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def _cut(step: WorkStep, machine: Machine, held: Container[str], room: int) -> list[tuple[Touch, ...]]:
    touches = touches_of(step)
    nbytes = sum(span.nbytes for touch in touches for span in (*touch.reads, *touch.writes))
    work_ns = machine.compute_ns(step.flops, nbytes)
    wanted = min(machine.cores, max(1, work_ns // max(1, machine.launch_ns)))
    fixed = [touch for touch in touches if not touch.whole or touch.hull.nbytes < 2 * ALIGNMENT]
    written = [touch for touch in touches if touch.writes and touch not in fixed]
    read = sorted((t for t in touches if not t.writes and t not in fixed), key=lambda t: -t.hull.nbytes)
    if written and not any(touch.writes for touch in fixed):
        for more in range(min(1, len(read)), len(read) + 1):
            cut = [*written, *read[:more]]
            parts = min(wanted, _most(written))
            while _needed(touches, cut, parts, held) * 2 > room and parts < _most(written):
                parts = min(_most(written), max(2, parts * 2, machine.cores))
            if _needed(touches, cut, parts, held) * 2 <= room:
                return _shares(touches, cut, parts)
    if _needed(touches, (), 1, held) > room:
        raise DoesNotFit(step.name, _needed(touches, (), 1, held))
    return [tuple(touches)]


def _most(written: Sequence[Touch]) -> int:
    return max(1, min(touch.hull.nbytes for touch in written) // ALIGNMENT)


def _needed(touches: Sequence[Touch], cut: Container[Touch], parts: int, held: Container[str]) -> int:
    """The SRAM that the largest of so many parts takes."""
    found = 0
    for touch in touches:
        if touch.hull.memory not in held:
            units = -(-touch.hull.nbytes // ALIGNMENT)
            found += ALIGNMENT * (-(-units // parts) if touch in cut and parts > 1 else units)
    return found


def _shares(touches: Sequence[Touch], cut: Container[Touch], parts: int) -> list[tuple[Touch, ...]]:
    if parts == 1:
        return [tuple(touches)]
    whole = [touch not in cut for touch in touches]
    return [
        tuple(
            share
            for touch, all_of_it in zip(touches, whole, strict=True)
            if (share := touch if all_of_it else touch.share(index, parts)) is not None
        )
        for index in range(parts)
    ]
