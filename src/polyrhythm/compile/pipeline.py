"""`build`: a policy description becomes a bundle directory, all of it or nothing.

Everything is made in a temporary directory beside the target: sources, weights, machine code, the lock. The
result is opened once like any bundle, and only then takes the place of the old one, in one step of the file
system.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.progress import Progress

from polyrhythm.bundle import (
    Bundle,
    BundleError,
    Entry,
    Lock,
    LockedEntry,
    LockedGate,
    LockedModule,
    LockedTensor,
    Tensor,
    open_bundle,
    write_lock,
)
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import LockedCompiler
from polyrhythm.bundle.open import PACK_FROM_BYTES
from polyrhythm.compile import gate
from polyrhythm.compile.codes import BuildError, MissingExtra, problem
from polyrhythm.compile.cutting import (
    Asked,
    Parts,
    Told,
    check_asked,
    cut_module,
    device_of,
    limits_of,
    stage_gates,
    write_stages,
)
from polyrhythm.compile.frontends import frontend
from polyrhythm.compile.iree_compiler import (
    COMPILER,
    HOST,
    Compiled,
    compile_packed,
    compile_source,
    version,
)
from polyrhythm.compile.jobs import Job, jobs_of, packed_name
from polyrhythm.compile.machine import compile_entries, loaded_bytes, signatures
from polyrhythm.compile.packing import pack
from polyrhythm.compile.place import check_place, workplace
from polyrhythm.compile.plans_ahead import IN_ISLAND, ON_DEVICE, write_plans
from polyrhythm.compile.policy import ModuleSource, Policy, open_policy
from polyrhythm.compile.progress import Steps
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.stages import Cut
from polyrhythm.compile.weights import as_arrays, describe, write_weights
from polyrhythm.manifest import (
    LINK_FILE,
    MANIFEST_FILE,
    Diagnostic,
    Loaded,
    Location,
    Manifest,
    load,
)

_STEPS = ("lowering", "compiling", "checking")


def build(
    policy_file: str | Path,
    out: str | Path,
    *,
    target_cpu: str | None = None,
    portable: bool = False,
    max_stage_ms: Asked = None,
    progress: Progress | None = None,
    told: Told = lambda _: None,
) -> Bundle:
    """Compile the policy description `policy_file` into the bundle directory `out` and open it.

    Args:
        target_cpu: the CPU to make machine code and static plans for: by default this one; ``x86-64-v3`` or
            another name that the compiler knows; ``aarch64/cortex-a78`` for another architecture.
        portable: leave them out: every machine makes its own at first use (`prepare`).
        max_stage_ms: cut what takes longer on this machine into stages of at most so many milliseconds: one
            number for all, or by source or ``source.entry``; goes before what the description says.
        progress: a `rich.progress.Progress` to show steps in.
        told: gets a line for everything that was to be cut.

    Raises:
        BuildError: everything that is wrong, with the codes of `polyrhythm.compile.CODES` or the manifest's;
            `out` is as it was.
    """
    check_place(Path(out).absolute())
    with open_policy(Path(policy_file)) as policy:
        return build_policy(
            policy, Path(policy_file).parent, out, called=policy_file, target_cpu=target_cpu,
            portable=portable, max_stage_ms=max_stage_ms, progress=progress, told=told,
        )  # fmt: skip


def build_policy(
    policy: Policy,
    directory: str | Path,
    out: str | Path,
    *,
    called: str | Path,
    target_cpu: str | None = None,
    portable: bool = False,
    max_stage_ms: Asked = None,
    progress: Progress | None = None,
    told: Told = lambda _: None,
) -> Bundle:
    """The same for a policy that is there already, see `build`.

    Args:
        directory: where its manifest is.
        called: the file that diagnostics name.
    """
    if portable and target_cpu is not None:
        raise ValueError("a portable bundle holds no machine code: give either `portable` or `target_cpu`")
    out = Path(out).absolute()
    check_place(out)
    called, loaded = Path(called), _manifest(Path(directory), policy)
    manifest = loaded.manifest
    assert manifest is not None
    jobs = list(jobs_of(called, policy, loaded))
    check_asked(max_stage_ms, {job.key: list(job.source.entries) for job in jobs}, called)
    steps = Steps(progress, len(_STEPS) * len(jobs), "building")
    with workplace(out) as place:
        modules, cuts = {}, {}
        for job in jobs:
            target = None if portable else target_cpu or HOST
            try:
                modules[job.vmfb], cuts[job.vmfb] = _make(
                    job, place, target, steps, manifest, max_stage_ms, told
                )
            except BuildError as error:
                raise _placed(error, called) from error
        _copy_manifest(loaded, place, cuts)
        names = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
        write_lock(Lock(files={name: locked_file(place / name) for name in names}, modules=modules), place)
        open_new(place)
    steps.done(f"built {out.name}")
    return open_bundle(out)


def _manifest(directory: Path, policy: Policy) -> Loaded:
    loaded = load(directory / policy.manifest)
    if loaded.errors:
        raise BuildError(*loaded.errors)
    return loaded


# -- making it ---------------------------------------------------------------------------------------------


def _make(
    job: Job, place: Path, target: str | None, steps: Steps, manifest: Manifest, asked: Asked, told: Told
) -> tuple[LockedModule, tuple[Cut, ...]]:
    """Make the files of one module below `place`; returns what the lock says of it, and what was cut."""
    paths = {name: f"{job.key}.{name}" for name in job.source.entries}
    framework = frontend(job.source.frontend)
    with steps.step(f"lowering {job.key}"):
        arrays = as_arrays(job.source.parameters, job.key)
        framework.check_parameters(arrays, job.key)
        lowered = _lower(job.source, arrays, paths)
    for name, entry in lowered.items():
        for change in entry.changes:
            told(f"{paths[name]}: {change}")
    with steps.step(f"compiling {job.key}"):
        parts = Parts(lowered, *compile_entries(lowered, arrays, job.key))
        files = [job.weights] if job.has_weights else []
        for name in files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            write_weights(arrays, place / name)
    weights = [place / name for name in files]
    with steps.step(f"checking {job.key}"):
        samples = {name: gate.draw(entry, paths[name]) for name, entry in job.source.entries.items()}
        gates = _gates(job.source, parts, arrays, weights, samples, paths)
    declared = {
        name: (entry.max_stage_ms, job.source.max_stage_ms) for name, entry in job.source.entries.items()
    }
    if limits := limits_of(asked, job.key, lowered, manifest, job.vmfb, told, declared):
        first = next(m for m in manifest.orchestration.modules if m.artefact == job.vmfb)
        device = device_of(manifest, first)
        parts = cut_module(parts, limits, arrays, weights, device, samples.__getitem__, job.key, told)
        if parts.stages:
            gates = stage_gates(parts.cuts, gates) | _gates(
                job.source, parts, arrays, weights, samples, paths
            )
    final = write_code(parts, place, job.mlir, job.vmfb, target, weights, job.key)
    plans = {} if target is None else write_plans(
        job.plans, parts.source.text, place, job.vmfb, target, weights, job.key
    )  # fmt: skip
    return LockedModule(
        source=job.mlir,
        parameters=describe(arrays, files),
        operations=dict(parts.source.operations),
        compiler=LockedCompiler(name=COMPILER, version=version(), flags=list(final.compiled.flags)),
        frontend=framework.versions(),
        machine_code=None if target is None else final.compiled.target,
        loaded_bytes=final.loaded_bytes,
        packed=final.packed,
        plan=plans.get(ON_DEVICE),
        island_plan=plans.get(IN_ISLAND),
        signatures=locked_entries(parts, final.compiled, gates),
        stages=parts.stages,
    ), parts.cuts


def _gates(
    source: ModuleSource,
    parts: Parts,
    arrays: Mapping[str, np.ndarray],
    weights: Sequence[Path],
    samples: Mapping[str, Sequence[gate.Sample]],
    paths: Mapping[str, str],
) -> dict[str, LockedGate]:
    """Put the entries that are in one piece through the gate."""
    # Code for another CPU may not run here; what was made from the same source for this one does.
    known, framework = signatures(parts.lowered, parts.source, parts.made.compiled), frontend(source.frontend)
    cases = {
        paths[name]: gate.Case(
            known[name], entry, samples[name], framework.reference(entry, arrays, samples[name])
        )
        for name, entry in source.entries.items()
        if name in known
    }
    found = gate.run(parts.made.path, weights, cases, HOST) if cases else {}
    return {name: found[paths[name]] for name in source.entries if paths[name] in found}


@dataclass(frozen=True)
class Written:
    """Code of a module as it is in the bundle; `packed` and `loaded_bytes`: see `polyrhythm.bundle.lock`."""

    compiled: Compiled
    packed: str | None
    loaded_bytes: int | None


def write_code(
    parts: Parts, place: Path, mlir: str, vmfb: str, target: str | None, weights: Sequence[Path], where: str
) -> Written:
    """Write the source of a module, and its machine code for `target` unless that is None."""
    (place / mlir).parent.mkdir(parents=True, exist_ok=True)
    (place / mlir).write_text(parts.source.text, encoding="utf-8")
    code, final, packed = parts.made.path, parts.made.compiled, None
    if target is not None:
        found = None
        if sum(file.stat().st_size for file in weights) >= PACK_FROM_BYTES:
            found = compile_packed(parts.source.text, where=where, target=target)
        if found is not None and found.encoder is not None:
            final, packed = found, packed_name(vmfb)
            pack(found.encoder, found.content, weights, place / packed)
        elif target != HOST:
            final = compile_source(parts.source.text, where=where, target=target)
        code = place / vmfb
        code.write_bytes(final.content)
    if target not in (None, HOST):
        return Written(final, packed, None)  # code for another machine may lay matrices out differently
    entries = list(signatures(parts.lowered, parts.source, final).values())
    return Written(final, packed, loaded_bytes(code, entries, [place / packed] if packed else weights))


def locked_entries(
    parts: Parts, final: Compiled, gates: Mapping[str, LockedGate | None]
) -> dict[str, LockedEntry]:
    """What the lock says of the entries of a module."""
    return {
        name: locked_entry(entry, final.functions[name].caller_owned, gates.get(name))
        for name, entry in signatures(parts.lowered, parts.source, final).items()
    }


def _lower(
    source: ModuleSource, arrays: Mapping[str, np.ndarray], paths: Mapping[str, str]
) -> dict[str, Lowered]:
    lowered: dict[str, Lowered] = {}
    found: list[Diagnostic] = []
    framework = frontend(source.frontend)
    for name, entry in source.entries.items():
        try:
            lowered[name] = framework.lower(entry, arrays, paths[name])
        except MissingExtra:
            raise
        except BuildError as error:
            found.extend(error.diagnostics)
    if found:
        raise BuildError(*found)
    return lowered


def locked_tensor(tensor: Tensor) -> LockedTensor:
    """A tensor as the lock says it."""
    return LockedTensor.model_validate(
        {"name": tensor.name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
    )


def locked_entry(entry: Entry, caller_owned: bool, result: LockedGate | None) -> LockedEntry:
    """An entry as the lock says it."""
    return LockedEntry(
        inputs=[locked_tensor(tensor) for tensor in entry.inputs],
        outputs=[locked_tensor(tensor) for tensor in entry.outputs],
        consumed=sorted(entry.consumed),
        scratch_bytes=entry.scratch_bytes,
        caller_owned=caller_owned,
        guidance=entry.guidance,  # type: ignore[arg-type]
        gate=result,
    )


def _placed(error: BuildError, policy_file: Path) -> BuildError:
    """The same, at its place in the policy description: ``dit.step`` in ``policy.py``."""
    if isinstance(error, MissingExtra):
        return error
    return BuildError(
        *(
            found
            if found.where.line
            else replace(found, where=Location(str(policy_file), path=found.where.path or found.where.file))
            for found in error.diagnostics
        )
    )


def _copy_manifest(loaded: Loaded, place: Path, cuts: Mapping[str, Sequence[Cut]]) -> None:
    manifest = Path(loaded.source.file)
    shutil.copyfile(manifest, place / MANIFEST_FILE)
    write_stages(loaded, place / MANIFEST_FILE, cuts)
    if (manifest.parent / LINK_FILE).is_file():
        shutil.copyfile(manifest.parent / LINK_FILE, place / LINK_FILE)
    island = loaded.manifest.island if loaded.manifest is not None else None
    if island is None or island.network is None:
        return
    if not (manifest.parent / island.network).is_file():
        where = loaded.locate(("island", "network"))
        message, mend = "the island's network is not there", "put it beside the manifest"
        raise BuildError(problem("PK031", where, message, island.network, "a file beside the manifest", mend))
    (place / island.network).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(manifest.parent / island.network, place / island.network)


def open_new(place: Path) -> None:
    """Whether the new bundle opens; code for another CPU is what was asked for."""
    try:
        open_bundle(place)
    except BundleError as error:
        raise BuildError(*(found for found in error.diagnostics if found.is_error)) from error
