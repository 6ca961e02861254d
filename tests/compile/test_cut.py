"""Cutting an entry: the stages give the same bits, and pass on what they have to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from polyrhythm.bundle import Entry
from polyrhythm.compile import EntrySource, gate, jax_frontend
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.cut import Cuttable
from polyrhythm.compile.machine import compile_entries, signatures
from polyrhythm.compile.restore import restore
from polyrhythm.compile.source import Lowered, merge
from polyrhythm.compile.weights import write_weights
from polyrhythm.hal import DeviceConfig
from polyrhythm.hal.binding import in_place

_RNG = np.random.default_rng(0)
WIDTH = 48
PARAMETERS = {
    **{f"w{i}": (_RNG.standard_normal((WIDTH, WIDTH)) / 7).astype(np.float32) for i in range(4)},
    "b": _RNG.standard_normal(WIDTH).astype(np.float32),
    "k": _RNG.standard_normal((WIDTH, WIDTH)).astype(jnp.bfloat16),
}
X = ("f32", (24, WIDTH))


def mlp(p, x):
    """Residual layers with a norm, a function that JAX calls by name, and a product of weights only."""
    for i in range(2):
        h = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)
        x = x + jax.nn.silu(h @ p[f"w{i}"].T + (p["b"] @ p["w0"]))
    return x


def swapped(p, x, y):
    """Results called like inputs that are still needed when they are made, one of them as it was."""
    a = jnp.tanh(x @ p["w0"])
    b = jnp.sin(y @ p["w1"]) + x
    return y + a, b, x, (x + y + b).sum(-1)


def remembered(p, cache, x, at):
    """A cache of which two rows are written in place, and read between and after."""
    key = jnp.tanh(x @ p["w0"])
    cache = jax.lax.dynamic_update_slice(cache, key[:1], (at, 0))
    seen = jax.nn.softmax(key @ cache.T) @ cache
    cache = jax.lax.dynamic_update_slice(cache, seen[:1], (at + 1, 0))
    return cache, jnp.tanh(seen @ p["w1"]) @ p["w2"] + cache[:24]


def mixed(p, x, word, mask):
    """bf16, integers, truth values, an unsigned input, a result that is an input and one that is none."""
    h = x.astype(jnp.bfloat16) @ p["k"]
    chosen = (word % 5 > 2)[:, None] & (mask > 3)[None]
    y = jnp.where(chosen, h, jnp.bfloat16(0.5)).astype(jnp.float32)
    return y @ p["w3"], chosen, word, jnp.arange(4), y.astype(jnp.float16)


ENTRIES = {
    "mlp": EntrySource(mlp, {"x": X}, ("x",)),
    "swapped": EntrySource(swapped, {"x": X, "y": X}, ("y", "x", "old", "sum")),
    "remembered": EntrySource(
        remembered,
        {"cache": ("f32", (32, WIDTH)), "x": X, "at": ("i32", ())},
        ("cache", "out"),
        ("cache", "x"),
    ),
    "mixed": EntrySource(
        mixed,
        {"x": X, "word": ("i32", (24,)), "mask": ("u8", (WIDTH,))},
        ("y", "chosen", "same", "four", "half"),
    ),
}


def lowered(name: str) -> Lowered:
    return jax_frontend.lower(ENTRIES[name], PARAMETERS, name)


def finest(cuttable: Cuttable) -> list[int]:
    """Every place where something is done between it and the one before."""
    places = [p for p, nbytes in enumerate(cuttable.crossing) if nbytes is not None]
    return [b for a, b in pairwise([0, *places]) if sum(cuttable.costs[a:b]) > 0]


def run(stages: dict[str, Lowered], samples: Sequence[gate.Sample], weights: Path) -> list[dict[str, bytes]]:
    source, made = compile_entries(stages, PARAMETERS, "cut")
    entries: list[Entry] = list(signatures(stages, source, made.compiled).values())
    with Chain(DeviceConfig("cut", "local-sync"), made.path, [weights], entries) as chain:
        return [chain.run(sample) for sample in samples]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "w.safetensors"
    write_weights(PARAMETERS, path)
    return path


@pytest.mark.parametrize("name", ENTRIES)
def test_cut_in_many_places_the_bits_are_the_same(name: str, weights: Path) -> None:
    cuttable = Cuttable(name, lowered(name))
    stages = cuttable.cut(finest(cuttable)[:: 1 if name == "swapped" else 3])
    assert len(stages) > 3
    samples = gate.draw(ENTRIES[name], name)
    expected = run({name: lowered(name)}, samples, weights)
    found = run(stages, samples, weights)
    for one, other in zip(expected, found, strict=True):
        assert {n: other[n] for n in one} == one


@pytest.mark.parametrize("name", ENTRIES)
def test_both_sides_of_a_cut_fit_together(name: str) -> None:
    """What a stage takes, the module is given or an earlier stage has made; nothing is given twice."""
    whole = lowered(name)
    cuttable = Cuttable(name, whole)
    for position in finest(cuttable)[::2]:
        nbytes = cuttable.crossing[position]
        first, second = cuttable.cut([position]).values()
        given = {tensor.name for tensor in whole.inputs}
        assert {tensor.name for tensor in first.inputs} <= given
        assert {tensor.name for tensor in second.inputs} <= given | set(first.outputs)
        crossing = [t for t in second.inputs if t.name in first.outputs]
        assert sum(t.nbytes for t in crossing) == nbytes
        assert set(whole.outputs) <= {*first.outputs, *second.outputs}
        # What the second stage reads as it was before the first, the first must not write over.
        assert not {*first.consumed} & {t.name for t in second.inputs if t.name not in first.outputs}


def test_state_stays_where_it_is() -> None:
    cuttable = Cuttable("remembered", lowered("remembered"))
    stages = cuttable.cut(finest(cuttable)).values()
    writers = [stage for stage in stages if "cache" in stage.outputs]
    assert len(writers) == 2
    source = merge({f"s{i}": stage for i, stage in enumerate(stages)}, PARAMETERS)
    for i, stage in enumerate(stages):
        entry = Entry(f"s{i}", tuple(stage.inputs), source.outputs[f"s{i}"], consumed=stage.consumed)
        assert [entry.outputs[index].name for index in in_place(entry)] == ["cache"] * (stage in writers)


def test_weights_are_shared_and_what_depends_on_them_alone_does_not_cross() -> None:
    cuttable = Cuttable("mlp", lowered("mlp"))
    stages = cuttable.cut(finest(cuttable))
    source = merge(stages, PARAMETERS)
    assert source.text.count("util.global private") == 3
    shapes = {t.shape for stage in stages.values() for t in stage.inputs}
    assert shapes <= {(24, WIDTH), (24,), (24, 1)}


def test_between_layers_nothing_crosses_but_the_residual_stream() -> None:
    cuttable = Cuttable("mlp", lowered("mlp"))
    later = [n for p, n in enumerate(cuttable.crossing) if n is not None and sum(cuttable.costs[:p]) > 0]
    assert 4 * 24 * WIDTH in later[len(later) // 3 :]


def test_a_product_is_not_parted_from_what_adds_it() -> None:
    """Where a fused multiplication and addition rounds once, a cut in between would round twice."""
    one = EntrySource(lambda p, x, y: jnp.sin(x) * y + 1.0, {"x": X, "y": X}, ("z",))
    cuttable = Cuttable("one", jax_frontend.lower(one, {}, "one"))
    places = [p for p, nbytes in enumerate(cuttable.crossing) if nbytes is not None]
    assert {cuttable.describe(p).split()[0] for p in places} == {"stablehlo.multiply"}


def test_a_source_can_be_taken_apart_and_joined_again() -> None:
    whole = {name: lowered(name) for name in ENTRIES}
    source = merge(whole, PARAMETERS)
    entries = {
        name: Entry(name, tuple(one.inputs), source.outputs[name], consumed=one.consumed)
        for name, one in whole.items()
    }
    apart, arrays = restore(source.text, dict(sorted(entries.items())), "module")
    assert list(apart) == list(whole)
    assert merge(apart, arrays).text == source.text
