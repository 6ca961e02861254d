"""Opening a bundle: everything is verified before anything runs, and every mistake is told at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path as FilePath

from polyrhythm.bundle import machine_code, static_code
from polyrhythm.bundle.codes import BundleError, problem
from polyrhythm.bundle.files import TEXTS, digest, locked_file, unreadable, verify, verify_file
from polyrhythm.bundle.fit import unfit_code, unfit_plan
from polyrhythm.bundle.lock import (
    DIGEST,
    IREE,
    LOCK_FILE,
    WORK,
    Lock,
    LockedFile,
    LockedModule,
    LockedPlan,
    read_lock,
    write_lock,
)
from polyrhythm.bundle.machine_code import MachineCode
from polyrhythm.bundle.static_code import StaticCode
from polyrhythm.manifest import MANIFEST_FILE, IslandPolicy, Loaded, Manifest, Module, load
from polyrhythm.manifest.diagnostics import Diagnostic, Location, Path, nearest
from polyrhythm.manifest.schema import Coded

#: Weights of a module that are at least so many bytes are packed for this machine before they are used: to
#: have them twice in memory, and packed again whenever they are loaded, is then worse than twice on disk.
PACK_FROM_BYTES = 4 << 20
#: The drivers whose devices run static plans instead of machine code.
STATIC_DRIVERS = ("static", "dsa")
_REBUILD = "build the bundle again with `polyrhythm build`"


@dataclass(frozen=True)
class Bundle:
    """A verified bundle directory.

    Attributes:
        root: the directory, resolved.
        lock: what the build found out.
        manifest: what the bundle declares.
        diagnostics: notes; errors would have kept the bundle from being opened.
        modules: by the name of the artefact, with the sizes of the machine code that this machine would run.
        artefacts: by the same names, what runs here: the bundle's own, or machine code made here earlier.
            What is missing and used is made by `polyrhythm.compile.prepare`.
        plans: the same for the static plans of modules that the manifest runs on a device that needs one: the
            bundle's own, or made here earlier.
        packed: by the same names, the weights as that code wants them, where they had to be laid out anew
            (see `polyrhythm.bundle.machine_code`).
        policy: the static plan of the island's policy, which holds its weights; None if there is none (yet).
    """

    root: FilePath
    lock: Lock = field(repr=False)
    loaded: Loaded = field(repr=False)
    manifest: Manifest = field(repr=False)
    diagnostics: tuple[Diagnostic, ...]
    modules: dict[str, LockedModule] = field(repr=False)
    artefacts: dict[str, FilePath]
    plans: dict[str, StaticCode] = field(default_factory=dict)
    packed: dict[str, FilePath] = field(default_factory=dict)
    policy: StaticCode | None = None

    def module(self, artefact: str) -> LockedModule:
        """The module with that artefact (`Module.artefact`). `KeyError` lists those there are."""
        if artefact not in self.modules:
            raise KeyError(f"no module {artefact!r}: there are {', '.join(self.modules)}")
        return self.modules[artefact]

    def parameters(self, module: Coded) -> tuple[FilePath, ...]:
        """The files of weights that the code of a module is loaded with."""
        if module.artefact in self.packed and not self.planned(module):
            return (self.packed[module.artefact],)
        names = module.parameters or self.module(module.artefact).parameters.files
        return tuple(self.root / name for name in names)

    def to_pack(self, artefact: str) -> tuple[str, ...]:
        """Digests of the weights that are to be packed for the code of a module, in order; none: it takes
        them as they are."""
        module = self.module(artefact)
        large = module.parameters.size >= PACK_FROM_BYTES
        return tuple(self.lock.files[name].sha256 for name in module.parameters.files) if large else ()

    def digest(self, file: FilePath) -> str:
        """The SHA-256 of a file that is about to be loaded: one of the bundle is still what the lock says,
        one that was made here what its name says, if that is a digest.

        Raises:
            BundleError: it has changed since it was verified, or can't be read.
        """
        try:
            locked = self.lock.files.get(os.path.relpath(file, self.root))
            if locked is None:
                named = DIGEST.fullmatch(file.stem) is not None
                locked = LockedFile(sha256=file.stem if named else digest(file), size=file.stat().st_size)
        except OSError as error:
            raise BundleError((unreadable(file, error),)) from None
        if found := tuple(verify_file(file, locked)):
            raise BundleError(found)
        return locked.sha256

    def code_digests(self, module: Coded) -> tuple[str, ...]:
        """The SHA-256 of each file that loading the code of a module may read: of a format that is not ours
        that may be anything in the bundle but another module. Raises: see `digest`."""
        files = self.artefacts_of(module)
        if files and self.planned(module):
            files = (*files, files[0].with_suffix(WORK))
        if self.module(module.artefact).format != IREE:
            others = self.lock.files.keys() - TEXTS - self.modules.keys()
            files = (*files, *(self.root / name for name in sorted(others)))
        return tuple(map(self.digest, files))

    def locate(self, path: Path) -> Location:
        """Where the value at a manifest path stands, for diagnostics."""
        return self.loaded.locate(path)

    def planned(self, module: Coded) -> bool:
        """Whether this module of IREE runs as a static plan: on a device that needs one, or in the island."""
        if isinstance(module, IslandPolicy):
            return True
        locked = self.modules.get(module.artefact)
        foreign = locked is not None and locked.format != IREE
        return on_plans(self.manifest, module) and not foreign

    def running(self, module: Module) -> LockedModule:
        """What the lock says of a module, with the sizes of what runs it: machine code or a static plan."""
        locked, plan = self.module(module.artefact), self.plans.get(module.artefact)
        if plan is None or not self.planned(module):
            return locked
        return locked.with_code(dict(plan.scratch_bytes), plan.state_bytes)

    def artefacts_of(self, module: Coded) -> tuple[FilePath, ...]:
        """The files with the code of a module, the one that is loaded first; none if it is missing."""
        if self.planned(module):
            plan = self.plans.get(module.artefact) if isinstance(module, Module) else self.policy
            return () if plan is None else (plan.path, plan.library)
        return tuple(path for name, path in self.artefacts.items() if name == module.artefact)

    @property
    def run_as_code(self) -> set[str]:
        """Artefacts that a device of the manifest loads, and does not run as a static plan."""
        modules = self.manifest.orchestration.modules
        return {module.artefact for module in modules if not self.planned(module)}

    @property
    def missing_artefacts(self) -> tuple[str, ...]:
        """Modules that a device loads as machine code and that have none for this machine, by artefact."""
        used = self.run_as_code
        return tuple(name for name in self.modules if name in used and name not in self.artefacts)

    @property
    def missing_plans(self) -> tuple[str, ...]:
        """Modules that need a static plan, can have one, and have none for this machine, by artefact."""
        modules = [m.artefact for m in self.manifest.orchestration.modules if self.planned(m)]
        return tuple(
            name
            for name in dict.fromkeys(modules)
            if name not in self.plans and name in self.modules and self.modules[name].source is not None
        )

    @property
    def missing_policy(self) -> IslandPolicy | None:
        """The island's policy, if it can have a plan and has none for this machine."""
        declared = self.manifest.policy
        if declared is None or self.policy is not None or declared.artefact not in self.modules:
            return None
        return None if self.modules[declared.artefact].source is None else declared

    @property
    def missing(self) -> tuple[str, ...]:
        """Modules of which something has to be compiled before they run here, by artefact."""
        policy = self.missing_policy
        names = [*self.missing_artefacts, *self.missing_plans, *([policy.artefact] if policy else [])]
        return tuple(dict.fromkeys(names))

    def policy_identity(self) -> str:
        """What the plan of the island's policy is made from: its source, and its weights."""
        declared = self.manifest.policy
        assert declared is not None
        files, source = self.lock.files, self.module(declared.artefact).source
        weights = [path.relative_to(self.root).as_posix() for path in self.parameters(declared)]
        return static_code.with_weights(files[source or ""].sha256, [files[name].sha256 for name in weights])


