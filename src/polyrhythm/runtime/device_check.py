"""Devices: is there such a driver, does it open what it is to open, and does the machine have the cores?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from polyrhythm.hal.cores import cores_text, online_cores
from polyrhythm.hal.registry import driver_names, instead_of
from polyrhythm.manifest import nearest
from polyrhythm.runtime.partitions import pinned_cores

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

CODES = {"PC102": "a device that its driver does not open here"}


def check_devices(checker: Checker) -> None:
    """PC007, PC008 and PC102."""
    drivers = driver_names()
    for name, device in checker.manifest.devices.items():
        if device.driver not in drivers:
            checker.say(
                "PC007",
                ("devices", name, "driver"),
                f"no driver is called {device.driver!r}",
                device.driver,
                ", ".join(drivers),
                use(device.driver, drivers),
            )
        elif uris := instead_of(device.driver, device.uri):
            guess = uris[0] if len(uris) == 1 else nearest(device.uri, uris)
            checker.say(
                "PC102",
                ("devices", name, "uri"),
                f"the driver {device.driver} opens no {device.uri!r} here",
                device.uri,
                ", ".join(uris),
                (f"did you mean `{guess}`? " if guess else "")
                + "what is not in this machine is judged by `polyrhythm check --plan`",
            )
    here = online_cores()
    for path, cores in pinned_cores(checker.manifest).items():
        if missing := [core for core in cores if core not in here]:
            checker.say(
                "PC008",
                path,
                f"this machine has no core {missing[0]}",
                missing[0],
                cores_text(),
                "name cores that exist, or leave `cores` out",
            )


def use(name: str, known: Iterable[str], prefix: str = "") -> str:
    """The mend of a name that is unknown."""
    close = nearest(name, known)
    return f"did you mean `{prefix}{close}`?" if close else "use one of the names allowed"
