"""Modules on devices: does the driver of each load artefacts of that format?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyrhythm.bundle.lock import IREE
from polyrhythm.hal.api import HalError
from polyrhythm.hal.registry import available, driver, driver_names, installed, loads
from polyrhythm.manifest.schema import Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

CODES = {
    "PC100": "a module that the driver of its device does not load",
    "PC101": "a driver that cannot be used here",
}


def check_formats(checker: Checker) -> None:
    """PC100 and PC101."""
    broken: set[str] = set()
    known = driver_names()
    for module in checker.manifest.orchestration.modules:
        device = checker.manifest.device_of(module)
        if module.artefact not in checker.bundle.modules or device not in checker.manifest.devices:
            continue
        name, format_ = checker.manifest.devices[device].driver, checker.bundle.module(module.artefact).format
        if name in broken or name not in known:  # PC007 has told
            continue
        try:
            if not loads(name, format_):
                _refuse(checker, module, device, name, format_)
            elif format_ != IREE:
                available(name)
        except HalError as error:
            broken.add(name)
            _cannot(checker, device, name, str(error))


def _refuse(checker: Checker, module: Module, device: str, name: str, format_: str) -> None:
    able = ", ".join(f"`{other}`" for other in _able(format_))
    checker.say(
        "PC100",
        (*checker.path(module), module.artefact_key),
        f"{module.id} is to run on {device}, whose driver {name} does not load {module.artefact} "
        f"(format {format_})",
        format_,
        f"{name} loads " + ", ".join(driver(name).formats),
        f"run {module.id} on a device with the driver {able}"
        if able
        else f"install a driver that loads {format_} (`polyrhythm doctor` lists those there are)",
    )


def _able(format_: str) -> Iterator[str]:
    """Installed drivers that run modules of a format; the one that runs nothing is none."""
    for name in installed()[0]:
        if name != "null" and loads(name, format_):
            yield name


def _cannot(checker: Checker, device: str, name: str, reason: str) -> None:
    checker.say(
        "PC101",
        ("devices", device, "driver"),
        f"the driver of {device} cannot be used here: {reason}",
        name,
        "a driver that works here",
        f"install what {name} needs, or run its modules on another device",
    )
