"""A queue for devices that run a call synchronously: one thread, fed first-in first-out.

The thread runs the calls, so `submit` returns at once whatever the device is doing. It holds neither the
queue object nor the device: a queue that nobody refers to any more lets what was submitted end, and stops.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from time import monotonic, monotonic_ns
from typing import Any, Protocol

from polyrhythm.hal.api import NO_WAIT, Call, Completion, Fence, HalError, StageError, Timeline
from polyrhythm.hal.cores import cores_text
from polyrhythm.hal.priority import Priority, Ranks, plain, settle
from polyrhythm.hal.timeline import QueueTimeline

_log = logging.getLogger(__name__)

#: How long interpreter exit waits for calls that are running, all queues together.
EXIT_GRACE_S = 2.0
#: A failure's message is cut here; the rest of a driver's message is stack frames of its own.
_MESSAGE_LENGTH = 400
#: A line of a message that ends with a place in the library's source: what happened there comes after it.
_WHERE = re.compile(r"\S\.\w+:\d+:$")

_Points = tuple[tuple[Timeline, int], ...]
_keys = itertools.count()
#: Every thread that has not ended, and what it sees; a queue object may be gone before its thread.
_serving: dict[int, tuple[threading.Thread, Shared]] = {}
#: Called at exit when threads had to be left behind.
when_left_behind: list[Callable[[], None]] = []


class RunnableCall(Call, Protocol):
    """A call that a `WorkerQueue` can run; `owner` is the device that it was bound on, or stands for it."""

    owner: object

    def run(self, key: int) -> int | None:
        """Run to the end in this thread; `key` names the queue. An exception is the failure of the call.

        Returns for how long it was left for others, in ns, if it can be.
        """
        ...


class Shared:
    """What the thread of a queue and the queue object both see."""

    __slots__ = ("begun", "cancelled", "items", "timeline")

    def __init__(self, timeline: QueueTimeline) -> None:
        self.items: SimpleQueue[Any] = SimpleQueue()
        self.timeline = timeline
        #: Why calls that have not begun are to fail instead.
        self.cancelled: str | None = None
        #: The token of the call that runs or is about to.
        self.begun: object = None

    def cancel(self, message: str) -> object:
        """From now on no call begins; the token of the one that may be running, or None.

        The thread writes `begun` and then reads `cancelled`, this writes `cancelled` and then reads `begun`:
        whoever comes second sees the other. A lock would cost a quarter of a microsecond per call.
        """
        self.cancelled = message
        return self.begun


class WorkerQueue:
    """See `polyrhythm.hal.api.Queue`.

    Args:
        name: for error messages and the name of the thread.
        cores: the thread is pinned to these; empty: wherever the system puts it.
        owner: calls of another owner are refused; None accepts all.
        released: told the queue's `key` when the thread ends, to drop what it keeps for this queue.
        ranks: priorities of the thread; None: what the one that makes it would have unranked.
        pooled: others compute, and this thread waits for them.
    """

    def __init__(
        self,
        name: str,
        cores: Sequence[int] = (),
        owner: object = None,
        released: Callable[[int], None] | None = None,
        ranks: Ranks | None = None,
        pooled: bool = False,
    ) -> None:
        self.name = name
        self.key = next(_keys)
        self.timeline = QueueTimeline(name)
        self._owner = owner
        self._shared = Shared(self.timeline)
        self._put = self._shared.items.put
        self._submitted = 0
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(
            target=_serve,
            args=(self._shared, self.key, released, plain(), ranks, pooled),
            name=f"hal-{name}",
            daemon=True,
        )
        self._thread.start()
        _serving[self.key] = (self._thread, self._shared)  # it ends when it is told to, not before
        pin(self._thread, cores)

    def submit(
        self,
        call: Call,
        *,
        wait: Fence = NO_WAIT,
        token: object = None,
        done: Callable[[Completion], None] | None = None,
    ) -> Fence:
        """See `polyrhythm.hal.api.Queue.submit`.

        Raises:
            HalError: the queue is closed, or the call was bound on another device.
        """
        if self._owner is not None and getattr(call, "owner", None) is not self._owner:
            raise HalError(f"{call.entry.name!r} was not bound on the device of queue {self.name!r}")
        with self._lock:
            if self._closed:
                raise HalError(f"queue {self.name!r} is closed")
            self._submitted = value = self._submitted + 1
            self._put((call, wait.points, value, token, done))
        return Fence(((self.timeline, value),))

    def abandon(self, message: str) -> object:
        """See `polyrhythm.hal.api.Queue.abandon`."""
        begun = self._shared.cancel(message)
        self._stop()
        self._left_behind()
        return begun

    def close(self, timeout_ns: int | None = None) -> bool:
        """See `polyrhythm.hal.api.Queue.close`."""
        self._stop()
        if self._thread is threading.current_thread():
            return False
        self._thread.join(None if timeout_ns is None else min(timeout_ns / 1e9, threading.TIMEOUT_MAX))
        ended = not self._thread.is_alive()
        if not ended and timeout_ns != 0:
            self._left_behind()
        return ended

    def _left_behind(self) -> None:
        """Nobody waits any more for the call that runs: what works only for this queue is let go."""

    def _stop(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._put(None)

    def __del__(self) -> None:
        # A thread that has not started can't be told to stop, and need not be.
        if not getattr(self, "_closed", True) and self._thread.is_alive():
            self._stop()


def close_all(queues: Iterable[WorkerQueue], timeout_ns: int) -> None:
    """Let no queue take more, then wait for all of them together; those that hang are left behind."""
    held = list(queues)
    for queue in held:
        queue.close(timeout_ns=0)
    until_ns = monotonic_ns() + timeout_ns
    for queue in held:
        queue.close(max(1, until_ns - monotonic_ns()))


def pin(thread: threading.Thread, cores: Sequence[int]) -> None:
    """Keep a thread that has started to these cores; none: wherever the system puts it."""
    if cores:
        assert thread.native_id is not None
        os.sched_setaffinity(thread.native_id, cores)


def require_cores(cores: Sequence[int]) -> None:
    """Raise `HalError` unless a thread of this process can be pinned to exactly these cores."""
    if not cores:
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cores)
        granted = os.sched_getaffinity(0)
    except (OSError, ValueError, OverflowError):
        granted = set()
    finally:
        os.sched_setaffinity(0, before)
    if granted != set(cores):
        missing = ", ".join(str(core) for core in sorted(set(cores) - granted))
        raise HalError(f"core {missing} does not exist here or is not ours; there are {cores_text()}")


def first_line(problem: BaseException) -> str:
    """The part of an exception's message that people can read."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    told = [line for line in lines if not _WHERE.search(line)] or lines[-1:]
    text = told[0].rstrip("; ") if told else type(problem).__name__
    return text if len(text) <= _MESSAGE_LENGTH else text[: _MESSAGE_LENGTH - 3] + "..."


