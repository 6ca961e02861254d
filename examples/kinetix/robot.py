"""Kinetix levels as Gymnasium environments, so that the same heads run through real threads.

A manifest says ``use: gymnasium`` with ``env_id: "robot:kinetix/lunar_lander-v0"``; this directory has to be
on Python's path. The safe answer of the robot is the neutral action, zeros: everything switched off.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import jax
import numpy as np
from levels import LEVELS, TICK_S, World


class KinetixEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """One level of `levels.LEVELS`; ``info["success"]`` says whether it is solved.

    Making one compiles the physics, which takes half a minute; a tick then takes one or two milliseconds.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "render_fps": round(1 / TICK_S)}

    def __init__(self, level: str) -> None:
        self._world = World(LEVELS[level])
        shape = (self._world.level.action,)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._world.observation,), np.float32)
        self.action_space = gymnasium.spaces.Box(self._world.level.low, 1.0, shape, np.float32)
        self._reset, self._step = jax.jit(self._world.reset), jax.jit(self._world.step)
        self._observe = jax.jit(self._world.observe)
        self.reset(seed=0)
        self.step(np.zeros(shape, np.float32))  # compile now, not at the first tick

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """The first observation f32 ``[O]``, see `levels.World.observe`; the same for the same seed."""
        super().reset(seed=seed, options=options)
        start = int(self.np_random.integers(2**31)) if seed is None else seed
        self._state = self._reset(jax.random.key(start))
        return np.asarray(self._observe(self._state)), {"success": False}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One tick of 1/30 s; the reward is 1 when the level is solved."""
        self._state, solved, over = self._step(self._state, action)
        told = {"success": bool(solved)}
        return np.asarray(self._observe(self._state)), float(solved), bool(over), False, told


for _name in LEVELS:
    gymnasium.register(f"kinetix/{_name}-v0", entry_point=KinetixEnv, kwargs={"level": _name})
