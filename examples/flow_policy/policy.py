"""What `polyrhythm build` compiles: the trained policy, as one module whose entries share its weights.

The entries are the stages that a chunk can be made of: ``[begin, prefill, step, finish]`` without guidance,
or ``[begin_guided, prefill, step_identity, finish]`` with it, and the same with ``step_vjp`` or
``step_trained``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.flow import euler_step, guided_step

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import flow_model as model  # noqa: E402

SCALAR = ("f32", ())
X = ("f32", (model.HORIZON, model.ACTION))
GUIDED = ("identity", "vjp", "trained")


def policy() -> Policy:
    """The size ``small``, with the weights that `train.py` wrote."""
    return Policy(manifest="manifest.yaml", modules={"policy": module(model.SIZES["small"], _weights())})


def module(size: model.Size, params: Mapping[str, Any]) -> ModuleSource:
    """All entries of a policy of one of `flow_model.SIZES`, or of any other size."""
    kv = ("f32", size.kv_shape)

    def velocity(p: Any, *inputs: Any) -> Any:
        return model.velocity(p, size, *inputs)

    flow = {"kv": kv, "proprio": ("f32", (model.PROPRIO,)), "x": X, "t": SCALAR, "dt": SCALAR}
    guidance = {"target": X, "weights": ("f32", (model.HORIZON,)), "beta": SCALAR}
    entries = {
        "begin": EntrySource(model.begin, inputs={"noise": X}, outputs=("x", "t")),
        "begin_guided": EntrySource(
            model.begin_guided, inputs={"noise": X, "previous": X}, outputs=("x", "t", "target")
        ),
        "prefill": EntrySource(
            lambda p, *inputs: model.prefill(p, size, *inputs),
            inputs={"depth": ("f32", (model.IMAGE, model.IMAGE)), "instruction": ("i32", (model.WORDS,))},
            outputs=("kv",),
        ),
        "step": EntrySource(euler_step(velocity), inputs=flow, outputs=("x", "t"), samples=_times),
        "finish": EntrySource(model.finish, inputs={"x": X}, outputs=("actions",)),
    }
    for method in GUIDED:
        entries[f"step_{method}"] = EntrySource(
            guided_step(velocity, method),
            inputs={**flow, **guidance},
            outputs=("x", "t"),
            samples=partial(_times, guided=True),
            guidance=method,
        )
    return ModuleSource(params, entries)


def _times(rng: Any, guided: bool = False) -> dict[str, Any]:
    """Inputs for the numerical gate that a step can meet: times within 0..1, and weights."""
    found = {"t": rng.choice([0.0, 0.2, 0.6]), "dt": 0.2}
    if guided:
        found["weights"] = (rng.random(model.HORIZON) < 0.5) * 1.0
        found["beta"] = 5.0
    return found


def _weights() -> dict[str, Any]:
    """What `train.py` wrote last, or else the weights of the bundle as it is."""
    trained = HERE / "weights" / "policy.safetensors"
    return load_file(trained if trained.exists() else HERE / "bundle" / trained.name)
