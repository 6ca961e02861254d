"""Paged attention through machine code: equal to contiguous attention, in place, at any size of the pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from polyrhythm.bundle import Entry
from polyrhythm.compile import BuildError, EntrySource, gate, jax_frontend
from polyrhythm.compile.attention import attention, paged_attention, read_rows, write_rows
from polyrhythm.compile.machine import compile_here
from polyrhythm.compile.source import merge
from polyrhythm.hal import Buffer, Call, Device, DeviceConfig, HalError, driver
from polyrhythm.hal.binding import in_place
from polyrhythm.memory import Arena, KVShape, PagedKV, footprint

LAYERS, SIZE, HEADS, WIDTH, TABLE, ROWS = 2, 4, 2, 8, 6, 3
QUERY_HEADS = 4
SHAPE = KVShape(LAYERS, SIZE, HEADS, WIDTH)
SLOPES = np.float32([0.5, 0.25, 0.125, 0.0625])
TOLERANCE = 1e-5


def extend(p: Any, kv: Any, page_table: Any, start: Any, count: Any, q: Any, k: Any, v: Any) -> Any:
    """Write rows into both layers (negated in the second) and attend with slopes in the first only."""
    kv = write_rows(write_rows(kv, 0, page_table, start, count, k, v), 1, page_table, start, count, -k, -v)
    one = paged_attention(q, kv, 0, page_table, start, count, jnp.asarray(SLOPES))
    return one, paged_attention(q, kv, 1, page_table, start, count), kv


def entry_source(pages: int) -> EntrySource:
    rows = ("f32", (ROWS, HEADS, WIDTH))
    return EntrySource(
        extend,
        {
            "kv": ("f32", SHAPE.tensor(pages).shape),
            "page_table": ("i32", (TABLE,)),
            "start": ("i32", ()),
            "count": ("i32", ()),
            "q": ("f32", (ROWS, QUERY_HEADS, WIDTH)),
            "k": rows,
            "v": rows,
        },
        ("one", "two", "kv"),
        consumed=("kv",),
    )


def exact(q: np.ndarray, k: np.ndarray, v: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Attention of the last ROWS positions of a sequence, in 64 bits, one query and head at a time."""
    out = np.zeros(q.shape)
    for i, head in np.ndindex(*q.shape[:2]):
        position = len(k) - ROWS + i
        shared = head // (QUERY_HEADS // HEADS)
        past = np.arange(position + 1)
        scores = k[past, shared].astype(float) @ q[i, head].astype(float) / np.sqrt(WIDTH)
        weights = np.exp(scores - slopes[head] * (position - past))
        out[i, head] = weights @ v[past, shared].astype(float) / weights.sum()
    return out


@dataclass
class Loaded:
    """An entry bound to memory: write `inputs`, `run`, read `outputs`."""

    entry: Entry
    device: Device
    inputs: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]
    call: Call
    queue: Any

    def run(self) -> None:
        assert self.queue.submit(self.call).wait(30_000_000_000)

    def allocated(self) -> int:
        return int(self.device.statistics()["device_bytes_allocated"])  # type: ignore[attr-defined]


def load(source: EntrySource, device: Device, pool: np.ndarray | None = None) -> Loaded:
    made = merge({"f": jax_frontend.lower(source, {}, "f")}, {})
    code = compile_here(made.text, where="attention")
    scratch_bytes = code.compiled.functions["f"].scratch_bytes
    entry = Entry("f", source.tensors, made.outputs["f"], scratch_bytes, frozenset(source.consumed))
    arena = Arena(footprint([*entry.inputs, *entry.outputs, scratch_bytes]))
    inputs = {t.name: arena.take("m", "input", t) for t in entry.inputs if pool is None or t.name != "kv"}
    if pool is not None:
        inputs["kv"] = pool
    buffers: dict[str, Buffer] = {name: device.buffer(array) for name, array in inputs.items()}
    replaced = in_place(entry)
    outputs, sinks = {}, []
    for index, tensor in enumerate(entry.outputs):
        fresh = None if index in replaced else arena.take("m", "output", tensor)
        outputs[tensor.name] = inputs[tensor.name] if fresh is None else fresh
        sinks.append(buffers[tensor.name] if fresh is None else device.buffer(fresh))
    executable = device.load(code.path, [entry])
    scratch = device.buffer(arena.take("m", "scratch", scratch_bytes)) if scratch_bytes else None
    call = executable.bind("f", [buffers[t.name] for t in entry.inputs], sinks, scratch)
    return Loaded(entry, device, inputs, outputs, call, device.queue())


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    opened = driver("iree").open(DeviceConfig("cpu", "local-sync"))
    yield opened
    opened.close()


