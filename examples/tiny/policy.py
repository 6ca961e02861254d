"""What `polyrhythm build` compiles: two small models without a robot, to try an installation with."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy

SCENE, STATE, HIDDEN, HORIZON, ACTION = 32, 8, 16, 8, 4


def see(p: dict[str, Any], scene: jax.Array) -> jax.Array:
    """scene f32 ``[32]`` -> hidden f32 ``[16]``."""
    return jax.nn.relu(scene @ p["w"] + p["b"])


def act(p: dict[str, Any], hidden: jax.Array, state: jax.Array) -> jax.Array:
    """hidden f32 ``[16]``, state f32 ``[8]`` -> actions f32 ``[8, 4]``."""
    joined = jax.numpy.concatenate([hidden, state])
    return jax.numpy.tanh(joined @ p["w"] + p["b"]).reshape(HORIZON, ACTION)


def policy() -> Policy:
    """Both modules; their weights are drawn at random."""
    rng = np.random.default_rng(0)
    f32 = "f32"
    return Policy(
        manifest="manifest.yaml",
        modules={
            "eye": ModuleSource(
                _linear(rng, SCENE, HIDDEN),
                {"see": EntrySource(see, inputs={"scene": (f32, (SCENE,))}, outputs=("hidden",))},
            ),
            "hand": ModuleSource(
                _linear(rng, HIDDEN + STATE, HORIZON * ACTION),
                {
                    "act": EntrySource(
                        act,
                        inputs={"hidden": (f32, (HIDDEN,)), "state": (f32, (STATE,))},
                        outputs=("actions",),
                    )
                },
            ),
        },
    )


def _linear(rng: np.random.Generator, inputs: int, outputs: int) -> dict[str, np.ndarray]:
    weights = rng.normal(size=(inputs, outputs)) * inputs**-0.5
    return {"w": weights.astype(np.float32), "b": np.zeros(outputs, np.float32)}
