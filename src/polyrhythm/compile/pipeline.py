"""`build`: a policy description becomes a bundle directory, all of it or nothing.

Everything is made in a temporary directory beside the target: sources, weights, machine code, the lock. The
result is opened once like any bundle, and only then takes the place of the old one, in one step of the file
system.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from polyrhythm.compile import gate
from polyrhythm.compile.codes import BuildError, MissingExtra, problem
from polyrhythm.compile.cutting import (
    Asked,
    Told,
    Write,
    check_asked,
    cut_module,
    device_of,
    limits_of,
    stage_gates,
    tell_uncut,
    write_stages,
)
from polyrhythm.compile.frontends import frontend
from polyrhythm.compile.iree_compiler import COMPILER, HOST, Compiled, version
from polyrhythm.compile.jobs import Job, jobs_of
from polyrhythm.compile.machine import Made, compile_entries, signatures
from polyrhythm.compile.place import check_place, workplace
from polyrhythm.compile.plans_ahead import IN_ISLAND, ON_DEVICE, write_plans
from polyrhythm.compile.policy import ModuleSource, Policy, open_policy
from polyrhythm.compile.progress import Steps
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.stages import Cut
from polyrhythm.compile.weights import as_arrays, describe, write_weights
from polyrhythm.compile.written import Parts, Written, write_code
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
        tell_uncut(max_stage_ms, cuts, told)
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

    def write(parts: Parts) -> Written:
        return write_code(parts, place, job.mlir, job.vmfb, target, weights, job.key)

    with steps.step(f"checking {job.key}"):
        parts, final, gates = _checked(job, parts, arrays, weights, manifest, asked, told, write)
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


def _checked(
    job: Job,
    parts: Parts,
    arrays: Mapping[str, np.ndarray],
    weights: Sequence[Path],
    manifest: Manifest,
    asked: Asked,
    told: Told,
    write: Write,
) -> tuple[Parts, Written, dict[str, LockedGate]]:
    """A module cut where that is asked for, its code as it was written, and what the gate says of that."""
    key, framework = job.key, frontend(job.source.frontend)
    known = signatures(parts.lowered, parts.source, parts.made.compiled)
    cases, declared = {}, {}
    for name, entry in job.source.entries.items():
        samples = gate.draw(entry, f"{key}.{name}")
        cases[name] = gate.Case(known[name], entry, samples, framework.reference(entry, arrays, samples))
        declared[name] = entry.max_stage_ms, job.source.max_stage_ms
    written, gates = None, {}
    if limits := limits_of(asked, lambda _: key, parts.lowered, manifest, job.vmfb, told, declared):
        first = next(m for m in manifest.orchestration.modules if m.artefact == job.vmfb)
        # Stages are held against their entry in one piece, and that against the framework.
        gates = _gates(cases, parts, parts.made, weights, key)
        parts, written = cut_module(
            parts, limits, arrays, weights, device_of(manifest, first), lambda name: cases[name].samples,
            key, told, write,
        )  # fmt: skip
        gates = stage_gates(parts.cuts, gates)
    written = written or write(parts)
    whole = {name: case for name, case in cases.items() if name in parts.lowered}
    return parts, written, gates | _gates(whole, parts, written.here, written.weights, key)


def _gates(
    cases: Mapping[str, gate.Case], parts: Parts, made: Made, weights: Sequence[Path], key: str
) -> dict[str, LockedGate]:
    """Put entries through the gate, as code that runs here has them."""
    known = signatures(parts.lowered, parts.source, made.compiled)
    here = {f"{key}.{name}": replace(case, entry=known[name]) for name, case in cases.items()}
    found = gate.run(made.path, weights, here, HOST) if here else {}
    return {name: found[f"{key}.{name}"] for name in cases}


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
