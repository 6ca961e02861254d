"""The entries that the conformance suite runs, and a device with memory to run them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Buffer, Call, Capabilities, Device, Executable
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

    `apart` has a file for each entry, for formats whose artefacts hold one; `artefact` is then any of them.
    `allocated` tells the bytes that the device's allocator has given out since it was opened; None if it has
    no account. `can` is what the driver declares. Entries may be without scratch, if the library has its own,
    and without `step`, if nothing is updated in place; `twice` may compute in f32, and `grind` may be without
    `count`. `shapeless`: artefacts tell no shapes.
    """

    artefact: Path
    parameters: Sequence[Path] = ()
    entries: Sequence[Entry] = ENTRIES
    allocated: Callable[[Device], int] | None = None
    can: Capabilities = field(default_factory=Capabilities)
    apart: Mapping[str, Path] = field(default_factory=dict)
    shapeless: bool = False
    #: How many chains of two calls the suite runs.
    chains: int = 10_000

    def file(self, entry: str) -> Path:
        """The artefact with an entry."""
        return self.apart.get(entry, self.artefact)


class Apart:
    """Executables of one entry each, as one."""

    def __init__(self, device: Device, kit: Kit) -> None:
        self._each = {e.name: device.load(kit.file(e.name), [e], kit.parameters) for e in kit.entries}
        self.entries = {name: found.entries[name] for name, found in self._each.items()}

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> Call:
        """Ask the one with that entry, or any."""
        one = self._each.get(entry) or next(iter(self._each.values()))
        return one.bind(entry, inputs, outputs, scratch)


class Bench:
    """A device with the kit loaded, and memory to give to it."""

    def __init__(self, device: Device, kit: Kit) -> None:
        self.device = device
        self.executable: Executable = (
            Apart(device, kit) if kit.apart else device.load(kit.artefact, kit.entries, kit.parameters)
        )
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
        entry = self.executable.entries["twice"]
        source, out = self.array(entry.inputs[0], angle), self.array(entry.outputs[0], -1)
        return self.bind(entry, [source], [out]), source, out

    def again(self, between: np.ndarray) -> tuple[Call, np.ndarray]:
        """`twice` of what another one gave."""
        entry = self.executable.entries["twice"]
        out = self.array(entry.outputs[0], -1)
        return self.bind(entry, [between], [out]), out

    def grind(self, count: int) -> Call:
        entry = self.executable.entries["grind"]
        values = (0.001, count)
        inputs = [self.array(tensor, value) for tensor, value in zip(entry.inputs, values, strict=False)]
        return self.bind(entry, inputs, [self.array(entry.outputs[0])])
