"""When things happen: overlap, turns at the memory, order within a queue."""

from __future__ import annotations

from dataclasses import replace

from polyrhythm.hal.dsa import DRAM, Machine, Point, Program, bounds_ns, run
from polyrhythm.hal.dsa.simulate import Ran

from .test_hazards import GOOD, LOAD, WORK, program

MACHINE = Machine.parse("cores=1,dram_gbps=0.5,gflops=0.1,sram_gbps=1000,launch_ns=10,dma_ns=5")


def test_one_after_the_other() -> None:
    """Load: 5 + 64 / 0.5; kernel: 10 + 10 / 0.1; store: 5 + 64 / 0.5."""
    found = run(GOOD, MACHINE)
    assert found.commands == (Ran(5, 133), Ran(143, 243), Ran(248, 376))
    assert found.took_ns == 376
    assert found.busy_ns == {DRAM: 256, "core0": 100}
    assert found.traffic == {"input.x": 64, "output.y": 64} and found.dram_bytes == 128
    assert bounds_ns(GOOD, MACHINE) == {DRAM: 256, "peak": 100}


def test_setting_up_the_next_one_costs_nothing_while_this_one_runs() -> None:
    second = replace(WORK, name="tanh", waits=(), signal=2)
    found = run(program(LOAD, WORK, second), MACHINE)
    assert found.commands[1:] == (Ran(143, 243), Ran(243, 343))


def test_channels_take_turns_in_the_order_in_which_they_are_ready() -> None:
    loads = [replace(LOAD, queue=f"dma{i}", name=f"load {i}", signal=1) for i in (0, 1)]
    found = run(Program((loads[1], loads[0]), ()), MACHINE)
    assert found.commands == (Ran(5, 133), Ran(133, 261))


def test_a_queue_whose_head_waits_lets_nobody_by() -> None:
    first = replace(LOAD, queue="dma1")
    blocked = replace(LOAD, waits=(Point("dma1", 1),), signal=1)
    free = replace(LOAD, name="load more", signal=2)
    found = run(Program((first, blocked, free), ()), MACHINE)
    assert found.commands == (Ran(5, 133), Ran(138, 266), Ran(266, 394))


def test_nothing_takes_no_time() -> None:
    assert run(Program((), ()), MACHINE).took_ns == 0
