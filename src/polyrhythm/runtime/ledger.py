"""From a plan to its ledger: what is reserved, by whom, and where in an arena it lies.

`reservations` is the one list of a context's memory: `polyrhythm.runtime.storage` takes it from an arena, in
that order, and `ledger_of` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from polyrhythm.analysis.ledger import RUNTIME, SHARED, Ledger, Line
from polyrhythm.analysis.ledger import ledger_of as as_ledger
from polyrhythm.bundle import IREE
from polyrhythm.bundle.files import digest
from polyrhythm.bundle.signature import Tensor
from polyrhythm.island.layout import FILE_BYTES
from polyrhythm.manifest import Manifest
from polyrhythm.manifest.island import ISLAND
from polyrhythm.manifest.schema import Module
from polyrhythm.memory import Budgets, LedgerRow, Machine, layout
from polyrhythm.runtime.island_policy import entry_of
from polyrhythm.runtime.paged import pool_bytes

if TYPE_CHECKING:
    from polyrhythm.runtime.plan import Plan

#: Key of a module's scratch beside those of `Where`, none of which begins with a colon.
SCRATCH = ":scratch"


def reservations(plan: Plan) -> Iterator[tuple[str, str, str, Tensor | int]]:
    """(owner, kind, key, tensor or bytes) of all memory of a context, in the order it lies in the arena."""
    chunks = {module.chunk[0] for module in plan.schedule.modules if module.chunk is not None}
    for port, tensor in plan.ports.items():
        for _ in range(plan.schedule.ports[port]):
            yield port.partition(".")[0], "chunk" if port in chunks else "slot", port, tensor
    for module, wiring in plan.wiring.items():
        for key, tensor in wiring.inner.items():
            yield module, "inner", key, tensor
        own = dict.fromkeys(where for stage in wiring.stages for where in stage.inputs)
        for kind, key in own:
            if kind in ("runtime", "free", "state"):
                yield module, "state" if kind == "state" else "input", key, wiring.inputs[key]
        if nbytes := max(stage.entry.scratch_bytes for stage in wiring.stages):
            yield module, "scratch", SCRATCH, nbytes


def rows(plan: Plan) -> tuple[LedgerRow, ...]:
    """The account of a context's arena, to the byte."""
    return tuple(layout((owner, kind, item) for owner, kind, _, item in reservations(plan)))


def ledger_of(plan: Plan) -> Ledger:
    """Every byte of a plan, in as many contexts as its manifest keeps ready."""
    lines = Lines(plan.manifest, plan.bundle.root)
    found = [*lines.process(), *lines.ports(), *_island(plan, lines)]
    for module in plan.manifest.orchestration.modules:
        found += _once(plan, module, lines)
    taken: dict[tuple[str, str, str], int] = {}
    for (owner, kind, key, _), row in zip(reservations(plan), rows(plan), strict=True):
        name = key.partition(":")[2] or key
        taken[owner, kind, name] = taken.get((owner, kind, name), 0) + row.reserved
    found += (lines.line(owner, kind, name, nbytes) for (owner, kind, name), nbytes in taken.items())
    for module in plan.manifest.orchestration.modules:
        if (paging := plan.paged.get(module.id)) is not None:
            name, nbytes = paging.pool.name, pool_bytes(paging)
            found.append(lines.line(module.id, "kv", name, nbytes, pages_of(module)))
        elif pool := module.bytes_.kv:
            found.append(lines.line(module.id, "kv", "declared", pool, declared=True))
    return as_ledger(found)


def pages_of(module: Module) -> str:
    """The key of its paged KV: all contexts have one pool."""
    return f"pages of {module.id}"


def budgets_of(manifest: Manifest, machine: Machine | None = None) -> Budgets:
    """What a manifest allows: all that is in the machine (a new one, or that of who runs already), groups."""
    memory = manifest.memory
    return Budgets(memory.total, {name: (g.modules, g.budget) for name, g in memory.groups.items()}, machine)


def reserve(budgets: Budgets, ledger: Ledger) -> None:
    """Enter the machine, and draw from budgets what of a ledger is there once, and not there yet: all of it,
    or nothing.

    What several modules use is drawn from the budget of the first.

    Raises:
        BudgetError: it does not fit.
    """
    budgets.enter()
    held: list[tuple[str, int]] = []
    try:
        for line in ledger.lines:
            if (key := _held_as(budgets, line)) is not None:
                owner = line.owners[0]
                budgets.machine.hold(key, budgets.of(owner), owner, line.kind, line.nbytes)
                held.append((key, line.nbytes))
    except BaseException:
        for key, nbytes in held:
            budgets.machine.drop(key, nbytes)
        budgets.leave()
        raise