@pytest.mark.parametrize("count", [ROWS, 2])
def test_it_equals_contiguous_attention(device: Device, count: int) -> None:
    """Two contexts that share a prefix grow in turns."""
    arena = Arena(footprint([SHAPE.tensor(14)]))
    kv = PagedKV(SHAPE, 14, TABLE, arena)
    kv.array[...] = np.nan  # what nobody wrote must not matter
    loaded = load(entry_source(14), device, kv.array)
    contiguous = load(
        EntrySource(
            lambda p, q, k, v, start: attention(q, k, v, start, ROWS, jnp.asarray(SLOPES)),
            {
                "q": ("f32", (ROWS, QUERY_HEADS, WIDTH)),
                "k": ("f32", (TABLE * SIZE, HEADS, WIDTH)),
                "v": ("f32", (TABLE * SIZE, HEADS, WIDTH)),
                "start": ("i32", ()),
            },
            ("out",),
        ),
        device,
    )
    rng = np.random.default_rng(0)
    keys: dict[str, np.ndarray] = {}
    values: dict[str, np.ndarray] = {}
    first = kv.open("a")
    contexts = [first]
    for turn in range(11):
        context = contexts[turn % len(contexts)]
        q, k, v = (
            rng.standard_normal((ROWS, heads, WIDTH)).astype(np.float32)
            for heads in (QUERY_HEADS, HEADS, HEADS)
        )
        before = loaded.allocated()
        with kv.step(context, [turn] * count) as lease:
            lease.write_table(loaded.inputs["page_table"])
            loaded.inputs["start"][...], loaded.inputs["count"][...] = lease.start, lease.count
            for name, array in (("q", q), ("k", k), ("v", v)):
                loaded.inputs[name][...] = array
            loaded.run()
        assert loaded.allocated() == before
        empty = np.zeros((0, HEADS, WIDTH), np.float32)
        past = keys.get(context.name, empty), values.get(context.name, empty)
        keys[context.name] = np.concatenate([past[0], k[:count]])
        values[context.name] = np.concatenate([past[1], v[:count]])
        long_k, long_v = np.concatenate([past[0], k]), np.concatenate([past[1], v])
        contiguous.inputs["k"][...] = contiguous.inputs["v"][...] = 0
        contiguous.inputs["k"][: len(long_k)], contiguous.inputs["v"][: len(long_v)] = long_k, long_v
        contiguous.inputs["q"][...], contiguous.inputs["start"][...] = q, lease.start
        contiguous.run()
        for name, wanted in (
            ("one", contiguous.outputs["out"]),
            ("one", exact(q, long_k, long_v, SLOPES)),
            ("two", exact(q, -long_k, -long_v, np.zeros(QUERY_HEADS))),
        ):
            assert np.abs(loaded.outputs[name][:count] - wanted[:count]).max() < TOLERANCE
        if turn == 4:
            twin = kv.fork(first, "b")
            contexts.append(twin)
            keys["b"], values["b"] = keys["a"], values["a"]
    assert 0 < len(set(contexts[0].pages) & set(contexts[1].pages)) < len(contexts[0].pages)
    loaded.queue.close()
    contiguous.queue.close()


def test_a_step_touches_its_rows_and_the_first_page_only(device: Device) -> None:
    loaded = load(entry_source(14), device)
    rng = np.random.default_rng(1)
    pool = loaded.inputs["kv"]
    pool[...] = before = rng.standard_normal(pool.shape).astype(np.float32)
    loaded.inputs["page_table"][...] = [5, 9, 2, 0, 0, 0]
    loaded.inputs["start"][...], loaded.inputs["count"][...] = 7, 2
    for name in "qkv":
        loaded.inputs[name][...] = rng.standard_normal(loaded.inputs[name].shape)
    loaded.run()
    wanted = before.copy()
    for i, (page, slot) in enumerate([(9, 3), (2, 0)]):
        for part, name in enumerate("kv"):
            wanted[page, 0, part, slot] = loaded.inputs[name][i]
            wanted[page, 1, part, slot] = -loaded.inputs[name][i]
    assert np.array_equal(pool[1:], wanted[1:])
    loaded.queue.close()


def test_a_wrong_table_stays_inside_of_the_pool(device: Device) -> None:
    """Machine code checks no bounds; the memory on both sides of the pool must not notice."""
    tensor = SHAPE.tensor(3)
    arena = Arena(footprint([64, tensor, 4096]))
    below, pool, above = (arena.take("m", "kv", item) for item in (64, tensor, 4096))
    below[...] = above[...] = 0xA5
    loaded = load(entry_source(3), device, pool)
    loaded.inputs["page_table"][...] = [9999, -1, 1 << 30, -(1 << 30), 3, 2]
    for start in (0, 22, 1000, -5):
        loaded.inputs["start"][...], loaded.inputs["count"][...] = start, ROWS
        loaded.run()
    assert (below == 0xA5).all() and (above == 0xA5).all()
    loaded.queue.close()


