"""The hazard checker, one kind of mistake at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.hal.dsa import CODES, Command, Machine, Operand, Point, Program, Span, check, lower
from polyrhythm.hal.dsa.program import sram

from .programs import layers

X, Y = Span("input.x", 0, 64), Span("output.y", 0, 64)
IN, OUT = Operand(sram(0, 64), X), Operand(sram(64, 64), Y)
LOAD = Command("load", "load x", "dma0", 1, writes=(IN,), signal=1)
WORK = Command("compute", "gelu", "core0", 1, (IN,), (OUT,), 10, (Point("dma0", 1),), 1)
STORE = Command("store", "store y", "dma1", 1, (OUT,), waits=(Point("core0", 1),), signal=1)
GOOD = Program((LOAD, WORK, STORE), (Point("dma1", 1),), (Y,), (), 128)


def without_wait(command: Command) -> Command:
    return replace(command, waits=())


def program(*commands: Command, **changes: object) -> Program:
    return replace(GOOD, commands=commands, **changes)  # type: ignore[arg-type]


NEXT = Command("load", "load x again", "dma0", 2, writes=(IN,), waits=(Point("core0", 1),), signal=2)
AGAIN = Command("compute", "tanh", "core0", 2, (IN,), (OUT,), 10, (Point("dma0", 2), Point("dma1", 1)), 2)
BROKEN = {
    "read before write": program(LOAD, without_wait(WORK), STORE),
    "store before write": program(LOAD, WORK, without_wait(STORE)),
    "write before read": program(
        LOAD, WORK, STORE, without_wait(NEXT), end=(Point("dma1", 1), Point("dma0", 2)),
    ),
    "write before write": program(
        LOAD, WORK, STORE, NEXT, replace(AGAIN, waits=(Point("dma0", 2),)),
        end=(Point("dma1", 1), Point("core0", 2)),
    ),
    "no signal": program(replace(LOAD, signal=None), WORK, STORE),
    "no such queue": program(LOAD, replace(WORK, waits=(Point("dma7", 1),)), STORE),
    "each other": program(replace(LOAD, waits=(Point("core0", 1),)), WORK, STORE),
    "never written": program(replace(LOAD, writes=()), WORK, STORE),
    "something else": program(
        LOAD, replace(WORK, reads=(Operand(sram(0, 64), Span("input.x", 64, 128)),)), STORE
    ),
    "older": program(
        LOAD, WORK, STORE, replace(AGAIN, reads=(Operand(sram(0, 64), Y),), waits=(Point("dma1", 1),)),
        end=(Point("core0", 2),),
    ),
    "not stored": program(LOAD, WORK, replace(STORE, reads=())),
    "too early": program(LOAD, WORK, STORE, end=()),
    "falls": program(LOAD, WORK, STORE, replace(NEXT, signal=1), end=(Point("dma1", 1),)),
    "outside": replace(GOOD, sram_bytes=100),
}  # fmt: skip


def test_a_correct_program_has_no_hazard() -> None:
    assert check(GOOD) == []
    assert check(program(LOAD, WORK, STORE, NEXT, AGAIN, end=(Point("core0", 2),), results=())) == []


@pytest.mark.parametrize("name", BROKEN)
def test_messages(name: str, snapshot: SnapshotAssertion) -> None:
    hazards = check(BROKEN[name])
    assert hazards
    assert [str(hazard) for hazard in hazards] == snapshot


def test_every_code_occurs() -> None:
    found = {hazard.code for broken in BROKEN.values() for hazard in check(broken)}
    assert found == CODES.keys() - {"PA020"}


def test_the_order_of_commands_of_one_queue_is_no_fence() -> None:
    """Weakly ordered: the next command begins before this one has ended."""
    second = Command("compute", "tanh", "core0", 2, (OUT,), (Operand(sram(0, 64), X),), 10, signal=2)
    hazards = check(program(LOAD, WORK, STORE, second, end=(Point("dma1", 1), Point("core0", 2)), results=()))
    assert {(hazard.first, hazard.second) for hazard in hazards} >= {("gelu (core0)", "tanh (core0)")}


def test_a_wait_holds_for_all_that_comes_after_it_in_its_queue() -> None:
    second = Command(
        "compute", "tanh", "core0", 1, (IN,), (Operand(sram(192, 64), Span("arena", 0, 64)),), 10
    )
    both = program(LOAD, WORK, replace(second, signal=2), STORE, sram_bytes=256)
    assert check(replace(both, end=(Point("dma1", 1), Point("core0", 2)))) == []


def test_a_signal_stands_for_all_before_it_in_its_queue() -> None:
    other = Command(
        "load", "load more", "dma0", 1, writes=(Operand(sram(128, 64), Span("input.x", 64, 128)),)
    )
    work = replace(WORK, reads=(IN, other.writes[0]), waits=(Point("dma0", 2),))
    found = program(replace(LOAD, signal=None), replace(other, signal=2), work, STORE, sram_bytes=256)
    assert check(found) == []


def test_it_can_be_asked_about_what_the_lowering_makes() -> None:
    made = lower(layers(), Machine.parse("sram_kib=16,work_kib=4"), {})
    fences = list(made.fences())
    assert len(fences) > 10 and all("(" in what for what, _ in fences[:-1])
