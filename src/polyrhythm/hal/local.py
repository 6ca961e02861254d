"""Parts for devices that compute in this process: host memory as buffers, queues that are threads."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Buffer, DeviceConfig, HalError
from polyrhythm.hal.binding import check_array
from polyrhythm.hal.timeline import HostTimeline
from polyrhythm.hal.worker import WorkerQueue, close_all, require_cores

#: How long `LocalDevice.close` waits for queues that are still running something.
CLOSE_GRACE_NS = 2_000_000_000

T = TypeVar("T")


class HostBuffer:
    """See `polyrhythm.hal.api.Buffer`; `owner` stands for the device."""

    __slots__ = ("array", "owner")

    def __init__(self, owner: object, array: np.ndarray) -> None:
        check_array(array)
        self.array = array
        self.owner = owner


def check_owner(
    owner: object, device: str, entry: Entry, inputs: Sequence[Buffer], *others: Sequence[Buffer]
) -> None:
    """Raise `HalError` unless all buffers were made by the device that `owner` stands for."""
    named = [(f"input {t.name!r}", buffer) for t, buffer in zip(entry.inputs, inputs, strict=True)]
    named += [(f"a buffer of {entry.name!r}", buffer) for group in others for buffer in group]
    for what, buffer in named:
        if getattr(buffer, "owner", None) is not owner:
            raise HalError(f"{what} is not a buffer of device {device!r}: make one there")


class Forgets(Protocol):
    """Something that keeps things for each queue of a device."""

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        ...


class PerQueue(Generic[T]):
    """What one thread may use at a time, once for each queue; made at the queue's first call.

    The first is made at once, where mistakes show, and given to the first queue that asks; so is that of a
    queue that has ended.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._kept: dict[int | None, T] = {None: make()}

    @property
    def spare(self) -> T:
        """The first one, until a queue has asked."""
        return self._kept[None]

    def get(self, key: int) -> T:
        """That of queue `key`; only its thread asks for it, and dict operations are atomic."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept.pop(None, None)
            self._kept[key] = found = self._make() if found is None else found
        return found

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        ended = self._kept.pop(key, None)
        if ended is not None:
            self._kept.setdefault(None, ended)


class LocalDevice:
    """What of a device does not depend on what runs there (see `polyrhythm.hal.api.Device`).

    Args:
        config: the device.
        pooled: others compute, and the threads of the queues wait for them.
    """

    def __init__(self, config: DeviceConfig, pooled: bool = False) -> None:
        require_cores(config.cores)
        self.name, self.uri, self.cores = config.name, config.uri, config.cores
        #: Stands for the device where holding it would keep it alive.
        self.token = object()
        self._ranks, self._pooled = config.ranks, pooled
        self._queues: weakref.WeakSet[WorkerQueue] = weakref.WeakSet()
        self._forgetful: weakref.WeakSet[Forgets] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._made = 0

    def queue(self) -> WorkerQueue:
        """See `polyrhythm.hal.api.Device.queue`."""
        forgetful, lock = self._forgetful, self._lock

        def released(key: int) -> None:
            with lock:
                known = list(forgetful)
            for one in known:
                one.forget(key)

        queue = WorkerQueue(self.next_name(), self.cores, self.token, released, self._ranks, self._pooled)
        self._queues.add(queue)
        return queue

    def next_name(self) -> str:
        """What the next queue is called."""
        self._made += 1
        return f"{self.name}.{self._made}"

    def tell_ends(self, one: Forgets) -> None:
        """From now on `one` is told of queues that have ended, for as long as somebody else holds it."""
        with self._lock:
            self._forgetful.add(one)

    def timeline(self) -> HostTimeline:
        """See `polyrhythm.hal.api.Device.timeline`."""
        return HostTimeline(f"{self.name}.host")

    def close(self) -> None:
        """See `polyrhythm.hal.api.Device.close`; leaves hung queues behind after `CLOSE_GRACE_NS`."""
        close_all(self._queues, CLOSE_GRACE_NS)
