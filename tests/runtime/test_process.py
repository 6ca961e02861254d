"""Runs in processes of their own: signals, and a clean exit under `python -X dev`."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.signals import stopping_on_signals
from tests.runtime.robot import Diary

class Loud(Diary):
    def act(self, action):
        if len(self.entries) == 30:
            print("moving", flush=True)
        return super().act(action)

length, lockstep = int(sys.argv[2]), sys.argv[3] == "lockstep"
robot = Loud(length=length)
with Runtime(check(sys.argv[1]).plan) as runtime, stopping_on_signals(runtime.stop):
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep)
print(outcome.reason, [tick for tick, _ in robot.entries] == list(range(len(robot.entries))))
"""


def start(bundle, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", PROGRAM, str(bundle), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("time", ["lockstep", "realtime"])
def test_a_run_ends_clean_in_development_mode(bundle, time):
    process = start(bundle, "50", time)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.splitlines()[-1], err) == (0, "complete True", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("time", ["lockstep", "realtime"])
def test_a_signal_ends_the_run_cleanly(bundle, number, time):
    process = start(bundle, "100000000", time)
    assert process.stdout is not None
    assert process.stdout.readline() == "moving\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.splitlines()[-1], err) == (0, "interrupted True", "")
