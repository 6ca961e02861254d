"""How an importer ends: manifest and lock around the files that it made; and the words of such a manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from polyrhythm.bundle import LOCK_FILE, Lock, LockedModule, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.pipeline import open_new
from polyrhythm.compile.place import check_place
from polyrhythm.manifest import MANIFEST_FILE
from polyrhythm.manifest.edit import number_text
from polyrhythm.manifest.scalars import resolve
from polyrhythm.manifest.schema import RESERVED_IDS

#: Digits behind the point that a rate such as ``29.97/8`` may have.
_RATE_DIGITS = 12


def check_new(out: Path, *, force: bool) -> None:
    """Refuse to replace what is there, or with `force` anything but a bundle.

    Raises:
        BuildError: PI005, PK013.
    """
    if not force and (out / LOCK_FILE).exists():
        message, mend = "there is a bundle already", "give another `--out`, or `--force` to replace it"
        raise BuildError(problem("PI005", out, message, None, "a place where none is", mend))
    check_place(out)


def write_bundle(place: Path, manifest: str, modules: Mapping[str, LockedModule]) -> None:
    """Make the directory `place`, with all other files of a bundle in it, a bundle that opens.

    Args:
        modules: what is locked of each, by the artefact that the manifest names.

    Raises:
        BuildError: what opening it found.
    """
    (place / MANIFEST_FILE).write_text(manifest, encoding="utf-8")
    names = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    files = {name: locked_file(place / name) for name in names}
    write_lock(Lock(files=files, modules=dict(modules)), place)
    open_new(place)


def module_id(text: str) -> str:
    """What a module is called that comes from something called `text`."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", text).lstrip("-0123456789")[:48] or "model"
    return name if name not in RESERVED_IDS and isinstance(resolve(name), str) else f"{name}_model"


def rate_text(hz: float) -> str:
    """A rate as it stands in a manifest, also before a ``/``."""
    return number_text(Fraction(str(round(hz, _RATE_DIGITS))))
