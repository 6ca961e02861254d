"""Flow-matching steps for policies written in JAX: plain, and guided toward the chunk being played.

A policy brings its velocity, ``velocity(params, *conditions, x, t)`` with x f32 ``[H, A]`` and t f32 ``[]``,
and gets entry functions in which everything that real-time chunking may change from chunk to chunk is an
input: delay, overlap and schedule (as `weights`), `beta`, and the number of steps (as `dt`)::

    "step":     EntrySource(euler_step(velocity), inputs=..., outputs=("x", "t"))
    "step_vjp": EntrySource(guided_step(velocity, "vjp"), inputs=..., outputs=("x", "t"), guidance="vjp")

Formulas: arXiv 2506.07339 (``identity``, ``vjp``), arXiv 2512.05964 (``trained``); ``hard`` is inpainting
along the straight path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import jax
import jax.numpy as jnp

from polyrhythm.bundle.lock import Guidance

Step = Callable[..., tuple[jax.Array, jax.Array]]

#: Keeps divisions by t and by 1 - t finite; far below any step that a chunk is made with.
_EPSILON = 1e-6


def euler_step(velocity: Callable[..., jax.Array]) -> Step:
    """``fn(params, *conditions, x, t, dt) -> (x + dt v, t + dt)``."""

    def step(params: Any, *inputs: jax.Array) -> tuple[jax.Array, jax.Array]:
        *conditions, x, t, dt = inputs
        return x + dt * velocity(params, *conditions, x, t), t + dt

    return step


def guided_step(velocity: Callable[..., jax.Array], method: Guidance) -> Step:
    """``fn(params, *conditions, x, t, dt, target, weights, beta) -> (x, t)``: a step toward `target`.

    target f32 ``[H, A]`` is what the old chunk holds for the same ticks, weights f32 ``[H]`` how much each
    counts (`polyrhythm.chunks.guidance.weights`), beta f32 ``[]`` the largest factor of the guidance.

    Args:
        velocity: see above; for ``trained`` it must take t as f32 ``[H]``, a flow time for each tick.
        method: ``identity`` and ``vjp`` add the guidance with the Jacobian left out or computed; ``hard``
            leads ticks of weight 1 straight to the target; ``trained`` shows the head such ticks as they are,
            at time 1, so that it continues them; ``ramp`` begins at the target and weakens the velocity by
            the weight.

    Raises:
        ValueError: no such method.
    """
    if method not in get_args(Guidance):
        raise ValueError(f"no guidance is called {method!r}; there are {', '.join(get_args(Guidance))}")

    def step(params: Any, *inputs: jax.Array) -> tuple[jax.Array, jax.Array]:
        *conditions, x, t, dt, target, weights, beta = inputs

        def flow(x: jax.Array, t: jax.Array) -> jax.Array:
            return velocity(params, *conditions, x, t)

        return _GUIDED[method](flow, x, t, dt, target, weights[:, None], beta), t + dt

    return step


def _strength(t: jax.Array, beta: jax.Array) -> jax.Array:
    """See `polyrhythm.chunks.guidance.strength`."""
    return jnp.minimum(beta, (t * t + (1 - t) ** 2) / jnp.maximum(t * (1 - t), _EPSILON))


def _identity(flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any) -> jax.Array:
    v = flow(x, t)
    error = (target - (x + (1 - t) * v)) * weights
    return x + dt * (v + _strength(t, beta) * error)


def _vjp(flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any) -> jax.Array:
    def end(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        v = flow(x, t)
        return x + (1 - t) * v, v

    reached, pull, v = jax.vjp(end, x, has_aux=True)
    (pulled,) = pull((target - reached) * weights)
    return x + dt * (v + _strength(t, beta) * pulled)


def _hard(flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any) -> jax.Array:
    straight = (target - x) / jnp.maximum(1 - t, _EPSILON)
    return x + dt * jnp.where(weights >= 1.0, straight, flow(x, t))


def _trained(flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any) -> jax.Array:
    given = weights >= 1.0
    x = jnp.where(given, target, x)
    return x + dt * jnp.where(given, 0.0, flow(x, jnp.where(given[:, 0], 1.0, t)))


def _ramp(flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any) -> jax.Array:
    x = jnp.where((t <= 0.0) & (weights > 0.0), target, x)
    return x + dt * (1 - weights) * flow(x, t)


_GUIDED: dict[str, Callable[..., jax.Array]] = {
    "identity": _identity, "vjp": _vjp, "hard": _hard, "trained": _trained, "ramp": _ramp,
}  # fmt: skip
