"""What `polyrhythm build` compiles: the decoder with random weights, what it looks at, and what reads it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.memory import KVShape

sys.path.insert(0, str(Path(__file__).parent))

import model

SEED = 0
SHAPE = KVShape(model.LAYERS, model.PAGE_TOKENS, model.HEADS, model.HEAD_DIM)
SCALAR = ("i32", ())
IMAGE = ("f32", (model.IMAGE, model.IMAGE))
WORDS = ("i32", (model.WORDS,))
HIDDEN = ("f32", (model.THOUGHTS, model.HIDDEN_WIDTH))
CARRIED = {
    "position": SCALAR, "row": SCALAR, "thought": SCALAR, "hidden": HIDDEN,
    "tokens": ("i32", (model.TICK_TOKENS,)),
}  # fmt: skip


def policy() -> Policy:
    """Three modules; the decoder's parameters are made from a fixed seed."""
    paged = {
        "kv": ("f32", SHAPE.tensor(model.PAGES).shape),
        "page_table": ("i32", (model.TABLE,)),
        "length": SCALAR,
    }
    observe, think = (
        EntrySource(fn, {**paged, **more}, (*CARRIED, "kv"), consumed=("kv",), samples=_samples(*more))
        for fn, more in (
            (model.observe, {"depth": IMAGE, "instruction": WORDS}),
            (model.think, CARRIED),
        )
    )
    look = EntrySource(model.look, {"place": ("f32", (2,))}, ("depth", "instruction"))
    scene = {"words": np.arange(model.WORDS, dtype=np.float32)}
    parameters = model.init(SEED)
    reach = {"reach": parameters.pop("reach")}
    return Policy(
        "manifest.yaml",
        {
            "scene": ModuleSource(scene, {"look": look}),
            "s2": ModuleSource(parameters, {"observe": observe, "think": think}),
            "s1": ModuleSource(reach, {"reach": EntrySource(model.reach, {"hidden": HIDDEN}, ("reach",))}),
        },
    )


def _samples(*names: str) -> Any:
    """A table as there are in use, every page once, and the middle of a tick."""

    def draw(rng: np.random.Generator) -> dict[str, Any]:
        length = rng.integers(0, model.TABLE * model.PAGE_TOKENS - model.TICK_TOKENS)
        drawn = {
            "page_table": 1 + rng.permutation(model.PAGES - 1)[: model.TABLE],
            "length": length,
            "position": length + model.PATCHES,
            "row": rng.integers(0, model.THOUGHTS),
            "thought": rng.integers(model.FIRST_THOUGHT, model.VOCABULARY),
            "tokens": rng.integers(-1, model.VOCABULARY, model.TICK_TOKENS),
            "instruction": rng.integers(0, model.WORD_COUNT, model.WORDS),
            "depth": rng.random((model.IMAGE, model.IMAGE), np.float32),
        }
        return {name: value for name, value in drawn.items() if name in ("page_table", "length", *names)}

    return draw
