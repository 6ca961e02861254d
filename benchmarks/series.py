"""Three modules in series on one CPU: at most 1.1 x what they take alone, one after the other (case 23).

Pools whose idle workers spin take the processor from whoever works; three models in series then cost twice
their sum. Here three compiled modules, each reading what the one before has published, run in `sequential`
order through the whole runtime: in one device, and in three devices with a worker pool each (none spins). The
time from the release of a tick to the end of the third module stands beside the sum of the three called
bare, measured in the same run before and after.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import monotonic_ns

from measure import Figure, arguments, compiled, finish

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.compile import lock_existing
from polyrhythm.hal import DeviceConfig, driver
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
NAMES = ("first", "second", "third")
#: Of the time, while the three run: what is left is for whatever else the machine does.
LOAD = 0.5


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


def bare(artefact: Path, rounds: int) -> list[int]:
    """How long three calls take, one after the other in this thread."""
    shape = (SIZE, SIZE)
    entry = Entry("stage", (Tensor("x", "f32", shape),), (Tensor("y", "f32", shape),))
    device = driver("iree").open(DeviceConfig("bare", "local-sync"))
    try:
        arena = Arena(footprint([*entry.inputs, *entry.outputs] * len(NAMES)), "bare")
        executable = device.load(artefact, [entry])
        calls = []
        for name in NAMES:
            x, y = (
                arena.take(name, kind, t)
                for kind, t in (("input", entry.inputs[0]), ("output", entry.outputs[0]))
            )
            calls.append(executable.bind("stage", [device.buffer(x)], [device.buffer(y)], None))
        took_ns = []
        for _ in range(rounds + 5):
            began_ns = monotonic_ns()
            for call in calls:
                call.run(0)
            took_ns.append(monotonic_ns() - began_ns)
        return took_ns[5:]
    finally:
        device.close()


def bundle(artefact: Path, uris: dict[str, str], rate_hz: float) -> Path:
    """Three modules, one after the other, on the devices in turn."""
    root = Path(tempfile.mkdtemp(prefix="polyrhythm-bench-"))
    shutil.copy(artefact, root / "stages.vmfb")
    devices = list(uris)
    lines = ["devices:", *(f"  {name}: {{ uri: {uri} }}" for name, uri in uris.items())]
    lines += ["orchestration:", "  mode: sequential", "  modules:"]
    for position, name in enumerate(NAMES):
        device = devices[position % len(devices)]
        lines.append(
            f"  - {{ id: {name}, vmfb: stages.vmfb, entry: stage, rate_hz: {rate_hz:.6g}, device: {device} }}"
        )
    lines += ["  links:", *(f"  - {{ from: {a}.y, to: {b}.x }}" for a, b in pairwise(NAMES))]
    (root / "manifest.yaml").write_text("\n".join(lines) + "\n")
    lock_existing(root, {"stages.vmfb": {"stage": (("x",), ("y",))}})
    return root


def through_runtime(root: Path, seconds: float) -> list[int]:
    """How long the three took, tick by tick, the first ticks left out."""
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    ends = Ends()
    with Runtime(checked.plan) as runtime:
        runtime.run(seconds=seconds, listeners=[ends])
    return ends.took_ns[5:]


def main() -> int:
    """Alternate: bare, through the runtime, bare, ..."""
    options = arguments("Three modules in series against the sum of them alone.")
    artefact = compiled(SOURCE.replace("SIZE", str(SIZE)))
    rounds, seconds = (3, 2.0) if options.quick else (9, 5.0)
    alone_ns = bare(artefact, 20)
    rate_hz = LOAD * 1e9 / median(alone_ns)
    ways = {
        "one device": {"cpu": "local-sync"},
        "three devices, a pool each": dict.fromkeys(("one", "two", "three"), "local-task"),
    }
    ratios: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, uris in ways.items():
            before_ns = bare(artefact, 20)
            took_ns = through_runtime(bundle(artefact, uris, rate_hz), seconds)
            ratios[way].append(median(took_ns) / median(before_ns + bare(artefact, 20)))
    figures = [Figure("three modules alone, one after the other", median(alone_ns) / 1e6, "ms")]
    figures += [Figure(f"in series, {way}", median(found), "x alone", 1.1) for way, found in ratios.items()]
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
