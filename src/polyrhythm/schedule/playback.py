"""The seam between the scheduler, which answers every control tick, and the room that knows chunks."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from polyrhythm.schedule.plan import ControlPlan


class ChunkRef(NamedTuple):
    """A published action chunk of a context: row i is for control tick ``start_tick + i``."""

    slot: int
    seq: int
    start_tick: int
    horizon: int
    context: int = 0

    @property
    def end_tick(self) -> int:
        """The first tick that this chunk has no action for."""
        return self.start_tick + self.horizon


class Splice(NamedTuple):
    """What a chunk is joined to, taken in one look when the making of it begins.

    The chunk's row 0 is for `start_tick`, the tick of its observation. `cursor` is the next tick to be
    executed; its action is row `row` of `slot`, and `left` actions (0: none) are there from it on. `delay`
    ticks from `start_tick` on will probably have been executed when the chunk is done. `context` is whose
    chunk it is that plays: another one's, for the first that a context makes after a switch.
    """

    start_tick: int
    cursor: int
    delay: int
    slot: int = -1
    row: int = 0
    left: int = 0
    context: int = 0


class Playback(Protocol):
    """Decides which chunk answers a control tick. Chunks handed over stay pinned until they come back.

    There is one for all contexts: what an earlier context has made plays on until something newer comes.
    """

    def accept(self, chunk: ChunkRef, cursor: int) -> tuple[list[ChunkRef], str | None]:
        """Take over a chunk; `cursor` is the next tick to be executed.

        Returns the chunks that are no longer needed (the new one, if it is refused) and the reason of a
        refusal.
        """
        ...

    def advance(self, tick: int) -> list[ChunkRef]:
        """`tick` is about to be answered: go on to the next chunk if it is time; returns those freed."""
        ...

    def take(self, tick: int) -> tuple[ChunkRef, int] | None:
        """(chunk, row) for a tick, or None if no chunk reaches it."""
        ...

    def splice(self, start_tick: int, cursor: int) -> Splice:
        """What a chunk that starts at `start_tick` would be joined to, were it begun now."""
        ...

    def has_room(self, cursor: int) -> bool:
        """Whether a buffer is free for one more chunk."""
        ...

    def switch(self, pace: object, planned_ticks: int, control: ControlPlan) -> object:
        """From now on another context makes the chunks.

        Args:
            pace: what this has returned for it, None if it has never played.
            planned_ticks: how many control ticks the making of a chunk of it will take; 0 if unknown.
            control: of its plan.

        Returns what is remembered of how fast the one before made its chunks, for its return.
        """
        ...

    def reset(self) -> list[ChunkRef]:
        """Forget everything; returns the chunks held."""
        ...
