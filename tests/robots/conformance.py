"""What every robot has to satisfy, whatever it is: call `check_robot` with a fresh one."""

from __future__ import annotations

import numpy as np
import pytest

from polyrhythm.robots import Robot, UnknownTaskError


def check_robot(robot: Robot, *, ticks: int = 5) -> None:
    """Walk through the contract of `polyrhythm.robots.api.Robot`."""
    spec = robot.spec
    assert isinstance(robot, Robot)
    assert spec.control_hz > 0
    assert spec.tasks
    with pytest.raises(UnknownTaskError):
        robot.reset(task="no such task", seed=0)
    for task in spec.tasks:
        first = trajectory(robot, task, ticks)
        again = trajectory(robot, task, ticks)
        assert first == again, f"{task} is not a function of seed and actions"
    _check_refusals(robot)
    robot.close()
    robot.close()


def trajectory(robot: Robot, task: str, ticks: int, seed: int = 3) -> list[bytes]:
    """The bytes of every observation at every tick, for random actions with a hold in between."""
    rng = np.random.default_rng(0)
    robot.reset(task=task, seed=seed)
    seen: list[bytes] = []
    for tick in range(ticks):
        for name, tensor in robot.spec.observations.items():
            memory = tensor.empty()
            robot.observe(name, memory)
            seen.append(memory.tobytes())
            within = np.all(memory >= (tensor.low if tensor.low is not None else -np.inf)) and np.all(
                memory <= (tensor.high if tensor.high is not None else np.inf)
            )
            assert within, f"{name} leaves the bounds that its specification states"
        action = rng.uniform(-1.0, 1.0, robot.spec.action.shape).astype(np.float32)
        result = robot.hold() if tick == ticks // 2 else robot.act(action)
        if result.done:
            break
        telemetry = robot.telemetry()
        assert all(isinstance(value, float) for value in telemetry.values())
    return seen


def _check_refusals(robot: Robot) -> None:
    robot.reset(task=None, seed=0)
    action = robot.spec.action
    with pytest.raises(ValueError, match="is not finite"):
        robot.act(np.full(action.shape, np.nan, np.float32))
    with pytest.raises(ValueError, match="it has to be"):
        robot.act(np.zeros((*action.shape, 1), np.float32))
    with pytest.raises(KeyError, match="unknown observation"):
        robot.observe("no such observation", np.zeros(1, np.float32))
    name, tensor = next(iter(robot.spec.observations.items()))
    with pytest.raises(ValueError, match="it has to be"):
        robot.observe(name, np.zeros((*tensor.shape, 2), tensor.numpy_dtype))
