"""The physics of jax2d with the pairs that can touch fixed in advance.

jax2d looks shapes and pairs up by index at run time, because one compiled engine serves every level. Here a
level is known when the engine is traced: pairs of bodies that cannot move, or that a joint excludes, are left
out, and every index is a constant. What remains is at most one batch of contacts (16), which jax2d, too,
resolves at once. Contacts, joints and motors are computed by jax2d's own functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax2d import collision, joint
from jax2d import engine as jax2d_engine
from jax2d.collision import resolve_collision
from jax2d.engine import PhysicsEngine, get_empty_collision_manifolds
from jax2d.joint import resolve_joint

State = Any


class _PlaneProducts:
    """`jax.numpy` with products of 2-vectors and 2x2 matrices written out.

    Under `jax.vmap` such a product becomes a batched matrix product, for which XLA calls a library on each
    2x2 matrix. Written out, it is fused with what surrounds it: the same numbers, many times faster.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)

    @staticmethod
    def dot(a: jax.Array, b: jax.Array) -> jax.Array:
        return a[0] * b[0] + a[1] * b[1]

    @staticmethod
    def matmul(a: jax.Array, b: jax.Array) -> jax.Array:
        return jnp.stack([a[0, 0] * b[0] + a[0, 1] * b[1], a[1, 0] * b[0] + a[1, 1] * b[1]])


for _module in (collision, joint, jax2d_engine):
    _module.jnp = _PlaneProducts()  # type: ignore[attr-defined]


class LevelEngine(PhysicsEngine):
    """`jax2d.engine.PhysicsEngine` for the one level that `start` is a state of."""

    def __init__(self, static: Any, start: State) -> None:
        super().__init__(static)
        self.poly_poly_pairs = self._touching(start, self.poly_poly_pairs, 0, 0)
        self.circle_poly_pairs = self._touching(start, self.circle_poly_pairs, static.num_polygons, 0)
        both = (static.num_polygons, static.num_polygons)
        self.circle_circle_pairs = self._touching(start, self.circle_circle_pairs, *both)
        self.rr_fn = _resolver("polygon", "polygon", self.poly_poly_pairs)
        self.cr_fn = _resolver("circle", "polygon", self.circle_poly_pairs)
        self.cc_fn = _resolver("circle", "circle", self.circle_circle_pairs)
        joints = np.stack([np.asarray(start.joint.a_index), np.asarray(start.joint.b_index)], axis=1)
        self.j_fn = _joint_resolver(joints.tolist(), static.num_polygons)

    def without_contacts(self, state: State) -> State:
        """`state` with empty contacts for the pairs of this engine."""
        names = ("acc_rr_manifolds", "acc_cr_manifolds", "acc_cc_manifolds")
        pairs = (self.poly_poly_pairs, self.circle_poly_pairs, self.circle_circle_pairs)
        empty = get_empty_collision_manifolds(self.static_sim_params)
        sized = {
            name: jax.tree.map(partial(_sized, len(p)), one)
            for name, p, one in zip(names, pairs, empty, strict=True)
        }
        return state.replace(**sized)

    @staticmethod
    def _touching(start: State, pairs: jax.Array, first: int, second: int) -> np.ndarray:
        """Those pairs i32 ``[n, 2]`` of which a body moves and that may collide; at least one pair."""
        pairs = np.asarray(pairs)
        mass = np.concatenate([start.polygon.inverse_mass, start.circle.inverse_mass])
        active = np.concatenate([start.polygon.active, start.circle.active])
        a, b = pairs[:, 0] + first, pairs[:, 1] + second
        keep = (
            np.asarray(start.collision_matrix)[a, b] & active[a] & active[b] & ((mass[a] > 0) | (mass[b] > 0))
        )
        if keep.sum() > 16:
            raise ValueError(f"{keep.sum()} pairs can touch; this engine resolves at most 16 at once")
        if not keep.any():  # arrays may not be empty; such a pair has no effect
            keep = np.arange(len(pairs)) == 0
        return pairs[keep]


