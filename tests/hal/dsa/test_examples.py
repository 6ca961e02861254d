"""Real plans: what the kernels of two examples work on, recorded from their compiled policies.

``data/NAME.work.json`` is what `polyrhythm.compile.kernel_work` made of the bundle's module on one machine;
the cut into kernels is another on other CPUs, and none of this depends on it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from polyrhythm.hal.dsa import (
    Candidate,
    Machine,
    Program,
    WorkEntry,
    bounds_ns,
    check,
    first_hazard,
    lower,
    place,
    read_work,
    run,
)

DATA = Path(__file__).parent / "data"
KV = 131072
ENTRIES = [
    ("flow_policy", "begin"), ("flow_policy", "prefill"), ("flow_policy", "step"), ("flow_policy", "finish"),
    ("dual_system", "start"), ("dual_system", "step_identity"), ("dual_system", "finish"),
]  # fmt: skip
MACHINE = Machine.parse("cores=2,channels=3,sram_kib=2048,work_kib=512,dram_gbps=5")
TIGHT = Machine.parse("cores=2,sram_kib=2048,work_kib=96,dram_gbps=5")
#: The prefix KV, where `place` puts it.
HELD = {"input.kv": MACHINE.work_bytes, "output.kv": MACHINE.work_bytes}


@cache
def entry(example: str, name: str) -> WorkEntry:
    return read_work(DATA / f"{example}.work.json")[name]


@cache
def program(example: str, name: str, machine: Machine, held: bool) -> Program:
    return lower(entry(example, name), machine, HELD if held else {})


def uncaught(made: Program) -> list[str]:
    return [what for what, broken in (*made.fences(), *made.transfers()) if first_hazard(broken) is None]


@pytest.mark.parametrize(("example", "name"), ENTRIES)
def test_every_single_removal_is_caught(example: str, name: str) -> None:
    made = program(example, name, MACHINE, held=False)
    assert check(made) == []
    assert uncaught(made) == []


def test_every_single_removal_is_caught_with_the_prefix_in_sram() -> None:
    made = program("flow_policy", "step", MACHINE, held=True)
    assert check(made) == [] and uncaught(made) == []


@pytest.mark.slow
@pytest.mark.parametrize(("example", "name"), ENTRIES)
def test_every_single_removal_is_caught_where_hardly_anything_fits(example: str, name: str) -> None:
    made = program(example, name, TIGHT, held=False)
    assert check(made) == [] and uncaught(made) == []


@pytest.mark.parametrize("machine", [MACHINE, TIGHT], ids=["roomy", "tight"])
@pytest.mark.parametrize(("example", "name"), ENTRIES)
def test_no_call_is_faster_than_the_roofline(example: str, name: str, machine: Machine) -> None:
    made = program(example, name, machine, held=False)
    found = run(made, machine)
    assert found == run(lower(entry(example, name), machine, {}), machine)
    assert found.took_ns >= max(bounds_ns(made, machine).values())
    work = entry(example, name)
    assert sum(command.flops for command in made.commands) == sum(step.flops for step in work.steps)


def test_where_everything_fits_every_byte_is_moved_once() -> None:
    for example, name in ENTRIES:
        work = entry(example, name)
        if work.memories.get("arena", 0) < MACHINE.work_bytes // 2:
            traffic = run(program(example, name, MACHINE, held=False), MACHINE).traffic
            assert traffic == {m: work.moved_bytes(m) for m in work.memories if m != "arena"}


def test_the_prefix_in_sram_saves_what_the_planner_says() -> None:
    """Written once by the prefill, read by each of n steps: (n + 1) times its size in a chunk."""
    calls = {name: entry("flow_policy", name) for name in ("prefill", "step")}
    assert calls["prefill"].moved_bytes("output.kv") == calls["step"].moved_bytes("input.kv") == KV
    for steps in (1, 5, 10):
        times = {"prefill": 1, "step": steps}
        moved = sum(
            count * (calls[name].moved_bytes("output.kv" if name == "prefill" else "input.kv"))
            for name, count in times.items()
        )
        large = place([Candidate("kv", KV, moved)], MACHINE)
        (spilled,) = place([Candidate("kv", KV, moved)], TIGHT_SRAM).spilled
        assert large.held == {"kv": MACHINE.work_bytes} and spilled.moved_bytes == (steps + 1) * KV
        out, within = (
            sum(
                n * run(program("flow_policy", name, MACHINE, held), MACHINE).dram_bytes
                for name, n in times.items()
            )
            for held in (False, True)
        )
        assert out - within == spilled.moved_bytes


#: Where a little less is left than the prefix has.
TIGHT_SRAM = Machine.parse("sram_kib=639,work_kib=512")
