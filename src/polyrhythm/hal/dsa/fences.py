"""Fences that are needed, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from polyrhythm.hal.dsa.clocks import Clock, History, Ref, join
from polyrhythm.hal.dsa.program import Command, Operand, Point, Program
from polyrhythm.hal.dsa.ranges import Span


def fenced(
    commands: Iterable[Command], results: tuple[Span, ...], held: tuple[Operand, ...], sram_bytes: int
) -> Program:
    """The program of these commands, each waiting for what it must not overtake.

    A wait that other waits imply is left out, so that every one that is there is needed. A timeline's value
    is the number of the command in its queue.
    """
    fencer = _Fencer()
    for command in commands:
        fencer.add(command)
    end = fencer.end()
    return Program(tuple(fencer.commands), end, results, held, sram_bytes)


class _Fencer:
    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._history = History()
        #: What the next command of each queue knows to have ended.
        self._clocks: dict[str, Clock] = {}
        self._counts: dict[str, int] = {}
        #: What is known once a point is reached.
        self._ended: dict[Point, Clock] = {}
        self._places: dict[Point, int] = {}

    def add(self, command: Command) -> None:
        """The next command, without waits."""
        queue = command.queue
        clock = self._clocks.setdefault(queue, {})
        touched = list(command.touched())
        refs = {c.ref for span, writes in touched for c in self._history.conflicts(span, writes)}
        needed: Clock = {}
        for ref in refs:
            join(needed, {ref.queue: ref.nth})
        waits = self._fewest(needed, clock)
        for point in waits:
            join(clock, self._ended[point])
        self._counts[queue] = count = self._counts.get(queue, 0) + 1
        self._ended[Point(queue, count)] = {**clock, queue: count}
        self._places[Point(queue, count)] = index = len(self.commands)
        self.commands.append(replace(command, waits=waits))
        self._signal(waits)
        for span, writes in touched:
            self._history.note(Ref(queue, count, index), span, writes)

    def end(self) -> tuple[Point, ...]:
        """Once these points are reached, all has ended that was added."""
        points = self._fewest(self._counts, {})
        self._signal(points)
        return points

    def _fewest(self, needed: Clock, known: Clock) -> tuple[Point, ...]:
        points = [Point(queue, n) for queue, n in sorted(needed.items()) if known.get(queue, 0) < n]
        return tuple(
            point
            for point in points
            if not any(
                other != point and self._ended[other].get(point.queue, 0) >= point.value for other in points
            )
        )

    def _signal(self, points: tuple[Point, ...]) -> None:
        for point in points:
            index = self._places[point]
            self.commands[index] = replace(self.commands[index], signal=point.value)
