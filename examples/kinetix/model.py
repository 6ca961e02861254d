"""The flow-matching action head, as pure JAX functions over a flat dictionary of float32 arrays.

A small mixer over the ticks of a chunk, told what is seen by one modulation per layer that is computed once
per chunk::

    prefill(params, observation[O])  -> cond[LAYERS, 4, WIDTH]
    velocity(params, cond, x[H, A], t) -> [H, A]         t: [] or [H], a flow time for every tick
    finish(params, x[H, A])          -> actions[H, A]    robot units
    normalise(params, actions)       -> x                the inverse of `finish`

Nothing here has a batch dimension. t = 0 is noise, t = 1 is an action; a tick whose own time is 1 is given.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]

HORIZON = 8
EULER_STEPS = 5
WIDTH = 96
HIDDEN = 192
MIXING = 24
SEEN = 288
LAYERS = 3
FREQUENCIES = 8

CONSTANTS = ("observation_mean", "observation_std", "action_mean", "action_std")
"""Parameters that come from the data and the level and are not trained."""


def initial(observation: int, action: int, seed: int) -> dict[str, np.ndarray]:
    """Untrained parameters; about half a million numbers."""
    rng = np.random.default_rng([seed, 3])

    def dense(rows: int, columns: int, gain: float = 1.0) -> np.ndarray:
        return (gain / np.sqrt(rows) * rng.standard_normal((rows, columns))).astype(np.float32)

    params = {
        "see1.w": dense(observation, SEEN), "see1.b": np.zeros(SEEN, np.float32),
        "see2.w": dense(SEEN, SEEN), "see2.b": np.zeros(SEEN, np.float32),
        "see3.w": dense(SEEN, LAYERS * 4 * WIDTH, 0.5), "see3.b": np.zeros(LAYERS * 4 * WIDTH, np.float32),
        "in.w": dense(action, WIDTH), "in.b": dense(HORIZON, WIDTH, 0.5),
        "time.w": dense(2 * FREQUENCIES, WIDTH),
        "out.w": dense(WIDTH, action, 0.1), "out.b": np.zeros(action, np.float32),
    }  # fmt: skip
    for layer in range(LAYERS):
        params |= {
            f"{layer}.mix1": dense(HORIZON, MIXING), f"{layer}.mix2": dense(MIXING, HORIZON, 0.5),
            f"{layer}.up": dense(WIDTH, HIDDEN), f"{layer}.down": dense(HIDDEN, WIDTH, 0.5),
        }  # fmt: skip
    params |= {
        "observation_mean": np.zeros(observation, np.float32),
        "observation_std": np.ones(observation, np.float32),
        "action_mean": np.zeros(action, np.float32), "action_std": np.ones(action, np.float32),
    }  # fmt: skip
    return params


def prefill(params: Params, observation: jax.Array) -> jax.Array:
    """What is seen, f32 ``[O]``, as the modulation f32 ``[LAYERS, 4, WIDTH]`` of every layer."""
    seen = (observation - params["observation_mean"]) / params["observation_std"]
    seen = jax.nn.silu(seen @ params["see1.w"] + params["see1.b"])
    seen = jax.nn.silu(seen @ params["see2.w"] + params["see2.b"])
    return (seen @ params["see3.w"] + params["see3.b"]).reshape(LAYERS, 4, WIDTH)


def velocity(params: Params, cond: jax.Array, x: jax.Array, t: jax.Array) -> jax.Array:
    """Velocity f32 ``[H, A]`` of the flow at x f32 ``[H, A]`` and flow time t f32 ``[]`` or ``[H]``."""
    angle = jnp.broadcast_to(t, (HORIZON,))[:, None] * (0.5 * np.pi * 1.6 ** jnp.arange(FREQUENCIES))
    token = x @ params["in.w"] + params["in.b"]
    token = token + jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], axis=1) @ params["time.w"]
    for layer in range(LAYERS):
        mixed = _normed(token) * (1 + cond[layer, 0]) + cond[layer, 1]
        token = token + params[f"{layer}.mix2"].T @ jax.nn.silu(params[f"{layer}.mix1"].T @ mixed)
        each = _normed(token) * (1 + cond[layer, 2]) + cond[layer, 3]
        token = token + jax.nn.silu(each @ params[f"{layer}.up"]) @ params[f"{layer}.down"]
    return _normed(token) @ params["out.w"] + params["out.b"]


def finish(params: Params, x: jax.Array) -> jax.Array:
    """Actions in robot units."""
    return x * params["action_std"] + params["action_mean"]


def normalise(params: Params, actions: jax.Array) -> jax.Array:
    """Actions as the flow sees them, -1 to 1."""
    return (actions - params["action_mean"]) / params["action_std"]


def _normed(x: jax.Array) -> jax.Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)
