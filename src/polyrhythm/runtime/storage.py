"""The memory of a context and the calls bound to it: made once, before the first tick.

Everything lives in one arena: link slots, tensors between the stages of a module, scratch, noise. A call is
bound to every combination of slots that its stage can meet, so that a launch is a look-up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.api import Buffer, Call, Device, Executable
from polyrhythm.memory import Arena, LinkStorage, footprint
from polyrhythm.runtime.binding import Stage, Where
from polyrhythm.runtime.plan import Plan
from polyrhythm.schedule.events import Launch

#: Calls are bound ahead up to this many combinations of slots for a stage; beyond, at first use.
BOUND_AHEAD = 4096
#: Outputs up to this size are checked for NaN and infinity; larger ones only where the robot executes them.
FINITE_CHECK_BYTES = 64 * 1024

Key = tuple[int, ...]


class Storage:
    """Slots, inner tensors and bound calls of one context.

    Args:
        plan: the plan.
        devices: open devices by name.
        executables: loaded modules by module id.
    """

    def __init__(
        self, plan: Plan, devices: Mapping[str, Device], executables: Mapping[str, Executable]
    ) -> None:
        self._plan = plan
        self._devices = devices
        self._executables = executables
        self.arena = Arena(footprint(item for *_, item in _reservations(plan)), "context")
        self.links: dict[str, LinkStorage] = {}
        #: Memory of a module alone, by (module, key of `Where`).
        self.own: dict[tuple[str, str], np.ndarray] = {}
        for owner, kind, key, item in _reservations(plan):
            if kind != "slot":
                self.own[owner, key] = self.arena.take(owner, kind, item)
            elif key not in self.links:
                assert isinstance(item, Tensor)
                self.links[key] = LinkStorage(item, plan.schedule.ports[key], self.arena, owner)
        self._buffers: dict[tuple[str, str], Buffer] = {}
        self._calls: dict[tuple[str, int], dict[Key, Call]] = {}
        for module, wiring in plan.wiring.items():
            for index, stage in enumerate(wiring.stages):
                calls = self._calls[module, index] = {}
                depths = [plan.schedule.ports[port] for port in self._slotted(module, stage)]
                if math.prod(depths) <= BOUND_AHEAD:
                    for slots in product(*map(range, depths)):
                        calls[slots] = self._bind(module, index, slots)

    def call(self, launch: Launch) -> Call:
        """The bound call of a launch."""
        stage = self._plan.wiring[launch.module].stages[launch.stage]
        key = tuple(
            [next(r.slot for r in launch.reads if r.input == w.key) for w in stage.inputs if w.kind == "link"]
            + [next(s for p, s in launch.writes if p == w.key) for w in _own(stage)]
        )
        calls = self._calls[launch.module, launch.stage]
        call = calls.get(key)
        if call is None:
            call = calls[key] = self._bind(launch.module, launch.stage, key)
        return call

    def row(self, port: str, slot: int, row: int) -> np.ndarray:
        """Row `row` of the chunk in a slot (or the whole, for a port of single actions)."""
        array = self.links[port].array(slot)
        return array[row] if array.ndim == 2 else array

    def not_finite(self, launch: Launch) -> str | None:
        """What is wrong with the outputs that a job has written, or None."""
        chunk = self._plan.module(launch.module).chunk
        for port, slot in launch.writes:
            array = self.links[port].array(slot)
            checked = array.nbytes <= FINITE_CHECK_BYTES or (chunk is not None and port == chunk[0])
            if checked and array.dtype.kind == "f" and not np.isfinite(array).all():
                return f"output {port} holds NaN or infinity"
        return None

    # -- binding --------------------------------------------------------------------------------------------

    def _slotted(self, module: str, stage: Stage) -> list[str]:
        """The ports whose slot a call of this stage depends on."""
        sources = {link.name: link.source for link in self._plan.module(module).inputs}
        return [sources[w.key] for w in stage.inputs if w.kind == "link"] + [w.key for w in _own(stage)]

    def _bind(self, module: str, index: int, key: Key) -> Call:
        stage = self._plan.wiring[module].stages[index]
        device = self._plan.module(module).device
        ports = self._slotted(module, stage)
        reads = sum(w.kind == "link" for w in stage.inputs)
        sources = iter(zip(ports[:reads], key[:reads], strict=True))
        sinks = dict(zip(ports[reads:], key[reads:], strict=True))

        def buffer(where: Where) -> Buffer:
            if where.kind == "link":
                return self.links[(pair := next(sources))[0]].buffer(self._devices[device], pair[1])
            if where.kind == "own":
                return self.links[where.key].buffer(self._devices[device], sinks[where.key])
            return self._private(device, module, where.key, self.own[module, where.key])

        scratch = self.own.get((module, "scratch"))
        return self._executables[module].bind(
            stage.entry.name,
            [buffer(where) for where in stage.inputs],
            [buffer(where) for where in stage.outputs],
            None if scratch is None else self._private(device, module, "scratch", scratch),
        )

    def _private(self, device: str, module: str, key: str, array: np.ndarray) -> Buffer:
        if (module, key) not in self._buffers:
            self._buffers[module, key] = self._devices[device].buffer(array)
        return self._buffers[module, key]


def _own(stage: Stage) -> list[Where]:
    """The slots of this job that a stage touches: those it writes, and those an earlier stage wrote."""
    return list(dict.fromkeys(w for w in (*stage.outputs, *stage.inputs) if w.kind == "own"))


def _reservations(plan: Plan) -> Iterator[tuple[str, str, str, Tensor | int]]:
    """(owner, kind, key, tensor or bytes) of all memory of a context, in the order it lies in the arena."""
    for port, tensor in plan.ports.items():
        for _ in range(plan.schedule.ports[port]):
            yield port.partition(".")[0], "slot", port, tensor
    for module, wiring in plan.wiring.items():
        for key, tensor in wiring.inner.items():
            yield module, "inner", key, tensor
        for name in dict.fromkeys(
            w.key for s in wiring.stages for w in s.inputs if w.kind in ("noise", "free")
        ):
            yield module, "input", name, wiring.inputs[name]
        if nbytes := max(stage.entry.scratch_bytes for stage in wiring.stages):
            yield module, "scratch", "scratch", nbytes
