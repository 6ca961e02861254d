"""What it costs to hand a link's tensor from its producer to its consumer: the same for 1 KB and for 64 MB.

A bundle with a link of each size is checked and opened like any other. The figure is what a run does between
the end of the producer's stage and the submission of the consumer's: publish the slot, take the newest
version, find the call that is bound to its slot (`schedule.SlotRing`, `runtime.Storage`). At every hundredth
tick the call is submitted and its result compared with what the producer wrote, so that what was handed over
is what the device reads. Ticks of both sizes alternate.

Beside it, without targets, what a tick costs when it has not got the processor warm: just woken by the end of
a call (then the operating system's wake-up counts, not the hand-over), or with the caches full of the 64 MB
that the producer has just written.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Sequence
from time import monotonic_ns

from measure import Figure, arguments, cores, finish, pinned, planned, quantile

from polyrhythm.hal import Device, Queue
from polyrhythm.runtime import Plan, Runtime
from polyrhythm.schedule.events import Launch, Read
from polyrhythm.schedule.slots import SlotRing

SIZES = {"1 KB": 256, "64 MB": 16 * 1024 * 1024}
#: A producer, and a consumer that looks at the first four elements, whatever the size.
SOURCE = """
func.func @fill_COUNT(%storage: tensor<COUNTxf32> {iree.abi.output = 0 : index},
                      %scratch: !hal.buffer {iree.abi.transients}) -> tensor<COUNTxf32> {
  %filled = arith.constant dense<1.0> : tensor<COUNTxf32>
  return %filled : tensor<COUNTxf32>
}
func.func @peek_COUNT(%link: tensor<COUNTxf32>, %storage: tensor<4xf32> {iree.abi.output = 0 : index},
                      %scratch: !hal.buffer {iree.abi.transients}) -> tensor<4xf32> {
  %head = tensor.extract_slice %link[0] [4] [1] : tensor<COUNTxf32> to tensor<4xf32>
  %sum = arith.addf %head, %head : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""
MANIFEST = """
devices:
  one: {{ driver: iree, uri: local-sync, cores: [{core}] }}
orchestration:
  mode: parallel
  modules:
{modules}
  links:
{links}
"""
MODULE = "  - {{ id: {what}_{count}, vmfb: links.vmfb, entry: {what}_{count}, rate_hz: 1 }}"
LINK = "  - {{ from: fill_{count}.output0, to: peek_{count}.input0 }}"


class Link:
    """One link of an open runtime, as its scheduler and its storage see it."""

    def __init__(self, runtime: Runtime, count: int) -> None:
        self.storage = runtime.storage
        self._producer, self._consumer = f"fill_{count}", f"peek_{count}"
        schedule = runtime.plan.schedule
        (self._input,) = runtime.plan.module(self._consumer).inputs
        self._slots = self.storage.links[self._input.source]
        self._ring = SlotRing(schedule.ports[self._input.source])
        (output,) = runtime.plan.wiring[self._consumer].stages[0].outputs
        self._out = self.storage.own[self._consumer, output.key]
        self._held: int | None = None
        self.tick = 0

    def hand_over(self, queue: Queue | None = None, write_all: bool = False) -> tuple[int, int]:
        """One tick: nanoseconds to readiness and, if the call is to run on a queue, to its result."""
        self.tick += 1
        ring = self._ring
        slot = ring.acquire()
        assert slot is not None
        array = self._slots.array(slot)
        (array if write_all else array[:4]).fill(self.tick)
        start = monotonic_ns()
        ring.publish(slot, start)
        if self._held is not None:
            ring.unpin(self._held)
        _, age_ns = ring.freshness(start, None)
        version = ring.pin_latest()
        assert version is not None
        self._held = version.slot
        read = Read(self._input.name, self._input.source, version.slot, version.seq, age_ns)
        call = self.storage.call(Launch(self.tick, self._consumer, self.tick, 0, "one", (read,), ()))
        ready = monotonic_ns()
        if queue is None:
            return ready - start, 0
        queue.submit(call).wait()
        result = monotonic_ns()
        if self._out[0] != 2 * self.tick:
            raise SystemExit(f"the consumer read {self._out[0] / 2}, the producer wrote {self.tick}")
        return ready - start, result - start


def linked(core: int) -> Plan:
    """A bundle with a link of each size."""
    source = "\n".join(SOURCE.replace("COUNT", str(count)) for count in SIZES.values())
    modules = [MODULE.format(what=what, count=count) for count in SIZES.values() for what in ("fill", "peek")]
    links = [LINK.format(count=count) for count in SIZES.values()]
    text = MANIFEST.format(core=core, modules="\n".join(modules), links="\n".join(links))
    return planned(source, "links.vmfb", text)


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
    with Runtime(linked(core)) as runtime, pinned(host):
        links = {size: Link(runtime, count) for size, count in SIZES.items()}
        device = runtime.devices["one"]
        queue = device.queue()
        measure(links, queue, 1_000)
        figures = measure(links, queue, 20_000 if options.quick else 200_000)
        figures += cold(links, queue, 50 if options.quick else 500)
        figures += allocated(device, list(links.values()), queue, 2_000)
        queue.close()
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