def release(budgets: Budgets, ledger: Ledger) -> None:
    """Give back what `reserve` drew, unless another bundle holds it still, and leave the machine."""
    for line in ledger.lines:
        if (key := _held_as(budgets, line)) is not None:
            budgets.machine.drop(key, line.nbytes)
    budgets.leave()


def _held_as(budgets: Budgets, line: Line) -> str | None:
    """Its key in the machine; what bundles do not share is this load's alone."""
    if line.key is None:
        return None
    return f"{line.kind} {line.key}" if line.kind in SHARED else f"{id(budgets)} {line.kind} {line.key}"


def planned_account(ledger: Ledger) -> dict[tuple[str, str], int]:
    """Bytes by (owner, kind) that are reserved while a bundle is loaded with the contexts of its ledger.

    Pages of KV that are only declared are drawn by whoever opens the pool.
    """
    found: dict[tuple[str, str], int] = {}
    for line in ledger.lines:
        if line.total and not (line.declared and line.key is None):
            at = line.owners[0], line.kind
            found[at] = found.get(at, 0) + line.total
    return found


class Lines:
    """Makes the lines of one bundle."""

    def __init__(self, manifest: Manifest, root: Path) -> None:
        self._manifest = manifest
        self.bundle = manifest.name or root.name

    def line(
        self, owner: str, kind: str, name: str, nbytes: int, key: str | None = None, *, declared: bool = False
    ) -> Line:
        """A line; without a key every context has its own."""
        times = self._manifest.contexts if key is None else 1
        groups = self._manifest.memory.groups_of(owner)
        return Line(self.bundle, (owner,), kind, name, nbytes, key, times, groups, declared)

    def process(self) -> Iterator[Line]:
        """The process itself, if its size is declared."""
        if nbytes := self._manifest.memory.process:
            yield self.line(RUNTIME, "process", "declared", nbytes, "process", declared=True)

    def ports(self) -> Iterator[Line]:
        """The island's shared memory, if there is an island."""
        if (island := self._manifest.island) is not None:
            yield self.line(ISLAND, "island", "ports", FILE_BYTES, f"ports {island.ports}")


def _island(plan: Plan, lines: Lines) -> Iterator[Line]:
    """What runs in the island's process, which all bundles of a run share."""
    island, entry, code = plan.manifest.island, entry_of(plan.bundle), plan.bundle.policy
    if island is not None and island.network is not None:
        network = plan.bundle.root / island.network
        yield lines.line(ISLAND, "island", network.name, network.stat().st_size, digest(network))
    if entry is None or code is None:
        return
    tensors = sum(-(-tensor.nbytes // 64) * 64 + 64 for tensor in (*entry.inputs, *entry.outputs))
    sizes = {
        "plan and weights": code.path.stat().st_size,
        "kernels": code.library.stat().st_size,
        "packed": code.state_bytes,
        "arena and tensors": -(-code.scratch_bytes.get(entry.name, 0) // 64) * 64 + tensors,
    }
    for name, nbytes in sizes.items():
        if nbytes:
            yield lines.line(ISLAND, "island", name, nbytes, f"{code.path.name} {entry.name} {name}")


def _once(plan: Plan, module: Module, lines: Lines) -> Iterator[Line]:
    """What of a module is there once, files by what they are on disk: a link to one is the same one."""
    for file in plan.parameters[module.id]:
        found = file.stat()
        key = f"{found.st_dev}:{found.st_ino}"
        name = f"{module.artefact}, packed" if module.artefact in plan.bundle.packed else file.name
        yield lines.line(module.id, "weights", name, found.st_size, key)
    # Modules of one artefact with the same weights share what is loaded on a device, where one queue runs it.
    loaded = " ".join([plan.module(module.id).device, module.artefact, *map(str, plan.parameters[module.id])])
    locked = plan.bundle.running(module)
    if code := plan.bundle.artefacts_of(module):
        sizes = [file.stat() for file in code]
        nbytes = sum(found.st_size for found in sizes)
        if within := min(locked.embedded_bytes, nbytes):
            # Read into memory by each device that loads it.
            key = f"{plan.module(module.id).device} {sizes[0].st_dev}:{sizes[0].st_ino}"
            yield lines.line(module.id, "weights", f"within {module.artefact}", within, key)
        yield lines.line(module.id, "code", module.artefact, nbytes - within, loaded)
    if locked.loaded_bytes:
        name = "weights laid out anew" if locked.format == IREE else "taken when it is loaded"
        yield lines.line(module.id, "packed", name, locked.loaded_bytes, f"{loaded} packed")
    if plan.bundle.planned(module):
        return  # its calls allocate nothing
    gates = [locked.signatures[stage.entry.name].gate for stage in plan.wiring[module.id].stages]
    if allocated := max((gate.allocated_bytes for gate in gates if gate is not None), default=0):
        yield lines.line(module.id, "transient", "the device's own, in a call", allocated, module.id)
