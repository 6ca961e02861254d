"""Waiting for news until an instant of the plan, and being awake by then.

The system ends a wait late, and about always as late: a timer has to fire, and a core that idles has to wake
up. So the wait is asked to end that much earlier; what is left of it then is looked at the clock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from time import monotonic_ns
from typing import Generic, TypeVar

T = TypeVar("T")

#: A wait ends so much earlier at most, which bounds how long the clock is looked at. A thread that has news
#: waits for the interpreter meanwhile.
LEAD_MOST_NS = 60_000
#: What it is learned from: about so many of the last waits.
_WEIGHT = 8
_PR_SET_TIMERSLACK, _PR_GET_TIMERSLACK = 29, 30  # linux/prctl.h


class Punctual(Generic[T]):
    """Takes news from a queue, for one thread."""

    def __init__(self, news: SimpleQueue[T]) -> None:
        self._news = news
        #: How late waits have ended.
        self.lead_ns = 0

    def get(self, until_ns: int) -> T:
        """The oldest news as soon as there is some.

        Args:
            until_ns: of `time.monotonic_ns`.

        Raises:
            queue.Empty: there is none, and the instant has come.
        """
        news, ends_ns = self._news, until_ns - self.lead_ns
        left_ns = ends_ns - monotonic_ns()
        if left_ns > 0:
            try:
                return news.get(timeout=left_ns / 1e9)
            except Empty:
                late_ns = min(monotonic_ns() - ends_ns, LEAD_MOST_NS)
                self.lead_ns += (late_ns - self.lead_ns) // _WEIGHT
        while news.empty() and monotonic_ns() < until_ns:
            pass
        return news.get_nowait()


@contextmanager
def sharp_timers() -> Iterator[None]:
    """This thread's waits end when they should."""
    slack_ns = _timer_slack(1)
    try:
        yield
    finally:
        _timer_slack(slack_ns)


def _timer_slack(slack_ns: int) -> int:
    """Set how late the kernel may end this thread's waits (50 us by default); returns what it was."""
    libc = ctypes.CDLL(None)
    before_ns: int = libc.prctl(_PR_GET_TIMERSLACK)
    libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(slack_ns))
    return before_ns
