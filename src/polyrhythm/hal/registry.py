"""Finds drivers by name, through the entry-point group ``polyrhythm.drivers``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from polyrhythm.hal.api import Driver, HalError

ENTRY_POINT_GROUP = "polyrhythm.drivers"


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
        raise HalError(f"driver {name!r} ({points[0].value}) can't be imported: {problem}") from problem
    return found
