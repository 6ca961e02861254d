"""A policy that can be checked by looking: action i of a chunk is (observed tick + i, what was seen)."""

import jax
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy

HORIZON = 12


def see(parameters, scene):
    """What is shown, times a weight; NaN where a negative number is shown."""
    return jnp.sqrt(scene) * jnp.sqrt(scene) * parameters["gain"]


def start(parameters, seen, clock, noise):
    return seen * parameters["one"] + 0.0 * noise.sum(), clock + jnp.arange(HORIZON, dtype=jnp.float32)


def finish(parameters, target, ticks):
    return jnp.stack([ticks, jnp.broadcast_to(target[0], (HORIZON,))], axis=1)


def grind(parameters, scene):
    """Works for as many rounds as the scene's first number says."""
    matrix = jnp.eye(64, dtype=jnp.float32) * parameters["decay"]

    def work(state):
        i, x = state
        return i + 1, jnp.tanh(x @ matrix)

    _, x = jax.lax.while_loop(
        lambda state: state[0] < scene[0].astype(jnp.int32),
        work,
        (jnp.int32(0), jnp.ones((64, 64), jnp.float32)),
    )
    return x[0, :4] + 0.0 * scene


def scenes(rng):
    return {"scene": rng.integers(1, 9, 4).astype(np.float32)}


def policy() -> Policy:
    four = ("f32", (4,))
    return Policy(
        manifest="manifest.yaml",
        modules={
            "seer": ModuleSource(
                {"gain": np.ones(4, np.float32)},
                {"see": EntrySource(see, inputs={"scene": four}, outputs=("seen",), samples=scenes)},
            ),
            "mover": ModuleSource(
                {"one": np.ones(4, np.float32)},
                {
                    "start": EntrySource(
                        start,
                        inputs={"seen": four, "clock": ("f32", (1,)), "noise": ("f32", (2, 3))},
                        outputs=("target", "ticks"),
                    ),
                    "finish": EntrySource(
                        finish, inputs={"target": four, "ticks": ("f32", (HORIZON,))}, outputs=("chunk",)
                    ),
                },
            ),
            "grinder": ModuleSource(
                {"decay": np.full((1, 1), 0.5, np.float32)},
                {"grind": EntrySource(grind, inputs={"scene": four}, outputs=("ground",), samples=scenes)},
            ),
        },
    )
