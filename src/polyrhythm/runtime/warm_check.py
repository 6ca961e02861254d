"""Whether what plays stays in time while another bundle is warmed up beside it.

A stage that only warms its module up comes after everybody else, one at a time: it may block once whoever is
released just after it began, as long as its device does not give way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from polyrhythm.manifest import Diagnostic
from polyrhythm.runtime.proof import DECLARED, ms, prove_time
from polyrhythm.schedule import Budget, Mode, ModulePlan

if TYPE_CHECKING:
    from polyrhythm.runtime.plan import Plan

#: So long that it comes once.
_ONCE_NS = 3_600 * 1_000_000_000


class _Late(NamedTuple):
    """Whose stage is too long on its device, and who is late then."""

    module: ModulePlan
    cost_ns: int
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
    longest = _longest(new, set(schedule.devices), profile)
    if schedule.mode is Mode.SEQUENTIAL:  # there all devices are one queue
        longest = dict(sorted(longest.items(), key=lambda item: max(item[1].costs_ns))[-1:])
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
            yield _Late(module, max(module.costs_ns), names, late[0].bound_ns, late[0].deadline_ns)


def _longest(new: Plan, devices: set[str], profile: str) -> dict[str, ModulePlan]:
    """By device that both use: the module with the longest stage, if costs are known."""
    found: dict[str, ModulePlan] = {}
    for planned in new.schedule.modules:
        module = new.schedule.module_under(profile, planned) or planned
        known = found.get(module.device)
        if module.device in devices and max(module.costs_ns) > (max(known.costs_ns) if known else 0):
            found[module.device] = module
    return found


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
    module, cost = late.module, ms(late.cost_ns)
    index = [m.id for m in new.schedule.modules].index(module.id)
    under = f" under {', '.join(f'`{name}`' for name in profiles)}" if profiles else ""
    taken = "has no bound" if late.bound_ns is None else f"may take {ms(late.bound_ns)} ms"
    return Diagnostic(
        "PC035", "note",
        f"while it is warmed up{under}, a stage of {module.id} keeps {module.device} for {cost} ms; of what "
        f"plays, {', '.join(late.names)} may be late then: {late.names[0]} {taken}, due after "
        f"{ms(late.deadline_ns)} ms",
        new.bundle.locate(("orchestration", "modules", index)), f"{cost} ms",
        "a longest stage with which what plays is in time",
        f"cut {module.id} into smaller stages (`polyrhythm build`, `--max-stage-ms`), put it on another "
        "device, or load it while nothing plays",
    )  # fmt: skip
