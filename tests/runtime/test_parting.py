"""The end of a run, when something is raised in it: what comes after is done all the same."""

from __future__ import annotations

import pytest

from polyrhythm.hal import HalError
from polyrhythm.hal.worker import WorkerQueue
from polyrhythm.runtime import Note, Plan, RunOver, Runtime
from polyrhythm.schedule.events import Command, Event
from tests.runtime.test_turns import WAIT_S, duet  # noqa: F401


class Ends:
    """What is told last."""

    def __init__(self, problem: str = "") -> None:
        self.problem = problem
        self.told: list[RunOver] = []

    def step(self, event: Event, commands: list[Command]) -> None:
        """Nothing to do."""

    def note(self, note: Note) -> None:
        """Keep it, and raise."""
        if isinstance(note, RunOver):
            self.told.append(note)
            if self.problem:
                raise ValueError(self.problem)


def test_a_queue_that_does_not_close(duet: Plan, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    closed, close = [], WorkerQueue.close

    def broken(queue: WorkerQueue, timeout_ns: int | None = None) -> bool:
        closed.append(queue.name)
        close(queue, timeout_ns)
        raise RuntimeError("the stream is gone")

    ends = Ends()
    with Runtime(duet) as runtime:
        with monkeypatch.context() as patched:
            patched.setattr(WorkerQueue, "close", broken)
            with pytest.raises(HalError, match=r"device '\w+' failed \(RuntimeError\): the stream is gone"):
                runtime.run(seconds=0.1, lockstep=True, listeners=[ends])
        assert len(closed) == len(duet.schedule.devices)
        assert ends.told == [RunOver("HalError")]
        assert runtime.load(duet).wait("loaded", timeout_s=WAIT_S) == "loaded", (
            "it is not told to a run that is over"
        )


def test_a_listener_that_raises_at_the_end_keeps_it_from_nobody(duet: Plan) -> None:  # noqa: F811
    first, second = Ends("full"), Ends()
    with Runtime(duet) as runtime, pytest.raises(ValueError, match="full"):
        runtime.run(seconds=0.1, lockstep=True, listeners=[first, second])
    assert first.told == second.told == [RunOver(None)]
