"""Imports modules as machine code, where a folder has some of them (`polyrhythm.simulate.compiled` makes it).

Must come before the modules themselves, so the package looks for `POLYRHYTHM_COMPILED` when it is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

#: Names the folder.
VARIABLE = "POLYRHYTHM_COMPILED"


class _Finder(MetaPathFinder):
    def __init__(self, folder: Path) -> None:
        self._files = {
            str(file.relative_to(folder)).removesuffix(EXTENSION_SUFFIXES[0]).replace("/", "."): str(file)
            for file in folder.rglob(f"*{EXTENSION_SUFFIXES[0]}")
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, file))


def use(folder: str) -> None:
    """Import from this folder what it has."""
    sys.meta_path.insert(0, _Finder(Path(folder)))
