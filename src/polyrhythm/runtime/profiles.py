"""Power profiles as numbers: every module as a profile makes it run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import ceil

from polyrhythm.manifest.power import FAST, Power, PowerProfile, named
from polyrhythm.manifest.schema import Manifest, Module
from polyrhythm.schedule import ModulePlan, Profile


def profiles_of(
    manifest: Manifest, power: Power, base: Iterable[ModulePlan], planned: Callable[[Module], ModulePlan]
) -> dict[str, Profile]:
    """The profiles of a plan.

    Args:
        base: the modules without a profile.
        planned: the numbers of a module; all that follows from its rate (deadline, horizon) follows it.
    """
    pairs = list(zip(manifest.orchestration.modules, base, strict=True))
    return {
        name: Profile(
            {
                module.id: under
                for module, plan in pairs
                if (under := _under(profile, module, planned)) != plan
            },
            profile.contexts,
        )
        for name, profile in power.profiles.items()
    }


def _under(
    profile: PowerProfile, module: Module, planned: Callable[[Module], ModulePlan]
) -> ModulePlan | None:
    names = module.id, module.class_
    if profile.drops(*names):
        return None
    rate_hz = named(profile.rate_hz, *names) or module.rate_hz * (named(profile.rate_scale, *names) or 1)
    plan = planned(module.model_copy(update={"rate_hz": rate_hz}))
    scale, loop = profile.cost_scale.get(plan.device, 1), plan.loop
    if loop is not None:
        cap = loop.fast if profile.steps == FAST else dict(profile.steps).get(module.id)  # type: ignore[arg-type]
        loop = replace(loop, most=cap)
    return replace(
        plan,
        costs_ns=tuple(ceil(cost_ns * scale) for cost_ns in plan.costs_ns),
        piece_ns=None if plan.piece_ns is None else ceil(plan.piece_ns * scale),
        loop=loop,
    )
