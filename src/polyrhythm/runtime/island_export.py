"""The island of a bundle as a directory that needs neither Python nor IREE, nor the bundle.

What is in it: the program, its settings, the policy's plan with its weights and kernels
or the network, and for whoever sends targets and drives motors the layout of the ports as a C header.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from polyrhythm.bundle import Bundle, StaticCode
from polyrhythm.bundle.cpu import processor
from polyrhythm.island.build import NATIVE, layout_header, program
from polyrhythm.island.settings import settings_file, signed
from polyrhythm.manifest import Diagnostic, Location
from polyrhythm.manifest.diagnostics import render_all
from polyrhythm.runtime.island_policy import PATH, config_of

#: Code -> what it is about.
CODES = {
    "PC146": "an island exported for a CPU that its plan is not for",
    "PC147": "a place where no island can be exported",
}
PROGRAM, SETTINGS, HEADER, README = "island", "settings", "pr_layout.h", "README"
#: Fields of the settings that name files -> what these are called in the directory.
_FILES = {"policy_plan": "policy.plan", "policy_library": "policy.so", "network": "network.net"}
_TEXT = """\
The island of {name}: {joints} at {rate_hz:g} Hz, for {cpu}.

Start it in this directory; it needs the C library and nothing else:

    ./{program} /dev/shm/polyrhythm-$(id -u)-{ports} {settings}

It makes its ports at that place, plays until it is sent SIGTERM, and removes them. Whatever it could not have
(SCHED_FIFO, locked memory, its core) is in `counts.lost`, one bit each.

The ports are one file of shared memory, laid out as {header} says: map it and look at header.layout first.
`target` and `state` go in, `command` comes out. To write such a message: count seq up and write it; write the
rest, with stamp_ns of CLOCK_MONOTONIC and in check the CRC-32 (that of zlib) of all between seq and check;
then write last = seq. To read one: take it only if seq equals last and check is right, else keep what was.
From a command that is older than two periods motors get no torque.
"""


class ExportError(ValueError):
    """Nothing was written; `diagnostics` says why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(render_all(diagnostics))
        self.diagnostics = diagnostics


def export_island(bundle: Bundle, out: Path, target_cpu: str | None = None) -> dict[str, int]:
    """Write the island of a bundle to the directory `out`, all of it or nothing.

    Args:
        bundle: one with an island, and a plan for its policy.
        out: not there yet, or empty.
        target_cpu: the CPU that it is for, by a name that the C compiler knows; this machine's if None. A
            policy needs a plan for it in the bundle (``polyrhythm build --target-cpu``).

    Returns:
        The bytes of every file, by name.

    Raises:
        ExportError: PC146, PC147.
        IslandError: its policy has no plan for this machine.
        NoCompilerError: there is no C compiler, or it does not know that CPU.
    """
    island = bundle.manifest.island
    assert island is not None
    if target_cpu is not None and island.policy is not None:
        bundle = replace(bundle, policy=_plan_for(bundle, target_cpu))
    config = config_of(bundle)
    with _place(out) as place:
        for field, name in _FILES.items():
            if file := config[field].item():
                shutil.copyfile(file.decode(), place / name)
                config[field] = name.encode()
        shutil.copy(program(target_cpu or NATIVE), place / PROGRAM)
        (place / SETTINGS).write_bytes(settings_file(signed(config)))
        (place / HEADER).write_text(layout_header())
        text = _TEXT.format(
            name=bundle.manifest.name or bundle.root.name, joints=", ".join(island.joints),
            rate_hz=float(island.rate_hz), cpu=target_cpu or processor(), program=PROGRAM, ports=island.ports,
            settings=SETTINGS, header=HEADER,
        )  # fmt: skip
        (place / README).write_text(text)
        found = {path.name: path.stat().st_size for path in sorted(place.iterdir())}
    return found


def _plan_for(bundle: Bundle, target_cpu: str) -> StaticCode:
    """The plan of the policy that the bundle brings for that CPU."""
    policy = bundle.manifest.policy
    assert policy is not None
    own = bundle.module(policy.artefact).island_plan
    if own is None or own.machine_code.cpu != target_cpu:
        has = "no plan of it" if own is None else f"one for {own.machine_code.cpu}"
        message = f"the island is to be for {target_cpu}, and the bundle holds {has}"
        where = bundle.locate((*PATH, policy.artefact_key))
        allowed = "the CPU that the bundle was built for"
        mend = f"build the bundle with `--target-cpu {target_cpu}`"
        raise ExportError(Diagnostic("PC146", "error", message, where, target_cpu, allowed, mend))
    plan, library, _ = (bundle.root / name for name in own.files)
    return StaticCode(plan, library, own.scratch_bytes, own.refused, own.state_bytes)


@contextmanager
def _place(out: Path) -> Iterator[Path]:
    """An empty directory that becomes `out` at the end, unless something was raised."""
    out = out.absolute()
    place = out.with_name(f".{out.name}.{secrets.token_hex(8)}")
    if out.is_symlink() or (out.exists() and not (out.is_dir() and not any(out.iterdir()))):
        raise _no_place(out, "something is there already", "choose another place, or remove it")
    try:
        place.mkdir()
    except OSError as error:
        message, mend = f"nothing can be written beside it: {error.strerror}", "look at its parent"
        raise _no_place(out, message, mend) from None
    try:
        yield place
        try:
            place.rename(out)
        except OSError as error:
            message = f"it cannot take its place: {error.strerror}"
            raise _no_place(out, message, "choose another place") from None
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _no_place(out: Path, message: str, mend: str) -> ExportError:
    allowed = "a directory that is not there yet, or is empty"
    return ExportError(Diagnostic("PC147", "error", message, Location(str(out)), str(out), allowed, mend))
