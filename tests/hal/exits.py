"""Run by `test_lifetimes` in a process of its own: lets go of things in every order, then exits somehow.

Usage: python -m ... exits.py SCENARIO URI ARTEFACT PARAMETERS
"""

from __future__ import annotations

import gc
import itertools
import random
import sys
import threading
from pathlib import Path

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import DeviceConfig, Fence, driver, worker

F64 = (64,)
GRIND = Tensor("x", "f32", (128, 128))
ENTRIES = [
    Entry("add", (Tensor("a", "f32", F64), Tensor("b", "f32", F64)), (Tensor("sum", "f32", F64),)),
    Entry("grind", (GRIND, Tensor("count", "i32", ())), (GRIND,)),
]


def aligned(nbytes: int) -> np.ndarray:
    raw = np.zeros(nbytes + 64, np.uint8)
    start = -raw.__array_interface__["data"][0] % 64
    return raw[start : start + nbytes]


def things(uri: str, artefact: str, parameters: str) -> dict[str, object]:
    """A device and everything that can be had from it, by name."""
    device = driver("iree").open(DeviceConfig("cpu", uri))
    executable = device.load(Path(artefact), ENTRIES, [Path(parameters)])
    arrays = [aligned(256).view(np.float32) for _ in range(3)]
    buffers = [device.buffer(array) for array in arrays]
    call = executable.bind("add", buffers[:2], buffers[2:], None)
    queue, gate = device.queue(), device.timeline()
    fence = queue.submit(call)
    return {
        "device": device, "executable": executable, "arrays": arrays, "buffers": buffers, "call": call,
        "queue": queue, "timeline": queue.timeline, "gate": gate, "fence": fence,
    }  # fmt: skip


def busy(held: dict[str, object], count: int) -> Fence:
    """Something that takes `count` matrix products."""
    device, executable, queue = held["device"], held["executable"], held["queue"]
    x, n, y = aligned(1 << 16).view(np.float32), aligned(4).view(np.int32), aligned(1 << 16).view(np.float32)
    n[0] = count
    arrays = [x.reshape(128, 128), n.reshape(()), y.reshape(128, 128)]
    views = [device.buffer(array) for array in arrays]  # type: ignore[attr-defined]
    call = executable.bind("grind", views[:2], views[2:], None)  # type: ignore[attr-defined]
    fence: Fence = queue.submit(call)  # type: ignore[attr-defined]
    fence.wait(timeout_ns=50_000_000)  # let it start
    return fence


def orders(make: tuple[str, str, str]) -> None:
    """Let go in many orders, some while the call is still running."""
    rng = random.Random(0)
    for turn in range(30):
        held = things(*make)
        names = list(held)
        rng.shuffle(names)
        if turn % 2:
            held["fence"].wait()  # type: ignore[attr-defined]
        if turn % 3 == 0:
            held["device"].close()  # type: ignore[attr-defined]
        for name in names:
            del held[name]
            if turn % 5 == 0:
                gc.collect()


def cycle(make: tuple[str, str, str]) -> None:
    """Everything in one garbage cycle: the collector picks the order."""
    for _ in range(20):
        held = things(*make)
        held["self"] = held
        for thing in (held["device"], held["executable"]):
            thing.held = held  # type: ignore[attr-defined]
        del held, thing
        gc.collect()


def main() -> None:
    scenario, *rest = sys.argv[1:]
    make = (rest[0], rest[1], rest[2])
    if scenario == "orders":
        return orders(make)
    if scenario == "cycle":
        return cycle(make)
    held = things(*make)
    globals()["kept"] = held
    queue, gate, call = held["queue"], held["gate"], held["call"]
    if scenario == "idle":
        held["fence"].wait()  # type: ignore[attr-defined]
    elif scenario == "backlog":
        for _ in range(1000):
            queue.submit(call)  # type: ignore[attr-defined]
    elif scenario == "gated":
        queue.submit(call, wait=Fence(((gate, 1),)))  # type: ignore[attr-defined,arg-type]
        queue.submit(call)  # type: ignore[attr-defined]
    elif scenario == "busy":
        busy(held, 5000)
    elif scenario == "hung":
        busy(held, 2_000_000_000)
    elif scenario == "late":  # the call comes back while the interpreter is being torn down
        worker.EXIT_GRACE_S = 0.0
        busy(held, random.randrange(600, 1400))
    elif scenario == "waiting":  # a daemon thread of the user's is left waiting on a fence
        pending = Fence(((gate, 1),))  # type: ignore[arg-type]
        threading.Thread(target=pending.wait, daemon=True).start()
    elif scenario == "raise":
        busy(held, 5000)
        raise SystemExit(3)
    for name in itertools.islice(list(held), 3):
        del held[name]


if __name__ == "__main__":
    main()
