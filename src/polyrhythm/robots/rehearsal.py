"""A robot that is not there: it offers what the manifest declares, and takes every action.

To see whether a policy keeps its time before there is a robot, or on a machine that has none. What it shows
is noise that depends on the seed and, in the first element of every observation, on the tick: nothing can be
concluded from what a policy does with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from polyrhythm.robots.api import RobotSpec, StepResult, TensorSpec, choose_task, find_observation

_INTEGERS = 8


class RehearsalRobot:
    """See the module and `Robot` for the contract.

    Args:
        spec: what to offer. Floats are evenly distributed from 0 to 1, integers from 0 to 7.
        length: control ticks of an episode, which never succeeds.
    """

    def __init__(self, spec: RobotSpec, length: int) -> None:
        self.spec, self._length = spec, length
        self._scene: dict[str, np.ndarray] = {}
        self._tick = length
        self._moved = 0.0

    def reset(self, *, task: str | None, seed: int) -> None:
        """See `Robot.reset`."""
        choose_task(task, self.spec.tasks)
        for name, spec in self.spec.observations.items():
            rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
            kind = spec.numpy_dtype.kind
            drawn = (
                rng.random(spec.shape)
                if kind == "f"
                else rng.integers(0, 2 if kind == "b" else _INTEGERS, spec.shape)
            )
            self._scene[name] = np.asarray(drawn).astype(spec.numpy_dtype)
        self._tick, self._moved = 0, 0.0

    def observe(self, name: str, out: np.ndarray) -> None:
        """See `Robot.observe`."""
        find_observation(name, self.spec.observations).require(name, out)
        out[...] = self._scene[name]
        out.reshape(-1)[0] = self._tick % _INTEGERS / (1 if out.dtype.kind in "iu" else _INTEGERS)

    def act(self, action: np.ndarray) -> StepResult:
        """See `Robot.act`."""
        self.spec.action.require("action", action)
        if not np.isfinite(action).all():
            raise ValueError(f"action {action.tolist()} is not finite")
        self._moved = float(np.abs(action).mean())
        return self.hold()

    def hold(self) -> StepResult:
        """See `Robot.hold`."""
        if self._tick >= self._length:
            raise RuntimeError("the episode is over or has not begun: call reset first")
        self._tick += 1
        return StepResult(success=None, done=self._tick >= self._length)

    def telemetry(self) -> Mapping[str, float]:
        """The mean magnitude of the last action."""
        return {"action": self._moved}

    def close(self) -> None:
        """Nothing to give back."""


def robot(*, declared: Any, control_hz: float, episode_s: float = 20) -> RehearsalRobot:
    """The entry point; `declared` is the manifest's `polyrhythm.manifest.schema.Robot`."""
    observations = {name: TensorSpec(spec.dtype, spec.shape) for name, spec in declared.observations.items()}
    action = TensorSpec(declared.action.dtype, declared.action.shape)
    spec = RobotSpec(control_hz, MappingProxyType(observations), action, ("rehearsal",))
    return RehearsalRobot(spec, max(1, round(control_hz * episode_s)))
