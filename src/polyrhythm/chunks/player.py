"""Plays action chunks on absolute ticks: an executed tick is never replayed and never skipped."""

from __future__ import annotations

from polyrhythm.schedule.playback import ChunkRef


class ChunkPlayer:
    """The newest chunk plays from the next tick on; row ``tick - start_tick`` answers a tick.

    A chunk that comes late is used for the part that is still in the future; one that lies wholly in the
    past is refused. No blending at the boundary.
    """

    def __init__(self) -> None:
        self._current: ChunkRef | None = None

    def accept(self, chunk: ChunkRef, cursor: int) -> tuple[list[int], str | None]:
        """Take over a chunk; see `polyrhythm.schedule.playback.Playback.accept`."""
        if chunk.end_tick <= cursor:
            return [chunk.slot], "wholly_late"
        freed = self.reset()
        self._current = chunk
        return freed, None

    def take(self, tick: int) -> tuple[int, int] | None:
        """(slot, row) for a tick, or None if the chunk does not reach it."""
        chunk = self._current
        if chunk is None or not chunk.start_tick <= tick < chunk.end_tick:
            return None
        return chunk.slot, tick - chunk.start_tick

    def reset(self) -> list[int]:
        """Forget the chunk; returns its slot."""
        freed = [] if self._current is None else [self._current.slot]
        self._current = None
        return freed
