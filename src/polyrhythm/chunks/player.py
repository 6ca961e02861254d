"""Plays action chunks on absolute ticks: an executed tick is never replayed and never skipped."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from polyrhythm.chunks.delay import DelayEstimate
from polyrhythm.schedule import ControlPlan
from polyrhythm.schedule.playback import ChunkRef, Playback, Splice


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """Which player a run has, in numbers.

    `buffers` chunks play one after the other; 0: the newest takes over at once, and the making of the first
    is planned to take `planned_ticks`.
    """

    buffers: int = 0
    planned_ticks: int = 0

    def make(self, control: ControlPlan | None) -> ChunkPlayer | BufferedPlayer:
        """A player that has played nothing yet; `control` is of the plan that plays first."""
        if self.buffers:
            return BufferedPlayer(self.buffers)
        return ChunkPlayer(None if control is None else _estimate(self.planned_ticks, control))


def _estimate(planned_ticks: int, control: ControlPlan) -> DelayEstimate:
    return DelayEstimate(planned_ticks, control.delay_window, control.delay_quantile)


class ChunkPlayer(Playback):
    """The newest chunk plays from the next tick on; row ``tick - start_tick`` answers a tick.

    A chunk that comes late is used for the part that is still in the future; one that lies wholly in the
    past is refused. How the boundary is made smooth is decided when the chunk is made (`splice`).

    Args:
        delay: the estimate that `splice` gives.
    """

    def __init__(self, delay: DelayEstimate | None = None) -> None:
        self._delay = delay or DelayEstimate()
        self._current: ChunkRef | None = None

    def accept(self, chunk: ChunkRef, cursor: int) -> tuple[list[ChunkRef], str | None]:
        """Take over a chunk; see `polyrhythm.schedule.playback.Playback.accept`."""
        self._delay.add(cursor - chunk.start_tick)
        if chunk.end_tick > cursor:
            freed = self.reset()
            self._current = chunk
            return freed, None
        # The next one may need the slot of a chunk that has been played to its end.
        return [*self.advance(cursor), chunk], "wholly_late"

    def advance(self, tick: int) -> list[ChunkRef]:
        """Let go of a chunk that has been played to its end; a new one takes over as it comes."""
        ended = self._current is not None and self._current.end_tick <= tick
        return self.reset() if ended else []

    def take(self, tick: int) -> tuple[ChunkRef, int] | None:
        """(chunk, row) for a tick, or None if the chunk does not reach it."""
        chunk = self._current
        if chunk is None or not chunk.start_tick <= tick < chunk.end_tick:
            return None
        return chunk, tick - chunk.start_tick

    def splice(self, start_tick: int, cursor: int) -> Splice:
        """The rest of the chunk being played, and how much of it will be executed meanwhile."""
        delay = max(self._delay.ticks, cursor - start_tick)
        found = self.take(cursor)
        if found is None:
            return Splice(start_tick, cursor, delay)
        chunk, row = found
        return Splice(start_tick, cursor, delay, chunk.slot, row, chunk.end_tick - cursor, chunk.context)

    def has_room(self, cursor: int) -> bool:
        """Always: the chunk being made has a buffer of its own."""
        return True

    def switch(self, pace: object, planned_ticks: int, control: ControlPlan) -> object:
        """What plays goes on; the delay is that of another context."""
        before = self._delay
        if isinstance(pace, DelayEstimate):
            self._delay = pace
        else:
            self._delay = _estimate(planned_ticks or before.ticks, control)
        return before

    def reset(self) -> list[ChunkRef]:
        """Forget the chunk; returns it."""
        freed = [] if self._current is None else [self._current]
        self._current = None
        return freed


class BufferedPlayer(Playback):
    """Chunks play one after the other, each to its end: the next begins where the last one ends.

    Row 0 of a chunk is for the tick at which it begins to play, whatever it was observed at. A chunk is
    wanted as soon as a buffer is free: with two, the next is made while one plays; with one, the robot waits.

    Args:
        depth: buffers, at least 1.
    """

    def __init__(self, depth: int = 2) -> None:
        self._depth = depth
        self._current: ChunkRef | None = None
        self._waiting: deque[ChunkRef] = deque()

    def accept(self, chunk: ChunkRef, cursor: int) -> tuple[list[ChunkRef], str | None]:
        """Queue a chunk; see `polyrhythm.schedule.playback.Playback.accept`."""
        self._waiting.append(chunk)
        return [], None

    def advance(self, tick: int) -> list[ChunkRef]:
        """Begin the next chunk if the last one has ended; returns that."""
        freed = self._ended(tick)
        if self._current is None and self._waiting:
            self._current = self._waiting.popleft()._replace(start_tick=tick)
        return freed

    def take(self, tick: int) -> tuple[ChunkRef, int] | None:
        """(chunk, row) for a tick, or None if no chunk plays."""
        chunk = self._current
        return None if chunk is None else (chunk, tick - chunk.start_tick)

    def splice(self, start_tick: int, cursor: int) -> Splice:
        """Nothing overlaps: the chunk begins after everything that is there, whenever it was observed; so no
        tick that has been executed is one of its own."""
        return Splice(cursor, cursor, 0)

    def has_room(self, cursor: int) -> bool:
        """Whether fewer than `depth` chunks are held that still have something to play."""
        playing = self._current is not None and cursor < self._current.end_tick
        return playing + len(self._waiting) < self._depth

    def switch(self, pace: object, planned_ticks: int, control: ControlPlan) -> object:
        """What is there is played to its end, as ever; the next chunk comes from another context."""
        return None

    def reset(self) -> list[ChunkRef]:
        """Forget everything; returns the chunks held."""
        freed = [chunk for chunk in (self._current, *self._waiting) if chunk is not None]
        self._current = None
        self._waiting.clear()
        return freed

    def _ended(self, tick: int) -> list[ChunkRef]:
        if self._current is None or tick < self._current.end_tick:
            return []
        freed, self._current = [self._current], None
        return freed
