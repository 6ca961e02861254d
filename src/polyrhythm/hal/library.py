"""Drivers for inference libraries that run in this process and block while they compute: all but the library.

What is left for such a driver is a `Program`: how the library loads an artefact, and how it runs it once::

    driver = LibraryDriver("ncnn", module="ncnn", package="ncnn", formats=("ncnn",),
                           load=NcnnProgram, capabilities=Capabilities(...))

The URI is ``cpu``: a call computes with as many threads as the device has ``cores``, with one if none are
named. A library that reaches other devices has more.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Buffer, Capabilities, DeviceConfig, HalError
from polyrhythm.hal.binding import check_call
from polyrhythm.hal.local import HostBuffer, LocalDevice, PerQueue, check_owner
from polyrhythm.hal.ports import Signature, one_entry, orders
from polyrhythm.hal.priority import ranked
from polyrhythm.hal.worker import first_line

CPU = "cpu"


#: Runs an entry once, in the thread of the queue with that key; an exception is the failure of the call.
Run = Callable[[int], None]


class Program(Protocol):
    """An artefact that a library has loaded."""

    signatures: Mapping[str, Signature]

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """A run over these arrays, which are in the order of the signature and outlive it.

        The arrays fit the signature and don't overlap.
        """
        ...

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        ...


#: Makes a program of an artefact and its parameter files, for a device. Shapes that the artefact leaves open
#: are those of the entries.
Load = Callable[[Path, Sequence[Path], Sequence[Entry], DeviceConfig], Program]


def threads(config: DeviceConfig) -> int:
    """With how many threads a device computes."""
    return max(1, len(config.cores))


@contextmanager
def placed(config: DeviceConfig) -> Iterator[None]:
    """Threads that are made in here have the cores and the priority of those that compute for the device."""
    before = os.sched_getaffinity(0)
    with ranked(None if config.ranks is None else config.ranks.compute):
        try:
            if config.cores:
                os.sched_setaffinity(0, config.cores)
            yield
        finally:
            os.sched_setaffinity(0, before)


class _Redirected:
    """Standard output of this process while it goes to standard error, for as many as ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._uses = 0
        self._kept = -1

    def __enter__(self) -> None:
        with self._lock:
            if not self._uses:
                self._kept = os.dup(1)
                os.dup2(2, 1)
            self._uses += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._uses -= 1
            if not self._uses:
                os.dup2(self._kept, 1)
                os.close(self._kept)


_redirected = _Redirected()


#: What drivers can do whose library has one graph an artefact, and tensors of its own.
COPIES = Capabilities(
    zero_copy_inputs=False,
    caller_owned_outputs=False,
    several_entries=False,
    in_place=False,
    failures=False,
)