def _sized(rows: int, like: jax.Array) -> jax.Array:
    return jnp.zeros((rows, *like.shape[1:]), like.dtype)


def _resolver(first: str, second: str, pairs: np.ndarray) -> Callable[..., tuple[State, Any]]:
    """Resolve the contacts of `pairs` once, all at the same time."""
    two_points = first == second == "polygon"

    def resolve(state: State, manifolds: Any, params: Any) -> tuple[State, Any]:
        polygons = state.polygon.position.shape[0]
        a = pairs[:, 0] + (polygons if first == "circle" else 0)
        b = pairs[:, 1] + (polygons if second == "circle" else 0)
        collide = state.collision_matrix[a, b]
        for point in (0, 1) if two_points else (None,):
            s1 = jax.tree.map(lambda x: x[pairs[:, 0]], getattr(state, first))
            s2 = jax.tree.map(lambda x: x[pairs[:, 1]], getattr(state, second))
            contact = manifolds if point is None else jax.tree.map(lambda x, p=point: x[:, p], manifolds)
            dv1, dv2, dr1, dr2, normal, tangent = jax.vmap(resolve_collision, (0, 0, 0, 0, None))(
                s1, s2, contact, collide, params
            )
            where = slice(None) if point is None else (slice(None), point)
            manifolds = manifolds.replace(
                acc_impulse_normal=manifolds.acc_impulse_normal.at[where].set(normal),
                acc_impulse_tangent=manifolds.acc_impulse_tangent.at[where].set(tangent),
            )
            state = _push(_push(state, first, pairs[:, 0], dv1, dr1), second, pairs[:, 1], dv2, dr2)
        return state, manifolds

    return resolve


def _push(state: State, kind: str, rows: np.ndarray, dv: jax.Array, dr: jax.Array) -> State:
    """Add dv f32 ``[n, 2]`` and dr f32 ``[n]`` to the velocities of the bodies `rows`, a row maybe twice."""
    bodies = getattr(state, kind)
    share = np.zeros((bodies.rotation.shape[0], len(rows)), np.float32)
    share[rows, np.arange(len(rows))] = 1.0
    pushed = bodies.replace(
        velocity=bodies.velocity + (share[:, :, None] * dv[None]).sum(axis=1),
        angular_velocity=bodies.angular_velocity + (share * dr[None]).sum(axis=1),
    )
    return state.replace(**{kind: pushed})


def _joint_resolver(joints: list[list[int]], polygons: int) -> Callable[[State, Any], State]:
    """Resolve the joints, given as (body, body), one after the other."""

    def resolve(state: State, params: Any) -> State:
        for row, ends in enumerate(joints):
            joint = jax.tree.map(lambda x, r=row: x[r], state.joint)
            places = [("polygon", i) if i < polygons else ("circle", i - polygons) for i in ends]
            bodies = [jax.tree.map(lambda x, r=i: x[r], getattr(state, kind)) for kind, i in places]
            av, bv, ar, br, ap, bp, point, impulse, turn = resolve_joint(*bodies, joint, params)
            state = state.replace(
                joint=state.joint.replace(
                    global_position=state.joint.global_position.at[row].set(point),
                    acc_impulse=state.joint.acc_impulse.at[row].set(impulse),
                    acc_r_impulse=state.joint.acc_r_impulse.at[row].set(turn),
                )
            )
            for (kind, i), dv, dr, dp in zip(places, (av, bv), (ar, br), (ap, bp), strict=True):
                body = getattr(state, kind)
                moved = body.replace(
                    velocity=body.velocity.at[i].add(dv),
                    angular_velocity=body.angular_velocity.at[i].add(dr),
                    position=body.position.at[i].add(dp),
                )
                state = state.replace(**{kind: moved})
        return state

    return resolve
