"""A device that runs nothing: for scheduling logic on a virtual clock, and for machines without a device.

Calls have costs instead of effects; outputs stay untouched. Three URIs:

``immediate``
    a call completes in `submit` if its fence is reached by then, else when the fence is; time stands still.
``manual``
    nothing happens until `NullQueue.advance` moves the queue's virtual time.
``sleep_ns:N``
    a call takes N nanoseconds of real time, in a thread of the queue's own, and leaves the processor to
    others meanwhile: a model of known cost in a run in real time.

Under the first two, unlike a real device, `done` is called from the thread that makes the call complete, and
`Timeline.wait` on one of the queues waits for another thread to do so.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns, sleep

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import (
    ANY_FORMAT,
    NO_WAIT,
    Buffer,
    Call,
    Capabilities,
    Completion,
    DeviceConfig,
    Fence,
    HalError,
    StageError,
)
from polyrhythm.hal.binding import check_array, check_call, in_place
from polyrhythm.hal.timeline import HostTimeline, QueueTimeline
from polyrhythm.hal.worker import WorkerQueue, require_cores, tell

#: How long `NullDevice.close` waits for a queue whose call still sleeps.
CLOSE_GRACE_NS = 2_000_000_000
_SLEEP = "sleep_ns:"
_URIS = ("immediate", "manual", f"{_SLEEP}0")


class NullBuffer:
    """See `polyrhythm.hal.api.Buffer`."""

    __slots__ = ("array", "device")

    def __init__(self, device: NullDevice, array: np.ndarray) -> None:
        check_array(array)
        self.array = array
        self.device = device


@dataclass(frozen=True, slots=True)
class NullCall:
    """See `polyrhythm.hal.api.Call`."""

    entry: Entry
    device: NullDevice

    @property
    def owner(self) -> NullDevice:
        """See `polyrhythm.hal.worker.RunnableCall`."""
        return self.device

    def run(self, key: int) -> None:
        """Sleep for what the call costs: up to an instant, so that a sleep cut short makes no difference."""
        until_ns = monotonic_ns() + self.device.cost_ns(self.entry.name)
        if (failure := self.device.failures.get(self.entry.name)) is not None:
            raise StageError(failure)
        while (left_ns := until_ns - monotonic_ns()) > 0:
            sleep(left_ns / 1e9)


class NullExecutable:
    """See `polyrhythm.hal.api.Executable`; takes every entry at its word."""

    def __init__(self, device: NullDevice, entries: Sequence[Entry]) -> None:
        self._device = device
        self.entries: Mapping[str, Entry] = {entry.name: entry for entry in entries}

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> NullCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        signature = self.entries.get(entry)
        if signature is None:
            raise HalError(f"loaded without entry {entry!r}; loaded are: {', '.join(self.entries) or 'none'}")
        check_call(signature, inputs, outputs, scratch, in_place(signature))
        for buffer in (*inputs, *outputs, *([scratch] if scratch else [])):
            if getattr(buffer, "device", None) is not self._device:
                raise HalError(f"a buffer of {entry!r} is not one of device {self._device.name!r}")
        return NullCall(signature, self._device)


@dataclass(slots=True)
class _Pending:
    call: Call
    wait: Fence
    value: int
    token: object
    done: Callable[[Completion], None] | None
    earliest_ns: int


class NullQueue:
    """See `polyrhythm.hal.api.Queue`. `now_ns` is its virtual time."""

    def __init__(self, device: NullDevice, name: str) -> None:
        self.name = name
        self.timeline = QueueTimeline(name)
        self.now_ns = 0
        self._device = device
        self._pending: deque[_Pending] = deque()
        self._free_ns = 0
        self._submitted = 0
        self._closed = False
        #: Why what is left is to fail.
        self._cancelled: str | None = None
        self._draining = False
        self._lock = threading.Lock()

    def submit(
        self,
        call: Call,
        *,
        wait: Fence = NO_WAIT,
        token: object = None,
        done: Callable[[Completion], None] | None = None,
    ) -> Fence:
        """See `polyrhythm.hal.api.Queue.submit`."""
        if not isinstance(call, NullCall) or call.device is not self._device:
            raise HalError(f"{call.entry.name!r} was not bound on device {self._device.name!r}")
        with self._lock:
            if self._closed:
                raise HalError(f"queue {self.name!r} is closed")
            self._submitted = value = self._submitted + 1
            self._pending.append(_Pending(call, wait, value, token, done, self.now_ns))
        if self._device.immediate:
            for timeline, point in wait.points:
                timeline.when(point, self._pump)
            self._drain()
        return Fence(((self.timeline, value),))

    def advance(self, to_ns: int) -> int:
        """Move virtual time on and complete what ends by then; how many calls did.

        A call starts when the one before it has ended, it was submitted, and its fence is seen reached:
        fences are looked at when time moves.
        """
        completed = self._drain(to_ns)
        self.now_ns = max(self.now_ns, to_ns)
        return completed

    def next_ns(self) -> int | None:
        """When the call in front ends, or None if there is none or its fence is not reached."""
        if not self._pending or not self._pending[0].wait.reached():
            return None
        head = self._pending[0]
        return max(self._free_ns, head.earliest_ns) + self._device.cost_ns(head.call.entry.name)

    def abandon(self, message: str) -> object:
        """See `polyrhythm.hal.api.Queue.abandon`: calls take no real time, so none is ever under way."""
        with self._lock:
            self._closed, self._cancelled = True, message
        self._drain()
        return None

    def close(self, timeout_ns: int | None = None) -> bool:
        """True if nothing is left; what is left never runs."""
        self._closed = True
        return not self._pending

    def _pump(self) -> None:
        self._drain()

    def _drain(self, to_ns: int | None = None) -> int:
        """Complete what ends by then, in order; how many did."""
        with self._lock:
            if self._draining:  # another thread, or a completion callback: the loop of that one gets to it
                return 0
            self._draining = True
        completed = 0
        try:
            while (ended := self._take(to_ns)) is not None:
                head, completion = ended
                self.timeline.reach(head.value, completion.error)
                if head.done is not None:
                    tell(head.done, completion, head.call)
                completed += 1
        except BaseException:
            self._draining = False
            raise
        return completed

    def _take(self, to_ns: int | None) -> tuple[_Pending, Completion] | None:
        """The call in front if it ends by then; else nobody drains from now on."""
        with self._lock:
            completion = self._completion(self._pending[0], to_ns) if self._pending else None
            if completion is None:
                self._draining = False
                return None
            self._free_ns = completion.ended_ns
            return self._pending.popleft(), completion

    def _completion(self, head: _Pending, to_ns: int | None) -> Completion | None:
        if self._cancelled is not None:
            return Completion(head.token, self._free_ns, self._free_ns, self._cancelled)
        if not head.wait.reached():
            head.earliest_ns = max(head.earliest_ns, self.now_ns if to_ns is None else to_ns)
            return None
        entry = head.call.entry.name
        error = self._device.failures.get(entry)
        try:
            head.wait.wait(0)
        except StageError as problem:
            error = str(problem)
        started_ns = max(self._free_ns, head.earliest_ns)
        ended_ns = started_ns + (0 if error else self._device.cost_ns(entry))
        if to_ns is not None and ended_ns > to_ns:
            return None
        return Completion(head.token, started_ns, ended_ns, error)


class NullDevice:
    """See `polyrhythm.hal.api.Device`.

    `costs_ns` and `failures` are by entry name and may be changed at any time; an entry that is not among
    them costs what the URI says, or nothing.
    """

    def __init__(self, config: DeviceConfig) -> None:
        self._sleep_ns = _sleep_ns(config)
        require_cores(config.cores)
        self.name, self.uri = config.name, config.uri
        self.immediate = config.uri == "immediate"
        self._cores, self._ranks = config.cores, config.ranks
        self.costs_ns: dict[str, int] = {}
        self.failures: dict[str, str] = {}
        self._queues: weakref.WeakSet[NullQueue | WorkerQueue] = weakref.WeakSet()
        self._made = 0

    def cost_ns(self, entry: str) -> int:
        """What a call of an entry costs."""
        return self.costs_ns.get(entry, self._sleep_ns or 0)

    def queue(self) -> NullQueue | WorkerQueue:
        """See `polyrhythm.hal.api.Device.queue`."""
        self._made += 1
        name = f"{self.name}.{self._made}"
        queue = (
            NullQueue(self, name)
            if self._sleep_ns is None
            else WorkerQueue(name, self._cores, self, ranks=self._ranks)
        )
        self._queues.add(queue)
        return queue

    def timeline(self) -> HostTimeline:
        """See `polyrhythm.hal.api.Device.timeline`."""
        return HostTimeline(f"{self.name}.host")

    def buffer(self, array: np.ndarray) -> NullBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return NullBuffer(self, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> NullExecutable:
        """Takes the entries at their word; no file is read."""
        return NullExecutable(self, entries)

    def close(self) -> None:
        """See `polyrhythm.hal.api.Device.close`."""
        for queue in list(self._queues):
            queue.close(CLOSE_GRACE_NS)


def _sleep_ns(config: DeviceConfig) -> int | None:
    """How long calls sleep; None if their time is virtual.

    Raises:
        HalError: no such URI.
    """
    if config.uri in ("immediate", "manual"):
        return None
    digits = config.uri.removeprefix(_SLEEP)
    if digits == config.uri or not (digits.isascii() and digits.isdecimal()):
        raise HalError(
            f"device {config.name!r}: no URI {config.uri!r}; there are: immediate, manual, {_SLEEP}N"
        )
    return int(digits)


class NullDriver:
    """See `polyrhythm.hal.api.Driver`."""

    name = "null"
    formats: tuple[str, ...] = (ANY_FORMAT,)
    package = ""
    capabilities = Capabilities(
        in_place=False, note="runs nothing: calls take virtual time, or sleep, and leave memory as it is"
    )

    def open(self, config: DeviceConfig) -> NullDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        return NullDevice(config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`."""
        return _URIS


driver = NullDriver()
