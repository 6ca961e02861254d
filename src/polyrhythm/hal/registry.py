"""Finds drivers by name, through the entry-point group ``polyrhythm.drivers``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from polyrhythm.bundle.lock import IREE
from polyrhythm.hal.api import ANY_FORMAT, Driver, HalError

ENTRY_POINT_GROUP = "polyrhythm.drivers"
_OURS = "polyrhythm."


def driver_names() -> tuple[str, ...]:
    """Names of the drivers that are installed, sorted; none is imported."""
    return tuple(sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUP)}))


@cache
def driver(name: str) -> Driver:
    """The driver called `name`, imported at first use.

    Raises:
        HalError: no such driver (lists those there are), or it can't be imported here.
    """
    points = [point for point in entry_points(group=ENTRY_POINT_GROUP) if point.name == name]
    if not points:
        known = ", ".join(driver_names()) or "none: reinstall polyrhythm"
        raise HalError(f"there is no driver {name!r}; installed are: {known}")
    try:
        found: Driver = points[0].load()
    except ImportError as problem:
        mend = ""
        if points[0].value.startswith(_OURS):  # the extra of one of our drivers has its name
            mend = f"; pip install 'polyrhythm[{name}]'"
        raise HalError(f"driver {name!r} ({points[0].value}) can't be imported: {problem}{mend}") from problem
    return found


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
