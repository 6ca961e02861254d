"""The balancer's body and its world, in MuJoCo: physics of a millisecond, nothing that decides anything.

A trunk on two wheels, its mass above the axle: without torque it falls within half a second. In front of it a
box wanders about.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

PHYSICS_NS = 1_000_000
WHEEL_RADIUS_M, TRACK_M = 0.05, 0.2
#: Lean at which it counts as fallen.
FALLEN_RAD = 0.9
#: What the sensors are, in order.
SENSORS = ("pitch", "pitch_rate", "x", "y", "yaw", "box_x", "box_y")

MODEL = f"""
<mujoco model="balancer">
  <compiler angle="radian"/>
  <option timestep="{PHYSICS_NS / 1e9}" integrator="implicitfast" cone="elliptic"/>
  <default><geom friction="1.0 0.005 0.0001"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1"/>
    <body name="trunk" pos="0 0 {WHEEL_RADIUS_M}">
      <freejoint/>
      <geom name="axle" type="box" size="0.03 0.08 0.02" mass="0.4" contype="0" conaffinity="0"/>
      <geom name="mast" type="box" size="0.02 0.04 0.09" pos="0 0 0.1" mass="0.6"/>
      <geom name="head" type="sphere" size="0.04" pos="0 0 0.2" mass="0.4"/>
      <body name="left" pos="0 {TRACK_M / 2} 0">
        <joint name="left" axis="0 1 0" armature="0.0002" damping="0.0005"/>
        <geom type="cylinder" size="{WHEEL_RADIUS_M} 0.012" euler="{math.pi / 2} 0 0" mass="0.15"/>
      </body>
      <body name="right" pos="0 {-TRACK_M / 2} 0">
        <joint name="right" axis="0 1 0" armature="0.0002" damping="0.0005"/>
        <geom type="cylinder" size="{WHEEL_RADIUS_M} 0.012" euler="{math.pi / 2} 0 0" mass="0.15"/>
      </body>
    </body>
    <body name="box" mocap="true" pos="1 0 0.25">
      <geom name="box" type="box" size="0.15 0.15 0.25" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <actuator><motor joint="left"/><motor joint="right"/></actuator>
</mujoco>
"""


class Body:
    """One balancer in its world. `step` is a millisecond; the same seed and torques give the same bits."""

    def __init__(self) -> None:
        import mujoco

        self._mujoco = mujoco
        self.model: Any = mujoco.MjModel.from_xml_string(MODEL)
        self.data: Any = mujoco.MjData(self.model)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Stand up at the origin, leaning a little; `seed` fixes how, and where the box goes."""
        rng = np.random.default_rng(seed)
        self._mujoco.mj_resetData(self.model, self.data)
        lean = float(rng.uniform(-0.03, 0.03))
        self.data.qpos[3:7] = (math.cos(lean / 2), 0.0, math.sin(lean / 2), 0.0)
        self._phases = rng.uniform(0, 2 * math.pi, 2)
        self._place_box()
        self._mujoco.mj_forward(self.model, self.data)

    def step(self, torque: np.ndarray) -> None:
        """A millisecond with these torques at the wheels, f64 ``[2]``, N m."""
        self.data.ctrl[:] = torque
        self._place_box()
        self._mujoco.mj_step(self.model, self.data)

    def push(self, impulse_ns: float) -> None:
        """A blow to the trunk, forwards, in N s."""
        self.data.qvel[0] += impulse_ns / float(self.model.body_subtreemass[1])

    @property
    def position(self) -> np.ndarray:
        """Wheel angles, f64 ``[2]``, rad, left and right."""
        return np.array(self.data.qpos[7:9])

    @property
    def velocity(self) -> np.ndarray:
        """Wheel speeds, f64 ``[2]``, rad/s."""
        return np.array(self.data.qvel[6:8])

    def sensors(self) -> list[float]:
        """See `SENSORS`: rad, rad/s, m. Leaning forwards is positive, as is turning left."""
        w, x, y, z = (float(value) for value in self.data.qpos[3:7])
        pitch = math.asin(max(-1.0, min(1.0, 2 * (w * y - x * z))))
        if w * w - x * x - y * y + z * z < 0:  # head down
            pitch = math.copysign(math.pi, pitch) - pitch
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        box = self.data.mocap_pos[0]
        here = self.data.qpos
        return [pitch, float(self.data.qvel[4]), float(here[0]), float(here[1]), yaw, *map(float, box[:2])]

    @property
    def fallen(self) -> bool:
        """Whether it lies."""
        return abs(self.sensors()[0]) > FALLEN_RAD

    def _place_box(self) -> None:
        t, (a, b) = self.data.time, self._phases
        self.data.mocap_pos[0, 0] = 1.2 + 0.4 * (math.sin(0.4 * t + a) - math.sin(a))
        self.data.mocap_pos[0, 1] = 0.4 * (math.sin(0.3 * t + b) - math.sin(b))
