"""Several plans in one: what is worse than each of them, and than any change from one to another.

While a system changes from one plan to another, jobs of both are under way. No two releases of a module are
closer than the shorter of its two periods (`polyrhythm.schedule.Grid.changed`), none of its jobs costs more
than the larger cost, and none has more time than the longer deadline gives it, or less than the shorter. So
what meets its deadline in the envelope meets it in each plan, and during any number of changes. The converse
is not true: the envelope may be worse than anything that can happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrhythm.schedule import Loop, ModulePlan, SchedulePlan


def envelope(plans: Sequence[SchedulePlan]) -> SchedulePlan:
    """Every module of any of `plans`, with its shortest period and deadline, its largest costs, and the most
    steps. Without links and robot: it says nothing about chains and chunks."""
    found: dict[str, ModulePlan] = {}
    for plan in plans:
        for module in plan.modules:
            before = found.get(module.id)
            found[module.id] = module if before is None else _worse(before, module)
    modules = tuple(replace(m, inputs=(), chunk=None) for m in found.values())
    return replace(plans[0], modules=modules, control=None)


def _worse(a: ModulePlan, b: ModulePlan) -> ModulePlan:
    return replace(
        a,
        period_ns=min(a.period_ns, b.period_ns),
        deadline_ns=min(a.deadline_ns, b.deadline_ns),
        costs_ns=tuple(map(max, a.costs_ns, b.costs_ns)),
        piece_ns=None if a.piece_ns is None or b.piece_ns is None else max(a.piece_ns, b.piece_ns),
        loop=_longer(a.loop, b.loop),
    )


def _longer(a: Loop | None, b: Loop | None) -> Loop | None:
    return a if a is None or b is None else replace(a, most=max(a.limit, b.limit))
