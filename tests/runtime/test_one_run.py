"""A runtime plays one run at a time, and none once it is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from polyrhythm.runtime import Outcome, RunError, Runtime, gate
from tests.runtime.robot import Diary
from tests.runtime.test_runs import BOTH

WAIT_S = 60.0
ENDLESS = 10_000_000


class Steps:
    """A listener that calls `do` at every step, and keeps what it raises, by the name of its thread."""

    def __init__(self, do: Callable[[], object]) -> None:
        self.do = do
        self.raised: list[tuple[str, str]] = []

    def step(self, event, commands) -> None:
        try:
            self.do()
        except RunError as error:
            self.raised.append((threading.current_thread().name, str(error)))

    def note(self, note) -> None:
        pass


class Going(threading.Thread):
    """A run in a thread of its own; it has begun when this has been made."""

    def __init__(self, runtime: Runtime, robot: Diary, lockstep: bool) -> None:
        super().__init__()
        self.runtime, self.robot, self.lockstep = runtime, robot, lockstep
        self.begun = threading.Event()
        self.outcome: Outcome | None = None
        self.start()
        assert self.begun.wait(WAIT_S)

    def run(self) -> None:
        self.outcome = self.runtime.run(self.robot, lockstep=self.lockstep, listeners=[Steps(self.begun.set)])

    def reason(self) -> str:
        self.join(WAIT_S)
        assert self.outcome is not None
        return self.outcome.reason


@BOTH
def test_a_second_run_is_refused_and_the_first_one_does_not_feel_it(runtime, lockstep, snapshot) -> None:
    first, second = Diary(length=ENDLESS), Diary()
    going = Going(runtime, first, lockstep)
    with pytest.raises(RunError) as refused:
        runtime.run(second, episodes=1)
    assert str(refused.value) == snapshot
    assert not second.episodes
    runtime.stop("enough")
    assert going.reason() == "enough"
    assert runtime.run(second, episodes=1, tasks=["left"], lockstep=True).reason == "complete"


@BOTH
def test_so_is_one_that_a_listener_begins(runtime, lockstep) -> None:
    second = Diary()
    steps = Steps(lambda: runtime.run(second, episodes=1, lockstep=lockstep))
    outcome = runtime.run(Diary(), episodes=1, tasks=["left"], lockstep=lockstep, listeners=[steps])
    assert outcome.reason == "complete" and len(outcome.episodes) == 1
    assert steps.raised and not second.episodes


@BOTH
def test_close_ends_a_run_that_goes_on_and_waits_for_it(plan, lockstep) -> None:
    runtime = Runtime(plan)
    going = Going(runtime, Diary(length=ENDLESS), lockstep)
    runtime.close()
    assert going.reason() == "the runtime was closed"
    assert not runtime.contexts and not runtime.devices


@BOTH
def test_whoever_a_run_would_wait_for_can_not_close(runtime, lockstep, snapshot) -> None:
    """Listeners are called by threads of devices too, and by that of the robot."""

    class Closes(Diary):
        def _tick(self, action):
            if not self.entries:
                steps.step(None, ())
            return super()._tick(action)

    steps = Steps(runtime.close)
    outcome = runtime.run(Closes(), episodes=1, tasks=["left"], lockstep=lockstep, listeners=[steps])
    assert outcome.reason == "complete" and len(outcome.episodes) == 1
    threads, said = (set(column) for column in zip(*steps.raised, strict=True))
    assert lockstep or len(threads) > 2
    assert said.pop() == snapshot and not said
    assert runtime.run(Diary(), episodes=1, tasks=["left"], lockstep=True).reason == "complete"


def test_a_run_that_does_not_end_keeps_its_memory(plan, monkeypatch, snapshot) -> None:
    """Here the robot holds it up, in the thread of the run."""
    entered, let_go = threading.Event(), threading.Event()

    class Hangs(Diary):
        def _tick(self, action):
            entered.set()
            let_go.wait(WAIT_S)
            return super()._tick(action)

    monkeypatch.setattr(gate, "CLOSE_GRACE_S", 0.05)
    runtime = Runtime(plan)
    going = Going(runtime, Hangs(), lockstep=True)
    assert entered.wait(WAIT_S)
    with pytest.raises(RunError) as refused:
        runtime.close()
    assert str(refused.value) == snapshot
    assert runtime.contexts and runtime.devices
    with pytest.raises(RunError, match="the runtime is closed"):
        runtime.run(Diary(), episodes=1)
    let_go.set()
    assert going.reason() == "the runtime was closed"
    runtime.close()
    assert not runtime.contexts and not runtime.devices


def test_after_close_everything_is_refused_alike(plan, bundle, snapshot) -> None:
    runtime = Runtime(plan)
    runtime.close()
    runtime.close()
    runtime.stop()
    said = set()
    for call in (
        lambda: runtime.run(Diary(), episodes=1), lambda: runtime.switch(0), lambda: runtime.retire(0),
        lambda: runtime.load(bundle), lambda: runtime.swap(bundle),
        lambda: runtime.set_profile("calm"), lambda: runtime.retune(beta=1.0),
    ):  # fmt: skip
        with pytest.raises(RunError) as refused:
            call()
        said.add(str(refused.value))
    assert said.pop() == snapshot and not said
