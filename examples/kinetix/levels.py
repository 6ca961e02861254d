"""The levels of the benchmark: which Kinetix level, where an episode begins, what is seen, what is done.

Kinetix pads every level to the same number of shapes, most of them unused. `World` drops these, which
makes a step several times cheaper and leaves the physics as it is. Nothing here has a batch dimension.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

os.environ.setdefault("WANDB_MODE", "disabled")

import jax
import jax.numpy as jnp
import numpy as np
from engine import LevelEngine
from jax2d.engine import calculate_collision_matrix
from kinetix.environment import ActionType, ObservationType, create_empty_env, make_kinetix_env
from kinetix.util.saving import load_from_json_file

State = dict[str, Any]

#: Ticks of an episode at most; the time limit of Kinetix itself.
MAX_TICKS = 256
#: Seconds of a control tick: two physics steps of 1/60 s.
TICK_S = 2 / 60


@dataclass(frozen=True)
class Level:
    """A task.

    Attributes:
        file: the level that ships with `kinetix-env`.
        polygons, circles: the moving bodies, in the numbering of the file; what `observe` tells of, in order.
        channels: for each entry of the action, the (first, second) Kinetix channel it drives, -1 for none: a
            positive value goes to the first one, the size of a negative value to the second. Channels 0 to 3
            are motors, 4 and 5 thrusters.
        signed: entries run from -1 to 1 rather than from 0 to 1.
        shift_m, speed_mps: how far an episode's start may be from the file's, evenly distributed: place
            (low, high) in x and y, and velocity in x and y.
        survive: solved means that nothing forbidden was touched until the end, for levels whose goal is out
            of reach; else it means that the goal was touched.
        ticks: time limit.
    """

    name: str
    file: str
    polygons: tuple[int, ...]
    circles: tuple[int, ...]
    channels: tuple[tuple[int, int], ...]
    signed: bool
    shift_m: tuple[tuple[float, float], tuple[float, float]]
    speed_mps: float
    survive: bool = False
    ticks: int = MAX_TICKS

    @property
    def action(self) -> int:
        """Entries of an action."""
        return len(self.channels)

    @property
    def low(self) -> float:
        """The least value of an entry of the action; the greatest is 1 and the neutral one 0."""
        return -1.0 if self.signed else 0.0


LEVELS = {
    level.name: level
    for level in (
        Level(
            "lunar_lander", "l/hard_lunar_lander", (8, 5, 6), (), ((4, -1), (5, -1)), False,
            shift_m=((-0.2, 0.6), (-0.4, 0.4)), speed_mps=0.4, ticks=192,
        ),
        Level(
            "unicycle", "l/h17_unicycle", (4,), (0, 1), ((0, -1),), True,
            shift_m=((-0.3, 0.5), (0.0, 0.0)), speed_mps=0.15, ticks=160,
        ),
        Level(
            "cartpole_thrust", "l/hard_cartpole_thrust", (4, 5), (), ((5, 4),), True,
            shift_m=((-0.3, 0.6), (0.0, 0.0)), speed_mps=0.4, survive=True, ticks=160,
        ),
    )
}  # fmt: skip


@dataclass
class World:
    """Kinetix for one level, many episodes at once; every method may be traced by JAX."""

    level: Level
    _load: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        start, static, params = load_from_json_file(f"{self.level.file}.json")
        start, static, self._moving = _compact(start, static, self.level)
        engine = LevelEngine(static, start)
        self._start = engine.without_contacts(start)
        self._params = params.replace(max_timesteps=self.level.ticks, dense_reward_scale=0.0)
        self._env = make_kinetix_env(
            ActionType.CONTINUOUS, ObservationType.SYMBOLIC_FLAT, None, self._params, static, auto_reset=False
        )
        self._env.physics_engine = engine
        self._joints, self._motors = static.num_joints, static.num_motor_bindings
        self._width = static.num_motor_bindings + static.num_thruster_bindings

    @cached_property
    def observation(self) -> int:
        """Numbers in an observation."""
        return 7 * (len(self.level.polygons) + len(self.level.circles))

    def reset(self, key: jax.Array) -> State:
        """One episode's first state; use `jax.vmap` for many."""
        place, speed = jax.random.split(key)
        (x0, x1), (y0, y1) = self.level.shift_m
        shift = jax.random.uniform(place, (2,), minval=jnp.array([x0, y0]), maxval=jnp.array([x1, y1]))
        velocity = jax.random.uniform(speed, (2,), minval=-1.0, maxval=1.0) * self.level.speed_mps
        state = self._move(_moving_part(self._start), shift, velocity)
        return jax.tree.map(lambda a: jnp.asarray(a, a.dtype), state)  # no weak types: `step` compiles once

    def kick(self, state: State, velocity: jax.Array) -> State:
        """The state with f32 ``[2]`` m/s added to the velocity of every moving body."""
        return self._move(state, jnp.zeros(2), velocity)

    def _move(self, state: State, shift: jax.Array, velocity: jax.Array) -> State:
        def moved(bodies: Any, rows: jax.Array) -> Any:
            return bodies.replace(
                position=bodies.position.at[rows].add(shift), velocity=bodies.velocity.at[rows].add(velocity)
            )

        full = _whole(self._start, state)
        polygons, circles = self._moving
        if len(polygons):
            full = full.replace(polygon=moved(full.polygon, polygons))
        if len(circles):
            full = full.replace(circle=moved(full.circle, circles))
        return _moving_part(full)

    def observe(self, state: State) -> jax.Array:
        """f32 ``[observation]``: for each moving body x, y (m), their rates (m/s), sin, cos, rate (rad/s)."""
        told = []
        state = _whole(self._start, state)
        for bodies, rows in zip((state.polygon, state.circle), self._moving, strict=True):
            for row in rows:
                angle, rate = bodies.rotation[row], bodies.angular_velocity[row]
                turned = jnp.stack([jnp.sin(angle), jnp.cos(angle), rate])
                told += [bodies.position[row], bodies.velocity[row], turned]
        return jnp.concatenate(told)

    def step(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array]:
        """One control tick with action f32 ``[action]``: the next state, whether solved, whether over."""
        action = jnp.clip(action, self.level.low, 1.0)
        full = jnp.zeros(self._width)
        for entry, (first, second) in enumerate(self.level.channels):
            signed_motor = self.level.signed and second < 0
            full = full.at[first].set(action[entry] if signed_motor else jnp.maximum(action[entry], 0.0))
            if second >= 0:
                full = full.at[second].set(jnp.maximum(-action[entry], 0.0))
        state = _whole(self._start, state)
        motors, thrusters = full[: self._motors], full[self._motors :]
        drive = jnp.concatenate([motors[state.motor_bindings], thrusters[state.thruster_bindings]])
        _, state, reward, over, _ = self._env.engine_step(state, drive, self._params)
        solved = over & (reward >= 0) if self.level.survive else reward > 0
        return _moving_part(state), solved, over


