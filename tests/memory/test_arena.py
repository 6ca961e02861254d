"""Arenas: alignment, accounts, ends."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.bundle.signature import DTYPE_BYTES, Tensor
from polyrhythm.hal.binding import STORAGE, address
from polyrhythm.memory import Arena, ArenaError, footprint
from polyrhythm.memory.arena import PAGE

tensors = st.builds(
    Tensor,
    st.just("t"),
    st.sampled_from(sorted(DTYPE_BYTES)),
    st.lists(st.integers(1, 40), max_size=3).map(tuple),
)


@given(st.lists(tensors | st.integers(0, 3 * PAGE), max_size=12))
def test_arrays_are_aligned_apart_and_accounted(items: list[Tensor | int]) -> None:
    arena = Arena(footprint(items))
    arrays = [arena.take(f"m{index % 3}", f"k{index % 2}", item) for index, item in enumerate(items)]
    for item, array in zip(items, arrays, strict=True):
        nbytes = item if isinstance(item, int) else item.nbytes
        assert array.nbytes == nbytes and not array.any()
        assert address(array) % (PAGE if nbytes >= PAGE else 64) == 0
        if isinstance(item, Tensor):
            assert array.shape == item.shape and array.dtype == STORAGE[item.dtype]
            assert array.dtype.itemsize == DTYPE_BYTES[item.dtype]
    for index, array in enumerate(arrays):
        array.reshape(-1).view(np.uint8)[:] = index + 1
    for index, array in enumerate(arrays):
        assert (array.reshape(-1).view(np.uint8) == index + 1).all()
    assert arena.used == footprint(items) == sum(row.reserved for row in arena.ledger())
    assert sum(arena.account().values()) == arena.used <= arena.nbytes


def test_ledger_rows_say_what_is_whose() -> None:
    arena = Arena(1 << 14)
    arena.take("vlm", "output", Tensor("hidden", "f32", (16, 8)))
    arena.take("vlm", "scratch", 100)
    rows = [(row.owner, row.kind, row.name, row.nbytes, row.reserved, row.offset) for row in arena.ledger()]
    assert rows == [("vlm", "output", "hidden", 512, 512, 0), ("vlm", "scratch", "scratch", 100, 128, 512)]
    assert arena.account() == {("vlm", "output"): 512, ("vlm", "scratch"): 128}


def test_a_full_arena_shows_its_account() -> None:
    arena = Arena(1024, "weights")
    arena.take("vlm", "input", 600)
    with pytest.raises(
        ArenaError, match=r"weights is full: dit/slot 'x' needs 512 bytes, 384 of 1024 are left"
    ):
        arena.take("dit", "slot", Tensor("x", "f32", (128,)))
    assert arena.used == 640
    arena.take("dit", "slot", 384)


def test_more_than_the_system_gives_is_an_error_and_no_crash() -> None:
    with pytest.raises(ArenaError, match=r"huge: the system does not give 1152921504606846976 bytes"):
        Arena(1 << 60, "huge")


def test_a_closed_arena_gives_nothing_but_its_arrays_live() -> None:
    arena = Arena(4096)
    array = arena.take("m", "k", 64)
    arena.close()
    assert arena.used == 0 and arena.ledger() == ()
    with pytest.raises(ArenaError, match="closed"):
        arena.take("m", "k", 64)
    array[:] = 1
    assert array.sum() == 64


def test_memory_lives_as_long_as_an_array_of_it() -> None:
    arena = Arena(1 << 16)
    array = arena.take("m", "k", Tensor("x", "f32", (4, 4)))
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    gone = weakref.ref(base)
    del base, arena
    gc.collect()
    array[:] = 2
    assert gone() is not None
    del array
    gc.collect()
    assert gone() is None


def test_scalars_and_bfloat16() -> None:
    arena = Arena(4096)
    scalar = arena.take("m", "k", Tensor("n", "i32", ()))
    scalar[...] = 7
    assert scalar.shape == () and int(scalar) == 7
    assert arena.take("m", "k", Tensor("b", "bf16", (2, 3))).dtype == np.uint16
