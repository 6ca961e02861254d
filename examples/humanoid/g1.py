"""A Unitree G1 in MuJoCo as a Gymnasium environment, as the walking policies of `holosoma-inference` see it.

One step is 20 ms: a proportional-derivative controller turns the policy's action into torques at 500 Hz, with
the gains that the policy's ONNX file names. The observation has 100 numbers in the alphabetical order of its
terms; the model and the meshes are those of the package `holosoma`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np

SUBSTEPS, ACTION_SCALE, PERIOD_S, STEP_S = 10, 0.25, 1.0, 0.02
#: Standing, slightly bent; in the order of the policy's joints.
LEG = (-0.312, 0.0, 0.0, 0.669, -0.363, 0.0)
DEFAULT = np.array([*LEG, *LEG, 0, 0, 0, 0.2, 0.2, 0, 0.6, 0, 0, 0, 0.2, -0.2, 0, 0.6, 0, 0, 0])
FALLEN_M = 0.4


class G1Walk(gymnasium.Env[np.ndarray, np.ndarray]):
    """Walk at a commanded speed; over when it falls, or after `seconds`. Success is half of the way.

    ``info`` has the way and the lowest height of the pelvis, in m.

    Args:
        scene: the MuJoCo scene.
        joints, kp, kd: the policy's joints, and their gains in N m/rad and N m s/rad.
        command: forward and sideways speed in m/s, turning in rad/s.
    """

    metadata: Mapping[str, Any] = {"render_fps": 50, "render_modes": []}  # type: ignore[assignment]

    def __init__(
        self, scene: str, joints: list[str], kp: list[float], kd: list[float],
        command: tuple[float, float, float] = (0.6, 0.0, 0.0), seconds: float = 10.0,
    ) -> None:  # fmt: skip
        self.model = mujoco.MjModel.from_xml_path(str(Path(scene)))
        self.model.opt.timestep = STEP_S / SUBSTEPS
        self.data = mujoco.MjData(self.model)
        found = [self.model.joint(name) for name in joints]
        self._q = np.array([joint.qposadr[0] for joint in found])
        self._dq = np.array([joint.dofadr[0] for joint in found])
        by_joint = {int(self.model.actuator_trnid[i, 0]): i for i in range(self.model.nu)}
        self._motors = np.array([by_joint[joint.id] for joint in found])
        self._kp, self._kd, self._command = np.array(kp), np.array(kd), np.array(command)
        self._limit = self.model.jnt_actfrcrange[[joint.id for joint in found], 1]
        self._steps = round(seconds / STEP_S)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (100,), np.float32)
        self.action_space = gymnasium.spaces.Box(-100.0, 100.0, (29,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Put it on its feet."""
        super().reset(seed=seed)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[2] = 0.79
        self.data.qpos[self._q] = DEFAULT + self.np_random.uniform(-0.01, 0.01, DEFAULT.size)
        mujoco.mj_forward(self.model, self.data)
        self._action, self._tick, self._lowest_m = np.zeros(29), 0, float(self.data.qpos[2])
        return self._observation(), {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """20 ms with the same target."""
        self._action = np.asarray(action, np.float64)
        target = DEFAULT + ACTION_SCALE * self._action
        for _ in range(SUBSTEPS):
            torque = self._kp * (target - self.data.qpos[self._q]) - self._kd * self.data.qvel[self._dq]
            self.data.ctrl[self._motors] = np.clip(torque, -self._limit, self._limit)
            mujoco.mj_step(self.model, self.data)
        self._tick += 1
        walked_m, height_m = float(self.data.qpos[0]), float(self.data.qpos[2])
        self._lowest_m = min(self._lowest_m, height_m)
        fell, over = height_m < FALLEN_M, self._tick >= self._steps
        wanted_m = 0.5 * self._command[0] * self._steps * STEP_S
        info = {
            "walked_m": walked_m,
            "lowest_m": self._lowest_m,
            "success": over and not fell and walked_m >= wanted_m,
        }
        return self._observation(), 0.0, fell, over, info

    def _observation(self) -> np.ndarray:
        phase = 2 * np.pi * self._tick * STEP_S / PERIOD_S + np.array([0.0, np.pi])
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, self.data.qpos[3:7])
        parts = (
            self._action,
            0.25 * self.data.qvel[3:6],
            self._command[2:],
            self._command[:2],
            np.cos(phase),
            self.data.qpos[self._q] - DEFAULT,
            0.05 * self.data.qvel[self._dq],
            -turn.reshape(3, 3)[2],
            np.sin(phase),
        )
        return np.concatenate(parts).astype(np.float32)


gymnasium.register("G1Walk-v0", entry_point=G1Walk)
