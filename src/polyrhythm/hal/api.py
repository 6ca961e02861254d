"""The hardware abstraction: what a driver promises, as small protocols.

A **device** owns memory views, executables and one or more **queues**. A queue is first-in first-out: it
runs one call after the other. Every submission advances the queue's **timeline** by one; a **fence** is a
set of (timeline, value) points that must all be reached. A point is reached exactly once, either signalled
or failed with a message, and waiting on a failed point raises `StageError` with that message.

Who owns what: the caller owns the memory behind buffers (NumPy arrays, 64-byte aligned); the hal keeps that
memory, the executable and the device alive for as long as any of its own objects can reach them, in
whatever order the caller lets go, through interpreter exit.

Threads: what is safe from any thread says so. The rest is not called from one thread only, and queues run
calls meanwhile. One thread at a time opens devices, loads, makes buffers and binds: not always the same one,
since a bundle that is to take over is loaded by a thread of its own. Beside it another one, which may be
that in which a completion was told, asks for a queue, abandons one, or binds a call of an executable that is
in use. A library with a current context in each thread has it made current in each of these.

The runtime does not hash, compare or weakly refer to what a driver makes: objects need have no more than
their protocols say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, cast

import numpy as np

from polyrhythm.bundle.lock import IREE
from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.priority import Ranks


class HalError(Exception):
    """A driver, device or artefact can't do what was asked; the message says what and how to mend it."""


class StageError(HalError):
    """A submitted call failed, or something that it waited for did; carries the first failure's message."""


class Completion(NamedTuple):
    """Told once for every submission, from a thread of the hal.

    `started_ns` and `ended_ns` are monotonic-clock nanoseconds around the call itself, waits excluded;
    `error` is None or the message of the failure. `away_ns` is how long calls that cut in ran in between.
    """

    token: Any
    started_ns: int
    ended_ns: int
    error: str | None
    away_ns: int = 0


class Timeline(Protocol):
    """A counter that only rises. Safe from any thread."""

    def query(self) -> int:
        """The highest value up to which every point is reached (signalled or failed)."""
        ...

    def signal(self, value: int) -> None:
        """Reach every point up to `value`. Only for timelines made by `Device.timeline` (host gates)."""
        ...

    def fail(self, value: int, message: str) -> None:
        """Reach `value` as failed."""
        ...

    def wait(self, value: int, timeout_ns: int | None = None) -> bool:
        """Block without the interpreter lock; False on timeout.

        Raises:
            StageError: the point failed.
        """
        ...

    def when(self, value: int, call: Callable[[], None]) -> None:
        """Call once as soon as `value` is reached, well or not: now, or later in the thread that reaches it.

        So submissions can wait, and no thread with them.
        """
        ...


class Fence(NamedTuple):
    """A frontier: all `points` must be reached. The empty fence is reached."""

    points: tuple[tuple[Timeline, int], ...] = ()

    def wait(self, timeout_ns: int | None = None) -> bool:
        """Wait for every point; `timeout_ns` holds for each. Raises `StageError` if one failed."""
        return all(timeline.wait(value, timeout_ns) for timeline, value in self.points)

    def reached(self) -> bool:
        """Whether every point is signalled or failed."""
        return all(timeline.query() >= value for timeline, value in self.points)


class Buffer(Protocol):
    """A device's view of host memory."""

    array: np.ndarray


class Call(Protocol):
    """An entry with its memory bound: what a queue runs, any number of times, allocating nothing."""

    entry: Entry


class ModelledCall(Call, Protocol):
    """A call of a device that is not there, or not fast enough yet: a model says how long it takes.

    Optional. Submitted as it is, it ends when the model says or later. Whoever plays on virtual time submits
    `unpaced`, which ends as soon as the results are there, and counts `modelled_ns`.
    """

    unpaced: Call

    @property
    def modelled_ns(self) -> int:
        """How long it takes.

        Raises:
            HalError: the device can't carry it out.
        """
        ...


def modelled(call: Call) -> ModelledCall | None:
    """The call, if a model says how long it takes."""
    return cast(ModelledCall, call) if hasattr(call, "unpaced") else None


