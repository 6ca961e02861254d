"""Two modules for one device: one takes long, in many kernels; the other one next to nothing."""

import jax
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy

SIZE, LAYERS = 256, 64


def think(parameters, x):
    return jax.lax.fori_loop(0, LAYERS, lambda _, x: jnp.tanh(x @ parameters["w"]), x)


def react(parameters, thought, x):
    return thought[0, :4] + x * parameters["two"]


def policy() -> Policy:
    w = np.random.default_rng(0).standard_normal((SIZE, SIZE)).astype(np.float32) / 16
    square, four = ("f32", (SIZE, SIZE)), ("f32", (4,))
    return Policy(
        manifest="giving_way.yaml",
        modules={
            "thinker": ModuleSource(
                {"w": w}, {"think": EntrySource(think, inputs={"x": square}, outputs=("y",))}
            ),
            "reflex": ModuleSource(
                {"two": np.full(4, 2.0, np.float32)},
                {"react": EntrySource(react, inputs={"thought": square, "x": four}, outputs=("y",))},
            ),
        },
    )
