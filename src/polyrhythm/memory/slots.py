"""The bytes behind a link: several versions of one tensor, handed over by reference.

A producer writes into a free slot, a consumer reads the newest; a device sees each slot through a buffer over
the same memory. So handing over is a change of index: it costs the same for a kilobyte and for 64 MB.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.api import Buffer, Device
from polyrhythm.memory.arena import Arena
from polyrhythm.schedule.slots import Freshness, InvariantError, SlotRing, Version


class LinkStorage:
    """`depth` slots of one tensor. The pages are zero until somebody writes.

    Args:
        tensor: what a slot holds.
        depth: number of slots; readers + 2 never makes the writer wait.
        arena: where the slots lie.
        owner: whom the ledger charges; the tensor's name if empty.
        kind: what the ledger calls it.
    """

    def __init__(self, tensor: Tensor, depth: int, arena: Arena, owner: str = "", kind: str = "slot") -> None:
        self.tensor = tensor
        self.depth = depth
        self.arrays = tuple(arena.take(owner or tensor.name, kind, tensor) for _ in range(depth))
        self._buffers: dict[Device, tuple[Buffer, ...]] = {}

    def array(self, slot: int) -> np.ndarray:
        """The memory of a slot, for the host."""
        return self.arrays[slot]

    def buffer(self, device: Device, slot: int) -> Buffer:
        """The same memory as `device` sees it; its first call for a device makes the buffers of all slots."""
        buffers = self._buffers.get(device)
        if buffers is None:
            buffers = self._buffers[device] = tuple(device.buffer(array) for array in self.arrays)
        return buffers[slot]


# Not frozen: that doubles the price of making one, and one is made at every tick.
@dataclass(slots=True)
class Fresh:
    """The newest version, young enough. `array` stays as it is until the reader lets go."""

    version: Version
    array: np.ndarray
    age_ns: int


@dataclass(slots=True)
class Stale:
    """The newest version, older than the reader accepts."""

    version: Version
    array: np.ndarray
    age_ns: int


@dataclass(frozen=True, slots=True)
class Absent:
    """Nothing was published yet."""


Reading = Fresh | Stale | Absent

_absent = Absent()


class Slots:
    """A link between threads: one writer, up to ``depth - 2`` readers. Nobody ever waits for anybody."""

    def __init__(self, storage: LinkStorage) -> None:
        self.storage = storage
        self._ring = SlotRing(storage.depth)
        self._lock = threading.Lock()
        self._readers = 0
        self._written = False

    def writer(self) -> Writer:
        """The writer.

        Raises:
            ValueError: there is one already.
        """
        if self._written:
            raise ValueError(f"link {self.storage.tensor.name!r} has a writer already")
        self._written = True
        return Writer(self._ring, self._lock, self.storage)

    def reader(self) -> Reader:
        """One more reader.

        Raises:
            ValueError: with another one, the writer could find no free slot.
        """
        if self._readers + 3 > self.storage.depth:
            raise ValueError(
                f"link {self.storage.tensor.name!r} is {self.storage.depth} deep, enough for "
                f"{self._readers} readers: one more needs a depth of {self._readers + 3}"
            )
        self._readers += 1
        return Reader(self._ring, self._lock, self.storage)

    @property
    def superseded(self) -> int:
        """Versions that were replaced before anybody read them."""
        return self._ring.superseded


class Writer:
    """The producer's side, for one thread."""

    def __init__(self, ring: SlotRing, lock: threading.Lock, storage: LinkStorage) -> None:
        self._ring, self._lock = ring, lock
        self.storage = storage

    def begin(self) -> int:
        """A slot that nobody reads, to be written and then published or abandoned."""
        with self._lock:
            slot = self._ring.acquire()
        if slot is None:
            raise InvariantError(f"no free slot on link {self.storage.tensor.name!r}")
        return slot

    def publish(self, slot: int, stamp_ns: int, tick: int = 0) -> Version:
        """Make it the newest version; `stamp_ns` is the instant that its content describes."""
        with self._lock:
            return self._ring.publish(slot, stamp_ns, tick)

    def abandon(self, slot: int) -> None:
        """Give the slot back unpublished."""
        with self._lock:
            self._ring.abandon(slot)


class Reader:
    """A consumer's side, for one thread. It holds at most one version at a time."""

    def __init__(self, ring: SlotRing, lock: threading.Lock, storage: LinkStorage) -> None:
        self._ring, self._lock = ring, lock
        self._held: int | None = None
        self.storage = storage

    def latest(self, now_ns: int, max_age_ns: int | None = None) -> Reading:
        """The newest version, held until the next `latest` or `release`; lets go of the one before.

        A version exactly `max_age_ns` old is fresh.
        """
        with self._lock:
            if self._held is not None:
                self._ring.unpin(self._held)
                self._held = None
            freshness, age_ns = self._ring.freshness(now_ns, max_age_ns)
            version = self._ring.pin_latest()
            if version is None:
                return _absent
            slot = self._held = version.slot
        if freshness is Freshness.FRESH:
            return Fresh(version, self.storage.arrays[slot], age_ns)
        return Stale(version, self.storage.arrays[slot], age_ns)

    def release(self) -> None:
        """Let go of the version held, if any."""
        with self._lock:
            if self._held is not None:
                self._ring.unpin(self._held)
                self._held = None
