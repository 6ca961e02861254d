"""A simulated accelerator: the reference for whoever writes a driver for a real one.

Cores with an SRAM that they share, memory behind DMA channels, queues that promise nothing but what fences
say. `machine` has its figures, `program` its commands, `hazards` finds what a program lacks, `simulate` says
when everything happens, `lower` makes programs of what kernels work on (`work`), `placement` decides what
stays in SRAM between calls. All of these are pure: no clock, no threads, whole nanoseconds. The driver that
ties them together is `polyrhythm.hal.drivers.dsa`; ``docs/howto/write-a-driver.md`` builds it up from
nothing.
"""

from polyrhythm.hal.dsa.hazards import CODES as _OF_PROGRAMS
from polyrhythm.hal.dsa.hazards import Hazard, check, first_hazard
from polyrhythm.hal.dsa.lower import lower
from polyrhythm.hal.dsa.machine import KEYS, Machine, MachineError
from polyrhythm.hal.dsa.parts import DoesNotFit, parts_of
from polyrhythm.hal.dsa.placement import Candidate, Placement, Spilled, place
from polyrhythm.hal.dsa.program import Command, Operand, Point, Program
from polyrhythm.hal.dsa.ranges import SRAM, Span
from polyrhythm.hal.dsa.simulate import DRAM, Run, bounds_ns, run
from polyrhythm.hal.dsa.work import WorkEntry, WorkStep, read_work

#: What a device of this kind may say.
CODES = {**_OF_PROGRAMS, "PA020": "a stage that needs more SRAM at once than there is"}

__all__ = [
    "CODES",
    "DRAM",
    "KEYS",
    "SRAM",
    "Candidate",
    "Command",
    "DoesNotFit",
    "Hazard",
    "Machine",
    "MachineError",
    "Operand",
    "Placement",
    "Point",
    "Program",
    "Run",
    "Span",
    "Spilled",
    "WorkEntry",
    "WorkStep",
    "bounds_ns",
    "check",
    "first_hazard",
    "lower",
    "parts_of",
    "place",
    "read_work",
    "run",
]
