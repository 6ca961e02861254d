"""Policies as compiled modules on one core, chunk by chunk: what the benchmarks of action chunks share.

Machine code comes from the cache of `polyrhythm.compile`, or is made once and kept there; the random
weights of large sizes lie beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from measure import cores

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.compile import ModuleSource, jax_frontend
from polyrhythm.compile.machine import compile_here
from polyrhythm.compile.policy import open_policy
from polyrhythm.compile.source import merge
from polyrhythm.compile.weights import as_arrays, write_weights
from polyrhythm.hal import Buffer, Call, Completion, Device, DeviceConfig, Executable, Queue, driver
from polyrhythm.memory import Arena, footprint

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES / "flow_policy"))

import flow_model  # noqa: E402
import policy  # noqa: E402

TIMEOUT_S = 600.0
_WAITED = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True)
class Ran:
    """From the end of one call to the end of the next, and how long others had the core meanwhile.

    A benchmark that compares a chunk with its parts has to leave out what other processes take: a long
    chunk is interrupted, a short stage is not.
    """

    wall_ns: int
    waited_ns: int

    @property
    def own_ns(self) -> int:
        """The time without the others'."""
        return self.wall_ns - self.waited_ns


def own_ms(ran: Sequence[Ran]) -> float:
    """All of them together, in milliseconds."""
    return sum(item.own_ns for item in ran) / 1e6


def _waited_ns() -> int:
    """How long this thread was ready to run and did not get a core, since it began."""
    try:
        return int(_WAITED.read_text().split()[1])
    except OSError:
        return 0  # a kernel without these numbers: wall clock it is


@dataclass
class Module:
    """A module on a device, with one array for every name: what one stage gives, the next one takes."""

    device: Device
    queue: Queue
    executable: Executable
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)

    def bind(self, names: Sequence[str]) -> None:
        """Memory for all tensors of these entries, and their calls."""
        entries = [self.executable.entries[name] for name in names]
        tensors = {t.name: t for entry in entries for t in (*entry.inputs, *entry.outputs)}
        # A step writes x and t while it reads them, so they alternate between two places.
        spare = [Tensor(f"{name}'", t.dtype, t.shape) for name, t in tensors.items() if name in ("x", "t")]
        wanted = [*tensors.values(), *spare]
        scratch = max(entry.scratch_bytes for entry in entries)
        arena = Arena(footprint([*wanted, scratch]), "benchmark")
        self.arrays = {tensor.name: arena.take("policy", "tensor", tensor) for tensor in wanted}
        buffers = {name: self.device.buffer(array) for name, array in self.arrays.items()}
        room = self.device.buffer(arena.take("policy", "scratch", scratch)) if scratch else None
        for entry in entries:
            for odd in (False, True):
                self.calls[entry.name + "'" * odd] = self._call(entry, buffers, room, odd)

    def _call(self, entry: Entry, buffers: Mapping[str, Buffer], room: Buffer | None, odd: bool) -> Call:
        """The entry, reading x and t from the first place or the second, and writing the other."""
        moving = {"x", "t"}
        steps = moving <= {tensor.name for tensor in entry.inputs}
        sources = [buffers[t.name + "'" * (odd and t.name in moving)] for t in entry.inputs]
        swapped = steps and not odd
        sinks = [buffers[t.name + "'" * (swapped and t.name in moving)] for t in entry.outputs]
        return self.executable.bind(entry.name, sources, sinks, room if entry.scratch_bytes else None)

    def chunk(
        self, first: Sequence[str], step: str, steps: int, every_step: Sequence[str] = ()
    ) -> list[Call]:
        """The calls of a chunk: `first`, then `steps` times `every_step` and the step, then ``finish``."""
        found = [self.calls[name] for name in first]
        for index in range(steps):
            found += [self.calls[name] for name in every_step]
            found.append(self.calls[step + "'" * (index % 2)])
        return [*found, self.calls["finish" + "'" * (steps % 2)]]

    def run(self, calls: Sequence[Call]) -> list[Ran]:
        """Run calls one after the other, after a first one that is not counted."""
        found: list[tuple[Completion, int]] = []
        done = threading.Event()

        def note(end: Completion) -> None:
            found.append((end, _waited_ns()))
            if len(found) > len(calls):
                done.set()

        for call in (self.calls["finish"], *calls):
            self.queue.submit(call, done=note)
        done.wait(TIMEOUT_S)
        if failed := [end.error for end, _ in found if end.error is not None]:
            raise SystemExit(failed[0])
        return [
            Ran(end.ended_ns - before.ended_ns, waited - waited_before)
            for (before, waited_before), (end, waited) in pairwise(found)
        ]


def load(source: ModuleSource, weights: Path, names: Sequence[str]) -> Module:
    """Compile (or find) the entries `names`, load them on the last core with `weights`, and bind them."""
    arrays = as_arrays(source.parameters, "policy")
    lowered = {name: jax_frontend.lower(source.entries[name], arrays, name) for name in names}
    merged = merge(lowered, arrays, where="policy")
    made = compile_here(merged.text, where="policy")
    entries = [
        Entry(name, tuple(lowered[name].inputs), merged.outputs[name], made.compiled.scratch_bytes[name])
        for name in names
    ]
    device = driver("iree").open(DeviceConfig("bench", "local-sync", (cores()[1],)))
    module = Module(device, device.queue(), device.load(made.path, entries, [weights]))
    module.bind(names)
    return module


def of_policy(description: Path, key: str, names: Sequence[str]) -> Module:
    """Entries of a module of a policy description, with its weights."""
    with open_policy(description) as found, tempfile.TemporaryDirectory() as place:
        source = found.modules[key]
        weights = Path(place, "weights.safetensors")
        write_weights(as_arrays(source.parameters, key), weights)
        return load(source, weights, names)


def drawn(size: str, names: Sequence[str]) -> Module:
    """`examples/flow_policy` with drawn weights and inputs: their values don't matter for the time."""
    shapes = flow_model.shapes(flow_model.SIZES[size])
    digest = zlib.crc32(repr(shapes).encode())
    path = cache_directory() / f"flow-policy-{size}-{digest:08x}.safetensors"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{os.getpid()}-{path.name}")
        write_weights(flow_model.init(flow_model.SIZES[size], 0), unfinished)
        unfinished.rename(path)
    # Lowering asks for shapes only, so these are never touched.
    source = policy.module(
        flow_model.SIZES[size], {name: np.empty(shape, np.float32) for name, shape in shapes.items()}
    )
    module = load(source, path, names)
    rng = np.random.default_rng(0)
    for array in module.arrays.values():
        if array.dtype == np.float32:
            array[...] = rng.random(array.shape, np.float32)
    return module
