"""Modules on devices that run static plans: can each be planned, and can this machine run plans?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.hal import native
from polyrhythm.manifest.schema import Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


def check_static(checker: Checker) -> None:
    """PC080 to PC082."""
    bundle = checker.bundle
    planned = [m for m in checker.manifest.orchestration.modules if bundle.planned(m)]
    for device in dict.fromkeys(checker.manifest.device_of(module) for module in planned):
        if missing := native.missing():
            checker.say(
                "PC082",
                ("devices", device, "driver"),
                f"{device} runs static plans, and this machine lacks {missing}, to make their runner",
                "static",
                f"a machine with {missing}",
                "install gcc (it is used once), or use the driver `iree`",
            )
    for module in planned:
        if module.artefact in bundle.modules:
            _check_module(checker, module)


def _check_module(checker: Checker, module: Module) -> None:
    bundle, device = checker.bundle, checker.manifest.device_of(module)
    if bundle.module(module.artefact).source is None:
        checker.say(
            "PC080",
            (*checker.path(module), module.artefact_key),
            f"{device} runs static plans, and {module.artefact} has no portable source to make one from",
            module.artefact,
            "a module with a source in the bundle",
            "build the bundle with `polyrhythm build`, or run this module on another device",
        )
        return
    plan = bundle.plans.get(module.artefact)
    if plan is None:  # made at first use, and checked again then
        return
    for name in dict.fromkeys(entry.name for entry in checker.stages.get(module.id, ())):
        if name in plan.refused:
            able = ", ".join(sorted(plan.scratch_bytes)) or "none"
            checker.say(
                "PC081",
                (*checker.path(module), "entry"),
                f"{name} of {module.artefact} cannot be planned statically: {plan.refused[name]}",
                name,
                f"stages that decide nothing while they run: {able}",
                f"run {module.id} on a device with the driver `iree`",
            )
