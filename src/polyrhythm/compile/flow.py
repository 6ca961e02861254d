"""Flow-matching steps for policies written in JAX: plain, and guided toward the chunk being played.

A policy brings its velocity, ``velocity(params, *conditions, x, t)`` with x f32 ``[H, A]`` and t f32 ``[]``,
and gets entry functions in which everything that real-time chunking may change from chunk to chunk is an
input: delay, overlap and schedule (as `weights`), `beta`, and the number of steps (as `dt`)::

    "step":     EntrySource(euler_step(velocity), inputs=..., outputs=("x", "t"))
    "step_vjp": EntrySource(guided_step(velocity, "vjp"), inputs=..., outputs=("x", "t"), guidance="vjp")

The formulas are in `polyrhythm.compile.flow_steps`; `polyrhythm.compile.torch_flow` is the same for PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from polyrhythm.bundle.lock import Guidance
from polyrhythm.compile import flow_steps
from polyrhythm.compile.flow_steps import Framework, Step, euler_step

__all__ = ["euler_step", "guided_step"]


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
    return flow_steps.guided_step(velocity, method, _JAX)


def _pull(end: Callable[..., Any], x: jax.Array, pushed: Callable[..., Any]) -> tuple[Any, Any]:
    reached, back, v = jax.vjp(end, x, has_aux=True)
    (pulled,) = back(pushed(reached))
    return v, pulled


_JAX = Framework(jnp.minimum, jnp.maximum, jnp.where, _pull)
