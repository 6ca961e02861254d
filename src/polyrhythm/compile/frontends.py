"""What the pipeline asks of a framework. A front end is one file of this room: ``<name>_frontend.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol, cast

import numpy as np

from polyrhythm.compile.policy import FRONTENDS, EntrySource
from polyrhythm.compile.source import Lowered


class Frontend(Protocol):
    """A framework whose functions become StableHLO; its file is the only one that imports it."""

    def versions(self) -> dict[str, str]:
        """The framework's versions, for the lock."""

    def check_parameters(self, parameters: Mapping[str, np.ndarray], where: str) -> None:
        """Refuse weights that the framework would change.

        Raises:
            BuildError: for each.
        """

    def lower(self, entry: EntrySource, parameters: Mapping[str, np.ndarray], path: str) -> Lowered:
        """The entry as StableHLO, with its weights as leading arguments in the order of their names.

        Raises:
            BuildError: it cannot be lowered, and why.
        """

    def reference(
        self,
        entry: EntrySource,
        parameters: Mapping[str, np.ndarray],
        samples: Sequence[Mapping[str, np.ndarray]],
    ) -> list[tuple[np.ndarray, ...]]:
        """The entry's outputs for each of `samples` (arrays by input name), by the framework."""


def frontend(name: str) -> Frontend:
    """The front end called `name`, one of `FRONTENDS`."""
    if name not in FRONTENDS:
        raise ValueError(f"no front end is called {name!r}; there are {', '.join(FRONTENDS)}")
    return cast(Frontend, import_module(f"polyrhythm.compile.{name}_frontend"))
