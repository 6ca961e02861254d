"""Machine code for the machine at hand: the bundle's own if it fits, else the cache's, else compiled now."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from polyrhythm.bundle import Bundle, Entry, StaticCode, static_code
from polyrhythm.bundle.machine_code import MachineCode, cache_directory, lookup, note_loaded, store
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.iree_compiler import (
    Compiled,
    Refused,
    compile_packed,
    compile_source,
    embedded_target,
)
from polyrhythm.compile.packing import pack
from polyrhythm.compile.progress import Steps
from polyrhythm.compile.reflection import functions
from polyrhythm.compile.source import Lowered, Source, merge
from polyrhythm.compile.static_plan import plan_source
from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.drivers.static_native import read_weights
from polyrhythm.hal.registry import driver


@dataclass(frozen=True, slots=True)
class Made:
    """Machine code in the cache."""

    path: Path
    compiled: Compiled


def prepare(bundle: Bundle, progress: Progress | None = None) -> dict[str, Path]:
    """Make what the bundle's modules lack to run here; returns `bundle.artefacts` with what was made.

    Takes seconds per module the first time and nothing afterwards. A bundle opened before has the scratch
    sizes of another machine: open it again to get those of what was compiled here.

    Raises:
        BuildError: PK014 without the compiler, PK011 if it refuses a module, PK015 if the cache is read-only.
    """
    found = dict(bundle.artefacts)
    missing, unplanned, policy = bundle.missing_artefacts, bundle.missing_plans, bundle.missing_policy
    if not bundle.missing:
        return found
    count = len(missing) + len(unplanned) + (policy is not None)
    steps = Steps(progress, count, "compiling for this machine")
    for name in missing:
        source = bundle.module(name).source
        # `open_bundle` refuses a module that has neither code that runs here nor a source.
        assert source is not None
        with steps.step(f"compiling {name} for this machine"):
            found[name] = _module(bundle, name, bundle.root / source)
    for name in unplanned:
        with steps.step(f"planning {name} for this machine"):
            path = bundle.root / (bundle.module(name).source or "")
            plan_here(path.read_bytes().decode(), where=str(path))
    if policy is not None:
        with steps.step(f"planning {policy.artefact} for the island"):
            path = bundle.root / (bundle.module(policy.artefact).source or "")
            embedded = read_weights(bundle.parameters(policy))
            _plan(bundle.policy_identity(), path.read_bytes().decode(), str(path), embedded)
    steps.done("compiled for this machine")
    return found


def _module(bundle: Bundle, name: str, source: Path) -> Path:
    text, locked, to_pack = source.read_bytes().decode(), bundle.module(name), bundle.to_pack(name)
    weights = [bundle.root / file for file in locked.parameters.files]
    code = _code(text, str(source), weights, to_pack)
    if code.loaded_bytes is None:
        entries = locked.with_code(dict(code.scratch_bytes), None).entries
        files = weights if code.packed is None else [code.packed]
        nbytes = loaded_bytes(code.path, list(entries.values()), files)
        if nbytes is not None:
            note_loaded(_digest(text), nbytes, to_pack)
    return code.path


def loaded_bytes(code: Path, entries: Sequence[Entry], weights: Sequence[Path]) -> int | None:
    """What loading `code` allocates beside the weights in their files.

    None if it does not load: who runs it will say why.
    """
    device: Any = driver("iree").open(DeviceConfig("loading", "local-sync"))
    try:
        loaded = device.load(code, entries, weights)
        found = int(device.statistics()["device_bytes_allocated"])
        del loaded
        return found
    except HalError:
        return None
    finally:
        device.close()


def compile_here(text: str, *, where: str) -> Made:
    """Machine code of a portable source for this machine: from the cache, or compiled and kept there.

    Raises:
        Refused, BuildError: see `compile_source`.
    """
    sha256 = _digest(text)
    known = lookup(sha256)
    if known is None:
        compiled = compile_source(text, where=where)
        known = _keep(sha256, compiled)
    else:
        content = known.path.read_bytes()
        compiled = Compiled(content, known.flags, functions(content, where), embedded_target(content))
    return Made(known.path, compiled)


def plan_here(text: str, *, where: str) -> StaticCode:
    """The static plan of a portable source for this machine: from the cache, or made and kept there.

    Raises:
        Refused, BuildError: see `compile_source`.
    """
    sha256 = _digest(text)
    return static_code.lookup(sha256) or _plan(sha256, text, where)


def _plan(identity: str, text: str, where: str, embedded: Mapping[str, bytes] | None = None) -> StaticCode:
    """Make a plan, with these weights in it, and keep it under `identity`."""
    made = plan_source(text, where=where, embedded=embedded)
    with _writing():
        return static_code.store(
            identity, made.plan, made.library, made.work,
            scratch_bytes=made.scratch_bytes, refused=made.refused, state_bytes=made.state_bytes,
        )  # fmt: skip


def _code(text: str, where: str, weights: Sequence[Path], to_pack: Sequence[str]) -> MachineCode:
    """The same, where the code alone will do (`lookup` has compared digests, so it needn't be parsed), and
    with the weights packed if `to_pack` has their digests."""
    sha256 = _digest(text)
    if (known := lookup(sha256, to_pack)) is not None:
        return known
    compiled = compile_packed(text, where=where) if to_pack else None
    if compiled is None or compiled.encoder is None:
        return _keep(sha256, compile_source(text, where=where), to_pack)
    with _writing(), tempfile.TemporaryDirectory(prefix=".packing-", dir=_cache()) as place:
        archive = Path(place, "weights.irpa")
        pack(compiled.encoder, compiled.content, weights, archive)
        return _keep(sha256, compiled, to_pack, archive)


def _keep(
    sha256: str, compiled: Compiled, weights: Sequence[str] = (), packed: Path | None = None
) -> MachineCode:
    with _writing():
        return store(
            sha256, compiled.content, flags=compiled.flags, scratch_bytes=compiled.scratch_bytes,
            weights=weights, packed=packed,
        )  # fmt: skip


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _cache() -> Path:
    directory = cache_directory()
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"the cache of machine code cannot be written: {error.strerror}"
        mend = "make room or look at its rights, or set XDG_CACHE_HOME to another directory"
        place = cache_directory()
        raise BuildError(problem("PK015", place, message, None, "a writable directory", mend)) from error


def compile_entries(
    lowered: Mapping[str, Lowered], arrays: Mapping[str, np.ndarray], where: str
) -> tuple[Source, Made]:
    """The source of a module and its code for this machine.

    The compiler does not support scratch of the caller for every function (for example not for a loop whose
    end depends on data). Entries that it refuses for that get their scratch from the device.
    """
    source = merge(lowered, arrays, where=where)
    try:
        return source, compile_here(source.text, where=where)
    except Refused as refused:
        without = frozenset(name for name in lowered if _refused(name, lowered[name], arrays, where))
        if not without:
            raise
        source = merge(lowered, arrays, where=where, without_scratch=without)
        try:
            return source, compile_here(source.text, where=where)
        except Refused:
            # Scratch was not the reason: what the compiler said first is about what the user wrote.
            raise refused from None


def _refused(name: str, lowered: Lowered, arrays: Mapping[str, np.ndarray], where: str) -> bool:
    try:
        compile_here(merge({name: lowered}, arrays, where=where).text, where=where)
    except Refused:
        return True
    return False


def signatures(lowered: Mapping[str, Lowered], source: Source, compiled: Compiled) -> dict[str, Entry]:
    """What the entries take and give, with the scratch of this machine code."""
    return {
        name: Entry(
            name,
            tuple(entry.inputs),
            source.outputs[name],
            compiled.functions[name].scratch_bytes,
            entry.consumed,
            entry.guidance,
        )
        for name, entry in lowered.items()
    }
