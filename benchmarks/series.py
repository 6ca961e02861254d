"""Three modules in series on one CPU: at most 1.1 x what they take alone, one after the other (case 23).

Pools whose idle workers spin take the processor from whoever works; three models in series then cost twice
their sum. Here three compiled modules, each reading what the one before has published, run in `sequential`
order through the whole runtime: in one device, and in three devices with a worker pool each (none spins). The
time from the release of a tick to the end of the third module stands beside the sum of the three called
bare as often, by a thread that sleeps between: a core that has rested is slower for anybody. Measured in the
same run before and after.
"""

from __future__ import annotations

import shutil
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import monotonic_ns, sleep

from measure import Figure, arguments, compiled, cores, finish, pinned, quantile, temporary

from polyrhythm.bundle import Bundle
from polyrhythm.bundle.signature import Tensor
from polyrhythm.compile import lock_existing
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.hal.priority import Priority, Ranks, ranked
from polyrhythm.memory import Arena, footprint
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.schedule.events import Command, Event, Finish

SIZE = 320
SOURCE = """
func.func @stage(%x: tensor<SIZExSIZExf32>, %storage: tensor<SIZExSIZExf32> {iree.abi.output = 0 : index},
                %scratch: !hal.buffer {iree.abi.transients}) -> tensor<SIZExSIZExf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<SIZExSIZExf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<SIZExSIZExf32>) -> tensor<SIZExSIZExf32>
  %one = linalg.matmul ins(%x, %x : tensor<SIZExSIZExf32>, tensor<SIZExSIZExf32>)
                       outs(%init : tensor<SIZExSIZExf32>) -> tensor<SIZExSIZExf32>
  %two = linalg.matmul ins(%one, %x : tensor<SIZExSIZExf32>, tensor<SIZExSIZExf32>)
                       outs(%init : tensor<SIZExSIZExf32>) -> tensor<SIZExSIZExf32>
  return %two : tensor<SIZExSIZExf32>
}
"""
#: Other programs are kept out of the comparison, where that is permitted.
PRIORITY = 20
RANKS = Ranks(Priority(True, PRIORITY), Priority(True, PRIORITY))
THREADS = f"threads: {{ policy: fifo, priority: {PRIORITY} }}"
NAMES = ("first", "second", "third")
#: Of the time, while the three run: what is left is for whatever else the machine does.
LOAD = 0.5
#: A rate: again and again.
AT_ONCE = float("inf")


class Ends:
    """When the third module of each tick was done, counted from the release that the three share."""

    def __init__(self) -> None:
        self.took_ns: list[int] = []

    def step(self, event: Event, commands: list[Command]) -> None:
        """See `polyrhythm.runtime.Listener`."""
        for command in commands:
            if type(command) is Finish and command.module == NAMES[-1]:
                self.took_ns.append(event.now_ns - command.release_ns)

    def note(self, note: Note) -> None:
        """No robot, no notes."""


def bare(bundle: Bundle, uri: str, rate_hz: float, rounds: int = 20) -> list[int]:
    """How long three calls take, one after the other, called bare on a device of that kind, so often."""
    entry = bundle.module("stages.vmfb").entries["stage"]
    scratch = Tensor("scratch", "u8", (entry.scratch_bytes,))
    device = driver("iree").open(DeviceConfig("bare", uri, (cores()[1],), RANKS))
    try:
        arena = Arena(footprint([*entry.inputs, *entry.outputs, scratch] * len(NAMES)), "bare")
        executable = device.load(bundle.artefacts["stages.vmfb"], [entry])
        calls = []
        for name in NAMES:
            x, y, z = (
                device.buffer(arena.take(name, tensor.name, tensor))
                for tensor in (*entry.inputs, *entry.outputs, scratch)
            )
            calls.append(executable.bind("stage", [x], [y], z))
        took_ns = []
        with pinned(cores()[1]), ranked(Priority(True, PRIORITY)):
            first_ns = monotonic_ns()
            for turn in range(rounds + 5):
                sleep(max(0.0, (first_ns + turn * 1e9 / rate_hz - monotonic_ns()) / 1e9))
                began_ns = monotonic_ns()
                for call in calls:
                    call.run(0)
                took_ns.append(monotonic_ns() - began_ns)
        return took_ns[5:]
    finally:
        device.close()


def made(artefact: Path, uris: dict[str, str], rate_hz: float) -> Bundle:
    """Three modules, one after the other, on the devices in turn."""
    root = temporary()
    shutil.copy(artefact, root / "stages.vmfb")
    devices, (_, core) = list(uris), cores()
    lines = [
        "devices:",
        *(f"  {name}: {{ uri: {uri}, cores: [{core}], {THREADS} }}" for name, uri in uris.items()),
    ]
    lines += ["orchestration:", "  mode: sequential", "  modules:"]
    for position, name in enumerate(NAMES):
        device = devices[position % len(devices)]
        lines.append(
            f"  - {{ id: {name}, vmfb: stages.vmfb, entry: stage, rate_hz: {rate_hz:.6g}, device: {device} }}"
        )
    lines += ["  links:", *(f"  - {{ from: {a}.y, to: {b}.x }}" for a, b in pairwise(NAMES))]
    (root / "manifest.yaml").write_text("\n".join(lines) + "\n")
    return lock_existing(root, {"stages.vmfb": {"stage": (("x",), ("y",))}})


def through_runtime(bundle: Bundle, seconds: float) -> list[int]:
    """How long the three took, tick by tick, the first ticks left out."""
    checked = check(bundle.root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    ends = Ends()
    with pinned(cores()[0]), Runtime(checked.plan) as runtime:
        runtime.run(seconds=seconds, listeners=[ends])
    return ends.took_ns[5:]


def main() -> int:
    """Alternate: bare, through the runtime, bare, ..."""
    options = arguments("Three modules in series against the sum of them alone.")
    artefact = compiled(SOURCE.replace("SIZE", str(SIZE)))
    rounds, seconds = (3, 2.0) if options.quick else (9, 5.0)
    ways = {
        "one device": {"cpu": "local-sync"},
        "three devices, a pool each": dict.fromkeys(("one", "two", "three"), "local-task"),
    }
    plain = made(artefact, {"cpu": "local-sync"}, 1)
    rate_hz = LOAD * 1e9 / median(bare(plain, "local-sync", AT_ONCE))
    figures = []
    for way, uris in ways.items():
        bundle, (uri, *_) = made(artefact, uris, rate_hz), uris.values()
        ratios, alone_ms, warm_ms = [], [], []
        for _ in range(rounds):
            before_ns = bare(plain, uri, rate_hz)
            took_ns = through_runtime(bundle, seconds)
            # A neighbour's burst is nobody's overhead: the quickest tenth of either.
            alone_ns = quantile(before_ns + bare(plain, uri, rate_hz), 0.1)
            ratios.append(quantile(took_ns, 0.1) / alone_ns)
            alone_ms.append(alone_ns / 1e6)
            warm_ms.append(quantile(bare(plain, uri, AT_ONCE), 0.1) / 1e6)
        figures.append(Figure(f"three modules alone, {uri}, as often", median(alone_ms), "ms"))
        figures.append(Figure(f"three modules alone, {uri}, without a pause", median(warm_ms), "ms"))
        figures.append(Figure(f"in series, {way}", median(ratios), "x alone", 1.1))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
