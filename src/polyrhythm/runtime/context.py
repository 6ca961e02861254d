"""One context of a bundle as the runtime holds it: its memory, and where it stands in its life."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import Literal

from polyrhythm.analysis import Ledger
from polyrhythm.memory import Budgets
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.storage import Storage

State = Literal["loading", "loaded", "warming", "ready", "live", "failed", "retired"]
#: What a context does not come back from.
OVER: tuple[State, ...] = ("failed", "retired")


class Context:
    """A live instance of a bundle: slots, chunk buffers and what modules keep, bound to loaded code.

    ============ ======================================================================================
    state        meaning
    ============ ======================================================================================
    ``loading``  its bundle is being verified and loaded
    ``loaded``   its memory is bound; a run warms it up first
    ``warming``  each of its stages runs once, when devices have nothing else to do
    ``ready``    it can be switched to
    ``live``     it plays
    ``failed``   it never got ready; `reason` says why, everything of it is freed
    ``retired``  it is not needed any more (`reason` says why a swap came to nothing); freed as soon as
                 nothing of it is in flight
    ============ ======================================================================================
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.state: State = "loading"
        self.reason = ""
        #: Whether it was asked to play, and that has not been refused since.
        self.asked = False
        #: Whether it was warmed up in a run; the next one has other queues and does it again.
        self.warm = False
        #: Whether a run has played it.
        self.played = False
        #: The number of the context that it went live after, last; None: it has not.
        self.after: int | None = None
        #: Whether it was retired; it may still be in flight.
        self.leaving = False
        #: What it and its bundle hold, as it was when it was loaded; its files may be gone since.
        self.ledger = Ledger()
        self._plan: Plan | None = None
        self._storage: Storage | None = None
        #: What its memory is drawn from, once it is loaded.
        self.budgets: Budgets | None = None
        self._release: Callable[[], None] = lambda: None
        self._changed = Condition()

    @property
    def plan(self) -> Plan:
        """Its bundle's plan, once it is loaded."""
        assert self._plan is not None, f"context {self.number} is {self.state}"
        return self._plan

    @property
    def storage(self) -> Storage:
        """Its memory, once it is loaded and until it is freed."""
        assert self._storage is not None, f"context {self.number} is {self.state}"
        return self._storage

    @property
    def coming(self) -> bool:
        """Whether it is on its way to be ready, in a run."""
        return self.state in ("loading", "loaded", "warming")

    @property
    def freed(self) -> bool:
        """Whether it holds no memory (any more)."""
        return self._storage is None

    def bind(self, plan: Plan, storage: Storage, budgets: Budgets, release: Callable[[], None]) -> None:
        """It is loaded, in memory drawn from `budgets`; `release` gives back what the storage does not."""
        self._plan, self._storage, self.budgets, self._release = plan, storage, budgets, release
        self.become("loaded")

    def become(self, state: State, reason: str = "") -> None:
        """Enter a state; the last one stays. One that is retired keeps why it was refused."""
        with self._changed:
            if self.state not in OVER:
                self.reason = reason or (self.reason if state == "retired" else "")
                self.state = state
                self._changed.notify_all()

    def refused(self, reason: str) -> None:
        """What was asked of it will not happen, it stays what it is; empty: something new is asked. Of one
        that is over nothing can be asked."""
        with self._changed:
            if self.state not in OVER:
                self.reason, self.asked = reason, not reason
                self._changed.notify_all()

    def free(self) -> None:
        """Let go of the memory."""
        with self._changed:
            storage, release, self._release = self._storage, self._release, lambda: None
            self._storage = None
            if storage is not None:
                storage.close()
            release()
            del storage, release  # the last who hold it: who waits for it finds the memory free
            self._changed.notify_all()

    def wait(self, *states: State, timeout_s: float | None = None) -> State:
        """Wait for one of `states`, for the end of the context, or until what was asked last is refused
        (then `reason` says why); returns where it stands then."""
        with self._changed:
            over = (*states, *OVER)
            self._changed.wait_for(lambda: self.state in over or bool(self.reason), timeout_s)
            return self.state

    def reach(self, *states: State) -> State:
        """Wait for one of `states` or for the end of the context, whatever is asked of it meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self.state in (*states, *OVER))
            return self.state

    def goes_live(self) -> None:
        """Wait until it plays, has played meanwhile, or will not play (`after` is None then)."""
        with self._changed:
            self._changed.wait_for(lambda: self.after is not None or self.state in OVER or not self.asked)

    def wait_freed(self, timeout_s: float | None = None) -> bool:
        """Wait until a failed or retired context holds no memory."""
        with self._changed:
            return self._changed.wait_for(lambda: self.state in OVER and self._storage is None, timeout_s)

    def __repr__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"<context {self.number}, {self.state}{why}>"
