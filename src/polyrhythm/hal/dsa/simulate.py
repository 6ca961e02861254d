"""When everything happens: a program on a machine, event by event, on a clock of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from polyrhythm.hal.dsa.machine import Machine
from polyrhythm.hal.dsa.program import Point, Program

#: The memory behind the channels, as something that is busy.
DRAM = "dram"


class Ran(NamedTuple):
    """When a command was at work, in ns from the beginning of the call."""

    began_ns: int
    ended_ns: int


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of a program was like.

    `commands` in the order of the program; `busy_ns` by core, and of `DRAM`; `traffic`: bytes that went over
    the DMA channels by memory.
    """

    took_ns: int
    commands: tuple[Ran, ...]
    busy_ns: Mapping[str, int]
    traffic: Mapping[str, int]

    @property
    def dram_bytes(self) -> int:
        """Bytes over the DMA channels."""
        return sum(self.traffic.values())


def run(program: Program, machine: Machine) -> Run:
    """Run a correct program (see `hazards.check`).

    A command is taken by its queue when the one before it has been and all its points are reached, begins
    `Machine.setup_ns` later, when its core, or the memory, is free, and then is at work without a pause.
    Transfers take turns at the memory in the order in which they are ready; of those that are ready at once,
    the one comes first that was given first.
    """
    queues: dict[str, list[int]] = {}
    for index, command in enumerate(program.commands):
        queues.setdefault(command.queue, []).append(index)
    heads = dict.fromkeys(queues, 0)
    taken_ns = dict.fromkeys(queues, 0)
    free_ns: Counter[str] = Counter()
    busy_ns: Counter[str] = Counter()
    traffic: Counter[str] = Counter()
    reached_ns: dict[Point, int] = {}
    all_ended_ns = dict.fromkeys(queues, 0)
    ran = [Ran(0, 0)] * len(program.commands)
    for _ in program.commands:
        ready = []
        for queue, indices in queues.items():
            if heads[queue] < len(indices):
                command = program.commands[indices[heads[queue]]]
                if all(point in reached_ns for point in command.waits):
                    from_ns = max([taken_ns[queue], *(reached_ns[point] for point in command.waits)])
                    ready.append((from_ns + machine.setup_ns(command), indices[heads[queue]]))
        ready_ns, index = min(ready)
        command = program.commands[index]
        resource = command.queue if command.kind == "compute" else DRAM
        if command.kind == "compute":
            work_ns = machine.compute_ns(command.flops, command.nbytes)
        else:
            work_ns = machine.transfer_ns(command.nbytes)
            for operand in (*command.reads, *command.writes):
                traffic[operand.meaning.memory] += operand.place.nbytes
        began_ns = max(ready_ns, free_ns[resource])
        ran[index] = Ran(began_ns, began_ns + work_ns)
        free_ns[resource] = ran[index].ended_ns
        busy_ns[resource] += work_ns
        taken_ns[command.queue] = ready_ns
        heads[command.queue] += 1
        all_ended_ns[command.queue] = max(all_ended_ns[command.queue], ran[index].ended_ns)
        if command.signal is not None:
            reached_ns[Point(command.queue, command.signal)] = all_ended_ns[command.queue]
    return Run(max((item.ended_ns for item in ran), default=0), tuple(ran), dict(busy_ns), dict(traffic))


def bounds_ns(program: Program, machine: Machine) -> dict[str, int]:
    """What no run can take less than: all transfers at the memory's rate, all operations at the peak rate."""
    moved = sum(command.nbytes for command in program.commands if command.kind != "compute")
    flops = sum(command.flops for command in program.commands)
    return {
        DRAM: machine.transfer_ns(moved),
        "peak": -(-flops * machine.flop_rate.denominator // machine.flop_rate.numerator),
    }
