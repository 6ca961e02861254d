"""What `polyrhythm build` compiles: Systems 2 and 1 of `three_rates`, and a prior for its island."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.manifest import load_or_raise

HERE = Path(__file__).parent
THREE_RATES = HERE.parent / "three_rates"
sys.path.insert(0, str(HERE.parent))

from prior import model  # noqa: E402


def policy(widths: tuple[int, ...] = model.WIDTHS) -> Policy:
    """All three modules."""
    others = runpy.run_path(str(THREE_RATES / "policy.py"))["policy"]()
    return Policy("manifest.yaml", {**others.modules, "prior": prior(widths)})


def prior(widths: tuple[int, ...]) -> ModuleSource:
    """The prior on top of the regulator that keeps the robot upright."""
    joint = next(iter(load_or_raise(HERE / "manifest.yaml").island.joints.values()))
    design = runpy.run_path(str(THREE_RATES / "design.py"))
    weights = model.random_weights(widths) | {"regulator": design["balance"](joint.kp, joint.kd).weight}
    act = EntrySource(
        model.act, inputs={"observation": ("f32", (widths[0],))}, outputs=("residual",), samples=_samples
    )
    return ModuleSource(weights, {"act": act})


def _samples(rng: np.random.Generator) -> dict:
    """A robot near its place, upright."""
    return {"observation": rng.normal(0, 0.1, model.WIDTHS[0]).astype(np.float32)}
