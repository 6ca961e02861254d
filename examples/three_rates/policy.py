"""What `polyrhythm build` compiles: Systems 2 and 1 with the weights that `design.py` made."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from polyrhythm.compile import EntrySource, ModuleSource, Policy

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import model  # noqa: E402


def policy() -> Policy:
    """Both modules."""
    follow = EntrySource(
        model.follow,
        inputs={"depth": ("f32", (model.IMAGE, model.IMAGE)), "instruction": ("i32", (1,))},
        outputs=("command",),
        samples=_samples,
    )
    drive = EntrySource(
        model.drive,
        inputs={
            "command": ("f32", (2,)),
            "proprio": ("f32", (model.PROPRIO,)),
            "previous": ("f32", (model.HORIZON, 4)),
        },
        outputs=("targets",),
    )
    return Policy(
        manifest="manifest.yaml",
        modules={
            "follow": ModuleSource(_weights("follow"), {"follow": follow}),
            "drive": ModuleSource(_weights("drive"), {"drive": drive}),
        },
    )


def _samples(rng: np.random.Generator) -> dict:
    """Pictures are between 0 and 1, and there are three instructions."""
    return {
        "depth": rng.uniform(0, 1, (model.IMAGE, model.IMAGE)).astype(np.float32),
        "instruction": rng.integers(0, 3, 1).astype(np.int32),
    }


def _weights(module: str) -> dict:
    """What `design.py` wrote last, or else the weights of the bundle as it is."""
    made = HERE / "weights" / f"{module}.safetensors"
    return load_file(made if made.exists() else HERE / "bundle" / made.name)
