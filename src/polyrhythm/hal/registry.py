"""Finds drivers by name, through the entry-point group ``polyrhythm.drivers``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from polyrhythm.bundle.lock import FORMAT_NAME, IREE
from polyrhythm.hal.api import ANY_FORMAT, Device, DeviceConfig, Driver, HalError
from polyrhythm.hal.blame import blaming

ENTRY_POINT_GROUP = "polyrhythm.drivers"
_OURS = "polyrhythm."
_IREE_ON_CPU = ("local-sync", "local-task")
#: A URI that begins with the name of what is opened: ``cuda``, ``cuda:1``, ``cuda://ID``, ``cuda?KEY=VALUE``.
_URI = re.compile(r"([\w.-]+)(?:[:?].*)?", re.DOTALL)
_PARTS = ("name", "formats", "package", "capabilities", "open", "available")


def driver_names() -> tuple[str, ...]:
    """Names of the drivers that are installed, sorted; none is imported."""
    return tuple(sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)}))


@cache
def driver(name: str) -> Driver:
    """The driver called `name`, imported at first use.

    Raises:
        HalError: no such driver (lists those there are), it can't be imported here, or it is none.
    """
    points = [point for point in entry_points(group=ENTRY_POINT_GROUP) if point.name == name]
    if not points:
        known = ", ".join(driver_names()) or "none: reinstall polyrhythm"
        raise HalError(f"there is no driver {name!r}; installed are: {known}")
    try:
        found: Driver = points[0].load()
    except Exception as problem:  # whatever the code of others does
        mend = ""
        if points[0].value.startswith(_OURS):  # the extra of one of our drivers has its name
            mend = f"; pip install 'polyrhythm[{name}]'"
        raise HalError(f"driver {name!r} ({points[0].value}) can't be imported: {problem}{mend}") from problem
    _check(points[0], found)
    return found


def _check(point: EntryPoint, found: Driver) -> None:
    where = f"driver {point.name!r} ({point.value})"
    if missing := [part for part in _PARTS if not hasattr(found, part)]:
        raise HalError(f"{where} is no driver: it has no {', '.join(missing)}")
    for name in found.formats:
        if name != ANY_FORMAT and not re.fullmatch(FORMAT_NAME, name):
            raise HalError(
                f"{where} loads {name!r}, which is no name of a format: small letters, digits and _; "
                "what files end in is `endings`"
            )


def loads(name: str, format_: str) -> bool:
    """Whether devices of the driver called `name` load artefacts of a format.

    The driver of IREE need not be asked for IREE's, and so is not imported for it.

    Raises:
        HalError: see `driver`.
    """
    if name == format_ == IREE:
        return True
    formats = driver(name).formats
    return format_ in formats or ANY_FORMAT in formats


def instead_of(name: str, uri: str) -> tuple[str, ...]:
    """The URIs that the driver called `name` opens here, if `uri` is surely none of them; else nothing.

    A driver tells URIs that it opens, not what may follow: what begins with a name of theirs may be good, and
    nothing is known of a driver whose URIs do not begin with names, nor of one that cannot be used here. The
    driver of IREE need not be asked for the CPU, and so is not imported for it.
    """
    if name == IREE and uri in _IREE_ON_CPU:
        return ()
    try:
        known = available(name)
    except HalError:
        return ()
    names = [found and found[1] for found in map(_URI.fullmatch, known)]
    asked = _URI.fullmatch(uri)
    surely = None not in names and (asked is None or asked[1] not in names)
    return known if surely and uri not in known else ()


def open_device(name: str, config: DeviceConfig) -> Device:
    """A device of the driver called `name`.

    Raises:
        HalError: see `driver` and `Driver.open`; and whatever else that raises, with the name of the driver.
    """
    found = driver(name)
    with blaming("driver", name):
        return found.open(config)


def available(name: str) -> tuple[str, ...]:
    """URIs that the driver called `name` opens here.

    Raises:
        HalError: see `driver`; it can't be used here, or whatever it raises, with its name.
    """
    found = driver(name)
    with blaming("driver", name):
        return tuple(found.available())


def installed() -> tuple[Mapping[str, Driver], Mapping[str, str]]:
    """All drivers, imported, by name; and why those that can't be imported can't."""
    found, broken = dict[str, Driver](), dict[str, str]()
    for name in driver_names():
        try:
            found[name] = driver(name)
        except HalError as problem:
            broken[name] = str(problem)
    return found, broken


def leaves_calls(name: str) -> bool:
    """Whether queues of the driver called `name` leave a call for another one.

    See `polyrhythm.hal.api.GivingQueue`. The driver of IREE need not be asked, and so is not imported.

    Raises:
        HalError: see `driver`.
    """
    return name != IREE and driver(name).capabilities.grain == "step"
