"""Static plans on the CPU: modules that were planned while they were compiled, run without deciding anything.

Two URIs: ``local-sync`` computes in the thread of the queue, ``local-pair`` in that thread and a second one
that takes workgroups (it spins all the time: give it a core of its own, the second of ``cores``). The second
one has the nice value of those that compute, and is never first in first out, which would keep everybody else
from its core for good.

Artefacts are plans (`polyrhythm.compile.static_plan` makes them) with their kernel library beside them.
Inputs and outputs are the caller's memory, read and written where they lie; a call allocates nothing.
A call that cuts in (`polyrhythm.hal.api.GivingQueue`) runs between two steps of whatever is running.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic_ns

import numpy as np

from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import native
from polyrhythm.hal.api import Buffer, Call, Capabilities, Completion, DeviceConfig, Fence, HalError
from polyrhythm.hal.binding import check_call
from polyrhythm.hal.drivers.iree_abi import Layout, layout
from polyrhythm.hal.drivers.static_native import Plan, PlanModule, Team
from polyrhythm.hal.local import HostBuffer, LocalDevice, check_owner
from polyrhythm.hal.priority import NORMAL, Ranks
from polyrhythm.hal.timeline import QueueTimeline
from polyrhythm.hal.worker import Shared, WorkerQueue, first_line, rank, tell

ALONE, PAIR = "local-sync", "local-pair"
#: What a queue's thread looks at while it runs a plan, by the key of the queue.
_turns: dict[int, _Turns] = {}


class StaticCall:
    """See `polyrhythm.hal.api.Call`. Run it on one queue at a time: it is one set of memory."""

    __slots__ = ("entry", "left", "owner", "plan")

    def __init__(self, owner: object, entry: Entry, plan: Plan) -> None:
        self.owner, self.entry, self.plan = owner, entry, plan
        #: A run of it was left and has not been taken up again.
        self.left = False

    def run(self, key: int) -> int:
        """Run to the end, letting others cut in between two steps; returns for how long they ran, in ns.

        Raises:
            HalError: a kernel failed, or the queue was abandoned while another call ran.
        """
        turns, away_ns = _turns.get(key), 0
        if self.left:  # on a queue that was abandoned, whose thread does not touch it any more
            self.plan.reset()
            self.left = False
        if turns is None:
            self.plan.run()
            return away_ns
        if turns.team is not None:
            self.plan.join(turns.team)
        while not self.plan.run(turns.flag):
            self.left = True
            away_ns += turns.give(key)
            turns.keep_on()
        self.left = False
        return away_ns

    def kernels_ns(self) -> list[int]:
        """See `polyrhythm.hal.api.LeavableCall`."""
        found: list[int] = self.plan.steps_ns().tolist()
        return found


_Waiting = tuple[StaticCall, QueueTimeline, object, Callable[[Completion], None] | None]


class _Turns:
    """Calls that wait to run between two steps of another one; the last to come goes first."""

    def __init__(self, team: Team | None, ranks: Ranks | None) -> None:
        self.team = team
        self.ranks = None if ranks is None or ranks.compute == ranks.deliver else ranks
        self.flag = ctypes.c_int(0)
        self.waiting: list[_Waiting] = []
        #: So many of them came before what runs now: it is not left for those.
        self.before = 0
        #: What the queue and its thread share; None until the queue is there.
        self.shared: Shared | None = None

    def give(self, key: int) -> int:
        """Run all that wait and came after what is left, to their ends; returns how long that took, in ns."""
        shared = self.shared
        if shared is None:
            return 0
        left, since_ns = shared.begun, monotonic_ns()
        while True:
            self.flag.value = 0  # before the look at what waits: whoever comes after it sets it again
            if len(self.waiting) <= self.before:
                break
            self._serve(key, shared, self.waiting.pop())
        shared.begun = left
        return monotonic_ns() - since_ns

    def keep_on(self) -> None:
        """Raise `HalError` if the queue was abandoned: the memory of what was left is not its own any more.

        `give` has just written `begun`: see `Shared.cancel`.
        """
        if self.shared is not None and self.shared.cancelled is not None:
            raise HalError(self.shared.cancelled)

    def _serve(self, key: int, shared: Shared, waits: _Waiting) -> None:
        call, timeline, token, done = waits
        started_ns, away_ns = monotonic_ns(), 0
        shared.begun = token
        error = shared.cancelled
        if error is None:
            before, self.before = self.before, len(self.waiting)
            try:
                away_ns = call.run(key)
            except BaseException as problem:
                error = first_line(problem)
            self.before = before
        ended_ns = monotonic_ns()
        shared.begun = None
        timeline.reach(1, error)
        if done is not None:
            if self.ranks is not None:
                rank(self.ranks.deliver)
            tell(done, Completion(token, started_ns, ended_ns, error, away_ns), call)
            if self.ranks is not None:
                rank(self.ranks.compute)


class _Turn:
    """A call of its own that gives those who wait their turn, for a queue that runs nothing else."""

    __slots__ = ("_turns", "entry", "owner")

    def __init__(self, owner: object, turns: _Turns) -> None:
        self.owner, self._turns, self.entry = owner, turns, Entry("cut_in", (), ())

    def run(self, key: int) -> None:
        self._turns.give(key)


def _forget(turns: _Turns, key: int) -> None:
    """The thread of a queue ends: who still waits never runs."""
    _turns.pop(key, None)  # it is not there if the thread could not be pinned
    if turns.shared is not None:
        turns.shared.cancelled = turns.shared.cancelled or "the queue is closed"
        turns.give(key)
    if turns.team is not None:
        turns.team.stop()


class StaticQueue(WorkerQueue):
    """See `polyrhythm.hal.api.GivingQueue`. With a `team`, its thread shares the work."""

    def __init__(
        self,
        name: str,
        cores: Sequence[int],
        owner: object,
        team: Team | None = None,
        ranks: Ranks | None = None,
    ) -> None:
        self._turns = _Turns(team, ranks)
        self._turn = _Turn(owner, self._turns)
        super().__init__(name, cores, owner, partial(_forget, self._turns), ranks)
        self._turns.shared = self._shared
        _turns[self.key] = self._turns

    def _left_behind(self) -> None:
        """The second thread leaves its core to the next queue's."""
        if self._turns.team is not None:
            self._turns.team.dismiss()

    def cut_in(
        self, call: Call, *, token: object = None, done: Callable[[Completion], None] | None = None
    ) -> Fence:
        """See `polyrhythm.hal.api.GivingQueue.cut_in`.

        Raises:
            HalError: the queue is closed, or the call was not bound on its device.
        """
        if not isinstance(call, StaticCall) or call.owner is not self._turn.owner:
            raise HalError(f"{call.entry.name!r} was not bound on the device of queue {self.name!r}")
        waits = call, QueueTimeline(f"{self.name}.cut_in"), token, done
        self._turns.waiting.append(waits)
        self._turns.flag.value = 1
        try:
            self.submit(self._turn)
        except HalError:
            # The queue was closed just now: its thread may have told who waits, or is about to.
            with suppress(ValueError):
                self._turns.waiting.remove(waits)
                raise
        return Fence(((waits[1], 1),))


