"""The files of a bundle against its lock: all there, unchanged, nothing else, nothing outside."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from polyrhythm.bundle.atomic import NEW
from polyrhythm.bundle.codes import problem
from polyrhythm.bundle.lock import LOCK_FILE, MAX_FILES, LockedFile
from polyrhythm.manifest import LINK_FILE, MANIFEST_FILE
from polyrhythm.manifest.diagnostics import Diagnostic, printable

_CHUNK = 1 << 20
_REBUILD = "build the bundle again with `polyrhythm build`, or restore the file"
_RELOCK = "take the change over with `polyrhythm lock BUNDLE`, or restore the file"
#: What people may edit in a bundle.
TEXTS = (MANIFEST_FILE, LINK_FILE)

# Digests found by this process: a file is read again once its size, times or inode differ.
_verified: dict[tuple[str, int, int, int, int], str] = {}


def digest(path: Path) -> str:
    """The SHA-256 of a file, read in pieces; remembered in this process while the file stays as it is.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        found = os.fstat(stream.fileno())
        key = (str(path), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        known = _verified.get(key)
        if known is None:
            hasher = hashlib.sha256()
            while piece := stream.read(_CHUNK):
                hasher.update(piece)
            known = _verified[key] = hasher.hexdigest()
    return known


def digests() -> list[tuple[str, int, int, int, int, str]]:
    """Every digest that this process has found: path, inode, size, mtime and ctime in ns, SHA-256."""
    return [(*key, found) for key, found in _verified.items()]


def trust(found: Iterable[tuple[str, int, int, int, int, str]]) -> None:
    """Believe the digests that another process of ours has found, for files that are still as they were."""
    for *key, sha256 in found:
        path, *numbers = key
        _verified[path, *numbers] = sha256  # type: ignore[index]


def locked_file(path: Path) -> LockedFile:
    """What the lock says of a file."""
    return LockedFile(sha256=digest(path), size=path.stat().st_size)


def leaves(name: str) -> bool:
    """Whether a name in a lock is anything but a plain path below the bundle."""
    path = PurePosixPath(name)
    odd = path.is_absolute() or ".." in path.parts or str(path) != name or name == "."
    return odd or "\\" in name or "\0" in name


def verify(root: Path, files: Mapping[str, LockedFile]) -> list[Diagnostic]:
    """Compare the bundle at `root` with what its lock says; every difference is a diagnostic."""
    found: list[Diagnostic] = []
    present = dict(walk(root, found))
    said = {diagnostic.where.file for diagnostic in found}
    for name in sorted(set(files) | set(present)):
        path = root / name
        if name not in files:
            message, mend = "the lock does not know this file", "remove it, or build the bundle again"
            found.append(problem("PB008", path, message, printable(name), _listed(files), mend))
        elif leaves(name):
            message = f"the lock names `{printable(name)}`, which leaves the bundle"
            mend = "do not use this bundle: no build writes this"
            found.append(
                problem(
                    "PB009", root / LOCK_FILE, message, name, "paths below the bundle, without `..`", mend
                )
            )
        elif name in present:
            found.extend(verify_file(path, files[name]))
        elif str(path) not in said:
            found.append(
                problem("PB005", path, "the file is missing", name, "the file of the lock", _REBUILD)
            )
    return found


def verify_file(path: Path, locked: LockedFile) -> Iterator[Diagnostic]:
    """Compare one file with what the lock says of it."""
    try:
        size = path.stat().st_size
        found = digest(path) if size == locked.size else ""
    except OSError as error:
        yield unreadable(path, error)
        return
    mend = _RELOCK if path.name in TEXTS else _REBUILD
    allowed = f"{locked.size} bytes"
    if size < locked.size and mend is _REBUILD:
        yield problem("PB006", path, f"the file is truncated to {size} bytes", size, allowed, mend)
    elif size != locked.size:
        yield problem("PB007", path, f"the file has changed: it has {size} bytes", size, allowed, mend)
    elif found != locked.sha256:
        message = "the file has changed: its digest is another one"
        yield problem("PB007", path, message, f"sha256 {found}", f"sha256 {locked.sha256}", mend)


def walk(root: Path, found: list[Diagnostic]) -> Iterator[tuple[str, Path]]:
    """All regular files below `root` but the lock, by name; what is not one becomes a diagnostic.

    What vanishes meanwhile, and a lock that is being written beside the old one, is as if it had not been
    there.
    """
    pending, count = [root], 0
    while pending:
        directory = pending.pop()
        try:
            paths = sorted(directory.iterdir())
        except FileNotFoundError:
            continue
        except OSError as error:
            found.append(unreadable(directory, error, "directory"))
            continue
        for path in paths:
            count += 1
            if count > MAX_FILES:
                found.append(problem("PB008", root, f"more than {MAX_FILES} files", None, "", "tidy it up"))
                return
            if directory == root and NEW.fullmatch(path.name):
                continue
            try:
                complaint = _complaint(root, path)
            except FileNotFoundError:
                continue
            except OSError as error:
                complaint = unreadable(path, error)
            if complaint is not None:
                found.append(complaint)
            elif path.is_dir():
                pending.append(path)
            elif path != root / LOCK_FILE:
                yield path.relative_to(root).as_posix(), path


def unreadable(path: Path, error: OSError, kind: str = "file") -> Diagnostic:
    """A file, or another `kind` of thing, that the system does not let us read."""
    message = f"the {kind} cannot be read: {error.strerror}"
    return problem("PB011", path, message, None, f"a readable {kind}", "look at its rights")


def _complaint(root: Path, path: Path) -> Diagnostic | None:
    """Why `path` may not be in a bundle; None for a regular file, a directory, or a link to a file in it.

    Raises:
        OSError: that cannot be said; FileNotFoundError: it has gone.
    """
    try:
        path.name.encode()
    except UnicodeEncodeError:
        shown = printable(path.name)
        message, mend = "the name is not UTF-8, so a lock can't hold it", "rename it, or remove it"
        return problem("PB016", root / shown, message, shown, "names in UTF-8", mend)
    mode = path.lstat().st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    if stat.S_ISLNK(mode):
        target = Path(os.path.realpath(path))  # `resolve` raises on a loop before Python 3.13
        if not target.is_relative_to(root):
            link, mend = printable(str(path.readlink())), "replace the link by the file itself"
            return problem(
                "PB009", path, "the symbolic link leaves the bundle", link, "a file of the bundle", mend
            )
        if target.is_file():
            return None
    message = "this is neither a regular file nor a directory"
    mend = "remove it, or replace it by the file itself"
    return problem("PB010", path, message, None, "regular files and directories", mend)


def _listed(files: Mapping[str, LockedFile]) -> str:
    names = sorted(files)
    return ", ".join(printable(name) for name in names[:12]) + (", ..." if names[12:] else "")
