"""Links: storage by reference."""

from __future__ import annotations

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.memory import Arena, LinkStorage, footprint

HIDDEN = Tensor("hidden", "i64", (1024,))


def storage(depth: int = 3, tensor: Tensor = HIDDEN) -> LinkStorage:
    return LinkStorage(tensor, depth, Arena(footprint([tensor] * depth)))


def test_slots_are_in_the_ledger_and_apart() -> None:
    arena = Arena(footprint([HIDDEN] * 3))
    link = LinkStorage(HIDDEN, 3, arena, "vlm")
    for slot in range(3):
        link.array(slot)[:] = slot
    assert [int(link.array(slot).mean()) for slot in range(3)] == [0, 1, 2]
    assert arena.account() == {("vlm", "slot"): 3 * HIDDEN.nbytes}


def test_a_buffer_is_the_same_memory_on_every_device() -> None:
    link = storage()
    devices = [driver("null").open(DeviceConfig(name, "manual")) for name in "ab"]
    for device in devices:
        for slot in range(3):
            buffer = link.buffer(device, slot)
            assert buffer is link.buffer(device, slot)
            assert buffer.array is link.array(slot)
    assert link.buffer(devices[0], 0) is not link.buffer(devices[1], 0)
