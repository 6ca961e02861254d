"""How `play` parts from a robot that hangs, or does not close: an adapter as if it were installed."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from polyrhythm.robots import RobotSpec, TensorSpec
from polyrhythm.runtime import Plan, RunError, check, play
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
#: A process of its own: its robot interrupts it.
HANGS = """
import sys
from polyrhythm.runtime import check, hands, play, realtime
from tests.runtime.test_farewell import made
realtime.DRAIN_NS, hands.CLOSE_GRACE_S = 0, 0.0
outcome = play(check(sys.argv[1]).plan, episodes=1)
print(outcome.reason, made[0].closed, *outcome.notes, sep="; ")
"""


class Odd(Diary):
    """Its `act` and `close` need the same lock, as if they spoke through one port.

    Args:
        hangs: the second tick interrupts the process, and never comes back.
        raises: what `close` says.
    """

    spec = RobotSpec(100.0, {}, TensorSpec("f32", (4,)), ("left",))

    def __init__(self, hangs: bool = False, raises: str = "") -> None:
        super().__init__(length=20)
        self.hangs, self.raises = hangs, raises
        self.port = threading.Lock()
        made.append(self)

    def _tick(self, action):
        with self.port:
            if self.hangs and len(self.entries) == 1:
                os.kill(os.getpid(), signal.SIGINT)
                threading.Event().wait()
            return super()._tick(action)

    def close(self) -> None:
        assert self.port.acquire(blocking=False), "two threads are in the robot: this would wait for ever"
        self.closed = True
        if self.raises:
            raise OSError(self.raises)


@pytest.fixture
def bundle_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Install the adapter, also for processes that are started; a bundle that uses it with these options."""
    metadata = tmp_path / "site" / "odd-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[polyrhythm.robots]\nodd = {__name__}:Odd\n")
    monkeypatch.syspath_prepend(str(metadata.parent))
    monkeypatch.setenv("PYTHONPATH", str(metadata.parent))
    made.clear()

    def bundle(options: str) -> Path:
        robot = ROBOT.replace("use: odd", f"use: odd\n  options: {options}")
        return make_bundle(tmp_path / "duet", robot + MANIFEST + LINK)

    yield bundle
    made.clear()


def place() -> str:
    """Where `close` raises."""
    return f"test_farewell.py:{Odd.close.__code__.co_firstlineno + 4} in close"


def planned(bundle: Path) -> Plan:
    checked = check(bundle)
    assert checked.plan is not None, checked.diagnostics
    return checked.plan


def test_a_robot_that_hangs_is_left_alone(bundle_with) -> None:
    """SIGINT ends the run while `act` hangs, which must not be met by a `close` in another thread."""
    run = [sys.executable, "-c", HANGS, str(bundle_with("{ hangs: true }"))]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (
        0, "interrupted; False; the robot never came back from its last request, so it was not closed\n", ""
    )  # fmt: skip


@pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "real time"])
def test_a_robot_that_does_not_close_costs_no_run(bundle_with, lockstep: bool) -> None:
    outcome = play(planned(bundle_with("{ raises: 'the port is gone' }")), episodes=1, lockstep=lockstep)
    assert outcome.reason == "complete" and len(outcome.episodes) == 1 and made[0].closed
    assert outcome.notes == [f"the robot did not close: OSError: the port is gone ({place()})"]


def test_nor_does_it_hide_why_there_was_none(bundle_with, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(RunError, match="no task is called 'right'"):
        play(planned(bundle_with("{ raises: 'the port is gone' }")), tasks=("right",))
    assert caplog.messages == [f"note: the robot did not close: OSError: the port is gone ({place()})"]
