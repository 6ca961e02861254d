"""Cutting a bundle that is built already: nothing but its portable sources is needed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.progress import Progress

from polyrhythm.bundle import (
    Bundle,
    BundleError,
    LockedMachineCode,
    LockedModule,
    LockedPlan,
    open_bundle,
    write_lock,
)
from polyrhythm.bundle.files import locked_file, verify
from polyrhythm.bundle.lock import LockedCompiler
from polyrhythm.compile import gate
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.cutting import (
    Asked,
    Sample,
    Told,
    check_asked,
    cut_module,
    device_of,
    limits_of,
    stage_gates,
    tell_uncut,
    write_stages,
)
from polyrhythm.compile.iree_compiler import COMPILER, HOST, version
from polyrhythm.compile.jobs import packed_name
from polyrhythm.compile.machine import compile_entries
from polyrhythm.compile.pipeline import locked_entries, open_new
from polyrhythm.compile.place import check_place, workplace
from polyrhythm.compile.plans_ahead import IN_ISLAND, ON_DEVICE, write_plans
from polyrhythm.compile.progress import Steps
from polyrhythm.compile.restore import restore
from polyrhythm.compile.stages import Cut
from polyrhythm.compile.written import Parts, Written, write_code
from polyrhythm.manifest import MANIFEST_FILE


def cut_bundle(
    directory: str | Path,
    out: str | Path,
    max_stage_ms: Asked,
    *,
    progress: Progress | None = None,
    told: Told = lambda _: None,
) -> Bundle:
    """Write the bundle at `directory` to `out`, with stages of at most `max_stage_ms`, and open it.

    Args:
        out: another directory, or the same one.
        max_stage_ms: one number for all modules, or by module id or ``id.entry``; of modules that share an
            entry, the least is for all.

    Raises:
        BundleError: the bundle cannot be opened, or changes while it is copied.
        BuildError: PK007, PK013, PK040, PK041 or PK043; `out` is as it was.
    """
    bundle, out = open_bundle(directory), Path(out).absolute()
    check_place(out)
    modules = bundle.manifest.orchestration.modules
    entries = {module.id: list(module.stages or bundle.module(module.artefact).entries) for module in modules}
    check_asked(max_stage_ms, entries, bundle.root / MANIFEST_FILE)
    first = {module.artefact: module.id for module in reversed(modules)}
    steps = Steps(progress, len(first), "cutting")
    with workplace(out) as place:
        for name in bundle.lock.files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(bundle.root / name, place / name)
        _verify(bundle, place)
        locked, cuts = dict(bundle.lock.modules), {}
        for vmfb, key in first.items():
            with steps.step(f"cutting {key}"):
                locked[vmfb], cuts[vmfb] = _cut(bundle, key, place, max_stage_ms, told)
        tell_uncut(max_stage_ms, cuts, told)
        write_stages(bundle.loaded, place / MANIFEST_FILE, cuts)
        names = {*bundle.lock.files, *(module.packed for module in locked.values() if module.packed)}
        files = {name: locked_file(place / name) for name in sorted(names)}
        write_lock(bundle.lock.model_copy(update={"files": files, "modules": locked}), place)
        open_new(place)
    steps.done(f"cut {out.name}")
    return open_bundle(out)


def _verify(bundle: Bundle, place: Path) -> None:
    """Whether the copies below `place` are what the lock says; from here on the bundle itself is not read."""
    found = verify(place, bundle.lock.files)
    if found:
        root = str(bundle.root)
        raise BundleError(
            tuple(
                replace(d, where=replace(d.where, file=d.where.file.replace(str(place), root))) for d in found
            )
        )


def _target(code: LockedMachineCode, here: LockedMachineCode) -> str:
    """For which CPU new code is to be, in place of that; see `compile_source`."""
    return HOST if code == here or code.cpu == "generic" else f"{code.arch}/{code.cpu}"


def _cut(
    bundle: Bundle, key: str, place: Path, asked: Asked, told: Told
) -> tuple[LockedModule, tuple[Cut, ...]]:
    """What the lock says of a module, whose files below `place` are changed, and what was cut of it."""
    module = bundle.manifest.orchestration.module(key)
    locked = bundle.lock.modules[module.artefact]
    if locked.source is None:
        message, mend = "it has no portable source", "build the bundle from its description"
        allowed = "a module with StableHLO beside its machine code"
        raise BuildError(problem("PK043", bundle.root / module.artefact, message, None, allowed, mend))
    if (packed := packed_name(module.artefact)) in bundle.lock.files.keys() - {locked.packed}:
        message, mend = f"{packed} would be written for {module.artefact}", "rename it, and build again"
        allowed = "files of its own for every source"
        raise BuildError(problem("PK007", bundle.root / packed, message, packed, allowed, mend))
    text = (place / locked.source).read_bytes().decode()
    lowered, arrays = restore(text, locked.entries, str(bundle.root / locked.source))
    limits = limits_of(asked, lambda user: user.id, lowered, bundle.manifest, module.artefact, told)
    if not limits:
        return locked, ()
    whole = Parts(lowered, *compile_entries(lowered, arrays, key))
    weights = [place / name for name in locked.parameters.files]

    def samples(name: str) -> Sequence[Sample]:
        return gate.draw_tensors(locked.entries[name].inputs, f"{key}.{name}")

    here = whole.made.compiled.target
    target = None if locked.machine_code is None else _target(locked.machine_code, here)
    source = locked.source

    def write(parts: Parts) -> Written:
        return write_code(parts, place, source, module.artefact, target, weights, key)

    device = device_of(bundle.manifest, module)
    parts, final = cut_module(whole, limits, arrays, weights, device, samples, key, told, write)
    if final is None:
        return locked, ()
    plans: dict[str, LockedPlan] = {}
    for kind in (ON_DEVICE, IN_ISLAND):
        if (old := getattr(locked, kind)) is not None:
            made_for = _target(old.machine_code, here)
            plans |= write_plans((kind,), parts.source.text, place, module.artefact, made_for, weights, key)
    before = {name: entry.gate for name, entry in locked.signatures.items() if entry.gate is not None}
    new = parts.stages
    stages = {name: [s for old in cut for s in new.pop(old, [old])] for name, cut in locked.stages.items()}
    return locked.model_copy(
        update={
            "operations": dict(parts.source.operations),
            "compiler": LockedCompiler(name=COMPILER, version=version(), flags=list(final.compiled.flags)),
            "machine_code": None if target is None else final.compiled.target,
            "loaded_bytes": final.loaded_bytes,
            "packed": final.packed,
            **plans,
            "signatures": locked_entries(parts, final.compiled, before | stage_gates(parts.cuts, before)),
            "stages": stages | new,
        }
    ), parts.cuts