class Session(Protocol):
    """What of a library one thread may use at a time, with tensors of its own."""

    @property
    def signature(self) -> Signature:
        """What the graph takes and gives."""
        ...

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Copies in, computes, copies out."""
        ...


class Sessions:
    """A `Program` of a library whose sessions copy, one for each queue."""

    def __init__(self, artefact: Path, entries: Sequence[Entry], make: Callable[[], Session]) -> None:
        self._sessions = PerQueue(make)
        self.signatures = one_entry(artefact.stem, entries, self._sessions.spare.signature)

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """Runs the session of the queue on these arrays."""
        session = self._sessions.get

        def run(key: int) -> None:
            session(key).run(inputs, outputs)

        return run

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        self._sessions.forget(key)


@contextmanager
def no_greetings() -> Iterator[None]:
    """What libraries print goes to standard error: on standard output, ours may be JSON. From any thread."""
    if sys.stdout is None:
        yield
        return
    sys.stdout.flush()
    with _redirected:
        yield


class LibraryCall:
    """See `polyrhythm.hal.api.Call`. Run it on one queue at a time: it is one set of memory."""

    __slots__ = ("_keep", "_run", "entry", "owner")

    def __init__(self, owner: object, entry: Entry, run: Run, keep: tuple[object, ...]) -> None:
        self.owner, self.entry, self._run, self._keep = owner, entry, run, keep

    def run(self, key: int) -> None:
        """Run to the end; raises what the library raises."""
        self._run(key)


class LibraryExecutable:
    """See `polyrhythm.hal.api.Executable`."""

    def __init__(
        self, device: LibraryDevice, artefact: Path, entries: Sequence[Entry], program: Program
    ) -> None:
        self._program, self._token, self._device = program, device.token, device.name
        self._artefact = artefact.name
        try:
            self._orders = {entry.name: orders(entry, program.signatures) for entry in entries}
        except HalError as problem:
            raise HalError(f"{artefact}: {problem}") from None
        self.entries: Mapping[str, Entry] = {entry.name: entry for entry in entries}

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> LibraryCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        signature = self.entries.get(entry)
        if signature is None:
            known = ", ".join(self.entries) or "none"
            raise HalError(f"{self._artefact} was loaded without entry {entry!r}; loaded are: {known}")
        check_call(signature, inputs, outputs, scratch, {})
        check_owner(self._token, self._device, signature, inputs, outputs)
        sources, sinks = self._orders[entry]
        arrays = [inputs[i].array for i in sources], [outputs[i].array for i in sinks]
        try:
            run = self._program.bind(entry, *arrays)
        except HalError:
            raise
        except Exception as problem:
            raise HalError(
                f"{entry!r} of {self._artefact} can't be bound: {first_line(problem)}"
            ) from problem
        return LibraryCall(self._token, signature, run, (self, *arrays))

    def forget(self, key: int) -> None:
        """See `polyrhythm.hal.local.Forgets`."""
        self._program.forget(key)


class LibraryDevice(LocalDevice):
    """See `polyrhythm.hal.api.Device`."""

    def __init__(self, driver: LibraryDriver, config: DeviceConfig) -> None:
        super().__init__(config, pooled=threads(config) > 1 or config.uri != CPU)
        self._driver, self._config = driver, config
        if driver.makes_threads:
            self.cores = config.cores[:1]

    def buffer(self, array: np.ndarray) -> HostBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return HostBuffer(self.token, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> LibraryExecutable:
        """See `polyrhythm.hal.api.Device.load`."""
        for file in (artefact, *parameters):
            if not file.is_file():
                raise HalError(f"{file} can't be read: there is no such file")
        try:
            with placed(self._config), no_greetings():
                program = self._driver.load(artefact, parameters, entries, self._config)
        except HalError:
            raise
        except Exception as problem:
            kinds = " or ".join(self._driver.formats)
            raise HalError(
                f"{artefact} does not load as {kinds} with the driver {self._driver.name!r}: "
                f"{first_line(problem)}"
            ) from problem
        executable = LibraryExecutable(self, artefact, entries, program)
        self.tell_ends(executable)
        return executable


@dataclass(frozen=True)
class LibraryDriver:
    """See `polyrhythm.hal.api.Driver`.

    Attributes:
        module: what Python imports the library as, only when a device is opened.
        package: the distribution that has it; the extra of Polyrhythm that brings it has the driver's name.
        formats: which artefacts it takes.
        endings: of their files, where these are not the names of the formats (`polyrhythm.hal.api.endings`).
        load: makes a `Program`; what it raises is why the artefact does not load.
        more_uris: URIs beside ``cpu``.
        check_uri: instead of looking whether the URI is one of those; raises `HalError`.
        makes_threads: a library that loads makes threads for the other cores, and the queue's has the first.
    """

    name: str
    module: str
    package: str
    formats: tuple[str, ...]
    capabilities: Capabilities
    load: Load
    endings: Mapping[str, str] = field(default_factory=dict)
    more_uris: Callable[[], tuple[str, ...]] = tuple
    check_uri: Callable[[DeviceConfig], object] | None = None
    makes_threads: bool = False

    def open(self, config: DeviceConfig) -> LibraryDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        known = self.available()
        if self.check_uri is not None:
            self.check_uri(config)
        elif config.uri not in known:
            raise HalError(
                f"device {config.name!r}: {config.uri!r} does not open here; there are: {', '.join(known)}"
            )
        return LibraryDevice(self, config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`."""
        try:
            with no_greetings():
                import_module(self.module)
                return (CPU, *self.more_uris())
        except ImportError as problem:
            raise HalError(
                f"the driver {self.name!r} needs {self.package}: {problem}; "
                f"pip install 'polyrhythm[{self.name}]'"
            ) from problem
        except Exception as problem:
            raise HalError(
                f"the driver {self.name!r} needs {self.package}, which does not start here: "
                f"{first_line(problem)}"
            ) from problem
