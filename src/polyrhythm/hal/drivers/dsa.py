"""A simulated accelerator: it computes on the host, by static plans, and takes the time that its model says.

The URI has its figures, as many as differ from the defaults (`polyrhythm.hal.dsa.KEYS`)::

    devices:
      npu: { driver: dsa, uri: "cores=4,sram_kib=2048,dram_gbps=50" }

The first time that a call is used, it is lowered to a program of transfers, launches and fences, which is
checked for hazards and simulated. Virtual time takes a call's duration from there
(`polyrhythm.hal.modelled`); in real time a call ends when the model says, or when the host has computed it if
that is later. What calls of this device alone touch, and weights, stay in SRAM between calls as far as they
fit: `DsaDevice.placement` says which, `DsaDevice.account` what was moved. What has got its place, or none,
keeps it as long as it lives. One call at a time has the whole device: what two queues would do to each other
is not modelled.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from threading import Lock
from time import monotonic_ns, sleep
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Buffer, Call, Capabilities, DeviceConfig, HalError
from polyrhythm.hal.binding import address
from polyrhythm.hal.drivers import static
from polyrhythm.hal.dsa import (
    KEYS,
    Candidate,
    DoesNotFit,
    Machine,
    MachineError,
    Placement,
    Program,
    Run,
    Spilled,
    WorkEntry,
    check,
    lower,
    parts_of,
    place,
    read_work,
    run,
)
from polyrhythm.hal.dsa.work import ARENA
from polyrhythm.hal.local import CLOSE_GRACE_NS, HostBuffer
from polyrhythm.hal.timeline import HostTimeline
from polyrhythm.hal.worker import WorkerQueue, close_all

#: Kinds of memory that a module has for itself and only reads once it is loaded.
KEPT = ("weight", "packed", "state", "data")


class DsaBuffer(HostBuffer):
    """See `polyrhythm.hal.api.Buffer`. `private`: the host never looks at it, so it may stay in SRAM."""

    __slots__ = ("__weakref__", "private")

    def __init__(self, owner: object, array: np.ndarray, private: bool) -> None:
        super().__init__(owner, array)
        self.private = private


@dataclass(frozen=True, slots=True)
class Timed:
    """A call as the accelerator carries it out, and what that is like."""

    program: Program
    run: Run


@dataclass(frozen=True, slots=True)
class Moved:
    """What the calls of an entry were like, all together; `traffic` are bytes over the DMA channels by
    memory."""

    calls: int
    took_ns: int
    traffic: Mapping[str, int]

    @property
    def dram_bytes(self) -> int:
        """Bytes over the DMA channels."""
        return sum(self.traffic.values())


class Unpaced:
    """A call that ends as soon as the host has computed it: for virtual time."""

    __slots__ = ("_call", "entry", "owner")

    def __init__(self, call: DsaCall) -> None:
        self._call, self.entry, self.owner = call, call.entry, call.owner

    def run(self, key: int) -> None:
        """See `polyrhythm.hal.worker.RunnableCall`."""
        self._call.compute(key)


class DsaCall:
    """See `polyrhythm.hal.api.ModelledCall`."""

    def __init__(
        self, device: DsaDevice, executable: DsaExecutable, host: static.StaticCall, names: Mapping[str, str]
    ) -> None:
        self.entry, self.owner = host.entry, host.owner
        self.work, self.known = executable.work[host.entry.name], executable.known
        #: What the memories of the entry that may stay in SRAM are called on the device.
        self.names = names
        self.unpaced: Call = Unpaced(self)
        self._host, self._sram = host, device.sram
        self._timed: Timed | None = None

    @property
    def timed(self) -> Timed:
        """Its program and its time; from the first look on it is settled what stays in SRAM for it."""
        if self._timed is None:
            self._timed = self._sram.timed(self)
        return self._timed

    @property
    def modelled_ns(self) -> int:
        """How long the accelerator takes."""
        return self.timed.run.took_ns

    def run(self, key: int) -> None:
        """Compute, and wait for the accelerator, which is not there."""
        until_ns = monotonic_ns() + self.modelled_ns
        self.compute(key)
        while (left_ns := until_ns - monotonic_ns()) > 0:
            sleep(left_ns / 1e9)

    def compute(self, key: int) -> None:
        """Compute on the host; it counts as a run."""
        timed = self.timed
        self._host.run(key)
        self._sram.count(self.entry.name, timed.run)


class Sram:
    """What stays in SRAM, and what the calls of a device are like. Safe from any thread."""

    def __init__(self, name: str, machine: Machine) -> None:
        self._name, self._machine = name, machine
        self._lock = Lock()
        self._calls: weakref.WeakSet[DsaCall] = weakref.WeakSet()
        self._names: dict[str, str] = {}
        self._places: dict[str, tuple[int, int]] = {}
        self._spilled: dict[str, Spilled] = {}
        self._new = False
        self._moved: dict[str, Moved] = {}

    def name(self, tensor: str, array: np.ndarray) -> str:
        """What private memory is called: as the first tensor that was bound to it."""
        at = f"{address(array):x}+{array.nbytes}"
        with self._lock:
            return self._names.setdefault(at, f"{tensor}@{at}")

    def add(self, call: DsaCall) -> None:
        """A call was bound."""
        with self._lock:
            self._calls.add(call)
            self._new = True

    def placement(self) -> Placement:
        """What stays and what does not."""
        with self._lock:
            self._settle()
            spilled = sorted(self._spilled.values(), key=lambda item: -item.moved_bytes)
            return Placement({name: at for name, (at, _) in self._places.items()}, tuple(spilled))

    def timed(self, call: DsaCall) -> Timed:
        """See `DsaCall.timed`."""
        with self._lock:
            self._settle()
            held = tuple(
                (local, self._places[name][0]) for local, name in call.names.items() if name in self._places
            )
            key = call.entry.name, held
            if key not in call.known:
                call.known[key] = self._model(call.work, dict(held))
            return call.known[key]

    def foreseen(self) -> dict[str, int]:
        """See `DsaDevice.foreseen`."""
        with self._lock:
            self._settle()
            found: dict[str, int] = {}
            for call in self._calls:
                moved = sum(
                    call.work.moved_bytes(memory)
                    for memory in call.work.memories
                    if memory != ARENA and call.names.get(memory) not in self._places
                )
                found[call.entry.name] = max(found.get(call.entry.name, 0), moved)
            return found

    def count(self, entry: str, run: Run) -> None:
        """A call has run."""
        with self._lock:
            before = self._moved.get(entry, Moved(0, 0, {}))
            traffic = Counter(before.traffic)
            traffic.update(run.traffic)
            self._moved[entry] = Moved(before.calls + 1, before.took_ns + run.took_ns, dict(traffic))

    def account(self) -> dict[str, Moved]:
        """See `DsaDevice.account`."""
        with self._lock:
            return dict(self._moved)

    def _settle(self) -> None:
        """Find places for what is new."""
        if not self._new:
            return
        self._new = False
        # Nobody can use any more what no call is bound to: its place is free again.
        alive = {name for call in self._calls for name in call.names.values()}
        known: dict[str, Any]
        for known in (self._places, self._spilled):
            for name in known.keys() - alive:
                del known[name]
        self._names = {at: name for at, name in self._names.items() if name in alive}
        moved: Counter[str] = Counter()
        sizes: dict[str, int] = {}
        for call in self._calls:
            for local, name in call.names.items():
                if name not in self._places and name not in self._spilled:
                    sizes[name] = call.work.memories[local]
                    moved[name] += call.work.moved_bytes(local)
        found = place(
            [Candidate(name, nbytes, moved[name]) for name, nbytes in sizes.items()],
            self._machine,
            self._places,
        )
        self._places |= {name: (at, sizes[name]) for name, at in found.held.items()}
        self._spilled |= {item.memory: item for item in found.spilled}

    def _model(self, work: WorkEntry, held: Mapping[str, int]) -> Timed:
        program = lower(work, self._machine, held)
        if hazards := check(program):
            raise HalError(f"{work.name} on device {self._name!r}: {hazards[0]}")
        return Timed(program, run(program, self._machine))


class DsaExecutable:
    """See `polyrhythm.hal.api.Executable`."""

    def __init__(self, device: DsaDevice, host: static.StaticExecutable, number: int) -> None:
        artefact = host.module.artefact
        self.entries = host.entries
        self.work = read_work(artefact.with_suffix(".work.json"))
        #: Programs by entry and by what stays where in SRAM.
        self.known: dict[tuple[str, tuple[tuple[str, int], ...]], Timed] = {}
        self._device, self._host, self._number = device, host, number
        self._fitting: set[str] = set()
        if missing := [name for name in self.entries if name not in self.work]:
            raise HalError(f"{artefact}: nothing says what the kernels of {missing[0]} work on")

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> DsaCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        host = self._host.bind(entry, inputs, outputs, scratch)
        names: dict[str, str] = {}
        for kind, tensors, buffers in (
            ("input", host.entry.inputs, inputs),
            ("output", host.entry.outputs, outputs),
        ):
            for tensor, buffer in zip(tensors, buffers, strict=True):
                if isinstance(buffer, DsaBuffer) and buffer.private:
                    names[f"{kind}.{tensor.name}"] = self._device.sram.name(tensor.name, buffer.array)
        for memory in self.work[entry].memories:
            if memory.partition(".")[0] in KEPT:
                names[memory] = f"{memory}@{self._number}"
        memories = self.work[entry].memories
        self._fits(entry)
        call = DsaCall(self._device, self, host, {m: n for m, n in names.items() if m in memories})
        self._device.sram.add(call)
        return call

    def zero_copy(self, entry: str) -> bool:
        """A call writes its outputs straight into the caller's memory, always."""
        return entry in self.entries

    def _fits(self, entry: str) -> None:
        if entry in self._fitting:
            return
        machine = self._device.machine
        try:
            parts_of(self.work[entry], machine, (), machine.work_bytes)
        except DoesNotFit as problem:
            raise HalError(
                f"PA020: {entry!r}: {problem}, and device {self._device.name!r} has {machine.work_bytes} for "
                "what a call works on: give it more `work_kib`"
            ) from None
        self._fitting.add(entry)


