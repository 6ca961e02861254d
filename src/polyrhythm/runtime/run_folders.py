"""The folders that sockets of runs lie in: each of one user alone, or it is not used."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import gettempdir

#: Where the system makes a folder for each user who is logged in: their ``$XDG_RUNTIME_DIR``.
SESSIONS = Path("/run/user")
_NAME = "polyrhythm-"


def own_folder() -> Path:
    """Where a new run of this user has its socket: in ``$XDG_RUNTIME_DIR``, or else among temporary files.

    Raises:
        OSError: it can't be made, or others may have their hands in it.
    """
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    base = given if os.access(given, os.W_OK | os.X_OK) else gettempdir()
    folder = Path(base) / f"{_NAME}{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if problem := _problem(folder):
        raise PermissionError(problem)
    return folder


def folders() -> list[Path]:
    """All in which there may be sockets of runs that this user may steer."""
    # One that cannot be looked into is none: `Path.is_dir` raises there.
    return [f for f in _candidates() if os.path.isdir(f) and not _problem(f)]  # noqa: PTH112


def looked() -> str:
    """Where runs were looked for, in words, and where not, and why."""
    problems = {folder: _problem(folder) for folder in _candidates()}
    places = ", ".join(str(folder) for folder, problem in problems.items() if not problem)
    return "; ".join([f"in {places or 'any folder'}", *filter(None, problems.values())])


def user_of(folder: Path) -> int | None:
    """Whose folder it is called."""
    name = folder.name.removeprefix(_NAME)
    return int(name) if name.isascii() and name.isdecimal() else None


def _candidates() -> list[Path]:
    """This user's, whatever the environment was that a run was started in; for root, all users' as well."""
    user, given = os.geteuid(), os.environ.get("XDG_RUNTIME_DIR")
    bases = [Path(base) for base in (given, gettempdir()) if base]
    found = [base / f"{_NAME}{user}" for base in (*bases, SESSIONS / str(user))]
    if user == 0:
        others = [folder for base in (*bases, *SESSIONS.glob("*")) for folder in base.glob(f"{_NAME}[0-9]*")]
        found += sorted(folder for folder in others if user_of(folder) is not None)
    return list(dict.fromkeys(found))


def _problem(folder: Path) -> str:
    """Why a folder is not used; empty: it is, or is not there."""
    try:
        found = folder.lstat()
    except OSError:
        return ""
    user = user_of(folder)
    if stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077:
        return ""
    return f"{folder} is not a folder of user {user} alone (`chmod 700`): remove it, or let its owner do so"
