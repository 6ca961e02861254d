"""One run of a runtime at a time, and none once it is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, get_ident

from polyrhythm.runtime.outcome import RunError

#: How long `close` waits for a run that it has stopped. That waits for what is in flight, for the robot and
#: for every queue in turn, five seconds each.
CLOSE_GRACE_S = 30.0
CLOSED = "the runtime is closed: make a new Runtime"


class Gate:
    """Every run goes through it, and so does `close`."""

    def __init__(self) -> None:
        self._taken = Lock()
        self._runner: int | None = None  # the thread that called `run`
        self._closed = False

    def require_open(self) -> None:
        """Raise `RunError` if the runtime is closed, or about to be."""
        if self._closed:
            raise RunError(CLOSED)

    @contextmanager
    def run(self) -> Iterator[None]:
        """A run goes on.

        Raises:
            RunError: one does already, or the runtime is closed.
        """
        if not self._taken.acquire(blocking=False):
            self.require_open()
            raise RunError(
                "a run goes on already, and a runtime plays one at a time: wait until it is over, end it "
                "with `stop`, or make another Runtime"
            )
        try:
            self._runner = get_ident()
            self.require_open()
            yield
        finally:
            self._runner = None
            self._taken.release()

    @contextmanager
    def closing(self, within: Callable[[], bool], stop: Callable[[str], object]) -> Iterator[None]:
        """No run goes on, and none begins any more: one that does is stopped and waited for.

        Args:
            within: whether the caller is in another thread that the run waits for.
            stop: stops it, for this reason.

        Raises:
            RunError: it would wait for the caller, or did not end in time.
        """
        if self._runner == get_ident() or within():
            raise RunError(
                "`close` waits for the run, so nothing in the run can call it (a listener, the robot, a "
                "signal handler): call `stop` there, and `close` when `run` has returned"
            )
        self._closed = True
        if not self._taken.acquire(blocking=False):
            stop("the runtime was closed")
            if not self._taken.acquire(timeout=CLOSE_GRACE_S):
                raise RunError(
                    f"the run was stopped and did not end within {CLOSE_GRACE_S:g} s, so nothing was freed: "
                    "see to what holds it up (a listener, or in lockstep the robot), and call `close` again"
                )
        try:
            yield
        finally:
            self._taken.release()
