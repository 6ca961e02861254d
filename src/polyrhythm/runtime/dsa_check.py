"""Simulated accelerators: does the URI describe one, and do the stages that run there fit into its SRAM?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.bundle.lock import WORK
from polyrhythm.hal.dsa import DoesNotFit, Machine, MachineError, parts_of, read_work
from polyrhythm.manifest.schema import Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

CODES = {
    "PC120": "a simulated accelerator that its URI does not describe",
    "PC121": "a stage that needs more SRAM at once than there is",
}


def check_dsa(checker: Checker) -> None:
    """PC120, PC121."""
    machines: dict[str, Machine] = {}
    for name, device in checker.manifest.devices.items():
        if device.driver == "dsa":
            try:
                machines[name] = Machine.parse(device.uri)
            except MachineError as problem:
                path = ("devices", name, "uri")
                checker.say("PC120", path, problem.message, problem.value, problem.allowed, problem.mend)
    for module in checker.manifest.orchestration.modules:
        machine = machines.get(checker.manifest.device_of(module))
        if machine is not None:
            _check_room(checker, module, machine)


def _check_room(checker: Checker, module: Module, machine: Machine) -> None:
    plan = checker.bundle.plans.get(module.artefact)
    if plan is None:  # made at first use, and checked again then
        return
    work = read_work(plan.path.with_suffix(WORK))
    for entry in dict.fromkeys(entry.name for entry in checker.stages.get(module.id, ())):
        try:
            if entry in work:
                parts_of(work[entry], machine, (), machine.work_bytes)
        except DoesNotFit as problem:
            need_kib = -(-problem.nbytes // 1024)
            checker.say(
                "PC121",
                ("devices", checker.manifest.device_of(module), "uri"),
                f"{entry} of {module.artefact}: {problem}, "
                f"and {machine.work_bytes} are for what a call works on",
                f"work_kib={machine.work_bytes // 1024}",
                f"work_kib={need_kib} or more",
                f"write work_kib={need_kib} and as much sram_kib, or run {module.id} on another device",
            )
