"""What `polyrhythm build` compiles: the decoder with random weights."""

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
KV = ("f32", SHAPE.tensor(model.PAGES).shape)
PAGE_TABLE = ("i32", (model.TABLE,))
SCALAR = ("i32", ())


def policy() -> Policy:
    """One module with both entries."""
    observe = EntrySource(
        model.observe,
        {"kv": KV, "page_table": PAGE_TABLE, "start": SCALAR, "count": SCALAR, "tokens": ("i32", (16,))},
        ("thought", "kv"),
        consumed=("kv",),
        samples=_samples,
    )
    think = EntrySource(
        model.think,
        {
            "kv": KV,
            "page_table": PAGE_TABLE,
            "start": SCALAR,
            "token": SCALAR,
            "row": SCALAR,
            "hidden": ("f32", (model.THOUGHTS, model.HIDDEN_WIDTH)),
        },
        ("thought", "hidden", "kv"),
        consumed=("kv", "hidden"),
        samples=lambda rng: {
            name: value for name, value in _samples(rng).items() if name not in ("count", "tokens")
        },
    )
    return Policy(
        "manifest.yaml", {"s2": ModuleSource(model.init(SEED), {"observe": observe, "think": think})}
    )


def _samples(rng: np.random.Generator) -> dict[str, Any]:
    """A table as there are in use: every page once."""
    return {
        "page_table": 1 + rng.permutation(model.PAGES - 1)[: model.TABLE],
        "start": rng.integers(0, model.TABLE * model.PAGE_TOKENS - 16),
        "count": rng.integers(1, 17),
        "tokens": rng.integers(0, model.VOCABULARY, 16),
    }
