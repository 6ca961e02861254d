"""Time as data: the clock protocol, and the virtual clock that only moves when told."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """A monotonic clock in integer nanoseconds."""

    def now_ns(self) -> int:
        """The present instant."""
        ...


class VirtualClock:
    """Stands still until it is advanced."""

    def __init__(self, start_ns: int = 0) -> None:
        self._now_ns = start_ns

    def now_ns(self) -> int:
        """The present instant."""
        return self._now_ns

    def advance_to(self, instant_ns: int) -> None:
        """Move to an instant, never backwards."""
        if instant_ns < self._now_ns:
            raise ValueError(f"the clock shows {self._now_ns} ns and can't go back to {instant_ns} ns")
        self._now_ns = instant_ns
