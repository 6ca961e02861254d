"""A policy of ten million parameters for the island, pure JAX: int8 weights, int8 activations (W8A8)."""

from __future__ import annotations

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

#: Of the observation, of three hidden layers, of the joints: ten million weights.
WIDTHS = (15, 2240, 2240, 2240, 2)
#: How much of a position the prior may add to what the regulator says, rad.
SHARE = 0.002


def rounded(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """A vector as int8, and what one step of it is worth: its largest number is 127 steps."""
    step = jnp.maximum(jnp.max(jnp.abs(x)), 1e-12) / 127.0
    return jnp.round(x / step).astype(jnp.int8), step


def dense(weights: dict, layer: int, x: jax.Array) -> jax.Array:
    """``weight @ x + bias`` with int8 on both sides and sums in int32; weight i8 ``[rows, cols]``."""
    steps, step = rounded(x)
    sums = jax.lax.dot_general(
        weights[f"weight{layer}"], steps, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32
    )
    return sums.astype(jnp.float32) * (step * weights[f"scale{layer}"]) + weights[f"bias{layer}"]


def act(weights: dict, observation: jax.Array) -> jax.Array:
    """What to add to both wheels' targets, f32 ``[2]``: the regulator, and a little of the prior."""
    layers = sum(name.startswith("weight") for name in weights)
    x = jnp.clip(observation, -10.0, 10.0)
    for layer in range(layers):
        x = jnp.tanh(dense(weights, layer, x))
    return weights["regulator"] @ observation + SHARE * x


def random_weights(widths: tuple[int, ...], seed: int = 0) -> dict[str, np.ndarray]:
    """A prior that nobody has trained: what it costs does not depend on what it knows."""
    rng = np.random.default_rng(seed)
    found: dict[str, np.ndarray] = {}
    for layer, (cols, rows) in enumerate(pairwise(widths)):
        weight = rng.normal(0, cols**-0.5, (rows, cols)).astype(np.float32)
        scale = np.abs(weight).max(axis=1) / 127
        found[f"weight{layer}"] = np.rint(weight / scale[:, None]).astype(np.int8)
        found[f"scale{layer}"] = scale.astype(np.float32)
        found[f"bias{layer}"] = np.zeros(rows, np.float32)
    return found
