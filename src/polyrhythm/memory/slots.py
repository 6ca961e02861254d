"""The bytes behind a link: several versions of one tensor, handed over by reference.

A producer writes into a free slot, a consumer reads the newest (`polyrhythm.schedule.slots` knows which); a
device sees each slot through a buffer over the same memory. So handing over is a change of index: it costs
the same for a kilobyte and for 64 MB.
"""

from __future__ import annotations

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.api import Buffer, Device
from polyrhythm.memory.arena import Arena


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