class LeavableCall(Call, Protocol):
    """A call that its queue may leave between two kernels (see `GivingQueue`)."""

    def kernels_ns(self) -> Sequence[int]:
        """Run in the caller's thread, and tell how long each kernel took. Not while a queue runs the call."""
        ...


def leavable(call: Call) -> LeavableCall:
    """The call, of a device whose driver says that its grain is ``step``."""
    return cast(LeavableCall, call)


class Executable(Protocol):
    """A loaded module with its parameters."""

    entries: Mapping[str, Entry]

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> Call:
        """Check and fix the memory of a call.

        Raises:
            HalError: unknown entry (lists those there are), wrong number, dtype, shape, alignment or
                device of a buffer, scratch missing or too small. Nothing is launched.
        """
        ...


#: Reached from the start.
NO_WAIT = Fence()


class Queue(Protocol):
    """First in, first out."""

    timeline: Timeline

    def submit(
        self,
        call: Call,
        *,
        wait: Fence = NO_WAIT,
        token: object = None,
        done: Callable[[Completion], None] | None = None,
    ) -> Fence:
        """Enqueue and return at once, whatever the device is doing (see `Capabilities.non_blocking`).

        The call starts after every earlier submission to this queue has ended and `wait` is reached. If a
        point of `wait` failed, the call does not run and fails with that message. `done` is called once,
        from a hal thread, in the order of the submissions; it must not block. By then the fence is reached.

        Safe from any thread, `done` included: what `done` submits starts without a change of threads, which
        saves two wake-ups (some 10 us each on one core, 25 us and more across cores).

        Raises:
            HalError: the queue is closed, or `call` was not bound on this device.
        """
        ...

    def abandon(self, message: str) -> object:
        """Leave a hung queue behind: what has not begun fails with `message`, and the queue takes no more.

        Returns the token of the one call that may be running, None if there is none (or it was submitted
        without a token). That call alone may still touch its memory, until its completion comes; whatever
        else was submitted has ended, or never begins.
        """
        ...

    def close(self, timeout_ns: int | None = None) -> bool:
        """Let what was submitted end, then stop; False if it had not in time (then it is left behind).

        Given no time at all (0) it is only told that nothing more comes, and may be closed again.
        """
        ...


class GivingQueue(Queue, Protocol):
    """A queue that leaves a call between two of its kernels: that of a driver whose grain is ``step``."""

    def cut_in(
        self, call: Call, *, token: object = None, done: Callable[[Completion], None] | None = None
    ) -> Fence:
        """Submit a call that goes before all that the queue holds.

        It starts as soon as the present kernel of whatever runs has ended; that goes on afterwards from where
        it was, and gives the same bits. One that cuts in is left in the same way for the next one: of those
        that wait to cut in, the last to come goes first, and is left for later ones only. While the call in
        front waits for a fence nothing starts.

        Not a submission: it has a point of its own, and `Queue.timeline` need not rise by it. `abandon` holds
        for what was left too: it does not go on. Submitted again, to another queue, it begins anew.

        Safe from any thread. What `done` of a call that cut in lets cut in starts before anything that was
        left goes on.

        Raises:
            HalError: see `submit`.
        """
        ...


def giving_way(queue: Queue) -> GivingQueue:
    """The queue of a device whose driver says that its grain is ``step``."""
    return cast(GivingQueue, queue)


class Device(Protocol):
    """One place where stages run."""

    name: str
    uri: str

    def queue(self) -> Queue:
        """A new queue with its own thread or stream. A hung queue is left behind by asking for another."""
        ...

    def timeline(self) -> Timeline:
        """A timeline that the host signals."""
        ...

    def buffer(self, array: np.ndarray) -> Buffer:
        """View host memory without a copy.

        Raises:
            HalError: not 64-byte aligned, not C-contiguous, not writable.
        """
        ...

    def load(self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()) -> Executable:
        """Load a compiled module and map its parameter files; checks `entries` against the artefact.

        Raises:
            HalError: not a module for this device, entries that differ, parameters missing.
        """
        ...

    def close(self) -> None:
        """Close the queues. Buffers and executables may outlive this call safely."""
        ...


