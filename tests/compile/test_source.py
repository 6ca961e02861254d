"""Merging entries: awkward functions go in, and what comes out computes the same, in the caller's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.compile import BuildError, EntrySource, gate, jax_frontend
from polyrhythm.compile.iree_compiler import compile_source
from polyrhythm.compile.machine import Made, compile_here
from polyrhythm.compile.source import Lowered, Source, merge
from polyrhythm.compile.weights import as_arrays, write_weights

BIG = np.random.default_rng(0).standard_normal((40, 40)).astype(np.float32)
F32: Callable[..., tuple[str, tuple[int, ...]]] = lambda *shape: ("f32", shape)  # noqa: E731


def _inner(x: jax.Array, flag: jax.Array) -> jax.Array:
    # `jnp.where` becomes a private function `_where`; every entry has one of another type.
    return jnp.where(flag, x, 0)


def _loop(p: Any, x: jax.Array) -> jax.Array:
    return jax.lax.fori_loop(0, 4, lambda i, y: jnp.tanh(y @ p["k"]) + i, x)


def _update(p: Any, rows: jax.Array, row: jax.Array, index: jax.Array) -> jax.Array:
    return jax.lax.dynamic_update_slice(rows, row, (index, 0)) * 2


BOOL, INT = ("bool", ()), ("i32", ())
ROWS = {"rows": F32(64, 32), "row": F32(1, 32), "index": INT}
SQUARES = {"a": F32(8, 8), "b": F32(8, 8), "c": F32(8, 8)}
AWKWARD: dict[str, EntrySource] = {
    "constants": EntrySource(lambda p, x: x @ BIG + BIG[0], {"x": F32(40)}, ("y",)),
    "helper.one": EntrySource(lambda p, x, f: _inner(x, f), {"x": F32(3), "f": BOOL}, ("y",)),
    "helper.two": EntrySource(
        lambda p, x, f: _inner(x, f), {"x": ("i32", (5,)), "f": ("bool", (5,))}, ("y",)
    ),
    "same_result_twice": EntrySource(lambda p, x: (x, x, x + 1), {"x": F32(4, 4)}, ("a", "b", "c")),
    "passed": EntrySource(lambda p, f, n: (n, f), {"f": ("bool", (7,)), "n": ("u32", ())}, ("n", "f")),
    "nothing_in": EntrySource(lambda p: p["k"].sum(), {}, ("y",)),
    "constant_out": EntrySource(lambda p, x: jnp.float32(0.25), {"x": F32()}, ("y",)),
    "unused": EntrySource(lambda p, a, b, c: b * 2, {"a": F32(9), "b": F32(), "c": ("i32", (3,))}, ("y",)),
    "halves": EntrySource(
        lambda p, x, y: (x * y.astype(jnp.bfloat16), y * p["h"]),
        {"x": ("bf16", (6,)), "y": ("f16", (6,))},
        ("x", "y"),
    ),
    "bytes": EntrySource(
        lambda p, a, b: (a + 1, b ^ p["m"]), {"a": ("u8", (5,)), "b": ("i8", (5,))}, ("a", "b")
    ),
    "truth": EntrySource(lambda p, x: (x > 0, ~(x > 0)), {"x": F32(3, 3)}, ("yes", "no")),
    "loop": EntrySource(_loop, {"x": F32(8, 8)}, ("y",)),
    "update": EntrySource(_update, ROWS, ("rows",)),
    "update_consumed": EntrySource(_update, ROWS, ("new",), consumed=("rows",)),
    "update_unsigned": EntrySource(
        _update, {"rows": ("u16", (64, 32)), "row": ("u16", (1, 32)), "index": INT}, ("rows",)
    ),
    "accumulate": EntrySource(lambda p, a, b, c: a @ b + c, SQUARES, ("c",)),
}
PARAMETERS = as_arrays(
    {
        "k": np.random.default_rng(1).standard_normal((8, 8)).astype(np.float32),
        "h": np.asarray(np.arange(6), np.float16),
        "m": np.asarray([1, 2, 4, 8, 16], np.int8),
        "layers/0:a name, é": np.zeros(3, np.float32),
        "scalar": np.float32(3),
    },
    "test",
)


def _signature(name: str, source: Source, made: Made, entry: EntrySource) -> Entry:
    scratch_bytes = made.compiled.functions[name].scratch_bytes
    return Entry(name, entry.tensors, source.outputs[name], scratch_bytes, frozenset(entry.consumed))


def _lowered(entries: Mapping[str, EntrySource]) -> dict[str, Lowered]:
    return {name: jax_frontend.lower(entry, PARAMETERS, name) for name, entry in entries.items()}


@pytest.fixture(scope="module")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> tuple[Source, Made, Path, dict[str, Entry]]:
    source = merge(_lowered(AWKWARD), PARAMETERS)
    made = compile_here(source.text, where="awkward")
    weights = tmp_path_factory.mktemp("weights") / "awkward.safetensors"
    write_weights(PARAMETERS, weights)
    return source, made, weights, {n: _signature(n, source, made, entry) for n, entry in AWKWARD.items()}


@pytest.mark.parametrize("name", AWKWARD)
def test_it_computes_the_same_leaves_its_inputs_and_allocates_nothing(
    name: str, awkward: tuple[Any, ...]
) -> None:
    """Except for the one value that the host reads for a dynamic slice, and for what is inside of a loop."""
    _, made, weights, entries = awkward
    entry = AWKWARD[name]
    assert made.compiled.functions[name].caller_owned
    samples = gate.draw(entry, name)
    case = gate.Case(entries[name], entry, samples, jax_frontend.reference(entry, PARAMETERS, samples))
    found = gate.run(made.path, [weights], {name: case}, "host")[name]
    if name == "loop":
        assert found.allocated_bytes > 0, (
            "the compiler has learned to plan loops: say so in the lock's schema"
        )
    else:
        assert found.allocated_bytes == (64 if name.startswith("update") else 0)


def test_iree_would_overwrite_an_input(
    awkward: tuple[Any, ...], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Why every input is guarded (iree-org/iree#16168): without the guard the gate finds it overwritten.

    If this fails, the compiler has learned to keep inputs, and the guard can go.
    """
    source = merge(_lowered({"update": AWKWARD["update"]}), PARAMETERS)
    bare = "\n".join(line for line in source.text.splitlines() if "util.optimization_barrier" not in line)
    compiled = compile_source(bare, where="bare")
    (tmp_path / "bare.vmfb").write_bytes(compiled.content)
    entry = AWKWARD["update"]
    signature = Entry("update", entry.tensors, source.outputs["update"], compiled.scratch_bytes["update"])
    samples = gate.draw(entry, "update")
    case = gate.Case(signature, entry, samples, jax_frontend.reference(entry, PARAMETERS, samples))
    with pytest.raises(BuildError) as caught:
        gate.run(tmp_path / "bare.vmfb", [], {"update": case}, "host")
    assert str(caught.value) == snapshot


