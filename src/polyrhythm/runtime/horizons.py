"""What a module gives to the robot: how it is joined, for how many control ticks it has actions, and how soon
more may be wanted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from math import ceil

from polyrhythm.analysis import conditioned_ns
from polyrhythm.analysis.tasks import Time
from polyrhythm.bundle.signature import Tensor
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RTC_MODES, Manifest, Module
from polyrhythm.schedule import ModulePlan, SchedulePlan


def rtc_of(manifest: Manifest) -> Rtc | None:
    """How the chunks that drive the robot are joined; None without a robot, or in a mode without it."""
    if manifest.robot is None or manifest.orchestration.mode not in RTC_MODES:
        return None
    for link in manifest.orchestration.links:
        if link.sink.owner == "robot":
            return manifest.orchestration.module(link.source.owner).rtc or Rtc()
    return None


def horizon(manifest: Manifest, module: Module, tensor: Tensor) -> int:
    """For how many control ticks an output linked to `robot.action` has an action.

    A chunk ``[H, dim]``: for H. A single action ``[dim]`` is repeated until the next one is due: a period
    and a deadline long, besides what `with_ages` adds.
    """
    if len(tensor.shape) == 2:
        return tensor.shape[0]
    assert manifest.robot is not None
    return ceil((module.period_ns + module.deadline_ns) / manifest.robot.control_period_ns) + 1


def spaced_ns(ticks: int, tick_ns: Fraction, made_ns: int) -> Fraction:
    """The time from one chunk made on demand to the next, at least; `made_ns`: what the first takes before it
    plays."""
    return max(tick_ns, (ticks - 1) * tick_ns + made_ns)


def with_ages(plan: SchedulePlan, singles: Collection[str]) -> SchedulePlan:
    """A plan in which single actions last as much longer as they begin before they were made: at the tick
    that their inputs are for (`conditioned_ns`), which counts as old as it may be if nobody is late, under
    any power profile and while one gives way to another.

    Args:
        singles: the modules that give single actions. What one that makes them on demand gives begins when it
            plays, whatever it was made of.
    """
    if (control := plan.control) is None:
        return plan
    plans = [plan.under(profile) for profile in plan.profiles or ("",)]
    ages_ns: dict[str, Time] = {}
    for module in (module for each in plans for module in each.modules):
        ages_ns[module.id] = max(ages_ns.get(module.id, 0), module.period_ns + module.deadline_ns)
    more = {
        m.id: max(conditioned_ns(each, m.id, ages_ns) or 0 for each in plans)
        for m in plan.modules
        if m.id in singles and m.chunk is not None and not m.on_demand
    }

    def lasting(module: ModulePlan) -> ModulePlan:
        if module.id not in more or module.chunk is None:
            return module
        port, ticks = module.chunk
        return replace(module, chunk=(port, ticks + ceil(more[module.id] / control.period_ns)))

    profiles = {
        name: replace(profile, modules={k: m and lasting(m) for k, m in profile.modules.items()})
        for name, profile in plan.profiles.items()
    }
    return replace(plan, modules=tuple(map(lasting, plan.modules)), profiles=profiles)