def _serve(
    shared: Shared,
    key: int,
    released: Callable[[int], None] | None,
    own: Priority,
    ranks: Ranks | None,
    pooled: bool,
) -> None:
    get, reach, clock = shared.items.get, shared.timeline.reach, monotonic_ns
    settle(own)
    if ranks is not None:
        rank(ranks.deliver)
        # Who waits for a pool may spin; first in first out above its workers it would keep them waiting.
        if ranks.compute == ranks.deliver or (pooled and not ranks.deliver.fifo):
            ranks = None  # no need to change it at every call
    while (item := get()) is not None:
        call, points, value, token, done = item
        error = _await(points) if points else None
        started_ns, away_ns = clock(), 0
        if error is None:
            shared.begun = token  # before the look at `cancelled`: see `Shared.cancel`
            error = shared.cancelled
        if error is None:
            if ranks is not None:
                rank(ranks.compute)
            try:
                away_ns = call.run(key) or 0
            except BaseException as problem:  # bindings to Rust raise their panics as such
                error = first_line(problem)
            if ranks is not None:
                rank(ranks.deliver)
        ended_ns = clock()
        shared.begun = None
        reach(value, error)
        if done is not None:
            tell(done, Completion(token, started_ns, ended_ns, error, away_ns), call)
        # An idle queue keeps nothing alive.
        del item, call, points, token, done
    del _serving[key]
    if released is not None:
        released(key)


def tell(done: Callable[[Completion], None], completion: Completion, call: Call) -> None:
    """Tell that a call has ended; whatever is raised then harms nobody."""
    try:
        done(completion)
    except BaseException as problem:
        if not isinstance(problem, Exception) and threading.current_thread() is threading.main_thread():
            raise  # a signal's: there are queues that complete in `submit`
        _log.exception("the completion callback of %r raised", call.entry.name)


def rank(priority: Priority) -> None:
    """Give this thread another priority."""
    try:
        priority.apply()
    except OSError:
        return  # that it may was tried before; a right that was lost since is no reason to stop


def _await(points: _Points) -> str | None:
    """Block until every point is reached or one failed: None or its message."""
    try:
        for timeline, value in points:
            timeline.wait(value)
    except StageError as problem:
        return str(problem)
    except BaseException as problem:
        return first_line(problem)
    return None


def _at_exit() -> None:
    # Threads that come back from native code while the interpreter is being torn down crash it, so let the
    # running calls end first. Those that hang are left behind.
    serving = list(_serving.values())
    for _, shared in serving:
        shared.cancel("the interpreter is exiting")
        shared.items.put(None)
    until_s = monotonic() + EXIT_GRACE_S
    for thread, _ in serving:
        thread.join(max(0.0, until_s - monotonic()))
    hung = [thread for thread, _ in serving if thread.is_alive()]
    if hung:
        _freeze(hung)
        for tell in when_left_behind:
            tell()


def _freeze(threads: Sequence[threading.Thread]) -> None:
    """Keep threads that are in native code from coming back during the rest of this process's exit.

    Before 3.14, Python unwinds a thread that wants the interpreter while it is being torn down; destructors
    of C++ bindings forbid that, and the process aborts. One that sleeps in a signal handler can't come back.
    """
    if sys.version_info >= (3, 14):
        return
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    libc.signal.restype = ctypes.c_void_p
    number = signal.SIGRTMAX - 1
    libc.signal(number, ctypes.cast(libc.sleep, ctypes.c_void_p))  # sleeps `number` seconds, about a minute
    for thread in threads:
        assert thread.ident is not None
        signal.pthread_kill(thread.ident, number)


atexit.register(_at_exit)
