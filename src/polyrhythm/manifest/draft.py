"""A view on a text that may still hold errors, for the checks that need two places of it at once.

The checks read plain values rather than finished models, so that one wrong value does not hide the problems
elsewhere. A value that a diagnostic already speaks of counts as absent: no check repeats or builds on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

from polyrhythm.manifest.diagnostics import Diagnostic, Path, Severity, nearest
from polyrhythm.manifest.source import Source
from polyrhythm.manifest.values import Endpoint, rate

MODULES: Path = ("orchestration", "modules")
LINKS: Path = ("orchestration", "links")
QOS: Path = ("orchestration", "qos")
OBSERVATIONS: Path = ("robot", "observations")
CONTROL_HZ: Path = ("robot", "control_hz")


class Draft:
    """The sound values of `source`. `links_known`: no link is missing because its file could not be read."""

    def __init__(self, source: Source, *, links_known: bool = True) -> None:
        self.source = source
        self.links_known = links_known
        self._tainted = {path[:length] for path in source.reported for length in range(len(path) + 1)}

    def is_sound(self, path: Path) -> bool:
        """Whether no diagnostic speaks of `path`, of something around it or of something in it."""
        return path not in self._tainted and not self.source.is_reported(path)

    def leaf(self, *path: str | int) -> Any:
        """The value at `path`; None if it is absent or not sound."""
        return self.source.get(path) if self.is_sound(path) else None

    def items(self, path: Path) -> Iterator[Path]:
        """The paths of the items of a list; none if there is no list."""
        items = self.source.get(path)
        if isinstance(items, list) and not self.source.is_reported(path):
            yield from ((*path, index) for index in range(len(items)))

    def names(self, path: Path) -> list[str]:
        """The keys of a mapping; none if there is no mapping."""
        mapping = self.source.get(path)
        return list(mapping) if isinstance(mapping, dict) and not self.source.is_reported(path) else []

    def rate(self, *path: str | int) -> Fraction | None:
        """The rate at `path` in Hz; None if it is absent or not sound."""
        return rate(self.leaf(*path))

    @cached_property
    def ids(self) -> list[str]:
        """All sound module ids, in the order of the text."""
        found = [self.leaf(*module, "id") for module in self.items(MODULES)]
        return [module_id for module_id in found if module_id is not None]

    @cached_property
    def ids_known(self) -> bool:
        """Whether every module has a sound id, so that a name that is none of them is a mistake."""
        modules = list(self.items(MODULES))
        return bool(modules) and len(self.ids) == len(modules)

    @cached_property
    def links(self) -> list[tuple[Path, Endpoint | None, Endpoint | None]]:
        """Path, source and sink of each link; an end that is not sound is None."""
        return [(link, self._end(*link, "from"), self._end(*link, "to")) for link in self.items(LINKS)]

    def _end(self, *path: str | int) -> Endpoint | None:
        value = self.leaf(*path)
        return Endpoint.parse(value) if isinstance(value, str) else None

    def error(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        allowed: str,
        mend: str,
        also: Iterable[Path] = (),
        severity: Severity = "error",
        key: bool = False,
    ) -> Diagnostic:
        """An error about the value at `path`, or about its key."""
        value = path[-1] if key else self.source.get(path)
        where = self.source.locate(path, key=key)
        places = tuple(self.source.locate(place) for place in also)
        return Diagnostic(code, severity, message, where, value, allowed, mend, places)

    def note(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        allowed: str,
        mend: str,
        also: Iterable[Path] = (),
        key: bool = False,
    ) -> Diagnostic:
        """A note about the value at `path`, or about its key."""
        return self.error(
            code, path, message, allowed=allowed, mend=mend, also=also, severity="note", key=key
        )


def listed(names: Iterable[str]) -> str:
    """Names as prose, cut to a dozen."""
    unique = list(dict.fromkeys(names))
    return ", ".join(f"`{name}`" for name in unique[:12]) + (", ..." if unique[12:] else "")


def counted(number: int, noun: str) -> str:
    """``2 stages``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def suggest(name: str, known: Iterable[str], otherwise: str) -> str:
    """How to mend a name that is not known; `otherwise` is what to do if no known name was meant."""
    guess = nearest(name, known)
    return f"write `{guess}`, or {otherwise}" if guess else otherwise
