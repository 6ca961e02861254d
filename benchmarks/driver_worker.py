"""One driver with one model, in a process of its own, for `drivers.py`: loads it, then runs it when told.

Reads one JSON object a line from standard input and answers with one. First the job (see `Job`), answered
with what loading took; then ``{"calls": N}``, answered with the nanoseconds of every call; the end of the
input is the end.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter_ns
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Completion, DeviceConfig, driver
from polyrhythm.memory import Arena, footprint


@dataclass(frozen=True)
class Job:
    """What to load, and where.

    Attributes:
        entry: its name; `inputs` and `outputs` are ``[name, dtype, shape]`` each.
        sample: a ``.npz`` file with its inputs and, as ``y0``, ``y1``, ..., the outputs that it should give.
    """

    driver: str
    uri: str
    core: int
    artefact: str
    parameters: list[str]
    entry: str
    inputs: list[tuple[str, str, list[int]]]
    outputs: list[tuple[str, str, list[int]]]
    sample: str
    scratch_bytes: int = 0

    @property
    def signature(self) -> Entry:
        given, made = (
            tuple(Tensor(name, dtype, tuple(shape)) for name, dtype, shape in tensors)
            for tensors in (self.inputs, self.outputs)
        )
        return Entry(self.entry, given, made, self.scratch_bytes)

    def line(self) -> str:
        """This job as one line."""
        return json.dumps(asdict(self))


def resident_kb() -> int:
    """Memory that this process alone has, in KiB: what it wrote to, and no pages of files."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    return 0


def resident_files_kb() -> int:
    """Pages of files that it has mapped, in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssFile:"):
            return int(line.split()[1])
    return 0


class Loaded:
    """The model, bound to memory."""

    def __init__(self, job: Job) -> None:
        entry = job.signature
        arena = Arena(footprint([*entry.inputs, *entry.outputs, max(64, entry.scratch_bytes)]), "bench")
        inputs = [arena.take("bench", "input", tensor) for tensor in entry.inputs]
        self.outputs = [arena.take("bench", "output", tensor) for tensor in entry.outputs]
        scratch = arena.take("bench", "scratch", entry.scratch_bytes) if entry.scratch_bytes else None
        with np.load(job.sample) as sample:
            for tensor, array in zip(entry.inputs, inputs, strict=True):
                array[...] = sample[tensor.name]
            self.wanted = [sample[f"y{index}"] for index in range(len(self.outputs))]
        before_kb, files_kb, begun = resident_kb(), resident_files_kb(), perf_counter_ns()
        self.device = driver(job.driver).open(DeviceConfig("bench", job.uri, (job.core,)))
        executable = self.device.load(Path(job.artefact), [entry], [Path(file) for file in job.parameters])
        self.call = executable.bind(
            entry.name,
            [self.device.buffer(array) for array in inputs],
            [self.device.buffer(array) for array in self.outputs],
            None if scratch is None else self.device.buffer(scratch),
        )
        self.queue, self.told = self.device.queue(), SimpleQueue[Completion]()
        self.run(1)
        self.load_ms = (perf_counter_ns() - begun) / 1e6
        self._before_kb = before_kb, files_kb

    def run(self, calls: int) -> tuple[list[int], list[int]]:
        """Nanoseconds of every call: the call itself, and from submitting it to being told."""
        inside, through = [], []
        for _ in range(calls):
            begun = perf_counter_ns()
            self.queue.submit(self.call, done=self.told.put)
            completion = self.told.get()
            through.append(perf_counter_ns() - begun)
            if completion.error is not None:
                raise SystemExit(f"the call failed: {completion.error}")
            inside.append(completion.ended_ns - completion.started_ns)
        return inside, through

    def facts(self) -> dict[str, Any]:
        """What loading took, and how far the outputs are from what they should be."""
        scale = max(float(np.abs(wanted).max()) for wanted in self.wanted)
        pairs = zip(self.outputs, self.wanted, strict=True)
        # NumPy's: NaN is the largest.
        error = float(np.max([np.abs(made.astype(np.float64) - wanted).max() for made, wanted in pairs]))
        anonymous_kb, files_kb = self._before_kb
        return {
            "load_ms": self.load_ms,
            "memory_kb": resident_kb() - anonymous_kb,
            "mapped_kb": resident_files_kb() - files_kb,
            "error": error / scale,
        }


def main() -> None:
    """Until the input ends."""
    job = Job(**json.loads(sys.stdin.readline()))
    # Whatever the library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    os.sched_setaffinity(0, {job.core})
    loaded = Loaded(job)
    print(json.dumps(loaded.facts()), file=answers)
    for line in sys.stdin:
        inside, through = loaded.run(json.loads(line)["calls"])
        print(json.dumps({"call_ns": inside, "through_ns": through}), file=answers)
    loaded.device.close()


if __name__ == "__main__":
    main()