def test_the_pool_is_neither_copied_nor_in_the_scratch(device: Device) -> None:
    small, large = (load(entry_source(pages), device) for pages in (14, 14_000))
    assert large.inputs["kv"].nbytes > 7_000_000
    assert small.entry.scratch_bytes == large.entry.scratch_bytes < 100_000
    for loaded in (small, large):
        loaded.inputs["count"][...] = ROWS
        before = loaded.allocated()
        loaded.run()
        assert loaded.allocated() == before
        loaded.queue.close()


def test_memory_that_is_not_the_same_is_refused(device: Device) -> None:
    loaded = load(entry_source(14), device)
    entry = loaded.entry
    arena = Arena(footprint([*entry.inputs, *entry.outputs, entry.scratch_bytes]))
    inputs, outputs = (
        [device.buffer(arena.take("m", "k", t)) for t in group] for group in (entry.inputs, entry.outputs)
    )
    scratch = device.buffer(arena.take("m", "k", entry.scratch_bytes))
    executable = loaded.call._executable  # type: ignore[attr-defined]
    with pytest.raises(HalError, match="writes output 'kv' in place of input 'kv': bind both"):
        executable.bind("f", inputs, outputs, scratch)
    loaded.queue.close()


STATE = ("f32", (6, 4))


def _late(p: Any, s: Any, x: Any) -> Any:
    """Reads the old state beside the new one, and nothing says which comes first."""
    return jax.lax.dynamic_update_slice(s, x[None], (2, 0)), s.sum(0)


def _in_turn(p: Any, s: Any, x: Any) -> Any:
    old = s.sum(0)
    return jax.lax.dynamic_update_slice(s, (x + old)[None], (2, 0)), old


def _rows(p: Any, s: Any, x: Any) -> Any:
    new = s.reshape(3, 2, 4).at[jnp.asarray([1])].set(jnp.stack([x, x])[None]).reshape(6, 4)
    return new, new[2] + x


def _swapped(p: Any, s: Any, x: Any) -> Any:
    """Every row that is written is read by another one's write."""
    order = jnp.asarray([5, 4, 3, 2, 1, 0])
    return s.at[order].set(s * x), x


SAFE = {
    "in turn": _in_turn,
    "rows": _rows,
    "swapped": _swapped,
    "untouched": lambda p, s, x: (s, s[0] + x),
}
#: What the compiler would compute wrong in place: parts of the old state are gone when it looks at them.
UNSAFE = {
    "reversed": lambda p, s, x: (s[::-1] * 2, s.sum(0)),
    "transposed": lambda p, s, x: (s.reshape(4, 6).T + x, s[0]),
    "constant": lambda p, s, x: (jnp.zeros_like(s) + x, s.sum(0)),
    "shifted": lambda p, s, x: (jnp.concatenate([s[1:], x[None]]), s[0]),
    "late": _late,
}


def replacing(function: Any) -> EntrySource:
    state = ("f32", (6, 4))
    return EntrySource(
        function, {"state": state, "x": ("f32", (4,))}, ("state", "other"), consumed=("state",)
    )


@pytest.mark.parametrize("name", SAFE)
def test_an_output_replaces_a_consumed_input_of_its_name(name: str) -> None:
    source = replacing(SAFE[name])
    made = merge({"f": jax_frontend.lower(source, {}, "f")}, {})
    code = compile_here(made.text, where=name)
    function = code.compiled.functions["f"]
    assert function.consumed == ("state",) and function.caller_owned
    assert function.inputs == source.tensors and function.outputs == made.outputs["f"]
    entry = Entry("f", source.tensors, made.outputs["f"], function.scratch_bytes, frozenset({"state"}))
    assert in_place(entry) == {0: 0}
    samples = gate.draw(source, name)
    case = gate.Case(entry, source, samples, jax_frontend.reference(source, {}, samples))
    gate.run(code.path, [], {"f": case}, "host")


@pytest.mark.parametrize("name", UNSAFE)
def test_only_writing_rows_happens_in_place(name: str) -> None:
    with pytest.raises(BuildError, match="PK005: output 'state' replaces the input of that name"):
        merge({"f": jax_frontend.lower(replacing(UNSAFE[name]), {}, "f")}, {})


def test_heads_that_do_not_divide() -> None:
    q, k = jnp.zeros((1, 3, 4)), jnp.zeros((2, 2, 4))
    with pytest.raises(ValueError, match="3 heads of queries can't share 2 heads"):
        attention(q, k, k, jnp.int32(0), 1)


def test_rows_come_back_in_order() -> None:
    pool = jnp.arange(3 * 2 * 2 * 2, dtype=jnp.float32).reshape(3, 2, 2, 2, 1, 1)
    keys, values = read_rows(pool, 1, jnp.asarray([2, 1, 0]))
    assert keys[:, 0, 0].tolist() == [20, 21, 12, 13, 4, 5]
    assert values[:, 0, 0].tolist() == [22, 23, 14, 15, 6, 7]
