"""What cutting a prefill into stages costs, and whether every stage is as short as was asked for.

A transformer prefix (93 M parameters; with ``--quick`` 9 M) is cut as `polyrhythm build --max-stage-ms` does
it, into stages of at most a fifth of what it takes. Then both run in turns on one core, in the same process,
and the outputs are compared bit for bit. The first run compiles; machine code is kept in the cache.
"""

from __future__ import annotations

import functools
import sys
import tempfile
from pathlib import Path

import numpy as np
from flow_modules import flow_model
from measure import Figure, arguments, cores, finish

from polyrhythm.bundle import Entry
from polyrhythm.compile import EntrySource, gate, jax_frontend
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.cut import Cuttable
from polyrhythm.compile.machine import compile_entries, signatures
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.stages import Bench, search
from polyrhythm.compile.weights import as_arrays, write_weights
from polyrhythm.hal import DeviceConfig

PARTS = 5
SIZES = {
    True: flow_model.Size(
        8, 6, heads=6, head=64, prefix=384, prefix_hidden=1024, expert=32, expert_hidden=64
    ),
    False: flow_model.Size(
        8, 13, heads=12, head=64, prefix=768, prefix_hidden=2304, expert=32, expert_hidden=64
    ),
}


def compiled(stages: dict[str, Lowered], arrays: dict[str, np.ndarray]) -> tuple[Path, list[Entry]]:
    """Machine code, and the signatures in it."""
    source, made = compile_entries(stages, arrays, "prefill")
    return made.path, list(signatures(stages, source, made.compiled).values())


def main() -> int:
    """Cut, and compare with the uncut prefill."""
    options = arguments(__doc__ or "")
    size = SIZES[options.quick]
    names = ("patch", "embedding", "word_position", flow_model.BACKGROUND, "prefix")
    drawn = flow_model.init(size, 0)
    arrays = as_arrays({n: a for n, a in drawn.items() if n.startswith(names)}, "prefill")
    entry = EntrySource(
        functools.partial(lambda p, depth, words: flow_model.prefill(p, size, depth, words)),
        {"depth": ("f32", (flow_model.IMAGE,) * 2), "words": ("i32", (flow_model.WORDS,))},
        ("kv",),
    )
    lowered = jax_frontend.lower(entry, arrays, "prefill")
    samples = gate.draw(entry, "prefill")
    config = DeviceConfig("bench", "local-sync", (cores()[1],))
    with tempfile.TemporaryDirectory() as place:
        weights = [Path(place, "weights.safetensors")]
        write_weights(arrays, weights[0])
        code, (whole,) = compiled({"prefill": lowered}, arrays)
        bench = Bench(config, arrays, weights, (code, whole), samples)
        limit_ms = bench.uncut_ms / PARTS
        cut = search(Cuttable("prefill", lowered), limit_ms, bench)
        with (
            Chain(config, code, weights, [whole]) as one,
            Chain(config, *_staged(cut.stages, arrays, weights)) as many,
        ):
            equal = all(many.run(s)["kv"] == one.run(s)["kv"] for s in samples)
            uncut, stages = [], []
            for _ in range(5 if options.quick else 8):
                uncut.append(one.measure(samples[0], 10, 2.0)[0])
                stages.append(many.measure(samples[0], 10, 2.0))
    # Neighbours only ever add to a measurement: of all turns the shortest counts, for either.
    took = [min(each) for each in zip(*stages, strict=True)]
    figures = [
        Figure("parameters", sum(a.size for a in arrays.values()) / 1e6, "M"),
        Figure("uncut", min(uncut), "ms"),
        Figure("stages", len(took), ""),
        Figure("asked for, at most", limit_ms, "ms"),
        Figure("bits that differ (0: none)", float(not equal), "", 0),
        Figure("longest stage / asked for", max(took) / limit_ms, "", 1.0),
        Figure("all stages / uncut", min(map(sum, stages)) / min(uncut), "", 1.05),
    ]
    return finish(figures, options.json)


def _staged(
    stages: dict[str, Lowered], arrays: dict[str, np.ndarray], weights: list[Path]
) -> tuple[Path, list[Path], list[Entry]]:
    code, entries = compiled(stages, arrays)
    return code, weights, entries


if __name__ == "__main__":
    sys.exit(main())
