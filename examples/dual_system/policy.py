"""What `polyrhythm build` compiles: the two models of the example with their trained weights."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from polyrhythm.chunks.guidance import weights
from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.flow import euler_step, guided_step

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import model  # noqa: E402

COND = ("f32", model.COND_SHAPE)
X = ("f32", (model.HORIZON, model.ACTION))
SCALAR = ("f32", ())


def policy() -> Policy:
    """Both modules; their weights come from `train.py`."""
    hidden = ("f32", (model.HIDDEN_TOKENS, model.HIDDEN_WIDTH))
    image = ("f32", (model.IMAGE, model.IMAGE))
    encode = EntrySource(
        model.encode,
        inputs={"depth": image, "instruction": ("i32", (model.TOKENS,))},
        outputs=("hidden",),
    )
    start = EntrySource(
        model.start,
        inputs={"hidden": hidden, "proprio": ("f32", (model.PROPRIO,)), "noise": X, "previous": X},
        outputs=("cond", "x", "t", "target"),
    )
    plain = {"cond": COND, "x": X, "t": SCALAR, "dt": SCALAR}
    guided = {**plain, "target": X, "weights": ("f32", (model.HORIZON,)), "beta": SCALAR}
    steps = {"step": EntrySource(euler_step(model.velocity), plain, ("x", "t"))}
    for method in ("identity", "vjp", "trained"):
        fn = guided_step(model.velocity, method)
        steps[f"step_{method}"] = EntrySource(fn, guided, ("x", "t"), samples=_samples, guidance=method)
    finish = EntrySource(model.finish, inputs={"x": X}, outputs=("actions",))
    return Policy(
        manifest="manifest.yaml",
        modules={
            "vlm": ModuleSource(_weights("vlm"), {"encode": encode}),
            "dit": ModuleSource(_weights("dit"), {"start": start, **steps, "finish": finish}),
        },
    )


def _samples(rng: np.random.Generator) -> dict:
    """What guided steps are given in a run: a time within 0..1, weights that fall from 1 to 0."""
    t, beta = np.float32(rng.integers(5) / 5), np.float32(5.0)
    mask = weights("exp", int(rng.integers(4)), 12, model.HORIZON).astype(np.float32)
    return {"t": t, "dt": np.float32(0.2), "beta": beta, "weights": mask}


def _weights(module: str) -> dict:
    """What `train.py` wrote last, or else the weights of the bundle as it is."""
    trained = HERE / "weights" / f"{module}.safetensors"
    return load_file(trained if trained.exists() else HERE / "bundle" / trained.name)