class StaticExecutable:
    """See `polyrhythm.hal.api.Executable`."""

    def __init__(self, device: StaticDevice, module: PlanModule, entries: Sequence[Entry]) -> None:
        self.module = module
        self._token, self._name = device.token, device.name
        self._layouts: dict[str, Layout] = {}
        artefact = module.artefact
        for entry in entries:
            if entry.name not in module.entries:
                raise HalError(
                    f"{artefact} has no entry {entry.name!r}; it has: {', '.join(module.entries) or 'none'}"
                )
            said = {"iree.abi.declaration": module.declaration(entry.name)}
            if not module.refusal(entry.name):
                said["iree.abi.transients.size.constant"] = str(module.scratch_bytes(entry.name))
            try:
                self._layouts[entry.name] = layout(entry, said)
            except HalError as problem:
                raise HalError(f"{artefact}: {problem}") from None
        self.entries: Mapping[str, Entry] = {entry.name: entry for entry in entries}

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> StaticCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        signature = self.entries.get(entry)
        artefact = self.module.artefact.name
        if signature is None:
            known = ", ".join(self.entries) or "none"
            raise HalError(f"{artefact} was loaded without entry {entry!r}; loaded are: {known}")
        if refusal := self.module.refusal(entry):
            raise HalError(f"{entry!r} of {artefact} can't be planned statically: {refusal}")
        check_call(signature, inputs, outputs, scratch, self._layouts[entry].aliases)
        check_owner(self._token, self._name, signature, inputs, outputs, [scratch] if scratch else [])
        plan = Plan(self.module, entry)
        plan.bind(
            [buffer.array for buffer in inputs],
            [buffer.array for buffer in outputs],
            None if scratch is None else scratch.array,
        )
        return StaticCall(self._token, signature, plan)

    def zero_copy(self, entry: str) -> bool:
        """A call writes its outputs straight into the caller's memory, always."""
        return entry in self.entries


class StaticDevice(LocalDevice):
    """See `polyrhythm.hal.api.Device`."""

    def __init__(self, config: DeviceConfig) -> None:
        if config.uri not in (ALONE, PAIR):
            raise HalError(
                f"device {config.name!r}: {config.uri!r} does not open here; there are: {ALONE}, {PAIR}"
            )
        super().__init__(config)
        native.runner()  # what is missing shows here
        pair = config.uri == PAIR
        compute = NORMAL if config.ranks is None else config.ranks.compute
        if pair and compute.fifo and len(set(config.cores)) < 2:
            raise HalError(
                f"device {config.name!r}: with {compute} its first thread may keep the second from the core "
                "that both need, and wait for it for good: name two `cores`, or ask for a nice value"
            )
        #: The core of the second thread, -1 for any; None without one.
        self._helper = (config.cores[-1] if config.cores else -1) if pair else None
        if pair:
            self.cores = config.cores[:1]
        self._nice = 0 if compute.fifo else compute.level

    def queue(self) -> StaticQueue:
        """See `polyrhythm.hal.api.Device.queue`."""
        team = None if self._helper is None else Team(self._helper, self._nice)
        queue = StaticQueue(self.next_name(), self.cores, self.token, team, self._ranks)
        self._queues.add(queue)
        return queue

    def buffer(self, array: np.ndarray) -> HostBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return HostBuffer(self.token, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> StaticExecutable:
        """See `polyrhythm.hal.api.Device.load`; the artefact is a plan."""
        module = PlanModule(artefact, parameters)
        if module.compiler != (here := compiler_version()):
            raise HalError(
                f"{artefact} was made by compiler {module.compiler}, installed is {here}: make it anew"
            )
        return StaticExecutable(self, module, entries)


class StaticDriver:
    """See `polyrhythm.hal.api.Driver`."""

    name = "static"
    formats: tuple[str, ...] = ("iree",)  # made into plans, in the compile room
    package = ""
    capabilities = Capabilities(
        grain="step", failures=False, note="a more urgent stage is let in between two kernels of another one"
    )

    def open(self, config: DeviceConfig) -> StaticDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        return StaticDevice(config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`."""
        if missing := native.missing():
            raise HalError(f"it needs {missing}, once")
        return (ALONE, PAIR)


driver = StaticDriver()
