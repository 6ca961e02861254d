"""Deliberate faults: what the swarm has to notice, or its auditors are too weak.

A mutant is a small edit of one module's source. `planted` loads the rooms afresh with it, so that a mutant
lives in the same process as the tests and nobody else sees it. An edit whose text is not there exactly once
is an error: the mutant has died of a change of the code, and wants another text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import polyrhythm

#: What is loaded afresh: everything that may hold a class of a mutated module. The ledger needs all rooms.
PURE = ("polyrhythm.schedule", "polyrhythm.chunks", "polyrhythm.simulate", "polyrhythm.analysis")
ALL = ("polyrhythm.",)


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in a module (under ``polyrhythm.``); `worlds`: where it shows soonest."""

    name: str
    module: str
    old: str
    new: str
    worlds: str = "plain"

    def __str__(self) -> str:
        return self.name

    def applied(self, source: str) -> str:
        """The source with the fault in it."""
        found = source.count(self.old)
        if found != 1:
            raise LookupError(f"mutant {self.name!r}: its text is {found} times in {self.module}, not once")
        return source.replace(self.old, self.new)


class _Loader(SourceFileLoader):
    """Compiles the faulty source; what is cached of the sound one is left alone."""

    def __init__(self, spec: ModuleSpec, mutant: Mutant) -> None:
        assert spec.origin is not None
        super().__init__(spec.name, spec.origin)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        return compile(self._mutant.applied(source), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self.loaded = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != f"polyrhythm.{self._mutant.module}":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        spec.loader, self.loaded = _Loader(spec, self._mutant), True
        return spec


@contextmanager
def planted(mutant: Mutant, rooms: tuple[str, ...] | None = None) -> Iterator[None]:
    """Within the block the rooms are imported anew, with the fault in them; afterwards they are as before.

    Args:
        rooms: by default those that `mutant.worlds` need.
    """
    file = Path(polyrhythm.__path__[0], *mutant.module.split(".")).with_suffix(".py")
    mutant.applied(file.read_text())  # before anybody takes an error for a mutant that was noticed
    rooms = rooms or (ALL if mutant.worlds == "ledger" else PURE)
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(rooms)}
    finder = _Finder(mutant)
    sys.meta_path.insert(0, finder)
    try:
        yield
        if not finder.loaded:
            raise LookupError(f"mutant {mutant.name!r}: nothing imports {mutant.module}")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.startswith(rooms)]:
            del sys.modules[name]
        sys.modules.update(kept)
        for name, module in kept.items():
            if name.count(".") == 1:
                setattr(polyrhythm, name.partition(".")[2], module)
