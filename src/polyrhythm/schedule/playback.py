"""The seam between the scheduler, which answers every control tick, and the room that knows chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ChunkRef:
    """A published action chunk: row i is for control tick ``start_tick + i``."""

    slot: int
    seq: int
    start_tick: int
    horizon: int

    @property
    def end_tick(self) -> int:
        """The first tick that this chunk has no action for."""
        return self.start_tick + self.horizon


class Playback(Protocol):
    """Decides which chunk answers a control tick. Slots handed over stay pinned until they come back."""

    def accept(self, chunk: ChunkRef, cursor: int) -> tuple[list[int], str | None]:
        """Take over a chunk; `cursor` is the next tick to be executed.

        Returns the slots that are no longer needed (the new one's, if it is refused) and the reason of a
        refusal.
        """
        ...

    def take(self, tick: int) -> tuple[int, int] | None:
        """(slot, row) for a tick, or None if no chunk reaches it."""
        ...

    def reset(self) -> list[int]:
        """Forget everything; returns the slots held."""
        ...
