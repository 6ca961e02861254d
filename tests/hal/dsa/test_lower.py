"""Lowering: programs are correct, and everything in them is needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from polyrhythm.hal.dsa import DoesNotFit, Machine, Program, Span, WorkEntry, bounds_ns, check, lower, run
from tests.effort import examples

from .programs import entries, entry, helds, layers, machines, step

SMALL = Machine.parse("cores=2,sram_kib=16,work_kib=4,dram_gbps=1")


def removals(program: Program) -> list[tuple[str, Program]]:
    return [*program.fences(), *program.transfers()]


@examples(30)
@given(entries(), machines(), helds)
def test_programs_are_correct_and_every_removal_is_caught(
    work: WorkEntry, machine: Machine, held: dict[str, int]
) -> None:
    program = lower(work, machine, held)
    assert check(program) == []
    for what, broken in removals(program):
        assert check(broken), what


@examples(40)
@given(entries(), machines(), helds)
def test_no_run_is_faster_than_the_roofline(work: WorkEntry, machine: Machine, held: dict[str, int]) -> None:
    program = lower(work, machine, held)
    once, again = run(program, machine), run(lower(work, machine, held), machine)
    assert once == again
    assert once.took_ns >= max(bounds_ns(program, machine).values())
    assert once.dram_bytes == sum(c.nbytes for c in program.commands if c.kind != "compute")
    assert all(busy <= once.took_ns for busy in once.busy_ns.values())
    assert not held.keys() & once.traffic.keys()
    assert sum(c.flops for c in program.commands) == sum(item.flops for item in work.steps)


@examples(30)
@given(entries(), machines())
def test_more_in_sram_means_less_to_move(work: WorkEntry, machine: Machine) -> None:
    without = run(lower(work, machine, {}), machine).traffic
    kept = run(lower(work, machine, {"weight.w": 8192}), machine).traffic
    assert kept.get("weight.w", 0) == 0
    assert without.get("weight.w", 0) >= work.moved_bytes("weight.w")


@pytest.mark.parametrize("held", [{}, {"input.kv": 8192}, {"weight.w": 8192, "input.kv": 12288}])
def test_every_removal_from_a_chain_of_layers_names_two_operations(held: dict[str, int]) -> None:
    program = lower(layers(), SMALL, held)
    kinds = Counter(command.kind for command in program.commands)
    assert kinds["compute"] >= 4 and kinds["store"] == 1
    for what, broken in removals(program):
        hazards = check(broken)
        assert hazards, what
        assert all(hazard.first and hazard.second for hazard in hazards)
    for index, command in enumerate(program.commands):
        if command.kind != "compute":  # gone altogether, its fences too
            others = (*program.commands[:index], *program.commands[index + 1 :])
            assert check(replace(program, commands=others)), command


def test_what_does_not_fit_at_once_is_cut() -> None:
    work = entry(
        step("wide", [Span("weight.w", 0, 65536), Span("input.x", 0, 256)], [Span("output.y", 0, 4096)]),
        **{"weight.w": 65536, "input.x": 256, "output.y": 4096},
    )
    program = lower(work, SMALL, {})
    assert check(program) == []
    names = [command.name for command in program.commands if command.kind == "compute"]
    assert names == [f"wide {i + 1}/{len(names)}" for i in range(len(names))] and len(names) >= 32
    assert run(program, SMALL).traffic == {"weight.w": 65536, "input.x": 256, "output.y": 4096}


def test_what_can_not_be_cut_is_refused_with_its_need() -> None:
    work = entry(
        step("gather", [Span("weight.w", 0, 65536)], [Span("output.y", 0, 64), Span("output.y", 128, 160)]),
        **{"weight.w": 65536, "output.y": 256},
    )
    with pytest.raises(DoesNotFit, match="gather needs 65664 bytes of SRAM at once"):
        lower(work, SMALL, {})


def test_loads_run_ahead_of_the_kernels() -> None:
    machine = Machine.parse("cores=1,sram_kib=64,work_kib=16,dram_gbps=1")
    program = lower(layers(), machine, {})
    ran = run(program, machine)
    loads = [ran.commands[i] for i, c in enumerate(program.commands) if c.kind == "load"]
    kernels = [ran.commands[i] for i, c in enumerate(program.commands) if c.kind == "compute"]
    assert loads[5].began_ns < kernels[1].began_ns  # of the third layer, and of the second


def test_what_is_only_passed_on_is_never_moved() -> None:
    work = layers()
    assert "arena" not in run(lower(work, SMALL, {}), SMALL).traffic
    kept = {"input.kv": 4096, "weight.w": 8192}
    assert run(lower(work, SMALL, kept), SMALL).traffic == {"input.x": 256, "output.y": 256}


def test_only_what_is_newer_is_stored() -> None:
    """The second step writes again what the first has written: nothing of the first is left to store."""
    kv = [Span("input.kv", 0, 32)]
    program = lower(entry(step("a", [Span("input.kv", 0, 64)], kv), step("b", [], kv)), SMALL, {})
    assert [c.name for c in program.commands if c.kind == "store"] == ["store input.kv[0:32]"]
    assert all(check(broken) for _, broken in removals(program))
