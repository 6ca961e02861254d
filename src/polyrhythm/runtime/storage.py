"""The memory of a context and the calls bound to it: made once, before the first tick.

Everything lives in one arena: link slots, tensors between the stages of a module, scratch, noise. A call is
bound to every combination of slots that its stage can meet, so that a launch is a look-up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import product

import numpy as np

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.api import Buffer, Call, Device, Executable, modelled, private_buffer
from polyrhythm.hal.blame import blaming
from polyrhythm.memory import Arena, Budgets, LinkStorage
from polyrhythm.runtime.binding import Where
from polyrhythm.runtime.ledger import SCRATCH, reservations, rows
from polyrhythm.runtime.paged import Pools, Sequences
from polyrhythm.runtime.plan import Plan
from polyrhythm.schedule import Loop, ModulePlan
from polyrhythm.schedule.events import Launch

#: Calls are bound ahead up to this many combinations of slots for a stage; beyond, at first use.
BOUND_AHEAD = 4096
#: Linked outputs up to this size are checked for NaN and infinity; larger ones only where the robot executes
#: them.
FINITE_CHECK_BYTES = 64 * 1024

_BF16_EXPONENT = np.uint16(0x7F80)

Slots = tuple[int, ...]


class Storage:
    """Slots, inner tensors and bound calls of one context.

    Args:
        plan: the plan.
        devices: open devices by name.
        executables: loaded modules by module id.
        budgets: what the memory is drawn from until `close`; without, there are no limits.
        name: what the arena is called.
        pools: the pages of paged KV, if other contexts of the bundle are there; without, they are made.
        seat: whose share of them it has, from 0.

    Raises:
        BudgetError: a module's budget does not allow it; nothing is reserved then, nor if binding fails.
    """

    def __init__(
        self,
        plan: Plan,
        devices: Mapping[str, Device],
        executables: Mapping[str, Executable],
        budgets: Budgets | None = None,
        name: str = "context",
        pools: Pools | None = None,
        seat: int = 0,
    ) -> None:
        self._plan = plan
        self._loops = {module.id: module.loop for module in plan.schedule.modules}
        self._devices = devices
        self._executables = executables
        planned = rows(plan)
        self.arena = Arena(sum(row.reserved for row in planned), name, budgets)
        self.links: dict[str, LinkStorage] = {}
        #: Memory of a module alone, by (module, key of `Where`); pages of KV are those of all contexts.
        self.own: dict[tuple[str, str], np.ndarray] = {}
        self._buffers: dict[tuple[str, str], Buffer] = {}
        self._stages = {
            (module, index, enters): _Slotted(plan.module(module), inputs, stage.outputs)
            for module, wiring in plan.wiring.items()
            for index, stage in enumerate(wiring.stages)
            for enters, inputs in ((False, stage.inputs), (True, stage.entering))
            if not enters or _may_enter(self._loops[module], index)
        }
        with ExitStack() as undo:
            undo.callback(self.arena.close)
            self._take()
            # The ledger that was shown, refused or admitted is the one that lives.
            assert self.arena.ledger() == planned, f"{name}: the arena is not as planned"
            #: Pages of KV, those of all contexts of the bundle.
            self.pools = Pools(plan.paged) if pools is None else pools
            self.sequences = Sequences(plan.paged, self.pools, seat, self.own, self.links)
            undo.callback(self.sequences.close)
            for module, paging in plan.paged.items():
                self.own[module, paging.pool.name] = self.pools.of[module].array
            self._bind_ahead()
            undo.pop_all()
        #: Which of the outputs of a module that links read are looked at.
        self._checked = {
            module.id: self._checked_of(plan.module(module.id)) if module.check_finite else []
            for module in plan.manifest.orchestration.modules
        }
        #: What modules keep from tick to tick.
        self._states = {
            module: [
                self.own[module, where.key]
                for where in {w for stage in wiring.stages for w in stage.inputs if w.kind == "state"}
            ]
            for module, wiring in plan.wiring.items()
        }

    def call(self, launch: Launch) -> Call:
        """The bound call of a launch."""
        loop, skipped = self._loops[launch.module], launch.skipped
        at = launch.module, launch.stage, loop is not None and 0 < skipped == launch.stage - loop.first
        slotted, reads, writes = self._stages[at], launch.reads, launch.writes
        slots = tuple([reads[i].slot for i in slotted.reads] + [writes[i][1] for i in slotted.writes])
        call = slotted.calls.get(slots)
        if call is None:
            call = slotted.calls[slots] = self._bind(*at, slots)
        return call

    def any_call(self, module: str, stage: int) -> Call:
        """A call of a stage; run it only while nothing else runs."""
        slotted = self._stages[module, stage, False]
        slots = (0,) * len(slotted.ports)
        return slotted.calls.get(slots) or self._bind(module, stage, False, slots)

    def modelled_ns(self, module: str) -> dict[int, int]:
        """How long the stages of a module take, by index, where its device's model says so."""
        found: dict[int, int] = {}
        for (name, index, _), slotted in self._stages.items():
            for call in slotted.calls.values() if name == module else ():
                if (known := modelled(call)) is not None:
                    found[index] = max(found.get(index, 0), known.modelled_ns)
        return found

    def keeps(self, module: str) -> bool:
        """Whether a module updates something in place that stays from tick to tick."""
        return bool(self._states[module])

    def reset(self, *modules: str) -> None:
        """What modules (none named: all) update in place is zero again, as when an episode begins."""
        for module in modules or self._states:
            for array in self._states[module]:
                array[...] = 0

    def row(self, port: str, slot: int, row: int) -> np.ndarray:
        """Row `row` of the chunk in a slot (or the whole, for a port of single actions)."""
        array = self.links[port].array(slot)
        return array[row] if array.ndim == 2 else array

    def not_finite(self, launch: Launch) -> str | None:
        """What is wrong with the outputs that a job has written for others, or None.

        An output that no link reads is given to nobody: it is written to no slot, and not looked at, whatever
        its size. A NaN in a larger one than `FINITE_CHECK_BYTES` gets as far as the modules that read it.
        Their own outputs are looked at again, and the robot's chunk always: so the robot executes it only if
        one of them makes a number of it.
        """
        for position in self._checked[launch.module]:
            port, slot = launch.writes[position]
            link = self.links[port]
            if not _finite(link.array(slot), link.tensor.dtype):
                return f"output {port} holds NaN or infinity"
        return None

    def close(self) -> None:
        """Give the memory back to its budgets; no job of this context may be running."""
        self.sequences.close()
        self.arena.close()

    # -- binding --------------------------------------------------------------------------------------------

    def _checked_of(self, module: ModulePlan) -> list[int]:
        made = None if module.chunk is None else module.chunk[0]
        return [
            at
            for at, port in enumerate(module.outputs)
            if port == made or self.links[port].arrays[0].nbytes <= FINITE_CHECK_BYTES
        ]

    def _take(self) -> None:
        for owner, kind, key, item in reservations(self._plan):
            if kind not in ("slot", "chunk"):
                self.own[owner, key] = self.arena.take(owner, kind, item)
            elif key not in self.links:
                assert isinstance(item, Tensor)
                self.links[key] = LinkStorage(item, self._plan.schedule.ports[key], self.arena, owner, kind)

    def _bind_ahead(self) -> None:
        for at, slotted in self._stages.items():
            depths = [self._plan.schedule.ports[port] for port in slotted.ports]
            if math.prod(depths) <= BOUND_AHEAD:
                for slots in product(*map(range, depths)):
                    slotted.calls[slots] = self._bind(*at, slots)

    def _bind(self, module: str, index: int, enters: bool, slots: Slots) -> Call:
        slotted = self._stages[module, index, enters]
        at = dict(zip(slotted.wheres, zip(slotted.ports, slots, strict=True), strict=True))
        device = self._plan.module(module).device

        def buffer(where: Where) -> Buffer:
            if where in at:
                port, slot = at[where]
                return self.links[port].buffer(self._devices[device], slot)
            return self._private(device, module, where.key, where.kind == "inner")

        entry = self._plan.wiring[module].stages[index].entry
        with blaming("device", device):
            return self._executables[module].bind(
                entry.name,
                [buffer(where) for where in slotted.inputs],
                [buffer(where) for where in slotted.outputs],
                self._private(device, module, SCRATCH) if (module, SCRATCH) in self.own else None,
            )

    def _private(self, device: str, module: str, key: str, inner: bool = False) -> Buffer:
        """Memory of the module; what one stage hands to the next, its device has for itself."""
        if (module, key) not in self._buffers:
            at, array = self._devices[device], self.own[module, key]
            self._buffers[module, key] = private_buffer(at, array) if inner else at.buffer(array)
        return self._buffers[module, key]


