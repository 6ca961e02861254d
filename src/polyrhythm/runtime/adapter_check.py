"""Whether a robot's adapter can be imported, and what it then takes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from polyrhythm.robots import robot_names
from polyrhythm.robots.api import robot_entry, robot_options
from polyrhythm.runtime.hands import failure

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

CODES = {"PC024": "a robot adapter that cannot be imported"}


def options_of(checker: Checker, name: str) -> Mapping[str, bool] | None:
    """The options of the robot called `name`, as `robot_options` has them; None if nobody can tell.

    What is not installed here may be where the robot is: that is a note.
    """
    if name not in robot_names():
        return None
    try:
        return robot_options(name)
    except Exception as error:  # adapters are other people's code
        # A name that a module lacks which is here is a mistake.
        absent = isinstance(error, ImportError) and error.name not in sys.modules
        needed = error.name if isinstance(error, ModuleNotFoundError) else "what it needs"
        checker.say(
            "PC024", ("robot", "use"),
            f"the adapter `{name}` ({robot_entry(name).value}) cannot be imported: {failure(error)}",
            name, "an adapter that can be imported",
            f"install {needed}, or mend the adapter" if absent else "mend the adapter",
            severity="note" if absent else "error",
        )  # fmt: skip
        return None
