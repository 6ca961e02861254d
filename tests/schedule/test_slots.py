"""`SlotRing` against a plain model: lists of versions, and who holds what."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from polyrhythm.schedule import Freshness, InvariantError, SlotRing, Version
from tests.effort import examples


class RingAgainstModel(RuleBasedStateMachine):
    @initialize(readers=st.integers(0, 4))
    def begin(self, readers: int) -> None:
        self.readers = readers
        self.ring = SlotRing(readers + 2)
        self.content: dict[int, int] = {}  # slot -> number written to it
        self.held: list[tuple[int, int]] = []  # (slot, number it had when it was pinned)
        self.newest: tuple[int, int, int] | None = None  # slot, number, stamp
        self.written = self.published = self.unread = 0
        self.seen = False

    @precondition(lambda self: self.ring.writing is None)
    @rule()
    def acquire(self) -> None:
        slot = self.ring.acquire()
        assert slot is not None, "readers + 2 slots always suffice"
        assert slot not in [s for s, _ in self.held]
        assert self.newest is None or slot != self.newest[0]
        self.written += 1
        self.content[slot] = self.written
        with pytest.raises(InvariantError):
            self.ring.acquire()

    @precondition(lambda self: self.ring.writing is not None)
    @rule(stamp=st.integers(0, 100))
    def publish(self, stamp: int) -> None:
        slot = self.ring.writing
        assert slot is not None
        version = self.ring.publish(slot, stamp, tick=stamp + 1)
        assert version == Version(slot, self.published, stamp, stamp + 1)
        self.unread += self.newest is not None and not self.seen
        self.newest, self.seen = (slot, self.content[slot], stamp), False
        self.published += 1

    @precondition(lambda self: self.ring.writing is not None)
    @rule()
    def abandon(self) -> None:
        assert self.ring.writing is not None
        self.ring.abandon(self.ring.writing)

    @precondition(lambda self: len(self.held) < self.readers)
    @rule()
    def pin(self) -> None:
        version = self.ring.pin_latest()
        assert (version is None) == (self.newest is None)
        if version is not None and self.newest is not None:
            assert version.slot == self.newest[0]
            self.held.append((version.slot, self.newest[1]))
            self.seen = True

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 10))
    def unpin(self, which: int) -> None:
        self.ring.unpin(self.held.pop(which % len(self.held))[0])

    @rule()
    def clear(self) -> None:
        self.unread += self.newest is not None and not self.seen
        self.ring.clear()
        self.newest = None

    @rule(now=st.integers(100, 200), limit=st.none() | st.integers(0, 200))
    def look(self, now: int, limit: int | None) -> None:
        if self.newest is None:
            assert self.ring.freshness(now, limit) == (Freshness.ABSENT, 0)
        else:
            age = now - self.newest[2]
            fresh = limit is None or age <= limit
            assert self.ring.freshness(now, limit) == (Freshness.FRESH if fresh else Freshness.STALE, age)

    @invariant()
    def what_is_read_stays(self) -> None:
        assert all(self.content[slot] == number for slot, number in self.held)
        assert self.ring.superseded == self.unread and self.ring.published == self.published
        pinned = {slot for slot, _ in self.held}
        assert [self.ring.pinned(s) for s in range(self.ring.depth)] == [
            s in pinned for s in range(self.ring.depth)
        ]


TestRing = RingAgainstModel.TestCase
TestRing.settings = examples(50, stateful_step_count=60)


def test_misuse_is_named() -> None:
    ring = SlotRing(2)
    with pytest.raises(InvariantError, match="not being read"):
        ring.unpin(0)
    with pytest.raises(InvariantError, match="not the one being written"):
        ring.publish(0, 0)
    with pytest.raises(ValueError, match="at least 2 slots"):
        SlotRing(1)
