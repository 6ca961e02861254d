"""Timelines in plain Python: cheap to query, cheap to wait on, with failed points that are remembered."""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable

from polyrhythm.hal.api import HalError, StageError

_log = logging.getLogger(__name__)

#: So many failures of one timeline keep their message; of older ones only the fact is known.
REMEMBERED_FAILURES = 1024


class HostTimeline:
    """A counter that the host signals (see `polyrhythm.hal.api.Timeline`). Safe from any thread.

    Raising it from v to w reaches every point in (v, w] at once: all signalled, or all failed with one
    message. So each point is reached exactly once, and raising it to where it already is is an error.
    """

    __slots__ = ("__weakref__", "_failed", "_forgotten", "_lock", "_value", "_waiters", "name")

    def __init__(self, name: str = "host") -> None:
        self.name = name
        self._lock = threading.Lock()
        self._value = 0
        #: (last point, first point, message) of every failure, rising.
        self._failed: list[tuple[int, int, str]] = []
        self._forgotten = 0
        self._waiters: list[tuple[int, Callable[[], None]]] = []

    def query(self) -> int:
        """The highest value up to which every point is reached (signalled or failed)."""
        return self._value

    def signal(self, value: int) -> None:
        """Reach every point up to `value`.

        Raises:
            HalError: `value` is already reached.
        """
        self._reach(value, None)

    def fail(self, value: int, message: str) -> None:
        """Reach `value`, and every point below it that nothing has reached yet, as failed.

        Raises:
            HalError: `value` is already reached.
        """
        self._reach(value, message)

    def wait(self, value: int, timeout_ns: int | None = None) -> bool:
        """Block without the interpreter lock; False on timeout.

        Raises:
            StageError: the point failed.
        """
        if self._value < value and not self._block(value, timeout_ns):
            return False
        if self._failed:
            message = self._failure(value)
            if message is not None:
                raise StageError(message)
        return True

    def when(self, value: int, call: Callable[[], None]) -> None:
        """Call once as soon as `value` is reached: now, or later from the thread that reaches it."""
        if self._enlist((value, call)):
            return
        call()

    def _reach(self, value: int, error: str | None) -> None:
        with self._lock:
            if value <= self._value:
                raise HalError(f"timeline {self.name!r} is at {self._value}: {value} can't be reached again")
            if error is not None:
                self._failed.append((value, self._value + 1, error))
                if len(self._failed) > REMEMBERED_FAILURES:
                    self._forgotten = self._failed.pop(0)[0]
            self._value = value
        if self._waiters:
            self._tell(value)

    def _tell(self, value: int) -> None:
        with self._lock:
            due = [call for at, call in self._waiters if at <= value]
            self._waiters = [waiter for waiter in self._waiters if waiter[0] > value]
        for call in due:
            try:
                call()
            except Exception:
                _log.exception("a callback of timeline %r raised", self.name)

    def _enlist(self, waiter: tuple[int, Callable[[], None]]) -> bool:
        """Have the waiter called when its value is reached; False if it is, and nobody else will call it.

        This writes `_waiters` and then reads `_value`; who raises `_value` reads `_waiters` afterwards, and
        needs no lock to find that there are none.
        """
        with self._lock:
            self._waiters.append(waiter)
            if self._value < waiter[0]:
                return True
            self._waiters.remove(waiter)
            return False

    def _block(self, value: int, timeout_ns: int | None) -> bool:
        # A lock of its own for each waiter: acquiring it drops the interpreter lock, and waking one waiter
        # costs one futex call, several times less than `threading.Condition`.
        gate = threading.Lock()
        gate.acquire()
        waiter = (value, gate.release)
        if not self._enlist(waiter):
            return True
        timeout = -1.0 if timeout_ns is None else min(max(timeout_ns, 0) / 1e9, threading.TIMEOUT_MAX)
        woken = False
        try:
            woken = gate.acquire(timeout=timeout)
        finally:
            if not woken:
                with self._lock:
                    self._waiters = [other for other in self._waiters if other is not waiter]
        return woken or self._value >= value

    def _failure(self, value: int) -> str | None:
        with self._lock:
            index = bisect_left(self._failed, (value,))
            if index < len(self._failed) and self._failed[index][1] <= value:
                return self._failed[index][2]
            if value <= self._forgotten:
                return (
                    f"whether point {value} of timeline {self.name!r} failed is no longer known: "
                    f"more than {REMEMBERED_FAILURES} failures came after it"
                )
        return None


class QueueTimeline(HostTimeline):
    """The timeline of a queue: only the queue reaches its points."""

    __slots__ = ()

    def signal(self, value: int) -> None:
        """Not for the host: raises `HalError`."""
        raise HalError(f"{self.name!r} is a queue's timeline: only its submissions reach points on it")

    def fail(self, value: int, message: str) -> None:
        """Not for the host: raises `HalError`."""
        self.signal(value)

    def reach(self, value: int, error: str | None) -> None:
        """A submission ended, well or not. For the queue's thread only, so that a success needs no lock."""
        if error is not None:
            self._reach(value, error)
            return
        self._value = value
        if self._waiters:
            self._tell(value)