def _may_enter(loop: Loop | None, index: int) -> bool:
    """Whether a job that leaves out steps may begin the loop with this stage."""
    return loop is not None and loop.first < index < loop.first + loop.full


def _finite(array: np.ndarray, dtype: str) -> bool:
    if dtype == "bf16":  # its bits are kept as u16; an exponent of ones is infinity or NaN
        return bool((array & _BF16_EXPONENT != _BF16_EXPONENT).all())
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


class _Slotted:
    """What of a stage depends on slots: where they are found in a launch, and the call for every combination.

    `wheres` are the inputs from links, then the slots that the job itself writes (this stage or an earlier
    one); `ports` are theirs; `reads` and `writes` their positions in the launch.
    """

    def __init__(self, plan: ModulePlan, inputs: tuple[Where, ...], outputs: tuple[Where, ...]) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.calls: dict[Slots, Call] = {}
        linked = [w for w in inputs if w.kind == "link"]
        own = list(dict.fromkeys(w for w in (*outputs, *inputs) if w.kind == "own"))
        names = [link.name for link in plan.inputs]
        self.wheres = (*linked, *own)
        self.reads = tuple(names.index(w.key) for w in linked)
        self.writes = tuple(plan.outputs.index(w.key) for w in own)
        self.ports = [plan.inputs[i].source for i in self.reads] + [w.key for w in own]
