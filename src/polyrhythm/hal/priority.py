"""How urgent a thread is to the system: a place among the first-in first-out threads, or a nice value.

A thread that hands over news holds the run's lock and the interpreter meanwhile. If it were less urgent than
one that computes, that one could keep it from going on, and everybody who needs the lock would wait for the
wrong reason (priority inversion). So while it hands over news it has the `deliver` priority, which is above
that of every thread that computes; only while it computes has it the device's own.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

_FIFO_MAX, _NICE_MIN = 99, -20


class Priority(NamedTuple):
    """`level` is 1 to 99 with `fifo` (99 goes first), else the nice value (19 goes last)."""

    fifo: bool = False
    level: int = 0

    @property
    def urgency(self) -> tuple[bool, int]:
        """The more urgent is the larger."""
        return self.fifo, self.level if self.fifo else -self.level

    @property
    def above(self) -> Priority:
        """One step more urgent."""
        if self.fifo:
            return Priority(True, min(_FIFO_MAX, self.level + 1))
        return Priority(False, max(_NICE_MIN, self.level - 1))

    def apply(self, thread: int = 0) -> None:
        """Give it to a thread of this process, by the system's number; 0 is the caller.

        Raises:
            OSError: it is not permitted, or there is no such priority.
        """
        if self.fifo:
            os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(self.level))
            return
        if os.sched_getscheduler(thread) != os.SCHED_OTHER:
            os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, thread, self.level)

    def __str__(self) -> str:
        return f"SCHED_FIFO {self.level}" if self.fifo else f"nice {self.level}"


#: What a thread has that nobody has ranked.
NORMAL = Priority()


class Ranks(NamedTuple):
    """What the threads of a device get: while they compute, and while they hand over news."""

    compute: Priority
    deliver: Priority


def refusal(*path: Priority) -> str | None:
    """Why a thread of this process may not take these priorities one after the other; None if it may."""
    problems: list[str] = []

    def attempt() -> None:
        for priority in path:
            try:
                priority.apply()
            except OSError as problem:
                problems.append(f"{priority} is refused ({problem.strerror})")
                return

    thread = threading.Thread(target=attempt, name="rights")
    thread.start()
    thread.join()
    return problems[0] if problems else None


#: What this thread would have if nobody had ranked it.
_own = threading.local()


def current() -> Priority:
    """What the calling thread has."""
    if os.sched_getscheduler(0) == os.SCHED_FIFO:
        return Priority(True, os.sched_getparam(0).sched_priority)
    return Priority(False, os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))


def plain() -> Priority:
    """What the calling thread has, or would have if nobody had ranked it. A thread that it starts inherits
    what it has: see `settle`."""
    found: Priority | None = getattr(_own, "plain", None)
    return current() if found is None else found


def settle(own: Priority) -> None:
    """In a thread that has just begun: have what is `plain` to the one that started it."""
    _own.plain = own
    if current() != own:
        with suppress(OSError):
            own.apply()


@contextmanager
def ranked(priority: Priority | None) -> Iterator[None]:
    """The calling thread has this priority meanwhile, if it may."""
    if priority is None:
        yield
        return
    policy, parameter = os.sched_getscheduler(0), os.sched_getparam(0)
    nice = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    before, _own.plain = getattr(_own, "plain", None), plain()
    with suppress(OSError):
        priority.apply()
    try:
        yield
    finally:
        _own.plain = before
        with suppress(OSError):
            os.sched_setscheduler(0, policy, parameter)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
