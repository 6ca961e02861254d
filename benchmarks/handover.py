"""What it costs to hand a link's tensor from its producer to its consumer: the same for 1 KB and for 64 MB.

The figure is the time from before `Writer.publish` to where the consumer's call over the newest version could
be submitted: publish, look up the newest, find the call that is bound to its slot. At every hundredth tick
the call is submitted and its result compared with what the producer wrote, so that what was handed over is
what the device reads. Ticks of both sizes alternate.

Beside it, without targets, what a tick costs when it has not got the processor warm: just woken by the end of
a call (then the operating system's wake-up counts, not the hand-over), or with the caches full of the 64 MB
that the producer has just written.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic_ns

import numpy as np
from measure import Figure, arguments, compiled, cores, finish, pinned, quantile

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Call, Device, DeviceConfig, Queue, driver
from polyrhythm.memory import Arena, Fresh, LinkStorage, Reader, Slots, Writer, footprint

SIZES = {"1 KB": 256, "64 MB": 16 * 1024 * 1024}
DEPTH = 3
#: A consumer that looks at the first four elements, whatever the size.
SOURCE = """
func.func @peek_COUNT(%link: tensor<COUNTxf32>, %storage: tensor<4xf32> {iree.abi.output = 0 : index},
                      %scratch: !hal.buffer {iree.abi.transients}) -> tensor<4xf32> {
  %head = tensor.extract_slice %link[0] [4] [1] : tensor<COUNTxf32> to tensor<4xf32>
  %sum = arith.addf %head, %head : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""


@dataclass
class Link:
    """One link with its producer's and its consumer's side; a call is bound for each slot."""

    writer: Writer
    reader: Reader
    calls: tuple[Call, ...]
    out: np.ndarray
    tick: int = 0

    def hand_over(self, queue: Queue | None = None, write_all: bool = False) -> tuple[int, int]:
        """One tick: nanoseconds to readiness and, if the call is to run on a queue, to its result."""
        self.tick += 1
        slot = self.writer.begin()
        array = self.writer.storage.array(slot)
        (array if write_all else array[:4]).fill(self.tick)
        start = monotonic_ns()
        self.writer.publish(slot, start)
        reading = self.reader.latest(start)
        call = self.calls[reading.version.slot] if type(reading) is Fresh else None
        ready = monotonic_ns()
        assert call is not None
        if queue is None:
            return ready - start, 0
        queue.submit(call).wait()
        result = monotonic_ns()
        if self.out[0] != 2 * self.tick:
            raise SystemExit(f"the consumer read {self.out[0] / 2}, the producer wrote {self.tick}")
        return ready - start, result - start


def set_up(device: Device) -> dict[str, Link]:
    """A link of each size."""
    entries = {
        size: Entry(f"peek_{count}", (Tensor("link", "f32", (count,)),), (Tensor("head", "f32", (4,)),))
        for size, count in SIZES.items()
    }
    source = "\n".join(SOURCE.replace("COUNT", str(count)) for count in SIZES.values())
    executable = device.load(compiled(source), list(entries.values()))
    links = {}
    for size, entry in entries.items():
        (tensor,), (head,) = entry.inputs, entry.outputs
        arena = Arena(footprint([*[tensor] * DEPTH, head]), size)
        slots = Slots(LinkStorage(tensor, DEPTH, arena))
        out = arena.take("consumer", "output", head)
        writer, reader, view = slots.writer(), slots.reader(), device.buffer(out)
        calls = tuple(
            executable.bind(entry.name, [writer.storage.buffer(device, slot)], [view], None)
            for slot in range(DEPTH)
        )
        links[size] = Link(writer, reader, calls, out)
    return links


def measure(links: dict[str, Link], queue: Queue, ticks: int) -> list[Figure]:
    """Alternate ticks of both sizes."""
    ready: dict[str, list[int]] = {size: [] for size in links}
    for tick in range(ticks):
        for size, link in links.items():
            if tick % 100 == 0:
                link.hand_over(queue)
            elif tick % 100 > 5:
                ready[size].append(link.hand_over()[0])
            else:
                link.hand_over()
    figures = []
    for size, times in ready.items():
        figures.append(Figure(f"{size}: publish to ready, p99", quantile(times, 0.99) / 1e3, "us"))
        figures.append(Figure(f"{size}: publish to ready, p50", quantile(times, 0.5) / 1e3, "us", 5.0))
    small, large = (quantile(times, 0.5) for times in ready.values())
    return [*figures, Figure("64 MB over 1 KB, p50", large / small, "x", 1.2)]


def cold(links: dict[str, Link], queue: Queue, ticks: int) -> list[Figure]:
    """Just woken, and with caches full of the tensor."""
    figures = []
    for size, link in links.items():
        woken = [link.hand_over(queue) for _ in range(20 * ticks)]
        for what, index in (("ready", 0), ("result", 1)):
            name = f"{size}: publish to {what}, just woken, p50"
            figures.append(Figure(name, quantile([times[index] for times in woken], 0.5) / 1e3, "us"))
    written = [links["64 MB"].hand_over(write_all=True)[0] for _ in range(ticks)]
    name = "64 MB: publish to ready, all 64 MB just written, p50"
    return [*figures, Figure(name, quantile(written, 0.5) / 1e3, "us")]


def allocated(device: Device, links: Sequence[Link], queue: Queue, ticks: int) -> list[Figure]:
    """Bytes a tick that stay allocated: by Python (tracemalloc) and by the device's allocator."""
    before_device = device.statistics()["device_bytes_allocated"]  # type: ignore[attr-defined]
    tracemalloc.start()
    try:
        for link in links:
            link.hand_over(queue)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(ticks):
            for link in links:
                link.hand_over(queue)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    on_device = device.statistics()["device_bytes_allocated"] - before_device  # type: ignore[attr-defined]
    return [
        # The interpreter's own free lists move by some bytes; a leak of one object a tick is 16 or more.
        Figure("bytes a tick that stay allocated in Python", float(max(grown, 0) // ticks), "B", 0.0),
        Figure("bytes a tick that the device allocates", on_device / ticks, "B", 0.0),
    ]


def main() -> int:
    """Run all."""
    options = arguments("Hand-over of a link's tensor by reference.")
    host, core = cores()
    device = driver("iree").open(DeviceConfig("bench", "local-sync", (core,)))
    queue = device.queue()
    links = set_up(device)
    with pinned(host):
        measure(links, queue, 1_000)
        figures = measure(links, queue, 20_000 if options.quick else 200_000)
        figures += cold(links, queue, 50 if options.quick else 500)
        figures += allocated(device, list(links.values()), queue, 2_000)
    device.close()
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
