"""How `play` parts from a robot that hangs, or does not close: an adapter as if it were installed."""

from __future__ import annotations

import logging
import os
import signal
import threading
from pathlib import Path

import pytest

from polyrhythm.robots import RobotSpec, TensorSpec
from polyrhythm.runtime import RunError, check, hands, play, realtime
from tests.cli.bundles import MANIFEST, make_bundle
from tests.runtime.robot import Diary

ROBOT = """\
robot:
  use: odd
  control_hz: 100
  action: { dtype: f32, shape: [4] }
"""
LINK = "  - { from: head.actions, to: robot.action }\n"
#: Adapters that were made, in order.
made: list[Odd] = []


class Odd(Diary):
    """Its `act` and `close` need the same lock, as if they spoke through one port.

    Args:
        hangs: the second tick asks for the end of the run, and comes back when `released`.
        raises: what `close` says.
    """

    spec = RobotSpec(100.0, {}, TensorSpec("f32", (4,)), ("left",))

    def __init__(self, hangs: bool = False, raises: str = "") -> None:
        super().__init__(length=20)
        self.hangs, self.raises = hangs, raises
        self.port, self.released = threading.Lock(), threading.Event()
        made.append(self)

    def _tick(self, action):
        with self.port:
            if self.hangs and len(self.entries) == 1 and self in made:
                os.kill(os.getpid(), signal.SIGINT)
                self.released.wait()
            return super()._tick(action)

    def close(self) -> None:
        assert self.port.acquire(blocking=False), "two threads are in the robot: this would wait for ever"
        self.closed = True
        if self.raises:
            raise OSError(self.raises)


@pytest.fixture
def plan_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Install the adapter; the plan of a bundle that uses it with these options."""
    metadata = tmp_path / "site" / "odd-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[polyrhythm.robots]\nodd = {__name__}:Odd\n")
    monkeypatch.syspath_prepend(str(metadata.parent))
    made.clear()

    def plan(options: str):
        robot = ROBOT.replace("use: odd", f"use: odd\n  options: {options}")
        checked = check(make_bundle(tmp_path / "duet", robot + MANIFEST + LINK))
        assert checked.plan is not None, checked.diagnostics
        return checked.plan

    # A run that ends too soon fails its test; the signal that comes after it is not to end all others.
    before = signal.signal(signal.SIGINT, lambda number, _frame: None)
    yield plan
    for robot in made:
        robot.released.set()
    made.clear()
    signal.signal(signal.SIGINT, before)


def test_a_robot_that_hangs_is_left_alone(plan_with, monkeypatch) -> None:
    """SIGINT ends the run while `act` hangs, which must not be met by a `close` in another thread."""
    monkeypatch.setattr(realtime, "DRAIN_NS", 0)
    monkeypatch.setattr(hands, "CLOSE_GRACE_S", 0.0)
    outcome = play(plan_with("{ hangs: true }"), episodes=1)
    assert outcome.reason == "interrupted" and not made[0].closed
    assert outcome.notes == ["the robot never came back from its last request, so it was not closed"]


@pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "real time"])
def test_a_robot_that_does_not_close_costs_no_run(plan_with, lockstep: bool) -> None:
    outcome = play(plan_with("{ raises: 'the port is gone' }"), episodes=1, lockstep=lockstep)
    assert outcome.reason == "complete" and len(outcome.episodes) == 1 and made[0].closed
    assert outcome.notes == ["the robot did not close: OSError: the port is gone"]


def test_nor_does_it_hide_why_there_was_none(plan_with, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(RunError, match="no task is called 'right'"):
        play(plan_with("{ raises: 'the port is gone' }"), tasks=("right",))
    assert caplog.messages == ["note: the robot did not close: OSError: the port is gone"]
