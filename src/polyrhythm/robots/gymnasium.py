"""Any Gymnasium environment as a robot.

Box observations become named observations (a Dict space: one for each key), the Box action becomes the
action. 64-bit floats are offered as f32, which is what models take.

    robot(env_id="Pendulum-v1", control_hz=20)

Gymnasium has no notion of a safe answer, so the adapter has to be told one: `hold_action`, zeros by default.
Zeros are safe for torques on a robot that is stable by itself and for velocity or position increments. They
are *not* safe for absolute position targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from polyrhythm.robots.api import RobotSpec, StepResult, TensorSpec, choose_task, find_observation

_OFFERED_AS = {
    "float64": "f32",
    "float32": "f32",
    "int64": "i32",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint16": "u16",
    "uint8": "u8",
}


class GymnasiumRobot:
    """A robot around one Gymnasium environment. See the module and `Robot` for the contract.

    Parameters
    ----------
    env:
        an environment with Box (or Dict of Box) observations and a Box action.
    control_hz:
        control ticks per second; one tick is one ``env.step``.
    task:
        the name of the only task.
    hold_action:
        the action of `hold`, as long as the action is; None means zeros.
    observation:
        the name that a plain Box observation gets.
    success_key:
        the entry of ``info`` whose truth says success. Without such an entry success is None: unknown.
    end_on_success:
        the episode is over at the first tick that reports success (else when the environment says so only).
    """

    spec: RobotSpec

    def __init__(
        self,
        env: Any,
        *,
        control_hz: float,
        task: str = "default",
        hold_action: Sequence[float] | None = None,
        observation: str = "observation",
        success_key: str = "success",
        end_on_success: bool = True,
    ) -> None:
        self._env = env
        self._boxes = _boxes(env.observation_space, observation)
        self._plain = observation if not _is_dict(env.observation_space) else None
        action = _action_spec(env.action_space)
        self._low = np.broadcast_to(np.asarray(env.action_space.low, np.float32), action.shape)
        self._high = np.broadcast_to(np.asarray(env.action_space.high, np.float32), action.shape)
        self._hold = _hold_array(hold_action, action)
        self._success_key = success_key
        self._end_on_success = end_on_success
        self._latest: Any = None
        self._info: Mapping[str, Any] = {}
        self._reward = 0.0
        self._ticks = 0
        self._running = False
        self.spec = RobotSpec(control_hz, MappingProxyType(self._boxes), action, (task,))

    @property
    def env(self) -> Any:
        """The Gymnasium environment, for adapters that build on this one."""
        return self._env

    @property
    def latest(self) -> Any:
        """The observation that the environment returned last, in its own types. Not a copy."""
        return self._latest

    @property
    def info(self) -> Mapping[str, Any]:
        """The ``info`` that the environment returned last."""
        return self._info

    def reset(self, *, task: str | None, seed: int) -> None:
        """See `Robot.reset`. The seed goes to ``env.reset``."""
        choose_task(task, self.spec.tasks)
        self._latest, self._info = self._env.reset(seed=seed)
        self._reward = 0.0
        self._ticks = 0
        self._running = True

    def observe(self, name: str, out: np.ndarray) -> None:
        """See `Robot.observe`."""
        spec = find_observation(name, self._boxes)
        spec.require(name, out)
        if self._latest is None:
            raise RuntimeError("there is nothing to observe before the first reset")
        out[...] = self._latest if self._plain is not None else self._latest[name]

    def act(self, action: np.ndarray) -> StepResult:
        """See `Robot.act`."""
        self.spec.action.require("action", action)
        if not self._running:
            raise RuntimeError("the episode is over or has not begun: call reset first")
        if not np.isfinite(action).all():
            raise ValueError(f"action {action.tolist()} is not finite")
        # A new array at every tick: an environment may keep it, to compare the next one with.
        clipped = np.clip(action, self._low, self._high)
        self._latest, reward, terminated, truncated, self._info = self._env.step(clipped)
        self._reward = float(reward)
        self._ticks += 1
        success = self._info.get(self._success_key)
        done = bool(terminated or truncated or (self._end_on_success and success))
        self._running = not done
        return StepResult(success=None if success is None else bool(success), done=done)

    def hold(self) -> StepResult:
        """See `Robot.hold`: `hold_action`."""
        return self.act(self._hold)

    def telemetry(self) -> Mapping[str, float]:
        """See `Robot.telemetry`: the last reward and the ticks of this episode."""
        return {"reward": self._reward, "episode_tick": float(self._ticks)}

    def close(self) -> None:
        """See `Robot.close`."""
        self._running = False
        self._env.close()


def robot(
    env_id: str,
    *,
    control_hz: float | None = None,
    hold_action: Sequence[float] | None = None,
    observation: str = "observation",
    success_key: str = "success",
    end_on_success: bool = True,
    env_options: Mapping[str, Any] | None = None,
) -> GymnasiumRobot:
    """Make ``gymnasium.make(env_id, **env_options)`` a robot (entry point ``gymnasium``).

    `control_hz` is the manifest's if left out; without a manifest it is the ``render_fps`` that most
    environments declare, and a `ValueError` if there is none. The other parameters are those of
    `GymnasiumRobot`.
    """
    gymnasium = _import_gymnasium()
    env = gymnasium.make(env_id, **dict(env_options or {}))
    rate_hz = control_hz if control_hz is not None else env.metadata.get("render_fps")
    if not rate_hz:
        raise ValueError(f"{env_id} does not declare how fast it runs: give control_hz")
    return GymnasiumRobot(
        env,
        control_hz=float(rate_hz),
        task=env_id,
        hold_action=hold_action,
        observation=observation,
        success_key=success_key,
        end_on_success=end_on_success,
    )


def _import_gymnasium() -> Any:
    try:
        import gymnasium
    except ImportError as error:
        raise ImportError(
            "this robot needs the package gymnasium, which is part of an extra: "
            "pip install 'polyrhythm[metaworld]'"
        ) from error
    return gymnasium


def _is_dict(space: Any) -> bool:
    return hasattr(space, "spaces") and hasattr(space.spaces, "items")


def _boxes(space: Any, plain: str) -> dict[str, TensorSpec]:
    """The observations that a space offers, by name."""
    if _is_dict(space):
        return {str(name): _box_spec(f"observation {name!r}", part) for name, part in space.spaces.items()}
    return {plain: _box_spec("the observation", space)}


def _box_spec(what: str, space: Any) -> TensorSpec:
    if type(space).__name__ != "Box":
        raise TypeError(f"{what} is a {type(space).__name__} space; a Box, or a Dict of Box, is needed")
    dtype = str(space.dtype)
    if dtype not in _OFFERED_AS:
        raise TypeError(f"{what} has elements of {dtype}; known are {', '.join(sorted(_OFFERED_AS))}")
    return TensorSpec(
        _OFFERED_AS[dtype],
        tuple(int(n) for n in space.shape),
        low=_bound(np.min(space.low)),
        high=_bound(np.max(space.high)),
    )


def _action_spec(space: Any) -> TensorSpec:
    spec = _box_spec("the action", space)
    return TensorSpec("f32", spec.shape, spec.low, spec.high)


def _bound(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _hold_array(hold_action: Sequence[float] | None, action: TensorSpec) -> np.ndarray:
    if hold_action is None:
        return action.empty()
    array = np.asarray(hold_action, np.float32)
    if array.shape != action.shape:
        raise ValueError(f"hold_action has shape {list(array.shape)}, the action {list(action.shape)}")
    return array
