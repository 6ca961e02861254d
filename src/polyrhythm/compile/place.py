"""Where a bundle is written: beside its place first, then into it in one step."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from polyrhythm.bundle import LOCK_FILE, BundleError, read_lock
from polyrhythm.compile.codes import BuildError, problem

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def check_place(out: Path) -> None:
    """Refuse to replace anything but a bundle and its own files.

    Raises:
        BuildError: PK013.
    """
    allowed = "a new or empty directory, or a bundle"
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise BuildError(
            problem("PK013", out, "this is not a directory", None, allowed, "choose another place")
        )
    if not out.parent.is_dir():
        mend = f"make it: mkdir -p {out.parent}"
        raise BuildError(
            problem("PK013", out, "its parent is not a directory", str(out.parent), allowed, mend)
        )
    if not out.is_dir() or not any(out.iterdir()):
        return
    try:
        known = {*read_lock(out).files, LOCK_FILE}
    except BundleError as error:
        message = "the directory is not empty and not a bundle"
        mend = "choose another place, or remove it if nothing in it is needed"
        raise BuildError(problem("PK013", out, message, None, allowed, mend)) from error
    present = {
        path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_symlink() or not path.is_dir()
    }
    if foreign := sorted(present - known):
        message = f"the bundle holds files that are not its own: {', '.join(foreign[:12])}"
        raise BuildError(problem("PK013", out, message, foreign, allowed, "move them out of it"))


@contextlib.contextmanager
def workplace(out: Path) -> Iterator[Path]:
    """An empty directory beside `out` that takes its place at the end, unless something was raised.

    Raises:
        BuildError: PK013, as `check_place`: what is there was looked at before, and a build takes minutes.
    """
    place = out.with_name(f".{out.name}.{secrets.token_hex(8)}")
    try:
        place.mkdir()
    except OSError as error:
        message = f"nothing can be written beside it: {error.strerror}"
        mend = "look at the rights of the directory"
        raise BuildError(problem("PK013", out, message, None, "a writable directory", mend)) from None
    try:
        yield place
        check_place(out)
        _put(place, out)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _put(place: Path, out: Path) -> None:
    """Put `place` at `out`; what was there is at `place` afterwards, if anything is."""
    if not out.exists():
        place.rename(out)
    elif not _exchange(place, out):
        # Without the system call there is a moment without a bundle, but never one with half of it.
        old = place.with_name(place.name + ".old")
        out.rename(old)
        try:
            place.rename(out)
        except BaseException:
            old.rename(out)
            raise
        old.rename(place)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two directories atomically; False where the system can't."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    arguments = (_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return bool(renameat2(*arguments) == 0)