NAMED: dict[str, Any] = {
    "mapping": lambda p, x: {"target": x * 2, "brake": -jnp.ones(3)},
    "another_key": lambda p, x: {"target": x * 2, "brakes": -jnp.ones(3)},
    "a_key_too_many": lambda p, x: {"target": x * 2, "brake": -jnp.ones(3), "aim": x},
    "within": lambda p, x: (x * 2, {"brake": -jnp.ones(3)}),
}


def test_a_mapping_is_taken_by_its_names(snapshot: SnapshotAssertion) -> None:
    """JAX sorts its keys: `brake` would come first."""
    inputs, outputs = {"x": F32(4)}, ("target", "brake")
    entries = {name: EntrySource(fn, inputs, outputs) for name, fn in NAMED.items()}
    entry = entries.pop("mapping")
    source = merge({"f": jax_frontend.lower(entry, {}, "m.f")}, {})
    assert source.outputs["f"] == (Tensor("target", "f32", (4,)), Tensor("brake", "f32", (3,)))
    ((target, brake),) = jax_frontend.reference(entry, {}, [{"x": np.ones(4, np.float32)}])
    assert (target.tolist(), brake.tolist()) == ([2.0] * 4, [-1.0] * 3)
    said = []
    for name, wrong in entries.items():
        with pytest.raises(BuildError) as caught:
            jax_frontend.lower(wrong, {}, f"m.{name}")
        said.append(str(caught.value))
    assert said == snapshot


CALLS: dict[str, Any] = {
    "a_print": lambda p, x: (jax.debug.print("{}", x), x)[1],
    "two_callbacks": lambda p, x: (
        jax.debug.print("{}", x),
        jax.pure_callback(lambda y: y, jax.ShapeDtypeStruct((4, 4), x.dtype), x),
    )[1],
    "lapack": lambda p, x: jnp.linalg.solve(x, jnp.linalg.cholesky(x)),
}


def test_what_jax_would_call_in_its_own_process(snapshot: SnapshotAssertion) -> None:
    said = []
    for name, fn in CALLS.items():
        with pytest.raises(BuildError) as caught:
            jax_frontend.lower(EntrySource(fn, {"x": F32(4, 4)}, ("y",)), {}, f"m.{name}")
        said.append(str(caught.value))
    assert said == snapshot
    approximate = EntrySource(lambda p, x: jax.lax.approx_max_k(x, 2), {"x": F32(4, 4)}, ("y", "at"))
    assert "ApproxTopK" in jax_frontend.lower(approximate, {}, "m.approximate").text


