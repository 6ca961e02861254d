"""Finds what is missing in a program: a fence, a signal, a transfer. It never guesses, it names both sides.

Two questions are asked of every program. *Is the order of everything that touches the same bytes fixed?*
Vector clocks answer it: a command knows what had ended when it began, through the points that its queue has
waited for. Two commands that meet in a byte, one writing, neither known to the other, are a hazard however
they may fall in one run. *Does every command read what it means to read?* For that the program is carried out
once on the meanings of bytes instead of their values; since the order is fixed, once is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrhythm.hal.dsa.clocks import Clock, Conflict, History, Ref, join
from polyrhythm.hal.dsa.program import Command, Operand, Point, Program
from polyrhythm.hal.dsa.ranges import SRAM, Contents, Origin, Span, Versions, wrong

CODES = {
    "PA010": "a fence that is missing",
    "PA011": "a wait for a point that nothing signals",
    "PA012": "commands that wait for each other",
    "PA013": "a command that reads something else than it means to",
    "PA014": "a call that ends before its commands have",
    "PA015": "a result that is not up to date when the call has ended",
    "PA016": "a timeline that does not rise",
    "PA017": "a command outside of the SRAM",
}
END = "the end of the call"
_KINDS = {
    "RAW": ("reads", "has written"),
    "WAR": ("writes", "has read"),
    "WAW": ("writes", "has written"),
}


@dataclass(frozen=True, slots=True)
class Hazard:
    """What is wrong between two operations; `first` is the one that has to come first."""

    code: str
    first: str
    second: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def check(program: Program) -> list[Hazard]:
    """Everything that is wrong with a program, in the order of its commands; empty if it is correct."""
    return list(_Checker(program).run())


def first_hazard(program: Program) -> Hazard | None:
    """One thing that is wrong with a program, found sooner than all of them; None if it is correct."""
    return next(_Checker(program).run(), None)


class _Checker:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._signals: dict[Point, int] = {}
        self._refs: list[Ref] = []
        self._queues: dict[str, list[int]] = {}
        for index, command in enumerate(program.commands):
            queue = self._queues.setdefault(command.queue, [])
            queue.append(index)
            self._refs.append(Ref(command.queue, len(queue), index))
        #: By command: what had ended when it began; by queue: what has ended for its next command.
        self._began: dict[int, Clock] = {}
        self._clocks: dict[str, Clock] = {queue: {} for queue in self._queues}
        self._told: set[tuple[int, int, str]] = set()

    def run(self) -> Iterator[Hazard]:
        yield from self._timelines()
        order = list(self._order())
        done = [item for item in order if isinstance(item, int)]
        if stuck := [item for item in order if isinstance(item, Hazard)]:
            yield from stuck
            return
        yield from self._races(done)
        yield from self._end()
        yield from self._meanings(done)

    def _timelines(self) -> Iterator[Hazard]:
        for queue, indices in self._queues.items():
            last, before = 0, ""
            for index in indices:
                command = self._program.commands[index]
                if command.signal is None:
                    continue
                if command.signal <= last:
                    point = Point(queue, command.signal)
                    text = f"{command} signals {point} after {before} has signalled {last}"
                    yield Hazard("PA016", before, str(command), text)
                last, before = command.signal, str(command)
                self._signals.setdefault(Point(queue, command.signal), index)
        for index, command in enumerate(self._program.commands):
            yield from self._unsignalled(str(command), command.waits, index)
        yield from self._unsignalled(END, self._program.end, len(self._refs))

    def _unsignalled(self, who: str, waits: tuple[Point, ...], index: int) -> Iterator[Hazard]:
        for point in waits:
            if point not in self._signals:
                count = [i for i in self._queues.get(point.queue, ()) if i < index]
                last = str(self._program.commands[count[-1]]) if count else f"no command of {point.queue}"
                text = f"{who} waits for {point}, and nothing signals it; the last before it there is {last}"
                yield Hazard("PA011", last, who, text)

    def _order(self) -> Iterator[int | Hazard]:
        """Commands in an order in which they can begin, with their clocks; then who can't."""
        heads = dict.fromkeys(self._queues, 0)
        begun: set[int] = set()
        going = True
        while going:
            going = False
            for queue, indices in self._queues.items():
                while heads[queue] < len(indices) and self._begin(indices[heads[queue]], begun):
                    begun.add(indices[heads[queue]])
                    yield indices[heads[queue]]
                    heads[queue] += 1
                    going = True
        for queue, indices in self._queues.items():
            if heads[queue] < len(indices):
                command = self._program.commands[indices[heads[queue]]]
                point = next(p for p in command.waits if p in self._signals and self._signals[p] not in begun)
                other = str(self._program.commands[self._signals[point]])
                text = f"{command} waits for {point}, which {other} would signal, and that never begins"
                yield Hazard("PA012", other, str(command), text)

    def _begin(self, index: int, begun: set[int]) -> bool:
        command = self._program.commands[index]
        waits = [self._signals[point] for point in command.waits if point in self._signals]
        if not all(other in begun for other in waits):
            return False
        clock = self._clocks[command.queue]
        for other in waits:
            join(clock, self._ended(other))
        self._began[index] = dict(clock)
        return True

    def _ended(self, index: int) -> Clock:
        """What has ended when the signal of a command is there: it, those before it, and what they knew."""
        ref = self._refs[index]
        return {**self._began[index], ref.queue: ref.nth}

    def _races(self, order: list[int]) -> Iterator[Hazard]:
        history = History()
        for index in order:
            command = self._program.commands[index]
            touched = list(command.touched())
            for span, writes in touched:
                for conflict in history.conflicts(span, writes):
                    if conflict.ref.at != index and not conflict.ref.before(self._began[index]):
                        yield from self._race(index, conflict)
                if span.memory == SRAM and not 0 <= span.start < span.end <= self._program.sram_bytes:
                    text = f"{command} touches {span}, and there are {self._program.sram_bytes} bytes"
                    yield Hazard("PA017", str(command), str(command), text)
            for span, writes in touched:
                history.note(self._refs[index], span, writes)

    def _race(self, index: int, conflict: Conflict) -> Iterator[Hazard]:
        """Of two commands that meet, the one that was given first is the one to come first."""
        (one, two), kind = sorted((index, conflict.ref.at)), conflict.kind
        if two != index:
            kind = {"RAW": "WAR", "WAR": "RAW"}.get(kind, kind)
        if (one, two, kind) not in self._told:
            self._told.add((one, two, kind))
            first, second = str(self._program.commands[one]), str(self._program.commands[two])
            does, did = _KINDS[kind]
            text = f"{second} {does} {conflict.span} without waiting until {first} {did} it ({kind})"
            yield Hazard("PA010", first, second, text)

    def _end(self) -> Iterator[Hazard]:
        clock: Clock = {}
        for point in self._program.end:
            if (index := self._signals.get(point, -1)) in self._began:
                join(clock, self._ended(index))
        for queue, indices in self._queues.items():
            if clock.get(queue, 0) < len(indices):
                last = str(self._program.commands[indices[-1]])
                yield Hazard("PA014", last, END, f"{END} does not wait for {last}")

    # -- meanings -----------------------------------------------------------------------------------------

    def _meanings(self, order: list[int]) -> Iterator[Hazard]:
        program = self._program
        contents = Contents()
        made = [
            (c.step, operand.meaning) for c in program.commands if c.kind == "compute" for operand in c.writes
        ]
        versions = Versions(sorted(set(made)))
        for place, meaning in program.held:
            contents.write(place, meaning, 0)
        for index in order:
            command = program.commands[index]
            if command.kind == "compute":
                for operand in command.reads:
                    yield from self._misread(contents, operand, versions, command)
            for place, meaning in command.writes:
                if command.kind == "load":
                    contents.copy(meaning, place)
                else:
                    contents.write(place, meaning, command.step)
            if command.kind == "store":
                for place, meaning in command.reads:
                    contents.copy(place, meaning)
        last = 1 + max((c.step for c in program.commands), default=0)
        for span in program.results:
            yield from self._stale(wrong(contents, span, span, versions, last), span)
        for place, meaning in program.held:
            yield from self._stale(wrong(contents, place, meaning, versions, last), meaning)

    def _misread(
        self, contents: Contents, operand: Operand, versions: Versions, command: Command
    ) -> Iterator[Hazard]:
        found = wrong(contents, operand.place, operand.meaning, versions, command.step)
        if found is None:
            return
        at, origin = found
        byte = f"{operand.meaning.memory}[{at - operand.place.start + operand.meaning.start}]"
        if origin is None:
            first, instead = "nobody", f"nothing has written {SRAM}[{at}]"
        else:
            first = self._writer(origin, at)
            instead = f"there is {origin.memory}[{at + origin.shift}] as {first} left it"
        text = f"{command} means to read {byte} at {SRAM}[{at}]: {instead}; a transfer is missing before it"
        yield Hazard("PA013", first, str(command), text)

    def _stale(self, found: tuple[int, Origin | None] | None, span: Span) -> Iterator[Hazard]:
        if found is not None:
            at, origin = found
            first = "nobody" if origin is None else self._writer(origin, at)
            text = f"{span} is a result, and at the end of the call byte {at} is as {first} left it"
            yield Hazard("PA015", first, END, text)

    def _writer(self, origin: Origin, at: int) -> str:
        """The command that made a byte."""
        byte = Span(origin.memory, at + origin.shift, at + origin.shift + 1)
        for command in self._program.commands:
            made = command.kind == "compute" and command.step == origin.version
            if made and any(operand.meaning.covers(byte) for operand in command.writes):
                return str(command)
        return "the caller"
