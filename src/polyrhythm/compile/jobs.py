"""What a build has to make: one job for every `vmfb` of the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from polyrhythm.bundle import LOCK_FILE
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.plans_ahead import plan_name, wanted
from polyrhythm.compile.policy import ModuleSource, Policy
from polyrhythm.manifest import LINK_FILE, MANIFEST_FILE, Diagnostic, Loaded, nearest


@dataclass(frozen=True)
class Job:
    """A module to make: the policy's `key`, its source, and its files.

    `packed` is made for large weights only (`polyrhythm.compile.packing`), `plans` are the kinds of static
    plans that it runs as (`polyrhythm.compile.plans_ahead`).
    """

    key: str
    source: ModuleSource
    vmfb: str
    mlir: str
    weights: str
    packed: str
    plans: tuple[str, ...]
    has_weights: bool


def packed_name(vmfb: str) -> str:
    """The file of a module's weights as its machine code takes them."""
    return str(PurePosixPath(vmfb).with_suffix(".irpa"))


def jobs_of(policy_file: Path, policy: Policy, loaded: Loaded) -> Iterator[Job]:
    """One job per `vmfb` of the manifest; the island's policy is called by its file, or `island`.

    Raises:
        BuildError: PK002, PK003, PK004, PK007 and PK008, all that there are.
    """
    assert loaded.manifest is not None
    found: list[Diagnostic] = []
    jobs: dict[str, Job] = {}
    files: dict[str, str] = {}
    used: set[str] = set()
    for place, module in loaded.manifest.coded:
        where = loaded.locate(place)
        stem = PurePosixPath(module.artefact).stem
        key = next((key for key in (module.id, stem) if key in policy.modules), None)
        if key is None:
            near = nearest(module.id, policy.modules)
            found.append(
                problem(
                    "PK002",
                    where,
                    f"{policy_file.name} has no source for module {module.id!r}",
                    module.id,
                    ", ".join(policy.modules) or "a source for every module",
                    f"call `{near}` `{module.id}`" if near else "add it to `modules`",
                )
            )
            continue
        used.add(key)
        source = policy.modules[key]
        for stage in module.stages or ():
            if stage not in source.entries:
                near = nearest(stage, source.entries)
                found.append(
                    problem(
                        "PK004",
                        loaded.locate((*place, "entry")),
                        f"the source of {module.id!r} has no entry {stage!r}",
                        stage,
                        ", ".join(source.entries),
                        f"did you mean `{near}`?" if near else "name one of its entries",
                    )
                )
        path = PurePosixPath(module.artefact)
        weights = module.parameters[0] if module.parameters else str(path.with_suffix(".safetensors"))
        has_weights = bool(source.parameters or module.parameters)
        mlir, packed = str(path.with_suffix(".mlir")), packed_name(module.artefact)
        plans = wanted(loaded.manifest, module.artefact)
        job = Job(key, source, module.artefact, mlir, weights, packed, plans, has_weights)
        if path.suffix != ".vmfb":
            message, allowed = f"{path} would hold code of IREE, which its name denies", "a name in .vmfb"
            mend = f"call it {path.with_suffix('.vmfb')}; bundles of other formats are imported or locked"
            where_of = loaded.locate((*place, module.artefact_key))
            found.append(problem("PK008", where_of, message, module.artefact, allowed, mend))
        clashes = (
            _clashes(job, jobs, files) if len(module.parameters) < 2 else ["a module has one file of weights"]
        )
        found.extend(
            problem(
                "PK007", where, clash, None, "files of its own for every source", "rename one of the files"
            )
            for clash in clashes
        )
        jobs[job.vmfb] = job
    for key in sorted(set(policy.modules) - used):
        names = [module.id for _, module in loaded.manifest.coded]
        near = nearest(key, names)
        found.append(
            problem(
                "PK003",
                policy_file,
                f"no module of the manifest uses source {key!r}",
                key,
                ", ".join(names),
                f"did you mean `{near}`?" if near else "remove it, or add a module",
            )
        )
    if found:
        raise BuildError(*found)
    yield from jobs.values()


def _clashes(job: Job, jobs: Mapping[str, Job], files: dict[str, str]) -> list[str]:
    """What is wrong if `job` writes its files too; `files` says who writes which."""
    same = jobs.get(job.vmfb)
    if same is not None:
        alike = same.source is job.source and same.weights == job.weights
        return [] if alike else [f"{job.vmfb} would be made from two sources, or with two files of weights"]
    names = [job.vmfb, job.mlir, job.weights, job.packed]
    names += [plan_name(job.vmfb, kind) for kind in job.plans]
    found = [f"{name} would be written twice for {job.vmfb}" for name in names if names.count(name) > 1][:1]
    for name in names:
        owner = files.setdefault(name, job.vmfb)
        if owner != job.vmfb or name in (MANIFEST_FILE, LINK_FILE, LOCK_FILE):
            found.append(f"{name} would be written for {job.vmfb} and for {owner}")
    return found
