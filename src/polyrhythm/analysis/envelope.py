"""Several plans in one: what is worse than each of them, and than any change from one to another.

While a system changes from one plan to another, jobs of both are under way. No two releases of a module are
closer than the shorter of its two periods (`polyrhythm.schedule.Grid.changed`), none of its jobs costs more
than the larger cost, and none has more time than the longer deadline gives it, or less than the shorter. So
what meets its deadline in the envelope meets it in each plan, and during any number of changes. The converse
is not true: the envelope may be worse than anything that can happen.

How old something gets, and how soon a chunk is followed by the next, also depends on the longest that two
releases may be apart: the longer of the two periods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from polyrhythm.analysis.chunks import ChunkVerdict
from polyrhythm.analysis.plan import ModuleVerdict, prove_links
from polyrhythm.schedule import Loop, ModulePlan, SchedulePlan


def envelope(plans: Sequence[SchedulePlan]) -> SchedulePlan:
    """Every module of any of `plans`, with its shortest period and deadline, its largest costs, and the most
    steps. Without links and robot: about those `changing_links` says something."""
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


def changing_links(
    plans: Sequence[SchedulePlan], verdicts: Mapping[str, ModuleVerdict]
) -> tuple[dict[str, list[ChunkVerdict | None]], dict[str, str]]:
    """What is proven of chunks and links while plans change: of chunks, by module, all that they may be like;
    and the modules that may leave out a tick, with the port that may be stale then. What one plan drops is
    not said to be stale in the others.

    Args:
        verdicts: of the envelope; modules that are missing are passed over.
    """
    chunks: dict[str, list[ChunkVerdict | None]] = {}
    left_out: dict[str, str] = {}
    for plan in _at_both_ends(plans):
        known = tuple(m for m in plan.modules if m.id in verdicts)
        found, stale = prove_links(replace(plan, modules=known), verdicts)
        left_out |= stale
        for name, verdict in found.items():
            chunks.setdefault(name, []).append(verdict)
    return chunks, left_out


def _at_both_ends(plans: Sequence[SchedulePlan]) -> Iterator[SchedulePlan]:
    """Each plan with its own periods, which responses have to keep, and with the longest ones of all."""
    longest_ns: dict[str, Fraction] = {}
    for module in (module for plan in plans for module in plan.modules):
        longest_ns[module.id] = max(longest_ns.get(module.id, module.period_ns), module.period_ns)
    for plan in plans:
        yield plan
        yield replace(plan, modules=tuple(replace(m, period_ns=longest_ns[m.id]) for m in plan.modules))


def _longer(a: Loop | None, b: Loop | None) -> Loop | None:
    return a if a is None or b is None else replace(a, most=max(a.limit, b.limit))