def on_plans(manifest: Manifest, module: Module) -> bool:
    """Whether a module is to run on a device that runs static plans."""
    device = manifest.devices.get(manifest.device_of(module))
    return device is not None and device.driver in STATIC_DRIVERS


def open_bundle(path: str | PathLike[str]) -> Bundle:
    """Open the bundle at `path` and verify it whole: lock, files, manifest, machine code.

    Raises:
        BundleError: with all diagnostics of `polyrhythm.bundle.CODES` and of the manifest.
    """
    root = _directory(FilePath(path))
    try:
        lock = read_lock(root)
    except BundleError as error:
        return _open(root, None, list(error.diagnostics))
    return _open(root, lock, verify(root, lock.files))


def relock(path: str | PathLike[str]) -> Bundle:
    """Take over a manifest (and ``link.yaml``) that was edited in the bundle; nothing else may have changed.

    Raises:
        BundleError: whatever else is wrong, or what is wrong with the manifest; the lock is as it was.
    """
    root = _directory(FilePath(path))
    lock = read_lock(root)
    files = {name: file for name, file in lock.files.items() if name not in TEXTS}
    for name in TEXTS:
        file = root / name
        try:
            if file.is_file():
                files[name] = locked_file(file)
        except OSError as error:
            raise BundleError((unreadable(file, error),)) from None
    return open_as(root, lock.model_copy(update={"files": files}))


def open_as(path: str | PathLike[str], lock: Lock) -> Bundle:
    """Open the directory at `path` as `lock` says, and write that lock when all is well.

    Raises:
        BundleError: what is wrong; the lock in the directory is as it was.
    """
    root = _directory(FilePath(path))
    bundle = _open(root, lock, verify(root, lock.files))
    write_lock(lock, root)
    return bundle


