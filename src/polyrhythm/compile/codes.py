"""Every diagnostic of this room: its code and its title. Codes are never reused for another meaning."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.manifest.diagnostics import Diagnostic, Location, render_all

CODES: dict[str, str] = {
    # the policy description
    "PK001": "the policy description cannot be used",
    "PK002": "a module without a source",
    "PK003": "a source that no module uses",
    "PK004": "a stage that its source does not have",
    "PK005": "an entry that contradicts itself",
    "PK006": "parameters that cannot be stored",
    "PK007": "modules that share a file but not its content",
    "PK008": "an artefact whose name is not that of machine code of IREE",
    # making it
    "PK010": "an entry that the framework cannot lower",
    "PK011": "a module that the compiler refuses",
    "PK012": "an unknown CPU",
    "PK013": "a place where no bundle can be written",
    "PK014": "a package is missing",
    "PK015": "a cache that cannot be written",
    "PK016": "weights that cannot be laid out for this machine",
    # the gate
    "PK020": "an output that differs from the framework's",
    "PK021": "an entry that overwrites an input",
    "PK022": "an entry that does not run",
    "PK023": "an output of which nothing was compared",
    # stages
    "PK040": "stages that do not give what the uncut entry gives",
    "PK041": "a limit for stages that cannot be used",
    "PK042": "stages longer than was asked for",
    "PK043": "a bundle whose modules cannot be cut",
    # bundles made by hand
    "PK030": "machine code that cannot be read",
    "PK031": "files that the manifest names and that are missing",
    "PK032": "a module of another format without entries",
    "PK033": "a module that a lock has no room for",
    "PK050": "an artefact of a format that no installed driver loads",
    "PK051": "an artefact whose format the drivers do not agree on",
}


class BuildError(ValueError):
    """Nothing was written; `diagnostics` says why, its text is all of them rendered."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(render_all(diagnostics))
        self.diagnostics = diagnostics


class MissingExtra(BuildError, ImportError):
    """A package of an optional extra is not installed."""


def problem(
    code: str,
    where: Path | str | Location,
    message: str,
    value: object = None,
    allowed: str = "",
    mend: str = "",
    *,
    path: str = "",
) -> Diagnostic:
    """An error of this room about a file; `path` says where in it, for example ``vlm.encode``."""
    place = where if isinstance(where, Location) else Location(str(where), path=path)
    return Diagnostic(code, "error", message, place, value, allowed, mend)


def missing_extra(package: str, extra: str, what: str) -> MissingExtra:
    """`what` needs `package`, which comes with `extra`."""
    return MissingExtra(
        problem(
            "PK014",
            package,
            f"{what} needs {package}, which is not installed",
            package,
            f"the extra `{extra}`",
            f"pip install 'polyrhythm[{extra}]'",
        )
    )
