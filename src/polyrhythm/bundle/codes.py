"""Every diagnostic of this room: its code and its title. Codes are never reused for another meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from polyrhythm.manifest.diagnostics import Diagnostic, Location, render_all

CODES: dict[str, str] = {
    # the directory and its lock
    "PB001": "not a bundle directory",
    "PB002": "the lock is missing",
    "PB003": "the lock cannot be read",
    "PB004": "a lock of an unknown version",
    # the files
    "PB005": "a file is missing",
    "PB006": "a file is truncated",
    "PB007": "a file has changed",
    "PB008": "a file that the lock does not know",
    "PB009": "a path that leaves the bundle",
    "PB010": "not a regular file",
    "PB011": "a file that cannot be read",
    # the machine code
    "PB012": "machine code for another architecture",
    "PB013": "machine code for another CPU",
    # manifest and lock
    "PB014": "a module that the lock does not know",
    "PB015": "parameters that the lock does not know",
    "PB016": "a file name that is not UTF-8",
    # notes
    "PB020": "machine code that does not run here, with a portable source beside it",
    "PB021": "a static plan that does not run here, with a portable source beside it",
}


class BundleError(ValueError):
    """A bundle that cannot be used; `diagnostics` says why, all at once; the text is all of them rendered.

    `bundle` is the bundle as far as it could be read (lock and manifest are good), for tools that go on to
    look for more mistakes; None if not even that.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...], bundle: Any = None) -> None:
        super().__init__(render_all(diagnostics))
        self.diagnostics = diagnostics
        self.bundle = bundle


def problem(
    code: str, file: Path | Location, message: str, value: object = None, allowed: str = "", mend: str = ""
) -> Diagnostic:
    """An error of this room about a file."""
    where = file if isinstance(file, Location) else Location(str(file))
    return Diagnostic(code, "error", message, where, value, allowed, mend)
