"""A device that leaves a call between two kernels, as the suite asks, and queues that do not quite."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic_ns
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import Buffer, Capabilities, Completion, DeviceConfig, Fence, HalError
from polyrhythm.hal.binding import check_call
from polyrhythm.hal.conformance import NEGATIVE
from polyrhythm.hal.local import HostBuffer, LocalDevice, check_owner
from polyrhythm.hal.timeline import QueueTimeline
from polyrhythm.hal.worker import WorkerQueue

CAN = Capabilities(in_place=False, allocation_free=False, grain="step")
_queues: dict[int, Gives] = {}


class StepCall:
    """Gives way after each of its kernels."""

    def __init__(self, owner: object, entry: Entry, inputs: Sequence[np.ndarray], out: np.ndarray) -> None:
        self.owner, self.entry, self.inputs, self.out = owner, entry, inputs, out

    def kernels(self) -> Iterator[None]:
        """Yields between two of them."""
        result = self.inputs[0]
        if self.entry.name == "add":
            result = result + self.inputs[1]
        elif self.entry.name == "twice":
            if result < 0:
                raise ValueError(NEGATIVE)
            result = 2 * result
        elif self.entry.name == "grind":
            for _ in range(int(self.inputs[1])):
                result = self.inputs[0] @ result
                yield
        self.out[...] = result

    def run(self, key: int) -> int:
        """See `polyrhythm.hal.worker.RunnableCall.run`."""
        queue, away_ns = _queues[key], 0
        for _ in self.kernels():
            if queue.came:
                away_ns += queue.give()
                queue.go_on()
        return queue.away_ns(away_ns)

    def kernels_ns(self) -> list[int]:
        """See `polyrhythm.hal.api.LeavableCall`."""
        return [0 for _ in self.kernels()]


class Turn:
    """Gives those who wait their turn on an idle queue."""

    def __init__(self, queue: Gives) -> None:
        self.owner, self.entry, self.queue = queue._owner, Entry("cut_in", (), ()), queue

    def run(self, key: int) -> None:
        self.queue.give()


class Gives(WorkerQueue):
    """As it is to be."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given, released=self.ended)
        self.came, self.before = False, 0
        self.waiting: list[tuple[StepCall, QueueTimeline, Any, Any]] = []
        _queues[self.key] = self

    def cut_in(self, call: Any, *, token: object = None, done: Any = None) -> Fence:
        if call.owner is not self._owner:
            raise HalError(f"{call.entry.name!r} was not bound on the device of queue {self.name!r}")
        timeline = QueueTimeline(self.name)
        if self._closed:
            raise HalError(f"queue {self.name!r} is closed")
        self.waiting.append((call, timeline, token, done))
        self.came = True
        self.wake()
        return Fence(((timeline, 1),))

    def wake(self) -> None:
        self.submit(Turn(self))

    def next(self) -> tuple[StepCall, QueueTimeline, Any, Any]:
        return self.waiting.pop()

    def give(self) -> int:
        left, since_ns = self._shared.begun, monotonic_ns()
        self.came, before = False, self.before
        while len(self.waiting) > before:
            waits = self.next()
            self.before = len(self.waiting)
            self.one(*waits)
            self.came, self.before = False, before
        self._shared.begun = left
        return monotonic_ns() - since_ns

    def one(self, call: StepCall, timeline: QueueTimeline, token: object, done: Any) -> None:
        self._shared.begun = token
        started_ns, away_ns, error = monotonic_ns(), 0, self._shared.cancelled
        if error is None:
            try:
                away_ns = call.run(self.key)
            except Exception as problem:
                error = str(problem)
        ended_ns = monotonic_ns()
        self._shared.begun = None
        timeline.reach(1, error)
        if done is not None:
            done(Completion(token, started_ns, ended_ns, error, away_ns))

    def go_on(self) -> None:
        if self._shared.cancelled is not None:
            raise HalError(self._shared.cancelled)

    def away_ns(self, counted_ns: int) -> int:
        return counted_ns

    def ended(self, key: int) -> None:
        """Of the thread: who still waits never runs."""
        self._shared.cancelled = self._shared.cancelled or "closed"
        self.give()


class NotIdle(Gives):
    """Looks at what waits when something runs only."""

    def wake(self) -> None:
        pass


class FirstComesFirst(Gives):
    def next(self) -> tuple[StepCall, QueueTimeline, Any, Any]:
        return self.waiting.pop(0)


class NeverAway(Gives):
    def away_ns(self, counted_ns: int) -> int:
        return 0


class GoesOn(Gives):
    """What was left goes on after `abandon`."""

    def go_on(self) -> None:
        pass


class Locked(Gives):
    """`done` is called under the lock that `cut_in` takes."""

    def __init__(self, *given: Any) -> None:
        self.lock = threading.Lock()
        super().__init__(*given)

    def cut_in(self, call: Any, **more: Any) -> Fence:
        with self.lock:
            return super().cut_in(call, **more)

    def give(self) -> int:
        with self.lock:
            return super().give()


class OneEach(Gives):
    """What was left goes on after each that has cut in."""

    def give(self) -> int:
        since_ns, waits = monotonic_ns(), self.next() if self.waiting else None
        if waits is not None:
            self.one(*waits)
        self.came = bool(self.waiting)
        return monotonic_ns() - since_ns


class Beside(Gives):
    """What cuts in runs at once, in a thread of its own, and nothing is left."""

    def wake(self) -> None:
        threading.Thread(target=self.one, args=self.next(), daemon=True).start()


class FailsAll(Gives):
    """The failure of what cut in is that of whatever was left, too."""

    def one(self, call: StepCall, timeline: QueueTimeline, token: object, done: Any) -> None:
        super().one(call, timeline, token, done)
        timeline.wait(1)


class StepExecutable:
    def __init__(self, device: StepDevice, entries: Sequence[Entry]) -> None:
        self.device, self.entries = device, {entry.name: entry for entry in entries}

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> StepCall:
        signature, device = self.entries[entry], self.device
        check_call(signature, inputs, outputs, scratch, {})
        check_owner(device.token, device.name, signature, inputs, outputs)
        return StepCall(device.token, signature, [buffer.array for buffer in inputs], outputs[0].array)


class StepDevice(LocalDevice):
    """Its queues are of that kind."""

    def __init__(self, name: str, kind: type[Gives]) -> None:
        super().__init__(DeviceConfig(name, "step"))
        self.kind = kind

    def queue(self) -> Gives:
        queue = self.kind(self.next_name(), (), self.token)
        self._queues.add(queue)
        return queue

    def buffer(self, array: np.ndarray) -> HostBuffer:
        return HostBuffer(self.token, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> StepExecutable:
        return StepExecutable(self, entries)
