"""Whether what plays stays in time while another bundle is warmed up beside it.

A stage that only warms its module up comes after everybody else, one at a time: it may block once whoever is
released just after it began, until its device gives way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from polyrhythm.manifest import Diagnostic
from polyrhythm.runtime.proof import DECLARED, ms, prove_time
from polyrhythm.schedule import Budget, Mode, ModulePlan, SchedulePlan

if TYPE_CHECKING:
    from polyrhythm.runtime.plan import Plan

#: So long that it comes once.
_ONCE_NS = 3_600 * 1_000_000_000


class _Late(NamedTuple):
    """Whose stage (or kernel, where the device gives way after it) is too long, and who is late then."""

    module: ModulePlan
    piece: str
    blocks_ns: int
    names: tuple[str, ...]
    bound_ns: int | None
    deadline_ns: int


def warm_up_notes(live: Plan, new: Plan) -> Iterator[Diagnostic]:
    """PC035, for every device on which a stage of `new` is too long for what plays under any of its power
    profiles, where both tell their costs; those under which the same is said share a note."""
    profiles = tuple(live.schedule.profiles) or ("",)
    found: dict[tuple[object, ...], tuple[_Late, list[str]]] = {}
    for profile in profiles:
        for late in _late(live, new, profile):
            found.setdefault((late.module.id, *late[1:]), (late, []))[1].append(profile)
    for late, under in found.values():
        yield _note(new, late, () if len(under) == len(profiles) else under)


def _late(live: Plan, new: Plan, profile: str) -> Iterator[_Late]:
    """By device, under a power profile of what plays; what is warmed up runs under it too, if it knows it."""
    schedule = live.schedule.under(profile)
    longest = _longest(new, schedule, profile)
    if schedule.mode is Mode.SEQUENTIAL:  # there all devices are one queue
        longest = dict(sorted(longest.items(), key=lambda item: _blocks(schedule, item[1])[1])[-1:])
    last = 1 + max(module.priority for module in live.schedule.modules)
    warming = tuple(_once(device, module, last, schedule.mode) for device, module in longest.items())
    beside = replace(schedule, modules=schedule.modules + warming)
    sources = {m.id: DECLARED for m in beside.modules if any(m.costs_ns)}
    before, after = prove_time(schedule, sources), prove_time(beside, sources)
    fitted = [m for m in before.modules.values() if m.verdict.feasible and not m.plan.on_demand]
    for device, module in longest.items():
        shares = [m.plan.id for m in fitted if schedule.mode is Mode.SEQUENTIAL or m.plan.device == device]
        if late := [v for name in shares if not (v := after.modules[name].verdict).feasible]:
            names = tuple(verdict.module for verdict in late)
            yield _Late(module, *_blocks(schedule, module), names, late[0].bound_ns, late[0].deadline_ns)


def _longest(new: Plan, live: SchedulePlan, profile: str) -> dict[str, ModulePlan]:
    """By device that both use: the module that blocks longest, if costs are known."""
    found: dict[str, ModulePlan] = {}
    for planned in new.schedule.modules:
        module = new.schedule.module_under(profile, planned) or planned
        known = found.get(module.device)
        before_ns = _blocks(live, known)[1] if known else 0
        if module.device in live.devices and _blocks(live, module)[1] > before_ns:
            found[module.device] = module
    return found


def _blocks(live: SchedulePlan, module: ModulePlan) -> tuple[str, int]:
    """What of a module is not left for others once it has begun, and for how many ns."""
    if module.device in live.gives_way and live.mode is not Mode.SEQUENTIAL and module.piece_ns is not None:
        return "kernel", module.piece_ns
    return "stage", max(module.costs_ns)


def _once(device: str, module: ModulePlan, priority: int, mode: Mode) -> ModulePlan:
    """One job of its longest stage, after everybody else under every policy."""
    cost_ns = max(module.costs_ns)
    budget = None if mode is Mode.SEQUENTIAL else Budget(cost_ns, _ONCE_NS)
    name = f"warm-up on {device}"  # no module can be called that
    return ModulePlan(
        name, device, Fraction(_ONCE_NS), _ONCE_NS, priority, costs_ns=(cost_ns,), budget=budget,
        piece_ns=module.piece_ns,
    )  # fmt: skip


def _note(new: Plan, late: _Late, profiles: Sequence[str]) -> Diagnostic:
    """`profiles`: under which it is so; empty: under all."""
    module, piece, blocks = late.module, late.piece, ms(late.blocks_ns)
    index = [m.id for m in new.schedule.modules].index(module.id)
    under = f" under {', '.join(f'`{name}`' for name in profiles)}" if profiles else ""
    taken = "has no bound" if late.bound_ns is None else f"may take {ms(late.bound_ns)} ms"
    apart = "put it on another device, or load it while nothing plays"
    if piece == "stage":
        apart = f"cut {module.id} into smaller stages (`polyrhythm build`, `--max-stage-ms`), {apart}"
    return Diagnostic(
        "PC035", "note",
        f"while it is warmed up{under}, a {piece} of {module.id} keeps {module.device} for {blocks} ms; of "
        f"what plays, {', '.join(late.names)} may be late then: {late.names[0]} {taken}, due after "
        f"{ms(late.deadline_ns)} ms",
        new.bundle.locate(("orchestration", "modules", index)), f"{blocks} ms",
        f"a longest {piece} with which what plays is in time", apart,
    )  # fmt: skip
