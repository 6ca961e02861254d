"""The balancer as a robot of the runtime: its observations, its tasks, and two ways for time to pass.

Observations:

- ``proprio`` f32 ``[10]``: where the island will pull the wheels to at the next control tick, and how fast;
  where they are, and how fast they turn (each left, right); lean and its rate;
- ``depth`` f32 ``[24, 24]``: a camera on the mast, 0 at 0.1 m to 1 at 3 m. It looks along the heading, and is
  kept level;
- ``instruction`` i32 ``[1]``: one of `INSTRUCTIONS`, by the task.

The action is f32 ``[4]``: targets of both wheels in rad, and their velocities in rad/s; an island turns them
into torques. An episode is over when the balancer has fallen, or after `episode_s`, and then a success if it
was on track for four fifths of its second half.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from polyrhythm.island import VirtualIsland
from polyrhythm.robots.api import RobotSpec, StepResult, TensorSpec, choose_task, find_observation
from polyrhythm.robots.balancer.body import FALLEN_RAD, PHYSICS_NS, SENSORS, Body
from polyrhythm.robots.depth import DepthCamera

IMAGE, FOV_DEG, EYE_M = 24, 80.0, 0.22
NEAR_M, FAR_M = 0.1, 3.0
#: What can be asked for, by the number that stands for it.
INSTRUCTIONS = ("wait", "follow", "retreat")
TASKS = ("follow", "retreat", "wait")
#: Task -> distance to the box that is wanted, and how far off is still on track (m).
WANTED_M: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"follow": (1.0, 0.35), "retreat": (1.6, 0.45)}
)
#: With `wait`: how far from where it stood is still on track (m).
WAIT_M = 0.3
HALF_BOX_M = 0.15

OBSERVATIONS: Mapping[str, TensorSpec] = MappingProxyType(
    {
        "proprio": TensorSpec("f32", (10,)),
        "depth": TensorSpec("f32", (IMAGE, IMAGE), low=0.0, high=1.0),
        "instruction": TensorSpec("i32", (1,)),
    }
)


@dataclass(frozen=True)
class Snapshot:
    """One look at everything: what the island does, and what the robot says (see `SENSORS`).

    `reference` is where the island will pull to at the next control tick.
    """

    reference: np.ndarray
    reference_velocity: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    sensors: np.ndarray

    def __getitem__(self, sensor: str) -> float:
        return float(self.sensors[SENSORS.index(sensor)])

    @property
    def fallen(self) -> bool:
        """Whether it lies."""
        return abs(self["pitch"]) > FALLEN_RAD

    @property
    def box_m(self) -> float:
        """From the mast to the near side of the box, m."""
        return math.hypot(self["box_x"] - self["x"], self["box_y"] - self["y"]) - HALF_BOX_M


class Eyes:
    """The camera, in a world of its own that is put where the robot says it is."""

    def __init__(self) -> None:
        self._body = Body()
        self._camera = DepthCamera(
            position_m=(0, 0, EYE_M), lookat_m=(1, 0, EYE_M), fov_deg=FOV_DEG, size=IMAGE, near_m=NEAR_M,
            far_m=FAR_M,
        )  # fmt: skip

    def read(self, seen: Snapshot, out: np.ndarray) -> None:
        """The picture from there, f32 ``[24, 24]``."""
        import mujoco

        data, (x, y, yaw) = self._body.data, (seen["x"], seen["y"], seen["yaw"])
        # The robot itself is put behind the camera: it does not see itself.
        data.qpos[:3] = (x - math.cos(yaw), y - math.sin(yaw), 0.05)
        data.mocap_pos[0, :2] = seen["box_x"], seen["box_y"]
        mujoco.mj_kinematics(self._body.model, data)
        eye = (x, y, EYE_M)
        self._camera.look(eye, (x + math.cos(yaw), y + math.sin(yaw), EYE_M))
        self._camera.read(self._body.model, data, out)


class Balancer:
    """What both kinds of time share. See the module and `Robot` for the contract."""

    spec: RobotSpec

    def __init__(self, control_hz: float, episode_s: float) -> None:
        self.spec = RobotSpec(control_hz, OBSERVATIONS, TensorSpec("f32", (4,)), TASKS)
        self._eyes = Eyes()
        self._task: str | None = None
        self._ticks = self._on_track = 0
        self._most = max(1, round(episode_s * control_hz))
        self._start = (0.0, 0.0)

    # -- what each kind of time does in its own way ----------------------------------------------------------

    def look(self) -> Snapshot:
        """Everything, now."""
        raise NotImplementedError

    def stand_up(self, seed: int) -> None:
        """Begin an episode in the world."""
        raise NotImplementedError

    def pass_tick(self, action: np.ndarray | None) -> None:
        """One control tick with this target; None: without one."""
        raise NotImplementedError

    # -- the protocol --------------------------------------------------------------------------------------

    def reset(self, *, task: str | None, seed: int) -> None:
        """See `Robot.reset`."""
        chosen = choose_task(task, self.spec.tasks)
        self.stand_up(seed)
        self._task, self._ticks, self._on_track = chosen, 0, 0
        seen = self.look()
        self._start = (seen["x"], seen["y"])

    def observe(self, name: str, out: np.ndarray) -> None:
        """See `Robot.observe`."""
        find_observation(name, self.spec.observations).require(name, out)
        if name == "instruction":
            out[0] = INSTRUCTIONS.index(self._task or "wait")
            return
        seen = self.look()
        if name == "depth":
            self._eyes.read(seen, out)
        else:
            out[0:2], out[2:4] = seen.reference, seen.reference_velocity
            out[4:6], out[6:8], out[8:10] = seen.position, seen.velocity, seen.sensors[:2]

    def act(self, action: np.ndarray) -> StepResult:
        """See `Robot.act`. Limits are the island's."""
        self.spec.action.require("action", action)
        if not np.isfinite(action).all():
            raise ValueError(f"action {action.tolist()} is not finite")
        return self._tick(action)

    def hold(self) -> StepResult:
        """See `Robot.hold`: no target, so the island goes down its ladder."""
        return self._tick(None)

    def telemetry(self) -> Mapping[str, float]:
        """See `Robot.telemetry`."""
        seen = self.look()
        return {"pitch": seen["pitch"], "x": seen["x"], "y": seen["y"], "box_m": seen.box_m}

    def close(self) -> None:
        """See `Robot.close`."""
        self._task = None

    def _tick(self, action: np.ndarray | None) -> StepResult:
        if self._task is None:
            raise RuntimeError("the episode is over or has not begun: call reset first")
        self.pass_tick(action)
        self._ticks += 1
        seen = self.look()
        self._on_track += self._ticks > self._most // 2 and self._is_on_track(seen)
        if seen.fallen:
            self._task = None
            return StepResult(success=False, done=True)
        if self._ticks < self._most:
            return StepResult(success=False, done=False)
        self._task = None
        return StepResult(success=self._on_track >= 0.8 * (self._most - self._most // 2), done=True)

    def _is_on_track(self, seen: Snapshot) -> bool:
        if self._task == "wait":
            return math.hypot(seen["x"] - self._start[0], seen["y"] - self._start[1]) <= WAIT_M
        wanted_m, off_m = WANTED_M[self._task or "follow"]
        return abs(seen.box_m - wanted_m) <= off_m


class VirtualBalancer(Balancer):
    """Body and island in this process, by the millisecond: the same calls give the same bits."""

    def __init__(self, island: VirtualIsland, *, control_hz: float, episode_s: float) -> None:
        super().__init__(control_hz, episode_s)
        self._island = island
        self._body = Body()
        self._now_ns = PHYSICS_NS
        self._ticks_ns = 0.0
        self._torque = np.zeros(2)

    def stand_up(self, seed: int) -> None:
        """See `Balancer.stand_up`: a new body, and an island that has forgotten the last one."""
        self._island.restart()
        self._body.reset(seed)
        self._torque = np.zeros(2)
        self._ticks_ns = float(self._now_ns)
        self._pass_millisecond()

    def pass_tick(self, action: np.ndarray | None) -> None:
        """See `Balancer.pass_tick`."""
        if action is not None:
            self._island.send("target", self._now_ns, position=action[:2], velocity=action[2:], writer=1)
        self._ticks_ns += 1e9 / self.spec.control_hz
        while self._now_ns < round(self._ticks_ns):
            self._pass_millisecond()

    def look(self) -> Snapshot:
        """See `Balancer.look`."""
        command = self._island.port("command")
        return Snapshot(
            command["position"][:2].copy(), command["velocity"][:2].copy(), self._body.position,
            self._body.velocity, np.array(self._body.sensors()),
        )  # fmt: skip

    def _pass_millisecond(self) -> None:
        self._body.step(self._torque)
        self._now_ns += PHYSICS_NS
        self._island.send(
            "state", self._now_ns, position=self._body.position, velocity=self._body.velocity,
            sensors=self._body.sensors(),
        )  # fmt: skip
        self._torque = self._island.step(self._now_ns)["torque"][:2].copy()


def robot(
    island: Any, *, control_hz: float = 100.0, episode_s: float = 20.0, world: Mapping[str, Any] | None = None
) -> Balancer:
    """Make a balancer (entry point ``balancer``).

    Args:
        island: the island of the manifest; a virtual one makes a balancer in virtual time, a live one a
            balancer whose body is a process of its own.
        control_hz: targets a second.
        episode_s: how long an episode is.
        world: options of the body's process, see `polyrhythm.robots.balancer.process`.
    """
    if isinstance(island, VirtualIsland):
        return VirtualBalancer(island, control_hz=control_hz, episode_s=episode_s)
    from polyrhythm.robots.balancer.live import LiveBalancer

    return LiveBalancer(island, control_hz=control_hz, episode_s=episode_s, world=dict(world or {}))
