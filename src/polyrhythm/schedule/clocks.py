"""Time as data: a clock in integer nanoseconds that only moves when told."""

from __future__ import annotations


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
