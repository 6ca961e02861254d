"""Two flywheels, which no simulator is needed for, as somebody else's robot: found by an entry point.

A robot on a live island whose joints stay where they are, and whose two sensors say always the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from polyrhythm.island import LiveIsland, RobotSide
from polyrhythm.robots.api import RobotSpec, StepResult, TensorSpec, choose_task

SENSORS = (0.25, 0.125)


class Flywheels:
    """See `polyrhythm.robots.Robot`."""

    def __init__(self, island: LiveIsland, control_hz: float) -> None:
        self.spec = RobotSpec(control_hz, {}, TensorSpec("f32", (4,)), ("stand",))
        self._island = island
        self._side = RobotSide(island.ports)

    def reset(self, *, task: str | None, seed: int) -> None:
        choose_task(task, self.spec.tasks)
        self.hold()

    def observe(self, name: str, out: np.ndarray) -> None:
        raise KeyError(name)

    def act(self, action: np.ndarray) -> StepResult:
        self._island.target(action[:2], action[2:])
        return self.hold()

    def hold(self) -> StepResult:
        self._side.send((0.0, 0.0), (0.0, 0.0), SENSORS)
        return StepResult(success=None, done=False)

    def telemetry(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None:
        """Nothing to give back."""


def robot(*, island: LiveIsland, control_hz: float) -> Flywheels:
    """The entry point."""
    return Flywheels(island, control_hz)


def installed(folder: Path) -> Path:
    """A folder that makes it known as `flywheels` to every process that has it on its path."""
    info = folder / "flywheels-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: flywheels\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[polyrhythm.robots]\nflywheels = {__name__}:robot\n")
    return folder
