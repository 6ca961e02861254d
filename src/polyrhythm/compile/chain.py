"""Entries of a module run one after the other on their device, wired by name as in a run."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import TracebackType

import numpy as np

from polyrhythm.bundle import Entry
from polyrhythm.hal import Call, Completion, DeviceConfig, HalError, StageError, open_device
from polyrhythm.memory import Arena, footprint
from polyrhythm.runtime.binding import wire

_WAITED = Path("/proc/thread-self/schedstat")
_TIMEOUT_S = 600.0
_ID = "chain"


class Chain(AbstractContextManager["Chain"]):
    """The stages that `entries` are, on a device of their own.

    Args:
        config: the device, as the manifest declares it.
        code, weights: machine code and parameter files.
        using: the driver.

    Raises:
        HalError: the device, the code or the weights cannot be used.
    """

    def __init__(
        self,
        config: DeviceConfig,
        code: Path,
        weights: Sequence[Path],
        entries: Sequence[Entry],
        using: str = "iree",
    ) -> None:
        outputs = {tensor.name for entry in entries for tensor in entry.outputs}
        wiring = wire(_ID, entries, {f"{_ID}.{name}" for name in outputs}, {})
        if wiring.clashes:
            raise HalError(f"the stages do not fit together at {wiring.clashes[0].name!r}")
        tensors = {
            where: tensor
            for stage in wiring.stages
            for where, tensor in zip(
                (*stage.inputs, *stage.outputs), (*stage.entry.inputs, *stage.entry.outputs), strict=True
            )
        }
        scratch = max(entry.scratch_bytes for entry in entries)
        arena = Arena(footprint([*tensors.values(), *([scratch] if scratch else [])]), _ID)
        memory = {where: arena.take(_ID, "tensor", tensor) for where, tensor in tensors.items()}
        first = {where.key: where for where in tensors if where.kind in ("free", "state")}
        last = {
            t.name: w
            for stage in wiring.stages
            for w, t in zip(stage.outputs, stage.entry.outputs, strict=True)
        }
        self.inputs = {name: memory[where] for name, where in first.items()}
        self.outputs = {name: memory[where] for name, where in last.items()}
        self._device = open_device(using, config)
        try:
            executable = self._device.load(code, entries, weights)
            buffers = {where: self._device.buffer(array) for where, array in memory.items()}
            room = self._device.buffer(arena.take(_ID, "scratch", scratch)) if scratch else None
            self._calls = [
                executable.bind(
                    stage.entry.name,
                    [buffers[where] for where in stage.inputs],
                    [buffers[where] for where in stage.outputs],
                    room,
                )
                for stage in wiring.stages
            ]
            self._queue = self._device.queue()
        except BaseException:
            self._device.close()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._device.close()

    def run(self, sample: Mapping[str, np.ndarray]) -> dict[str, bytes]:
        """All outputs of all stages, by name, for inputs by name."""
        self._fill(sample)
        self._submit(self._calls)
        return {name: array.tobytes() for name, array in self.outputs.items()}

    def measure(self, sample: Mapping[str, np.ndarray], rounds: int, seconds: float) -> list[float]:
        """What every stage takes, in milliseconds: the median of `rounds`, fewer if that takes too long.

        From the end of one stage to the end of the next, without the time that others had the core meanwhile
        (where the kernel tells, and the device works on the thread of its queue).
        """
        self._fill(sample)
        self._submit(self._calls)
        found: list[list[float]] = []
        while len(found) < 3 or (len(found) < rounds and sum(map(sum, found)) < seconds * 1e3):
            # The last stage comes once more, ahead of the first: a stage is timed from the end of another.
            ends = self._submit([self._calls[-1], *self._calls])
            found.append(
                [
                    (end.ended_ns - before.ended_ns - (waited - waited_before)) / 1e6
                    for (before, waited_before), (end, waited) in pairwise(ends)
                ]
            )
        return [median(stage) for stage in zip(*found, strict=True)]

    def _fill(self, sample: Mapping[str, np.ndarray]) -> None:
        for name, array in self.inputs.items():
            array[...] = sample[name].view(array.dtype)

    def _submit(self, calls: Sequence[Call]) -> list[tuple[Completion, int]]:
        """Run calls in a row; the end of each, and how long its thread had waited for a core until then."""
        ends: list[tuple[Completion, int]] = []
        done = threading.Event()

        def note(end: Completion) -> None:
            ends.append((end, _waited_ns()))
            if len(ends) == len(calls):
                done.set()

        for call in calls:
            self._queue.submit(call, done=note)
        if not done.wait(_TIMEOUT_S):
            raise HalError(f"the stages did not end within {_TIMEOUT_S:g} s")
        if failed := [end.error for end, _ in ends if end.error is not None]:
            raise StageError(failed[0])
        return ends


def _waited_ns() -> int:
    """How long this thread was ready to run and did not get a core, since it began."""
    try:
        return int(_WAITED.read_text().split()[1])
    except OSError:
        return 0
