"""Robots whose calls are cut short by what is not theirs, or give back what they must not."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace

import pytest

from tests.runtime.robot import Diary
from tests.runtime.test_runs import BOTH, accounts_balance


class Cut(Diary):
    """Something happens in the thirtieth tick."""

    def __init__(self, happens) -> None:
        super().__init__()
        self.happens = happens

    def _tick(self, action):
        if len(self.entries) == 30:
            self.happens()
        return super()._tick(action)


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def leave() -> None:
    raise SystemExit(3)


@pytest.mark.parametrize(("happens", "raised"), [(interrupt, KeyboardInterrupt), (leave, SystemExit)])
def test_what_ends_the_program_ends_lockstep_too(runtime, happens, raised) -> None:
    with pytest.raises(raised):
        runtime.run(Cut(happens), episodes=1, tasks=["left"], lockstep=True)
    outcome = runtime.run(Diary(length=60), episodes=1, tasks=["left"], lockstep=True)
    assert outcome.reason == "complete" and accounts_balance(outcome), "nothing is left of it"


def test_in_the_robots_own_thread_it_is_a_robot_that_failed(runtime) -> None:
    """Nobody else would hear of it there."""
    outcome = runtime.run(Cut(leave), episodes=1, tasks=["left"])
    assert outcome.reason == "the robot failed: SystemExit: 3 (test_hands.py:33 in leave)"
    assert accounts_balance(outcome)


@BOTH
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("act", None),
        ("hold", (False, False)),
        ("act", SimpleNamespace(success=None, done=False)),
        ("telemetry", [("ticks", 1.0)]),
    ],
    ids=["act gives nothing", "hold gives a pair", "act gives a stranger", "telemetry gives a list"],
)
def test_a_robot_that_gives_something_else_has_failed(runtime, lockstep, name, given, snapshot) -> None:
    robot = Diary()
    setattr(robot, name, lambda *_: given)
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep)
    assert outcome.reason == snapshot
    assert accounts_balance(outcome)
