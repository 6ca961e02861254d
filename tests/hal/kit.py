"""The entries that the conformance suite runs, and a device with memory to run them on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Buffer, Call, Device, Executable
from polyrhythm.memory import Arena

F64 = (64,)
CACHE = (256, 64)
GRIND = (128, 128)


def f32(name: str, shape: tuple[int, ...] = F64) -> Tensor:
    return Tensor(name, "f32", shape)


ADD = Entry("add", (f32("a"), f32("b")), (f32("sum"),))
TWO = Entry("two", (f32("x"), f32("y")), (f32("first"), f32("second")), scratch_bytes=512)
STEP = Entry(
    "step",
    (f32("cache", CACHE), f32("row", (1, 64))),
    (f32("next", CACHE),),
    consumed=frozenset({"cache"}),
)
TWICE = Entry("twice", (Tensor("angle", "i32", ()),), (Tensor("double", "i32", ()),))
GRIND_ENTRY = Entry("grind", (f32("x", GRIND), Tensor("count", "i32", ())), (f32("y", GRIND),))
ENTRIES = (ADD, TWO, STEP, TWICE, GRIND_ENTRY)
#: What `two` multiplies with, from a parameter file.
GAIN = 3.0
NEGATIVE = "joint angle is negative"


@dataclass(frozen=True)
class Kit:
    """The entries of `ENTRIES` as a driver loads them.

    `allocated` tells the bytes that the device's allocator has given out since it was opened; None if it
    keeps no account. `lacks` names what the driver's devices can't do: ``failures`` (a call that looks at its
    input and fails).
    """

    artefact: Path
    parameters: Sequence[Path] = ()
    entries: Sequence[Entry] = ENTRIES
    allocated: Callable[[Device], int] | None = None
    lacks: frozenset[str] = frozenset()


class Bench:
    """A device with the kit loaded, and memory to give to it."""

    def __init__(self, device: Device, kit: Kit) -> None:
        self.device = device
        self.executable: Executable = device.load(kit.artefact, kit.entries, kit.parameters)
        self.arena = Arena(1 << 23)

    def array(self, tensor: Tensor, value: float = 0.0) -> np.ndarray:
        array = self.arena.take("test", "tensor", tensor)
        array[...] = value
        return array

    def bind(self, entry: Entry, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Call:
        """A call over these arrays."""
        scratch, nbytes = None, self.executable.entries[entry.name].scratch_bytes
        if nbytes:
            scratch = self.view(self.arena.take("test", "scratch", nbytes))
        return self.executable.bind(entry.name, self.views(inputs), self.views(outputs), scratch)

    def view(self, array: np.ndarray) -> Buffer:
        return self.device.buffer(array)

    def views(self, arrays: Sequence[np.ndarray]) -> list[Buffer]:
        return [self.device.buffer(array) for array in arrays]

    def add(self, a: float = 1.0, b: float = 2.0) -> tuple[Call, np.ndarray]:
        out = self.array(ADD.outputs[0], -1.0)
        return self.bind(ADD, [self.array(ADD.inputs[0], a), self.array(ADD.inputs[1], b)], [out]), out

    def twice(self, angle: int) -> tuple[Call, np.ndarray, np.ndarray]:
        source, out = self.array(TWICE.inputs[0], angle), self.array(TWICE.outputs[0], -1)
        return self.bind(TWICE, [source], [out]), source, out

    def grind(self, count: int) -> Call:
        x = self.array(GRIND_ENTRY.inputs[0], 0.001)
        return self.bind(
            GRIND_ENTRY, [x, self.array(GRIND_ENTRY.inputs[1], count)], [self.array(GRIND_ENTRY.outputs[0])]
        )
