"""What a simulated accelerator is given: commands for its queues, and the fences between them.

There is a queue for every DMA channel and every core. A queue takes its commands in order, and a command
waits at the head of its queue until all points that it waits for are reached; everything behind it waits with
it. But queues are **weakly ordered**: the next command begins before this one has ended, so that nothing is
known of their effects until a fence says so. Each queue has a timeline, named like the queue; a command's
`signal` is the value that it raises the timeline to, once the command and all before it in its queue have
ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from polyrhythm.hal.dsa.ranges import SRAM, Span


class Point(NamedTuple):
    """A value of a queue's timeline."""

    queue: str
    value: int

    def __str__(self) -> str:
        return f"{self.queue} = {self.value}"


class Operand(NamedTuple):
    """Bytes of the SRAM (`place`) that stand for bytes of a tensor's memory (`meaning`)."""

    place: Span
    meaning: Span


@dataclass(frozen=True, slots=True)
class Command:
    """One thing for a queue to do.

    ``load`` copies one operand's meaning into its place (`writes`), ``store`` the other way (`reads`), and
    ``compute`` reads and writes operands in SRAM with `flops` operations. `step` is the step of the entry
    that it belongs to, from 1 on: what it means to read is what the steps before that one have written.
    """

    kind: Literal["load", "store", "compute"]
    name: str
    queue: str
    step: int
    reads: tuple[Operand, ...] = ()
    writes: tuple[Operand, ...] = ()
    flops: int = 0
    waits: tuple[Point, ...] = ()
    signal: int | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that it moves: over the DMA channel, or between SRAM and core."""
        return sum(operand.place.nbytes for operand in (*self.reads, *self.writes))

    def touched(self) -> Iterable[tuple[Span, bool]]:
        """Every range of memory that it touches, and whether it writes it."""
        for operand in self.reads:
            yield operand.place, False
            if self.kind == "store":
                yield operand.meaning, True
        for operand in self.writes:
            yield operand.place, True
            if self.kind == "load":
                yield operand.meaning, False

    def __str__(self) -> str:
        return f"{self.name} ({self.queue})"


@dataclass(frozen=True, slots=True)
class Program:
    """One call of an entry.

    Attributes:
        commands: in the order in which they are given to the queues.
        end: the points that must be reached before the call has ended.
        results: memory behind the channels that must be up to date then.
        held: tensors that live in SRAM: their place is theirs before, during and after the call.
        sram_bytes: how much SRAM there is.
    """

    commands: tuple[Command, ...]
    end: tuple[Point, ...]
    results: tuple[Span, ...] = ()
    held: tuple[Operand, ...] = ()
    sram_bytes: int = 0

    def fences(self) -> Iterable[tuple[str, Program]]:
        """The program without each of its waits and signals in turn, and what was left out."""
        for index, command in enumerate(self.commands):
            for point in command.waits:
                left = tuple(other for other in command.waits if other != point)
                yield (
                    f"{command} no longer waits for {point}",
                    self._with(index, replace(command, waits=left)),
                )
            if command.signal is not None:
                yield f"{command} no longer signals", self._with(index, replace(command, signal=None))
        for point in self.end:
            left = tuple(other for other in self.end if other != point)
            yield f"the end no longer waits for {point}", replace(self, end=left)

    def transfers(self) -> Iterable[tuple[str, Program]]:
        """The program without each of its loads and stores in turn, and what was left out.

        Its command stays, empty, with all fences: nothing but the transfer is missing.
        """
        for index, command in enumerate(self.commands):
            if command.kind != "compute":
                yield f"without {command}", self._with(index, replace(command, reads=(), writes=()))

    def _with(self, index: int, command: Command) -> Program:
        return replace(self, commands=(*self.commands[:index], command, *self.commands[index + 1 :]))


def sram(start: int, nbytes: int) -> Span:
    """A range of the SRAM."""
    return Span(SRAM, start, start + nbytes)