def _open(root: FilePath, lock: Lock | None, diagnostics: list[Diagnostic]) -> Bundle:
    loaded = load(root / MANIFEST_FILE, inside=root)
    # Without a lock nothing can be said about the manifest's modules, but mistakes in its text can.
    said = {
        diagnostic.where.file
        for diagnostic in diagnostics
        if diagnostic.code in ("PB005", "PB009", "PB010", "PB011")
    }
    diagnostics.extend(d for d in loaded.diagnostics if not (d.code == "PM001" and d.where.file in said))
    bundle = None
    if lock is not None and loaded.manifest is not None:
        whole = not any(diagnostic.is_error for diagnostic in diagnostics)
        bundle, more = _resolve(root, lock, loaded, loaded.manifest, whole)
        diagnostics.extend(more)
        bundle = replace(bundle, diagnostics=tuple(diagnostics))
    if bundle is None or any(diagnostic.is_error for diagnostic in diagnostics):
        raise BundleError(tuple(diagnostics), bundle)
    return bundle


def _directory(path: FilePath) -> FilePath:
    mend = "give the directory that `polyrhythm build` wrote"
    allowed = f"a directory with {MANIFEST_FILE} and {LOCK_FILE}"
    try:
        root = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"the bundle cannot be opened: {reason}"
        raise BundleError((problem("PB001", path, message, str(path), allowed, mend),)) from None
    if not root.is_dir():
        raise BundleError((problem("PB001", path, "this is not a directory", str(path), allowed, mend),))
    return root


def _resolve(
    root: FilePath, lock: Lock, loaded: Loaded, manifest: Manifest, whole: bool
) -> tuple[Bundle, list[Diagnostic]]:
    """The bundle with the machine code that fits, and what is wrong between manifest, lock and machine."""
    found: list[Diagnostic] = []
    modules = dict(lock.modules)
    bundle = Bundle(root, lock, loaded, manifest, (), modules, artefacts := {})
    for name, module in lock.modules.items():
        complaint = unfit_code(root / name, module)
        if module.in_bundle and complaint is None:
            artefacts[name] = root / name
            if module.packed is not None:
                bundle.packed[name] = root / module.packed
            continue
        if complaint is not None:
            found.append(complaint)
        code = _made_here(bundle, name) if whole else None
        if code is not None:
            artefacts[name] = code.path
            modules[name] = module.with_code(dict(code.scratch_bytes), code.loaded_bytes)
            if code.packed is not None:
                bundle.packed[name] = code.packed
    if whole:
        plans = {
            name: _plan(root, modules[name].plan, lock.files[modules[name].source or ""].sha256, found)
            for name in bundle.missing_plans
        }
        bundle = replace(bundle, plans={name: plan for name, plan in plans.items() if plan is not None})
    for path, declared in manifest.coded:
        found.extend(_check_declared(bundle, path, declared))
    policy = bundle.missing_policy
    if whole and policy is not None and not any(d.is_error for d in found):
        own = bundle.module(policy.artefact).island_plan
        bundle = replace(bundle, policy=_plan(root, own, bundle.policy_identity(), found))
    return bundle, found


def _made_here(bundle: Bundle, artefact: str) -> MachineCode | None:
    source, files = bundle.module(artefact).source, bundle.lock.files
    if source is None or source not in files:
        return None
    return machine_code.lookup(files[source].sha256, bundle.to_pack(artefact))


def _plan(
    root: FilePath, own: LockedPlan | None, identity: str, found: list[Diagnostic]
) -> StaticCode | None:
    """The bundle's own plan if it runs here, else one that was made here earlier; why not the own one is
    added to `found`."""
    if own is not None:
        plan, library, _ = (root / name for name in own.files)
        complaint = unfit_plan(plan, own)
        if complaint is None:
            return StaticCode(plan, library, own.scratch_bytes, own.refused, own.state_bytes)
        found.append(complaint)
    return static_code.lookup(identity)


def _check_declared(bundle: Bundle, path: Path, declared: Coded) -> list[Diagnostic]:
    if declared.artefact not in bundle.lock.modules:
        near = nearest(declared.artefact, bundle.lock.modules)
        where = bundle.locate((*path, declared.artefact_key))
        message = f"the lock knows no module {declared.artefact!r}"
        mend = f"did you mean `{near}`? Otherwise {_REBUILD}" if near else _REBUILD
        return [problem("PB014", where, message, declared.artefact, ", ".join(bundle.lock.modules), mend)]
    known = bundle.lock.modules[declared.artefact].parameters.files
    strangers = [name for name in declared.parameters if name not in known]
    missing = [name for name in known if name not in declared.parameters] if declared.parameters else []
    if not strangers and not missing:
        return []
    where = bundle.locate((*path, "parameters"))
    message = f"{declared.artefact} was built with other parameters than {', '.join(declared.parameters)}"
    allowed, mend = ", ".join(known) or "none", f"name those, or {_REBUILD}"
    return [problem("PB015", where, message, list(declared.parameters), allowed, mend)]
