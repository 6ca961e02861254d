"""The versioned buffer behind a link: which slot may be written, which is being read, which is newest.

Only the book-keeping lives here; the bytes are `polyrhythm.memory.slots`. One writer, any number of readers.
A reader pins the newest version and may hold it as long as it likes: the writer never gets a pinned slot,
nor the newest one. With ``depth >= readers + 2`` (each reader pins at most one version at a time) the writer
always finds a free slot, so a slow reader never blocks anybody.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class InvariantError(AssertionError):
    """The scheduler broke one of its own rules. Always a bug here, never the user's."""


class Version(NamedTuple):
    """One published value of a port.

    `stamp_ns` is the instant that the content describes: when a sensor was sampled, or when the job that
    computed it took its inputs. `tick` is the control tick it was conditioned on.
    """

    slot: int
    seq: int
    stamp_ns: int
    tick: int


class Freshness(Enum):
    """What a reader knows of the newest version."""

    FRESH = "fresh"
    STALE = "stale"
    ABSENT = "absent"


class SlotRing:
    """`depth` slots of one port."""

    __slots__ = ("_free", "_pins", "_read", "depth", "latest", "published", "superseded", "writing")

    def __init__(self, depth: int) -> None:
        if depth < 2:
            raise ValueError(f"a link needs at least 2 slots (one to read, one to write), got {depth}")
        self.depth = depth
        self.latest: Version | None = None
        self.writing: int | None = None
        self.published = 0
        #: Versions that were replaced before anybody read them.
        self.superseded = 0
        self._pins = [0] * depth
        self._read = False
        self._free = list(range(depth - 1, -1, -1))

    def acquire(self) -> int | None:
        """A slot to write, or None if every slot is newest or pinned. One at a time."""
        if self.writing is not None:
            raise InvariantError(f"slot {self.writing} is already being written")
        if not self._free:
            return None
        self.writing = self._free.pop()
        return self.writing

    def publish(self, slot: int, stamp_ns: int, tick: int = 0) -> Version:
        """Make the written slot the newest version; the one before is free once nobody reads it."""
        self._finish(slot)
        previous = self.latest
        self.latest = Version(slot, self.published, stamp_ns, tick)
        self.published += 1
        if previous is not None:
            self.superseded += not self._read
            self._recycle(previous.slot)
        self._read = False
        return self.latest

    def abandon(self, slot: int) -> None:
        """Give a slot back unpublished: what was written to it is never seen."""
        self._finish(slot)
        self._free.append(slot)

    def pin_latest(self) -> Version | None:
        """Take the newest version for reading, or None while there is none."""
        if self.latest is not None:
            self._pins[self.latest.slot] += 1
            self._read = True
        return self.latest

    def unpin(self, slot: int) -> None:
        """Stop reading a slot."""
        if self._pins[slot] <= 0:
            raise InvariantError(f"slot {slot} is not being read")
        self._pins[slot] -= 1
        self._recycle(slot)

    def freshness(self, now_ns: int, max_age_ns: int | None) -> tuple[Freshness, int]:
        """(fresh, age_ns), (stale, age_ns) or (absent, 0)."""
        if self.latest is None:
            return Freshness.ABSENT, 0
        age_ns = now_ns - self.latest.stamp_ns
        stale = max_age_ns is not None and age_ns > max_age_ns
        return (Freshness.STALE if stale else Freshness.FRESH), age_ns

    def clear(self) -> None:
        """Forget the newest version (an episode ended); pinned and written slots stay with their owners."""
        if self.latest is not None:
            slot, self.latest = self.latest.slot, None
            self.superseded += not self._read
            self._recycle(slot)

    def pinned(self, slot: int) -> bool:
        """Whether somebody reads this slot."""
        return self._pins[slot] > 0

    @property
    def busy(self) -> bool:
        """Whether a slot is being written or read."""
        return self.writing is not None or any(self._pins)

    def _finish(self, slot: int) -> None:
        if slot != self.writing:
            raise InvariantError(f"slot {slot} is not the one being written ({self.writing})")
        self.writing = None

    def _recycle(self, slot: int) -> None:
        newest = self.latest is not None and self.latest.slot == slot
        if not newest and not self._pins[slot]:
            self._free.append(slot)