class DsaDevice:
    """See `polyrhythm.hal.api.Device`."""

    def __init__(self, config: DeviceConfig) -> None:
        try:
            self.machine = Machine.parse(config.uri)
        except MachineError as problem:
            raise HalError(f"device {config.name!r}: {problem}: {problem.mend}") from None
        self._host = static.StaticDevice(replace(config, uri=static.ALONE))
        self.name, self.uri = config.name, config.uri
        self.sram = Sram(config.name, self.machine)
        self._config = config
        self._queues: weakref.WeakSet[WorkerQueue] = weakref.WeakSet()
        self._made = count(1)
        self._loaded = count(1)

    def queue(self) -> WorkerQueue:
        """See `polyrhythm.hal.api.Device.queue`."""
        name, config = f"{self.name}.{next(self._made)}", self._config
        queue = WorkerQueue(name, config.cores, self._host.token, ranks=config.ranks)
        self._queues.add(queue)
        return queue

    def timeline(self) -> HostTimeline:
        """See `polyrhythm.hal.api.Device.timeline`."""
        return HostTimeline(f"{self.name}.host")

    def buffer(self, array: np.ndarray) -> DsaBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return DsaBuffer(self._host.token, array, private=False)

    def private_buffer(self, array: np.ndarray) -> DsaBuffer:
        """See `polyrhythm.hal.private_buffer`."""
        return DsaBuffer(self._host.token, array, private=True)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> DsaExecutable:
        """See `polyrhythm.hal.api.Device.load`; the artefact is a plan, with its work beside it."""
        return DsaExecutable(self, self._host.load(artefact, entries, parameters), next(self._loaded))

    def placement(self) -> Placement:
        """What stays in SRAM of all that calls are bound to, and what does not, by names on this device."""
        return self.sram.placement()

    def foreseen(self) -> dict[str, int]:
        """What a call of every entry will move over the DMA channels, in bytes, as the placement has it.

        Each byte that does not stay in SRAM once, whatever lives within a call only not at all. A run moves
        more if what a call works on does not fit together; `account` says what was moved.
        """
        return self.sram.foreseen()

    def account(self) -> dict[str, Moved]:
        """What the calls of every entry were like so far."""
        return self.sram.account()

    def close(self) -> None:
        """See `polyrhythm.hal.api.Device.close`; leaves hung queues behind after `CLOSE_GRACE_NS`."""
        close_all(self._queues, CLOSE_GRACE_NS)


class DsaDriver:
    """See `polyrhythm.hal.api.Driver`."""

    name = "dsa"
    formats: tuple[str, ...] = ("iree",)  # made into plans, in the compile room
    package = ""
    capabilities = Capabilities(
        failures=False, note="a simulated accelerator: it computes on the host, and its time is a model's"
    )

    def open(self, config: DeviceConfig) -> DsaDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        return DsaDevice(config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`: the defaults, written out."""
        static.driver.available()
        return (",".join(f"{name}={key.default}" for name, key in KEYS.items() if key.default),)


driver = DsaDriver()
