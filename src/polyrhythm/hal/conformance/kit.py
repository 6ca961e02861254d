"""The entries that the conformance suite runs, and a device with memory to run them on.

``stages.mlir`` beside this file says exactly what each computes; in short:

=======  ==================================================================================================
`ADD`    ``sum = a + b``
`TWO`    ``first, second = c + x, c + y`` with ``c = GAIN * (x + 1)``; the gain is from a parameter file
`STEP`   ``next``: ``cache`` with row 3 replaced by ``row``, where the cache lies
`TWICE`  ``double = angle + angle``; a call fails with the message `NEGATIVE` if the angle is
`GRIND`  ``y``: ``x``, ``count`` times multiplied by ``x`` from the left, which takes as long as one likes
=======  ==================================================================================================

A driver need not have all: see `Kit`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import Buffer, Call, Capabilities, Device, Executable, Queue
from polyrhythm.hal.binding import aligned_zeros

#: All entries in one source, for compilers that understand StableHLO's surroundings in MLIR.
STAGES = Path(__file__).with_name("stages.mlir")
F64 = (64,)
CACHE = (256, 64)
SQUARE = (128, 128)


def f32(name: str, shape: tuple[int, ...] = F64) -> Tensor:
    """A tensor of float32."""
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
GRIND = Entry("grind", (f32("x", SQUARE), Tensor("count", "i32", ())), (f32("y", SQUARE),))
ENTRIES = (ADD, TWO, STEP, TWICE, GRIND)
#: For libraries that compute in f32 only, and have no tensors without axes.
TWICE_F32 = Entry("twice", (f32("angle", (1,)),), (f32("double", (1,)),))
#: For compilers without loops: as many products as one likes, some thirty, written out.
GRIND_LONG = replace(GRIND, inputs=GRIND.inputs[:1])
#: What `TWO` multiplies with.
GAIN = 3.0
NEGATIVE = "joint angle is negative"


@dataclass(frozen=True)
class Kit:
    """The entries of `ENTRIES` as a driver loads them.

    Entries may be without scratch, if the library has its own, and without `STEP`, if nothing is updated in
    place; `TWICE_F32` and `GRIND_LONG` may stand in for `TWICE` and `GRIND`.

    Attributes:
        artefact: the file that holds them.
        parameters: files of weights that it needs.
        entries: those that it has.
        allocated: tells the bytes that the device's allocator has given out since it was opened; None if it
            has no account.
        can: what the driver declares, and is held to.
        apart: a file for each entry by its name, for formats whose artefacts hold one; `artefact` is then any
            of them.
        shapeless: artefacts tell no shapes.
        chains: how many chains of two calls the suite runs.
    """

    artefact: Path
    parameters: Sequence[Path] = ()
    entries: Sequence[Entry] = ENTRIES
    allocated: Callable[[Device], int] | None = None
    can: Capabilities = field(default_factory=Capabilities)
    apart: Mapping[str, Path] = field(default_factory=dict)
    shapeless: bool = False
    chains: int = 10_000

    def file(self, entry: str) -> Path:
        """The artefact with an entry."""
        return self.apart.get(entry, self.artefact)


class Apart:
    """Executables of one entry each, as one."""

    def __init__(self, device: Device, kit: Kit) -> None:
        self._each = {e.name: device.load(kit.file(e.name), [e], kit.parameters) for e in kit.entries}
        self.entries: Mapping[str, Entry] = {name: one.entries[name] for name, one in self._each.items()}

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
        self.executable: Executable
        if kit.apart:
            self.executable = Apart(device, kit)
        else:
            self.executable = device.load(kit.artefact, kit.entries, kit.parameters)

    def array(self, tensor: Tensor, value: float = 0.0) -> np.ndarray:
        """Memory that a device may use, of a tensor, with one value everywhere."""
        array = aligned_zeros(tensor)
        array[...] = value
        return array

    def bind(self, entry: Entry, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Call:
        """A call over these arrays."""
        nbytes = self.executable.entries[entry.name].scratch_bytes
        scratch = self.scratch(nbytes) if nbytes else None
        return self.executable.bind(entry.name, self.views(inputs), self.views(outputs), scratch)

    def scratch(self, nbytes: int) -> Buffer:
        """As much as that."""
        return self.view(aligned_zeros(nbytes))

    def view(self, array: np.ndarray) -> Buffer:
        """The device's view of an array."""
        return self.device.buffer(array)

    def views(self, arrays: Sequence[np.ndarray]) -> list[Buffer]:
        """The device's views of arrays."""
        return [self.device.buffer(array) for array in arrays]

    def add(self, a: float = 1.0, b: float = 2.0) -> tuple[Call, np.ndarray]:
        """A call of `ADD`, and where its sum will be; -1 until then."""
        out = self.array(ADD.outputs[0], -1.0)
        return self.bind(ADD, [self.array(ADD.inputs[0], a), self.array(ADD.inputs[1], b)], [out]), out

    def told(self, queue: Queue) -> None:
        """Wait until `done` of all that was submitted has been called: that of one more comes last."""
        told = threading.Event()
        queue.submit(self.add()[0], done=lambda _: told.set())
        assert told.wait(60)

    def twice(self, angle: int) -> tuple[Call, np.ndarray, np.ndarray]:
        """A call of `TWICE`, its input and its output."""
        source = self.array(self.executable.entries["twice"].inputs[0], angle)
        call, out = self.again(source)
        return call, source, out

    def again(self, between: np.ndarray) -> tuple[Call, np.ndarray]:
        """`TWICE` of what another one gave."""
        entry = self.executable.entries["twice"]
        out = self.array(entry.outputs[0], -1)
        return self.bind(entry, [between], [out]), out

    def grind(self, count: int) -> Call:
        """A call that takes a while."""
        entry = self.executable.entries["grind"]
        values = (0.001, count)
        inputs = [self.array(tensor, value) for tensor, value in zip(entry.inputs, values, strict=False)]
        return self.bind(entry, inputs, [self.array(entry.outputs[0])])
