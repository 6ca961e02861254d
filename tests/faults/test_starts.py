"""A run that is told to end before it has begun, while its island starts."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from polyrhythm.island import ports_path
from polyrhythm.island.build import program
from polyrhythm.island.live import running
from tests.cli.bundles import MANIFEST, make_bundle
from tests.faults.world import ROOT, Run, until
from tests.robots.flywheel import installed

NAME = f"starts-{os.getpid()}"
#: An island whose first period comes late: until then, whoever starts it waits.
SLOW = f"""\
robot: {{ use: flywheels, control_hz: 1, action: {{ dtype: f32, shape: [4] }} }}
island:
  rate_hz: 1
  priority: 0
  blind_ms: 5000
  ladder_ms: {{ extrapolate: 2000, decelerate: 3000, hold: 4000, stop: 5000 }}
  ports: {NAME}
  joints:
    left: {{ velocity: 40, torque: 1, torque_rate: 200, kp: 1, kd: 0.05 }}
    right: {{ velocity: 40, torque: 1, torque_rate: 200, kp: 1, kd: 0.05 }}
"""
LINK = "  - { from: head.actions, to: robot.action }\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_no_island_is_left_behind(tmp_path: Path, number: signal.Signals) -> None:
    program()
    bundle = make_bundle(tmp_path / "bundle", SLOW + MANIFEST + LINK)
    path = os.pathsep.join(map(str, (ROOT, ROOT / "src", installed(tmp_path / "robot"))))
    with Run(tmp_path, bundle, ("--seconds", 60), env={"PYTHONPATH": path}, record=False) as run:
        until(lambda: run.process.poll() is not None or running(ports_path(NAME)) is not None)
        ended = run.interrupt(number)
    assert ended.code == 130 and "Traceback" not in ended.err
    assert json.loads(ended.out)["run"]["reason"] == "interrupted"
    assert running(ports_path(NAME)) is None and not ports_path(NAME).exists()
