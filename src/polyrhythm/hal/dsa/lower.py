"""From what kernels work on to commands for the queues: transfers, launches, and the fences between them.

Steps are taken in order, one part after the other. What a part needs is looked for in the SRAM and loaded if
it is not there; what must go to make room goes by next use, the latest first, and is stored only if somebody
reads it again. Channels run ahead as far as there is room: loads wait for room, not for their step, and that
is all the prefetching there is.

Nothing is transferred twice that is there already, and no fence is given that others imply: every transfer
and every fence of the program is needed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from polyrhythm.hal.dsa.fences import fenced
from polyrhythm.hal.dsa.machine import Machine
from polyrhythm.hal.dsa.parts import ALIGNMENT, DoesNotFit, Part, Touch, merged, parts_of
from polyrhythm.hal.dsa.program import Command, Operand, Program, sram
from polyrhythm.hal.dsa.ranges import Contents, Intervals, Span, Versions, wrong
from polyrhythm.hal.dsa.simulate import run
from polyrhythm.hal.dsa.work import ARENA, WorkEntry

_NEVER = 1 << 60


def lower(entry: WorkEntry, machine: Machine, held: Mapping[str, int]) -> Program:
    """The program of one call.

    What lives within the call only may have a place of its own in SRAM, if there is room, or come and go like
    all else; of the two ways, the one that is faster is taken.

    Args:
        held: the address in SRAM of memories that stay there; all others lie behind the DMA channels.

    Raises:
        DoesNotFit: a step needs more SRAM at once than there is.
    """
    arena = entry.memories.get(ARENA, machine.work_bytes + 1)
    first = _Lowering(entry, machine, held, 0).run()
    if arena > machine.work_bytes:
        return first
    try:
        second = _Lowering(entry, machine, {**held, ARENA: 0}, arena).run()
    except DoesNotFit:
        return first
    return min(first, second, key=lambda program: run(program, machine).took_ns)


@dataclass(eq=False, slots=True)
class _Block:
    """Bytes of the SRAM that hold bytes of a memory; where they are `dirty`, the memory itself is older."""

    meaning: Span
    address: int
    dirty: list[Span] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Where the next block may begin."""
        return self.address + -(-self.meaning.nbytes // ALIGNMENT) * ALIGNMENT

    def operand(self, span: Span) -> Operand:
        """A part of it."""
        return Operand(sram(self.address + span.start - self.meaning.start, span.nbytes), span)


class _Uses:
    """Who reads and writes what, by the number of the part: what is still needed, and when next."""

    def __init__(self, parts: Iterable[Part], results: Iterable[Span]) -> None:
        self._touches: dict[str, list[tuple[int, Touch]]] = {}
        for number, part in enumerate(parts):
            for touch in part.touches:
                self._touches.setdefault(touch.hull.memory, []).append((number, touch))
        self._results = {span.memory for span in results}

    def needed(self, span: Span, number: int) -> bool:
        """Whether any byte of `span` is read by part `number` or a later one, or is a result."""
        left = [span]
        for _, touch in self._from(span.memory, number):
            if any(read.meets(rest) for read in touch.reads for rest in left):
                return True
            for write in touch.writes:
                left = [piece for rest in left for piece in _without(rest, write)]
            if not left:
                return False
        return span.memory in self._results

    def final(self, span: Span, number: int) -> bool:
        """Whether `span` is a result that no part from `number` on writes again."""
        if span.memory not in self._results:
            return False
        return not any(w.meets(span) for _, touch in self._from(span.memory, number) for w in touch.writes)

    def following(self, span: Span, number: int) -> int:
        """The next part from `number` on that reads of it."""
        for other, touch in self._from(span.memory, number):
            if any(read.meets(span) for read in touch.reads):
                return other
        return _NEVER

    def _from(self, memory: str, number: int) -> Iterator[tuple[int, Touch]]:
        touches = self._touches.get(memory, [])
        for index in range(bisect_left(touches, number, key=lambda item: item[0]), len(touches)):
            yield touches[index]


class _Lowering:
    """Makes one program; what is not held has the SRAM from byte `base` on, as far as it is for calls."""

    def __init__(self, entry: WorkEntry, machine: Machine, held: Mapping[str, int], base: int) -> None:
        self._entry, self._machine = entry, machine
        self._held = {memory: held[memory] for memory in entry.memories if memory in held}
        self._base = -(-base // ALIGNMENT) * ALIGNMENT
        self._parts = parts_of(entry, machine, self._held, machine.work_bytes - self._base)
        self._results = tuple(span for span in entry.results if span.memory not in self._held)
        self._uses = _Uses(self._parts, self._results)
        self._versions = Versions(
            (number, span) for number, step in enumerate(entry.steps, 1) for span in step.writes
        )
        self._commands: list[Command] = []
        self._contents = Contents()
        self._blocks: list[_Block] = []
        self._cursor = self._base
        self._loads = 0

    def run(self) -> Program:
        """Lower every part, then store what is left."""
        home = [
            Operand(
                sram(address, self._entry.memories[memory]), Span(memory, 0, self._entry.memories[memory])
            )
            for memory, address in self._held.items()
        ]
        for place, meaning in home:
            self._contents.write(place, meaning, 0)
        for number, part in enumerate(self._parts):
            self._part(number, part)
        for block in self._blocks:
            self._drop(block, len(self._parts))
        commands = _without_idle_stores(self._commands, self._results)
        return fenced(commands, self._results, tuple(home), self._machine.sram_bytes)

    def _part(self, number: int, part: Part) -> None:
        blocks = self._blocks_of(number, part)
        reads: list[Operand] = []
        writes: list[Operand] = []
        for touch, block in zip(part.touches, blocks, strict=True):
            for span in touch.reads:
                self._load(number, part, block, span)
            reads += [block.operand(span) for span in touch.reads]
            writes += [block.operand(span) for span in touch.writes]
        queue = self._machine.core(part.core)
        self._emit(Command("compute", part.name, queue, part.step, tuple(reads), tuple(writes), part.flops))
        for touch, block in zip(part.touches, blocks, strict=True):
            if touch.writes and touch.hull.memory not in self._held:
                block.dirty = [*merged([*block.dirty, *touch.writes])]
                self._overwritten(number, touch, block)
        for block in blocks:
            for span in list(block.dirty):
                if self._uses.final(span, number + 1):
                    self._store(block, span, part.step)
        for block in list(self._blocks):
            if self._uses.following(block.meaning, number + 1) == _NEVER:
                self._drop(block, number + 1)
                self._blocks.remove(block)

    def _blocks_of(self, number: int, part: Part) -> list[_Block]:
        """A block for everything that the part touches."""
        found = self._try(number, part)
        if found is None:  # the room is in pieces: begin anew
            for block in self._blocks:
                self._drop(block, number)
            self._blocks.clear()
            self._cursor = self._base
            found = self._try(number, part)
        if found is None:
            raise DoesNotFit(part.name, sum(touch.hull.nbytes for touch in part.touches))
        return found

    def _try(self, number: int, part: Part) -> list[_Block] | None:
        hulls = [touch.hull for touch in part.touches]
        found: list[_Block | None] = [self._there(hull) for hull in hulls]
        kept = [block for block in found if block is not None]
        for index, hull in enumerate(hulls):
            if found[index] is None:
                block = self._room(number, hull, kept)
                if block is None:
                    return None
                found[index] = block
                kept.append(block)
        return [block for block in found if block is not None]

    def _there(self, hull: Span) -> _Block | None:
        if hull.memory in self._held:
            return _Block(Span(hull.memory, 0, self._entry.memories[hull.memory]), self._held[hull.memory])
        return next((block for block in self._blocks if block.meaning.covers(hull)), None)

    def _room(self, number: int, hull: Span, kept: list[_Block]) -> _Block | None:
        block = _Block(hull, 0)
        while (address := self._gap(block.end)) is None:
            others = [other for other in self._blocks if other not in kept]
            if not others:
                return None
            last = max(others, key=lambda other: self._uses.following(other.meaning, number))
            self._drop(last, number)
            self._blocks.remove(last)
        block.address = address
        self._cursor = block.end
        self._blocks.append(block)
        return block

    def _gap(self, nbytes: int) -> int | None:
        """A free place: behind the last one that was given, so that places are taken again as late as can
        be."""
        places = sorted((block.address, block.end) for block in self._blocks)
        gaps, start = [], self._base
        for address, end in [*places, (self._machine.work_bytes, 0)]:
            if address - start >= nbytes:
                gaps.append((start, address))
            start = max(start, end)
        for start, end in gaps:
            if max(start, self._cursor) + nbytes <= end:
                return max(start, self._cursor)
        return gaps[0][0] if gaps else None

    # -- transfers ----------------------------------------------------------------------------------------

    def _load(self, number: int, part: Part, block: _Block, span: Span) -> None:
        """Have what `span` should be for this part in its block."""
        operand = block.operand(span)
        if wrong(self._contents, operand.place, span, self._versions, part.step) is None:
            return
        for other in self._blocks:
            for dirty in list(other.dirty):
                if other is not block and dirty.meets(span):
                    self._store(other, dirty, part.step)
        channels = max(1, self._machine.channels - 1)
        queue = f"dma{self._loads % channels}"
        self._loads += 1
        self._emit(Command("load", f"load {span}", queue, part.step, writes=(operand,)))

    def _store(self, block: _Block, span: Span, step: int) -> None:
        queue = f"dma{self._machine.channels - 1}"
        self._emit(Command("store", f"store {span}", queue, step, reads=(block.operand(span),)))
        block.dirty.remove(span)

    def _drop(self, block: _Block, number: int) -> None:
        """Its place is free from now on; part `number` comes next."""
        for span in list(block.dirty):
            if self._uses.needed(span, number):
                step = self._parts[number].step if number < len(self._parts) else len(self._entry.steps)
                self._store(block, span, step)
        block.dirty.clear()

    def _overwritten(self, number: int, touch: Touch, written: _Block) -> None:
        """Other blocks with bytes that the part has written are no longer up to date."""
        for block in list(self._blocks):
            if block is written or not any(span.meets(block.meaning) for span in touch.writes):
                continue
            for dirty in list(block.dirty):
                rest = [dirty]
                for span in touch.writes:
                    rest = [piece for part in rest for piece in _without(part, span)]
                if any(self._uses.needed(piece, number + 1) for piece in rest):
                    self._store(block, dirty, self._parts[number].step)
            self._blocks.remove(block)

    def _emit(self, command: Command) -> None:
        self._commands.append(command)
        for place, meaning in command.writes:
            if command.kind == "load":
                self._contents.copy(meaning, place)
            else:
                self._contents.write(place, meaning, command.step)
        if command.kind == "store":
            for place, meaning in command.reads:
                self._contents.copy(place, meaning)


def _without_idle_stores(commands: Sequence[Command], results: Iterable[Span]) -> list[Command]:
    """The commands less the stores that nobody loads: what made room happened to be found where it was."""
    stored: dict[str, Intervals[int]] = {}
    used: set[int] = set()

    def use(span: Span) -> None:
        if span.memory in stored:
            used.update(i for *_, i in stored[span.memory].parts(span.start, span.end) if i is not None)

    for index, command in enumerate(commands):
        if command.kind == "load":
            use(command.writes[0].meaning)
        elif command.kind == "store":
            _, span = command.reads[0]
            stored.setdefault(span.memory, Intervals()).set(span.start, span.end, index)
    for span in results:
        use(span)
    return [c for index, c in enumerate(commands) if c.kind != "store" or index in used]


def _without(span: Span, other: Span) -> list[Span]:
    """What is left of `span` without `other`."""
    if not span.meets(other):
        return [span]
    pieces = [span._replace(end=other.start), span._replace(start=other.end)]
    return [piece for piece in pieces if piece.start < piece.end]