_VARYING = {
    "polygon": ("position", "rotation", "velocity", "angular_velocity"),
    "circle": ("position", "rotation", "velocity", "angular_velocity"),
    "joint": ("global_position", "acc_impulse", "acc_r_impulse"),
    "thruster": ("global_position",),
}
"""What changes within an episode. The rest stays out of the state and so is a constant of the program."""

_WHOLLY_VARYING = ("acc_rr_manifolds", "acc_cr_manifolds", "acc_cc_manifolds", "timestep", "last_distance")


def _moving_part(full: Any) -> State:
    state: dict[str, Any] = {name: getattr(full, name) for name in _WHOLLY_VARYING}
    for kind, names in _VARYING.items():
        state |= {f"{kind}.{name}": getattr(getattr(full, kind), name) for name in names}
    return state


def _whole(start: Any, state: State) -> Any:
    full = start.replace(**{name: state[name] for name in _WHOLLY_VARYING})
    for kind, names in _VARYING.items():
        part = getattr(full, kind).replace(**{name: state[f"{kind}.{name}"] for name in names})
        full = full.replace(**{kind: part})
    return full


def _compact(start: State, static: Any, level: Level) -> tuple[State, Any, tuple[jax.Array, jax.Array]]:
    """The state without unused shapes, its parameters, and the rows of the moving polygons and circles."""
    fixed = static.num_static_fixated_polys
    polygon_rows = [i for i in range(static.num_polygons) if i < fixed or start.polygon.active[i]]
    circle_rows = [i for i in range(static.num_circles) if start.circle.active[i]]
    circle_rows += [i for i in range(static.num_circles) if i not in circle_rows][
        : max(0, 2 - len(circle_rows))
    ]
    joint_rows = [i for i in range(static.num_joints) if start.joint.active[i]] or [0]
    thruster_rows = [i for i in range(static.num_thrusters) if start.thruster.active[i]] or [0]
    renumbered = np.zeros(static.num_polygons + static.num_circles, np.int32)
    renumbered[polygon_rows] = np.arange(len(polygon_rows))
    renumbered[[static.num_polygons + i for i in circle_rows]] = len(polygon_rows) + np.arange(
        len(circle_rows)
    )
    small = static.replace(
        num_polygons=len(polygon_rows), num_circles=len(circle_rows), num_joints=len(joint_rows),
        num_thrusters=len(thruster_rows),
    )  # fmt: skip
    rows: dict[str, Callable[[Any], Any]] = {}
    for names, kept in (
        (("polygon", "polygon_shape_roles", "polygon_highlighted", "polygon_densities"), polygon_rows),
        (("circle", "circle_shape_roles", "circle_highlighted", "circle_densities"), circle_rows),
        (("joint", "motor_bindings", "motor_auto"), joint_rows),
        (("thruster", "thruster_bindings"), thruster_rows),
    ):
        rows |= {
            name: jax.tree.map(lambda a, k=tuple(kept): a[jnp.array(k)], getattr(start, name))
            for name in names
        }
    state = create_empty_env(small).replace(**rows)
    state = state.replace(
        joint=state.joint.replace(
            a_index=jnp.asarray(renumbered)[state.joint.a_index],
            b_index=jnp.asarray(renumbered)[state.joint.b_index],
        ),
        thruster=state.thruster.replace(object_index=jnp.asarray(renumbered)[state.thruster.object_index]),
    )
    state = state.replace(collision_matrix=calculate_collision_matrix(small, state.joint))
    moving = (
        np.array([polygon_rows.index(i) for i in level.polygons], np.int32),
        np.array([circle_rows.index(i) for i in level.circles], np.int32),
    )
    state = jax.tree.map(jnp.asarray, state)
    return state, small, moving
