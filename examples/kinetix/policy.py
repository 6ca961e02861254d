"""What `polyrhythm build` compiles: a head of the benchmark as one module, its steps guided or not.

The head is the lander's with on/off thrusters. The manifest chooses the stages: ``[begin, prefill, step,
finish]`` without guidance, ``[begin_guided, prefill, step_vjp, finish]`` and the like with it.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.flow import euler_step, guided_step

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import jax.numpy as jnp  # noqa: E402
import model  # noqa: E402
from cases import CASES  # noqa: E402

CASE = "lunar_lander_on_off"
SCALAR = ("f32", ())


def policy(case: str = CASE) -> Policy:
    """The head of a case, with all its entries."""
    stored = load_file(CASES[case].weights)
    params = {name: a.astype(np.float32) for name, a in stored.items()}
    x = ("f32", (model.HORIZON, len(params["action_mean"])))
    flow = {"cond": ("f32", (model.LAYERS, 4, model.WIDTH)), "x": x, "t": SCALAR, "dt": SCALAR}
    guide = {"target": x, "weights": ("f32", (model.HORIZON,)), "beta": SCALAR}
    entries = {
        "begin": EntrySource(_begin, inputs={"noise": x}, outputs=("x", "t")),
        "begin_guided": EntrySource(
            _begin_guided, inputs={"noise": x, "previous": x}, outputs=("x", "t", "target")
        ),
        "prefill": EntrySource(
            model.prefill, inputs={"state": ("f32", params["observation_mean"].shape)}, outputs=("cond",)
        ),
        "step": EntrySource(euler_step(model.velocity), inputs=flow, outputs=("x", "t"), samples=_samples),
        "finish": EntrySource(model.finish, inputs={"x": x}, outputs=("actions",)),
    }
    for method in ("hard", "identity", "vjp", "trained"):
        entries[f"step_{method}"] = EntrySource(
            guided_step(model.velocity, method),
            inputs={**flow, **guide},
            outputs=("x", "t"),
            samples=partial(_samples, guided=True),
            guidance=method,
        )
    return Policy("manifest.yaml", {"head": ModuleSource(params, entries)})


def _begin(params: Any, noise: Any) -> Any:
    del params
    return noise, jnp.float32(0.0)


def _begin_guided(params: Any, noise: Any, previous: Any) -> Any:
    return noise, jnp.float32(0.0), model.normalise(params, previous)


def _samples(rng: np.random.Generator, guided: bool = False) -> dict[str, Any]:
    """Inputs that a step can meet, for the numerical gate."""
    found: dict[str, Any] = {"t": rng.choice([0.0, 0.2, 0.6]), "dt": 0.2}
    if guided:
        found |= {"weights": (rng.random(model.HORIZON) < 0.5) * 1.0, "beta": 5.0}
    return found
