"""Static plans: what is planned, in which memory, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.bundle import Entry, Tensor, host
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.compile.plan_memory import ALIGNMENT, Lifetime, place
from polyrhythm.compile.static_plan import StaticPlan, plan_source
from polyrhythm.hal import DeviceConfig, HalError
from polyrhythm.hal.drivers import iree, static
from polyrhythm.memory import Arena

pytest.importorskip("iree.compiler")

F16 = Tensor("x", "f32", (16,))
ROW = Tensor("y", "f32", (16,))

#: Name -> the module, and the entries that it does not describe itself.
MODULES: Mapping[str, tuple[str, Sequence[Entry]]] = {
    # A loop of known length and a condition that is known: both are gone in the plan.
    "loop": (
        """
        func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = arith.constant 5 : index
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<16xf32> {
            %z = flow.dispatch.region -> (tensor<16xf32>) {
              %s = arith.addf %y, %x : tensor<16xf32>
              %t = math.tanh %s : tensor<16xf32>
              flow.return %t : tensor<16xf32>
            }
            scf.yield %z : tensor<16xf32>
          }
          return %r : tensor<16xf32>
        }""",
        [Entry("main", (F16,), (ROW,))],
    ),
    # Constants of every kind that the compiler keeps: arrays, splats, several in one.
    "constants": (
        """
        func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<3x16xi8>, tensor<5xi1>) {
          %a = arith.constant dense<[0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5,
                                     13.5, 14.5, 15.25]> : tensor<16xf32>
          %b = arith.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
                                     [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, -7],
                                     [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]]> : tensor<3x16xi8>
          %c = arith.constant dense<[true, false, true, true, false]> : tensor<5xi1>
          %s = arith.addf %a, %x : tensor<16xf32>
          return %s, %b, %c : tensor<16xf32>, tensor<3x16xi8>, tensor<5xi1>
        }""",
        [Entry("main", (F16,), (ROW, Tensor("b", "i8", (3, 16)), Tensor("c", "bool", (5,))))],
    ),
    # An input that is returned as it is, and an output that is a part of another.
    "passing": (
        """
        func.func @main(%x: tensor<16xf32>, %k: tensor<4xi32>) -> (tensor<4xi32>, tensor<16xf32>) {
          %s = arith.addf %x, %x : tensor<16xf32>
          return %k, %s : tensor<4xi32>, tensor<16xf32>
        }""",
        [Entry("main", (F16, Tensor("k", "i32", (4,))), (Tensor("k2", "i32", (4,)), ROW))],
    ),
    # An index that only a kernel looks at.
    "index": (
        """
        func.func @main(%x: tensor<8x16xf32>, %n: tensor<i32>) -> tensor<16xf32> {
          %v = tensor.extract %n[] : tensor<i32>
          %i = arith.index_cast %v : i32 to index
          %r = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>
          return %r : tensor<16xf32>
        }""",
        [Entry("main", (Tensor("x", "f32", (8, 16)), Tensor("n", "i32", ())), (ROW,))],
    ),
    # Zeros beyond the kernel's reach, and rows that are only moved.
    "padded": (
        """
        func.func @main(%x: tensor<4x16xf32>) -> tensor<8x16xf32> {
          %zero = arith.constant dense<0.0> : tensor<8x16xf32>
          %r = tensor.insert_slice %x into %zero[2, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
          return %r : tensor<8x16xf32>
        }""",
        [Entry("main", (Tensor("x", "f32", (4, 16)),), (Tensor("y", "f32", (8, 16)),))],
    ),
}  # fmt: skip


@cache
def planned(name: str) -> StaticPlan:
    text, entries = MODULES[name]
    return plan_source(text, where=name, entries=entries)


def written(made: StaticPlan, root: Path) -> Path:
    root.mkdir(exist_ok=True)
    path = root / "module.plan"
    path.write_bytes(made.plan)
    path.with_suffix(".so").write_bytes(made.library)
    return path


def outputs(device, executable, entry: Entry, inputs: Mapping[str, np.ndarray]) -> dict[str, bytes]:
    """What one call gives, by name."""
    entry = executable.entries[entry.name]
    arena = Arena(1 << 21)
    given = [arena.take("t", "input", tensor) for tensor in entry.inputs]
    for array, tensor in zip(given, entry.inputs, strict=True):
        array[...] = inputs[tensor.name]
    made = [arena.take("t", "output", tensor) for tensor in entry.outputs]
    scratch = device.buffer(arena.take("t", "s", entry.scratch_bytes)) if entry.scratch_bytes else None
    call = executable.bind(
        entry.name, list(map(device.buffer, given)), list(map(device.buffer, made)), scratch
    )
    queue = device.queue()
    assert queue.submit(call).wait() and queue.close()
    for array, tensor in zip(given, entry.inputs, strict=True):
        assert array.tobytes() == np.asarray(inputs[tensor.name], array.dtype).tobytes(), "inputs stay"
    return {tensor.name: array.tobytes() for tensor, array in zip(entry.outputs, made, strict=True)}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Callable[[str], Path]:
    from iree.compiler import compile_str

    from polyrhythm.compile.iree_compiler import _TARGET, LADDER

    @cache
    def build(name: str) -> Path:
        flags = [*_TARGET, "--iree-llvmcpu-target-cpu=host", *LADDER[0]]
        path = tmp_path_factory.mktemp("theirs") / "module.vmfb"
        path.write_bytes(compile_str(MODULES[name][0], extra_args=flags))
        return path

    return build


@pytest.mark.parametrize("name", MODULES)
def test_a_plan_gives_the_bits_of_the_virtual_machine(name, compiled, tmp_path):
    made = planned(name)
    assert not made.refused
    (entry,) = MODULES[name][1]
    rng = np.random.default_rng(1)
    theirs, ours = (
        iree.driver.open(DeviceConfig("a", "local-sync")),
        static.driver.open(DeviceConfig("b", "local-sync")),
    )
    want = theirs.load(compiled(name), [entry])
    arena = Entry(entry.name, entry.inputs, entry.outputs, made.scratch_bytes["main"])
    have = ours.load(written(made, tmp_path), [arena])
    for scale in (1.0, 1e-39):  # denormals too
        inputs = {
            tensor.name: rng.standard_normal(tensor.shape) * scale
            if tensor.dtype == "f32"
            else rng.integers(0, 8, tensor.shape)
            for tensor in entry.inputs
        }
        assert outputs(ours, have, entry, inputs) == outputs(theirs, want, entry, inputs)
    theirs.close()
    ours.close()


def test_a_plan_names_the_cpu_that_it_is_for():
    target = planned("loop").target
    assert target.features and not host().missing_features(target.features)
    assert ",".join(target.features).encode() in planned("loop").plan
    assert compiler_version().encode() in planned("loop").plan


def test_loops_of_known_length_are_laid_out_and_share_memory():
    made = planned("loop")
    assert made.steps["main"] >= 5
    assert made.scratch_bytes["main"] == 2 * ALIGNMENT, "five rounds, two buffers alive at a time"


# -- memory --------------------------------------------------------------------------------------------------

LIVES = st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 40), st.integers(0, 12)), max_size=40)


def overlaps(lives: Sequence[Lifetime], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs that share a byte at a step, by counting: who holds each 64 bytes at each step."""
    holders: dict[tuple[int, int], int] = {}
    found = set()
    for index, (life, offset) in enumerate(zip(lives, offsets, strict=True)):
        for step in range(life.first, life.last + 1):
            for line in range(offset // ALIGNMENT, (offset + life.nbytes - 1) // ALIGNMENT + 1):
                other = holders.setdefault((step, line), index)
                if other != index:
                    found.add((other, index))
    return sorted(found)


@given(LIVES)
def test_what_is_needed_at_one_time_lies_apart(drawn):
    lives = [Lifetime(nbytes, first, first + length) for nbytes, first, length in drawn]
    offsets, size = place(lives)
    assert overlaps(lives, offsets) == []
    assert all(offset % ALIGNMENT == 0 for offset in offsets)
    ends = [offset + life.nbytes for life, offset in zip(lives, offsets, strict=True)]
    assert max(ends, default=0) <= size
    rounded = [-(-life.nbytes // ALIGNMENT) * ALIGNMENT for life in lives]
    at_once = [
        sum(nbytes for nbytes, life in zip(rounded, lives, strict=True) if life.first <= step <= life.last)
        for step in range(60)
    ]
    assert max(at_once) <= size <= sum(rounded)


@pytest.mark.parametrize("name", MODULES)
def test_the_arenas_of_real_plans_hold_no_overlap(name):
    for entry, memory in planned(name).memory.items():
        assert overlaps(memory.lifetimes, memory.offsets) == [], entry


def test_disjoint_lives_share_everything():
    offsets, size = place([Lifetime(1000, 0, 1), Lifetime(1000, 2, 3), Lifetime(1024, 4, 4)])
    assert offsets == [0, 0, 0] and size == 1024
    assert [pair for pair in combinations(range(3), 2) if offsets[pair[0]] != offsets[pair[1]]] == []


# -- refusals ------------------------------------------------------------------------------------------------

REFUSED = {
    "a loop that ends when the input says so": (
        """
        func.func @main(%x: tensor<16xf32>, %n: tensor<i32>) -> tensor<16xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %v = tensor.extract %n[] : tensor<i32>
          %e = arith.index_cast %v : i32 to index
          %r = scf.for %i = %c0 to %e step %c1 iter_args(%y = %x) -> tensor<16xf32> {
            %z = arith.addf %y, %x : tensor<16xf32>
            scf.yield %z : tensor<16xf32>
          }
          return %r : tensor<16xf32>
        }""",
        [Entry("main", (F16, Tensor("n", "i32", ())), (ROW,))],
    ),
    "state that is another one after each call": (
        """
        util.global private mutable @count = dense<0.0> : tensor<16xf32>
        func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %c = util.global.load @count : tensor<16xf32>
          %r = arith.addf %c, %x : tensor<16xf32>
          util.global.store %r, @count : tensor<16xf32>
          return %r : tensor<16xf32>
        }""",
        [Entry("main", (F16,), (ROW,))],
    ),
    "a number that is passed by value": (
        """
        func.func @main(%x: tensor<16xf32>, %s: f32) -> tensor<16xf32> {
          %b = flow.tensor.splat %s : tensor<16xf32>
          %r = arith.addf %b, %x : tensor<16xf32>
          return %r : tensor<16xf32>
        }""",
        [Entry("main", (F16, Tensor("s", "f32", ())), (ROW,))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_decides_at_run_time_is_refused_with_the_operation(name, snapshot):
    text, entries = REFUSED[name]
    made = plan_source(text, where=name, entries=entries)
    assert made.refused == snapshot
    assert made.steps["main"] == 0


def test_a_refused_entry_cannot_be_bound(tmp_path):
    text, entries = REFUSED["a loop that ends when the input says so"]
    path = written(plan_source(text, where="x", entries=entries), tmp_path)
    device = static.driver.open(DeviceConfig("a", "local-sync"))
    executable = device.load(path, entries)
    with pytest.raises(HalError, match=r"'main' of module\.plan can't be planned statically: "):
        executable.bind("main", [], [], None)


def test_weights_can_lie_in_the_plan(tmp_path):
    text = """
    util.global private @gain = #stream.parameter.named<"model"::"gain"> : tensor<16xf32>
    func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
      %g = util.global.load @gain : tensor<16xf32>
      %r = arith.mulf %g, %x : tensor<16xf32>
      return %r : tensor<16xf32>
    }"""
    entry = Entry("main", (F16,), (ROW,))
    gain = np.arange(16, dtype=np.float32)
    made = plan_source(text, where="gain", embedded={"gain": gain.tobytes()}, entries=[entry])
    device = static.driver.open(DeviceConfig("a", "local-sync"))
    x = np.linspace(0, 1, 16, dtype=np.float32)
    found = outputs(device, device.load(written(made, tmp_path), [entry]), entry, {"x": x})
    assert found["y"] == (gain * x).tobytes()
    without = written(plan_source(text, where="gain", entries=[entry]), tmp_path / "without")
    with pytest.raises(HalError, match="needs parameter files"):
        device.load(without, [entry])
