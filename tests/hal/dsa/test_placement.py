"""What stays in SRAM: the most saved for each byte, as long as it fits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.hal.dsa import Candidate, Machine, Placement, Spilled, place

MACHINE = Machine.parse("sram_kib=8,work_kib=4,dram_gbps=2")
#: A chunk: the prefix is written once and read by each of five steps, weights are read as often as used.
KV, STEP, PREFILL = (
    Candidate("kv", 2048, 6 * 2048),
    Candidate("step", 2048, 5 * 2048),
    Candidate("pre", 3000, 3000),
)


def test_keys_and_values_come_first() -> None:
    found = place([PREFILL, STEP, KV], MACHINE)
    assert found.held == {"kv": 4096, "step": 6144}
    assert found.spilled == (Spilled("pre", 3000, 3000, 1500),)
    assert found.explain() == ["pre (3000 B) does not fit: 3000 B to and fro, 1500 ns of the memory's time"]


def test_what_does_not_fit_leaves_its_room_to_others() -> None:
    large = Candidate("kv", 4097, 6 * 4097)
    found = place([large, STEP], MACHINE)
    assert found.held == {"step": 4096} and [item.memory for item in found.spilled] == ["kv"]


def test_what_is_there_is_not_moved() -> None:
    found = place([KV], MACHINE, {"other": (5000, 1000)})
    assert found.held == {"kv": 6016}
    assert place([KV], MACHINE, {"other": (5000, 3000)}).held == {}


def test_what_nobody_moves_needs_no_place() -> None:
    assert place([Candidate("idle", 64, 0)], MACHINE) == Placement({}, ())


@given(st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 10**6)), max_size=12))
def test_places_are_apart_aligned_and_within(sizes: list[tuple[int, int]]) -> None:
    candidates = [Candidate(f"m{i}", nbytes, moved) for i, (nbytes, moved) in enumerate(sizes)]
    found = place(candidates, MACHINE)
    taken = sorted((found.held[c.memory], c.nbytes) for c in candidates if c.memory in found.held)
    end = MACHINE.work_bytes
    for address, nbytes in taken:
        assert address % 64 == 0 and address >= end
        end = address + nbytes
    assert end <= MACHINE.sram_bytes
    assert {c.memory for c in candidates if c.moved_bytes} == {
        *found.held,
        *(s.memory for s in found.spilled),
    }
