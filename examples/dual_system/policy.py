"""What `polyrhythm build` compiles: the two models of the example with their trained weights."""

from __future__ import annotations

import sys
from pathlib import Path

from safetensors.numpy import load_file

from polyrhythm.compile import EntrySource, ModuleSource, Policy

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
        inputs={"hidden": hidden, "proprio": ("f32", (model.PROPRIO,)), "noise": X},
        outputs=("cond", "x", "t", "dt"),
    )
    step = EntrySource(
        model.step, inputs={"cond": COND, "x": X, "t": SCALAR, "dt": SCALAR}, outputs=("x", "t")
    )
    finish = EntrySource(model.finish, inputs={"x": X}, outputs=("actions",))
    return Policy(
        manifest="manifest.yaml",
        modules={
            "vlm": ModuleSource(_weights("vlm"), {"encode": encode}),
            "dit": ModuleSource(_weights("dit"), {"start": start, "step": step, "finish": finish}),
        },
    )


def _weights(module: str) -> dict:
    """What `train.py` wrote last, or else the weights of the bundle as it is."""
    trained = HERE / "weights" / f"{module}.safetensors"
    return load_file(trained if trained.exists() else HERE / "bundle" / trained.name)
