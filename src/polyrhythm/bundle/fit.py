"""Whether the machine code and the static plans that a bundle brings run on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from polyrhythm.bundle import cpu
from polyrhythm.bundle.codes import problem
from polyrhythm.bundle.lock import LockedMachineCode, LockedModule, LockedPlan
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.manifest.diagnostics import Diagnostic, Location

_MEND = "nothing to do; build for this CPU to save that time"
_MEND_PLAN = "nothing to do; build for this CPU, with this compiler, to save that time"


class _Unlike(NamedTuple):
    """What it is made for and is not here."""

    code: str
    message: str
    value: str
    allowed: str


def unfit_code(file: Path, module: LockedModule) -> Diagnostic | None:
    """Why the bundle's machine code does not run here; only a note if there is a portable source."""
    found = None if module.machine_code is None else _unlike("the machine code", module.machine_code)
    if found is None:
        return None
    if module.source is not None:
        note = found.message + "; it will be compiled from source here, once"
        return Diagnostic("PB020", "note", note, Location(str(file)), found.value, found.allowed, _MEND)
    mend = "build the bundle for this CPU, or a portable one"
    return problem(found.code, file, found.message, found.value, found.allowed, mend)


def unfit_plan(file: Path, plan: LockedPlan) -> Diagnostic | None:
    """Why a static plan of the bundle does not run here: a note, for there always is a portable source."""
    what, here = "the static plan", compiler_version()
    found = _unlike(what, plan.machine_code)
    if found is None and plan.compiler != here:
        message = f"{what} was made by compiler {plan.compiler}, installed is {here}"
        found = _Unlike("", message, plan.compiler, here)
    if found is None:
        return None
    note = found.message + "; another one will be made from source here, once"
    return Diagnostic("PB021", "note", note, Location(str(file)), found.value, found.allowed, _MEND_PLAN)


def _unlike(what: str, needs: LockedMachineCode) -> _Unlike | None:
    here = cpu.host()
    if needs.arch != here.arch:
        message = f"{what} is for {needs.arch}, this machine is {here.arch}"
        return _Unlike("PB012", message, needs.arch, here.arch)
    missing = ", ".join(here.missing_features(needs.features))
    if not missing:
        return None
    message = f"{what} is for {needs.cpu}, this CPU lacks {missing}"
    return _Unlike("PB013", message, missing, "features that this CPU has")
