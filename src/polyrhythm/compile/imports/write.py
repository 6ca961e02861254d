"""How an importer ends: manifest and lock around the files that it made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polyrhythm.bundle import LOCK_FILE, Lock, LockedModule, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.pipeline import open_new
from polyrhythm.compile.place import check_place
from polyrhythm.manifest import MANIFEST_FILE


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
