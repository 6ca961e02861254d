"""Run by `test_libraries` in a process of its own, with ``count_allocations.c`` preloaded: prints how many
allocations of the size of a tensor a hundred calls of `grind` make.

Usage: python -m tests.hal.allocations JOB, which is JSON: driver, uri, artefact, inputs.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.hal.conformance import GRIND, Bench, Kit

CALLS = 20


def main() -> None:
    job = json.loads(sys.argv[1])
    inputs = tuple(Tensor(name, dtype, tuple(shape)) for name, dtype, shape in job["inputs"])
    entry = Entry("grind", inputs, GRIND.outputs)
    bench = Bench(
        driver(job["driver"]).open(DeviceConfig("cpu", job["uri"])),
        Kit(Path(job["artefact"]), entries=[entry]),
    )
    call, queue = bench.grind(3), bench.device.queue()
    for _ in range(3):
        queue.submit(call).wait()
    counter = ctypes.CDLL(None)
    counter.count_from(ctypes.c_size_t(entry.outputs[0].nbytes // 2))
    for _ in range(CALLS):
        queue.submit(call).wait()
    print(counter.count_so_far())
    bench.device.close()


if __name__ == "__main__":
    main()