def test_consuming_an_input_saves_its_copy(awkward: tuple[Any, ...]) -> None:
    _, _, _, entries = awkward
    assert entries["update"].scratch_bytes >= 64 * 32 * 4
    assert entries["update_consumed"].scratch_bytes == 0


def test_only_weights_that_are_used_are_in_it(awkward: tuple[Any, ...]) -> None:
    source = awkward[0]
    assert source.text.count("flow.parameter.named") == 3
    assert "scalar" not in source.text


def test_names_survive_in_the_machine_code(awkward: tuple[Any, ...]) -> None:
    _, made, _, entries = awkward
    for name, function in made.compiled.functions.items():
        assert function.inputs == entries[name].inputs
        assert function.outputs == entries[name].outputs


def test_odd_names_of_weights(tmp_path: Path) -> None:
    name = "layers/0:a name, é"
    entry = EntrySource(lambda p, x: x + p[name] + p["scalar"], {"x": F32(3)}, ("y",))
    source = merge(_lowered({"f": entry}), PARAMETERS)
    made = compile_here(source.text, where="odd")
    write_weights(PARAMETERS, tmp_path / "odd.irpa")
    samples = gate.draw(entry, "f")
    reference = jax_frontend.reference(entry, PARAMETERS, samples)
    case = gate.Case(_signature("f", source, made, entry), entry, samples, reference)
    gate.run(made.path, [tmp_path / "odd.irpa"], {"f": case}, "host")


def test_resources_of_the_same_name_stay_apart() -> None:
    """Front ends may write large constants as resources; every module has its own names for them."""
    text = """
module {{
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
    %c = stablehlo.constant dense_resource<big> : tensor<2xf32>
    %0 = stablehlo.add %x, %c : tensor<2xf32>
    return %0 : tensor<2xf32>
  }}
}}
{{-#
  dialect_resources: {{ builtin: {{ big: "0x04000000{values}" }} }}
#-}}
"""
    x = Tensor("x", "f32", (2,))
    one, two = np.float32([1, 2]).tobytes().hex(), np.float32([30, 40]).tobytes().hex()
    source = merge(
        {
            name: Lowered(text.format(values=values), (), (x,), ("y",))
            for name, values in {"a": one, "b": two}.items()
        },
        {},
    )
    made = compile_here(source.text, where="resources")
    cases = {}
    for name, values in {"a": [1, 2], "b": [30, 40]}.items():
        entry = EntrySource(lambda p, x: x, {"x": F32(2)}, ("y",))
        sample = {"x": np.float32([100, 200])}
        reference = [(sample["x"] + np.float32(values),)]
        cases[name] = gate.Case(_signature(name, source, made, entry), entry, [sample], reference)
    gate.run(made.path, [], cases, "host")


def test_what_the_compiler_cannot_give_scratch_to(tmp_path: Path) -> None:
    """A loop whose end depends on data: the device allocates for it, and the lock says so."""
    from polyrhythm.compile.machine import compile_entries

    while_loop = EntrySource(
        lambda p, x, n: jax.lax.while_loop(
            lambda c: c[0] < n, lambda c: (c[0] + 1, jnp.tanh(c[1] @ p["k"])), (jnp.int32(0), x)
        )[1],
        {"x": F32(8, 8), "n": ("i32", ())},
        ("y",),
    )
    entries = {"while": while_loop, "plain": AWKWARD["accumulate"]}
    source, made = compile_entries(_lowered(entries), PARAMETERS, "loops")
    owned = {name: function.caller_owned for name, function in made.compiled.functions.items()}
    assert owned == {"while": False, "plain": True}
    write_weights(PARAMETERS, tmp_path / "w.safetensors")
    cases = {}
    for name, entry in entries.items():
        samples = gate.draw(entry, name)
        reference = jax_frontend.reference(entry, PARAMETERS, samples)
        cases[name] = gate.Case(_signature(name, source, made, entry), entry, samples, reference)
    gate.run(made.path, [tmp_path / "w.safetensors"], cases, "host")


def test_a_module_that_is_not_stablehlo() -> None:
    with pytest.raises(BuildError, match="PK011"):
        merge({"f": Lowered("module { nonsense }", (), (), ("y",))}, {})


def test_dynamic_shapes_are_refused() -> None:
    text = "func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    with pytest.raises(BuildError, match=r"'x' is tensor<\?xf32>"):
        merge({"f": Lowered(text, (), (Tensor("x", "f32", (1,)),), ("y",))}, {})