def private_buffer(device: Device, array: np.ndarray) -> Buffer:
    """The same as `Device.buffer`, of memory that only calls of this device touch, never the host.

    A device with memory of its own may keep it there: one that has a method of this name is told, all others
    are asked for a buffer as any.
    """
    make: Callable[[np.ndarray], Buffer] = getattr(device, "private_buffer", device.buffer)
    return make(array)


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """A device as the manifest asks for it. `cores` empty: wherever the system puts it; `ranks` None: its
    threads are like all others."""

    name: str
    uri: str
    cores: tuple[int, ...] = ()
    ranks: Ranks | None = None


#: Stands among `Driver.formats` for every format there is.
ANY_FORMAT = "*"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a driver's devices can do beyond the contract, and what of it they can't.

    The conformance suite holds a driver to what it declares; `polyrhythm doctor` and
    ``docs/reference/drivers.md`` tell it.

    Attributes:
        non_blocking: other Python threads go on while a call runs; without, they wait, and so may
            `Queue.submit`, until the call has ended. It waits for no fence, whatever is declared.
        zero_copy_inputs: a call reads the caller's memory where it lies; without, the driver copies first.
        caller_owned_outputs: a call writes straight into the caller's memory; without, the driver copies.
        allocation_free: calls after the first allocate no memory for tensors.
        grain: where a call may give way to another one: ``call`` at its end only, ``step`` between kernels
            (see `GivingQueue`).
        several_entries: an artefact may hold more than one entry.
        in_place: state that an entry consumes stays where it lies.
        failures: a call can look at its inputs and fail.
        note: what else to know, in one sentence.
    """

    non_blocking: bool = True
    zero_copy_inputs: bool = True
    caller_owned_outputs: bool = True
    allocation_free: bool = True
    grain: Literal["call", "step"] = "call"
    several_entries: bool = True
    in_place: bool = True
    failures: bool = True
    note: str = ""

    @property
    def lacks(self) -> tuple[str, ...]:
        """What of the contract is missing, in words."""
        return tuple(words for name, words in _LACKS.items() if not getattr(self, name))


_LACKS = {
    "non_blocking": "other threads wait while a call runs",
    "zero_copy_inputs": "inputs are copied",
    "caller_owned_outputs": "outputs are copied",
    "allocation_free": "calls allocate",
    "several_entries": "one entry an artefact",
    "in_place": "no state in place",
    "failures": "calls don't look at their inputs",
}


class Driver(Protocol):
    """One file in ``hal/drivers/`` or one entry point in group ``polyrhythm.drivers``.

    `formats` are those of the artefacts that its devices load (`polyrhythm.bundle.lock`), whose files end in
    the name of the format unless the driver has `endings`. `package` is the distribution whose code runs
    them, empty if it is Polyrhythm itself. Importing a driver needs nothing but Polyrhythm's own
    dependencies: a library that is not installed is missed by `open` and `available`.
    """

    name: str
    formats: tuple[str, ...]
    package: str
    capabilities: Capabilities

    def open(self, config: DeviceConfig) -> Device:
        """Open a device of its own (no sharing of worker pools with another).

        Raises:
            HalError: unknown URI (lists those there are), cores that don't exist.
        """
        ...

    def available(self) -> tuple[str, ...]:
        """URIs that `open` would accept here, for `polyrhythm doctor`.

        At least one for every name that a URI may begin with, before ``:`` or ``?``: if all of them
        begin with names, `check` takes others for mistakes.
        """
        ...


def endings(driver: Driver) -> Mapping[str, str]:
    """What files of each format end in: ``.onnx`` for ``onnx``.

    A driver whose formats have other endings has a mapping of that name: ``{"openvino": ".xml"}``.
    """
    own: Mapping[str, str] = {IREE: ".vmfb"} | dict(getattr(driver, "endings", {}))
    return {name: own.get(name, f".{name}") for name in driver.formats if name != ANY_FORMAT}
