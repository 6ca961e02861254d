"""Which format an artefact has: what its file ends in, and what the installed drivers say of that."""

from __future__ import annotations

from collections.abc import Iterable

from polyrhythm.bundle import IREE
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.hal.api import Driver, endings
from polyrhythm.hal.registry import installed
from polyrhythm.manifest import Loaded
from polyrhythm.manifest.diagnostics import Path
from polyrhythm.manifest.schema import Coded, Module


def format_of(loaded: Loaded, place: Path, declared: Coded) -> str:
    """The format of a module's artefact. What the driver of its device says counts before what others say.

    Raises:
        BuildError: PK050, no driver knows it; PK051, they disagree.
    """
    name = declared.artefact
    if declared.artefact_key == "vmfb" or name.endswith(".vmfb"):
        return IREE
    assert loaded.manifest is not None
    drivers, broken = installed()
    own = None
    if isinstance(declared, Module):
        device = loaded.manifest.devices.get(loaded.manifest.device_of(declared))
        own = None if device is None else drivers.get(device.driver)
    found = _formats(name, [own] if own is not None else []) or _formats(name, drivers.values())
    if len(found) == 1:
        return next(iter(found))
    where = loaded.locate((*place, declared.artefact_key))
    if found:
        kinds = ", ".join(f"{kind} ({', '.join(who)})" for kind, who in sorted(found.items()))
        message = f"what {name} ends in does not tell its format: drivers disagree"
        mend = f"run {declared.id} on a device whose driver loads one of them, or name the file otherwise"
        raise BuildError(problem("PK051", where, message, name, kinds, mend))
    known = sorted({ending for one in drivers.values() for ending in endings(one).values()})
    lost = "".join(f"; {reason}" for reason in broken.values())
    message = f"no driver that is installed loads files named like {name}{lost}"
    mend = "install the driver of that format (`polyrhythm doctor` lists those there are)"
    raise BuildError(problem("PK050", where, message, name, f"a name in {', '.join(known)}", mend))


def _formats(name: str, drivers: Iterable[Driver]) -> dict[str, list[str]]:
    """Formats whose files have such names, by the longest ending that fits, and the drivers that say so."""
    told = [
        (len(ending), kind, one.name)
        for one in drivers
        for kind, ending in endings(one).items()
        if name.endswith(ending)
    ]
    longest = max((length for length, *_ in told), default=0)
    found: dict[str, list[str]] = {}
    for length, kind, who in told:
        if length == longest:
            found.setdefault(kind, []).append(who)
    return found
