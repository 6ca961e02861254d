"""What stays in SRAM between calls, what does not, and what that costs.

A candidate is memory that outlives a call and that nobody but calls of this device touches: what one stage
hands to the next (a prefix's keys and values), or weights. Kept in SRAM it is never moved; spilled, every
call that uses it moves it. So what a candidate saves is known before anything runs, and the ones that save
most for each byte that they take are kept, as long as they fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from polyrhythm.hal.dsa.machine import Machine

ALIGNMENT = 64


@dataclass(frozen=True, slots=True)
class Candidate:
    """Memory that could stay: its size, and the bytes that calls move of it if it does not."""

    memory: str
    nbytes: int
    moved_bytes: int


@dataclass(frozen=True, slots=True)
class Spilled:
    """A candidate that does not stay: the bytes that move for it, and how long the memory is busy with
    them."""

    memory: str
    nbytes: int
    moved_bytes: int
    dram_ns: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where in SRAM memories stay, by address; and which ones don't, the costliest first."""

    held: Mapping[str, int]
    spilled: tuple[Spilled, ...]

    def explain(self) -> list[str]:
        """What is spilled, one line each."""
        return [
            f"{item.memory} ({item.nbytes} B) does not fit: {item.moved_bytes} B to and fro, "
            f"{item.dram_ns} ns of the memory's time"
            for item in self.spilled
        ]


def place(
    candidates: Iterable[Candidate], machine: Machine, held: Mapping[str, tuple[int, int]] | None = None
) -> Placement:
    """Choose what stays in the SRAM behind the first `machine.work_bytes`.

    Args:
        candidates: each memory once.
        held: what stays there already, address and size by memory; it is not moved.
    """
    taken = sorted((held or {}).values())
    found: dict[str, int] = {}
    spilled = []
    order = sorted(candidates, key=lambda c: (-c.moved_bytes / max(c.nbytes, 1), c.nbytes, c.memory))
    for candidate in order:
        address = _room(candidate.nbytes, machine, taken) if candidate.moved_bytes else None
        if address is not None:
            found[candidate.memory] = address
            taken = sorted([*taken, (address, candidate.nbytes)])
        elif candidate.moved_bytes:
            busy_ns = machine.transfer_ns(candidate.moved_bytes)
            spilled.append(Spilled(candidate.memory, candidate.nbytes, candidate.moved_bytes, busy_ns))
    return Placement(found, tuple(sorted(spilled, key=lambda item: (-item.moved_bytes, item.memory))))


def _room(nbytes: int, machine: Machine, taken: Iterable[tuple[int, int]]) -> int | None:
    """The lowest address with so much room."""
    address = -(-machine.work_bytes // ALIGNMENT) * ALIGNMENT
    for start, size in taken:
        if address + nbytes <= start:
            return address
        address = max(address, -(-(start + size) // ALIGNMENT) * ALIGNMENT)
    return address if address + nbytes <= machine.sram_bytes else None
