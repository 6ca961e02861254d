"""Links: storage by reference, and the facade for two threads."""

from __future__ import annotations

import threading

import pytest

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.memory import Absent, Arena, Fresh, LinkStorage, Reading, Slots, Stale, footprint
from polyrhythm.schedule.slots import InvariantError

HIDDEN = Tensor("hidden", "i64", (1024,))


def storage(depth: int = 3, tensor: Tensor = HIDDEN) -> LinkStorage:
    return LinkStorage(tensor, depth, Arena(footprint([tensor] * depth)))


def held(reading: Reading) -> int:
    assert not isinstance(reading, Absent)
    return reading.version.slot


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


def test_absent_then_fresh_then_stale() -> None:
    slots = Slots(storage())
    writer, reader = slots.writer(), slots.reader()
    assert reader.latest(100, 10) == Absent()
    slot = writer.begin()
    writer.storage.array(slot)[:] = 5
    assert isinstance(reader.latest(100), Absent)
    version = writer.publish(slot, stamp_ns=1000, tick=3)
    reading = reader.latest(1010, 10)
    assert isinstance(reading, Fresh) and reading.age_ns == 10 and reading.version == version
    assert (reading.array == 5).all() and version.tick == 3
    reading = reader.latest(1011, 10)
    assert isinstance(reading, Stale) and reading.age_ns == 11
    assert isinstance(reader.latest(10**12), Fresh)


def test_the_writer_gets_neither_what_is_read_nor_what_is_newest() -> None:
    slots = Slots(storage(3))
    writer, reader = slots.writer(), slots.reader()
    writer.publish(writer.begin(), 0)
    pinned = held(reader.latest(0))
    newest = pinned
    for stamp in range(1, 20):
        slot = writer.begin()
        assert slot not in (pinned, newest)
        newest = writer.publish(slot, stamp).slot
    assert held(reader.latest(20)) == newest
    assert slots.superseded == 18


def test_a_reader_holds_one_version_at_a_time() -> None:
    slots = Slots(storage(3))
    writer, reader = slots.writer(), slots.reader()
    for stamp in range(10):
        writer.publish(writer.begin(), stamp)
        reader.latest(stamp)
        reader.latest(stamp)
    reader.release()
    reader.release()
    assert slots.superseded == 0


def test_abandoned_content_is_never_seen() -> None:
    slots = Slots(storage(3))
    writer, reader = slots.writer(), slots.reader()
    writer.abandon(writer.begin())
    assert isinstance(reader.latest(0), Absent)
    first = writer.publish(writer.begin(), 1)
    writer.abandon(writer.begin())
    assert held(reader.latest(1)) == first.slot


def test_depth_limits_the_readers() -> None:
    slots = Slots(storage(4))
    slots.reader(), slots.reader()
    with pytest.raises(ValueError, match="4 deep, enough for 2 readers: one more needs a depth of 5"):
        slots.reader()
    slots.writer()
    with pytest.raises(ValueError, match="has a writer already"):
        slots.writer()


def test_one_slot_is_written_at_a_time() -> None:
    writer = Slots(storage(3)).writer()
    writer.begin()
    with pytest.raises(InvariantError):
        writer.begin()


def test_readers_in_threads_never_see_a_torn_version() -> None:
    """A writer fills each version with its number; two readers check all of it while the writer goes on."""
    slots = Slots(storage(4))
    writer, total = slots.writer(), 3000
    faults: list[str] = []

    def read() -> None:
        reader, last = slots.reader(), -1
        while last < total - 1:
            reading = reader.latest(0)
            if isinstance(reading, Absent):
                continue
            first = int(reading.array[0])
            if not (reading.array == first).all() or first != reading.version.seq or first < last:
                faults.append(f"{reading.version} after {last}: {reading.array}")
                return
            last = first

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(total):
        slot = writer.begin()
        writer.storage.array(slot)[:] = number
        writer.publish(slot, 0)
    for thread in threads:
        thread.join()
    assert not faults
