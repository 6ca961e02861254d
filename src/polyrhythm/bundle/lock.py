"""`bundle.lock`: what a build found out about every file of a bundle and every entry of its modules.

JSON, generated, with sorted keys and one value a line so that a diff shows what changed::

    {"format": "polyrhythm.bundle.lock", "version": 1,
     "files":   {FILE: {"bytes": 1234, "sha256": "..."}},             every file but the lock itself
     "modules": {ARTEFACT: {                                         the manifest's `vmfb:` or `artefact:`
        "format": "iree",                                            what it is: see below
        "source": "vlm.mlir",                                        portable StableHLO, or null
        "parameters": {"files": [...], "count": 3, "bytes": 1234},   weights: tensors and their bytes
        "operations": {"stablehlo.add": 2, ...},                     of the source
        "compiler": {"name": ..., "version": ..., "flags": [...]},   what the entries were measured with
        "frontend": {"jax": "0.10.2"},                               versions of the framework
        "loaded_bytes": 0,                                           see below
        "packed": null,                                              or the weights that ARTEFACT takes
        "machine_code": null,                                        or for which CPU ARTEFACT is:
                        {"arch": "x86_64", "cpu": "x86-64-v3", "features": ["avx2", ...]},
        "entries": {NAME: {
           "inputs":  [{"name": ..., "dtype": "f32", "shape": [64, 64]}, ...],
           "outputs": [...],
           "consumed": [],                                           inputs that a call may overwrite
           "guidance": null,                                         how it draws a flow toward a target
           "scratch_bytes": 256,                                     see below
           "caller_owned": true,                                     false: the device allocates scratch
           "gate": {"seed": 0, "samples": 3, "cpu": ..., "allocated_bytes": 0, "outputs": {NAME: {
               "max_abs": 1e-06, "max_rel": 2e-06, "tolerance": 1e-04}}}}},
        "plan": null,                                                or its static plan, see below:
                {"file": "vlm.plan", "compiler": "3.13.0", "machine_code": {...}, "state_bytes": 0,
                 "scratch_bytes": {NAME: 256}, "refused": {NAME: "why it has none"}},
        "island_plan": null,                                         the same with its weights, for the island
        "stages": {NAME: [NAME, ...]}}}}                             entries that were cut, and into which

``format`` names what kind of file the artefact is, and so which drivers load it (`Driver.formats`). ``iree``
is machine code of IREE, which is in the bundle, or made from ``source`` at first use, or both. Any other
(``onnx``, ``tflite``, ...) is the file that a driver loads, and always in the bundle; ``source`` and
``compiler`` have no part in it, and ``machine_code`` is given only if it runs on some CPUs alone. Weights
within the file count as ``bytes`` of ``parameters`` without ``files``; what other files the driver needs with
it (weights beside it) are those ``files``.

The gate's ``max_abs`` is the largest difference from the framework over all samples, ``max_rel`` that
difference over the largest magnitude of the output (see `polyrhythm.compile.gate`).

The stages of an entry that was cut give what it gave, bit for bit (see `polyrhythm.compile.stages`); their
gates are what the uncut entry went through.

``scratch_bytes`` belongs to machine code, and differs between CPUs: here it is that of the machine code in
the bundle, or, in a portable bundle, of the machine that built it. `polyrhythm.bundle.open_bundle` puts the
number of this machine's own code in its place as soon as there is some.

``loaded_bytes`` does too. It is what a queue of a device allocates to begin with this module, beside the
weights as they are in their file: the compiler lays matrices out anew for the CPU, and that copy is made when
the module is loaded. ``null``: not known.

A bundle with machine code in it has static plans, too, of the modules that its manifest runs on a device that
needs one, and of the island's policy. Beside the plan, which ``file`` names, lie its kernels (``.so``) and
what they work on (``.work.json``); see ``docs/reference/static-plan.md`` and
`polyrhythm.bundle.static_code`. A plan is for the ``compiler`` that made it and for one kind of CPU;
elsewhere another is made from ``source``.
"""

from __future__ import annotations

import json
import re
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.codes import BundleError, problem
from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.manifest.files import open_regular
from polyrhythm.manifest.schema import Dtype

LOCK_FILE = "bundle.lock"
#: The format of artefacts that are compiled by IREE, from a portable source or elsewhere.
IREE = "iree"
FORMAT = "polyrhythm.bundle.lock"
VERSION = 1
MAX_LOCK_BYTES = 16 << 20
MAX_FILES = 4096
#: Axes of a tensor that a link can carry.
MAX_AXES = 16

#: What modules of other formats have no part in.
_OF_IREE = ("source", "compiler", "packed", "plan", "island_plan")
#: What names of formats look like.
FORMAT_NAME = r"^[a-z][a-z0-9_]*$"
#: How the name of a plan ends where it is told what its kernels work on.
WORK = ".work.json"
#: What a SHA-256 looks like.
DIGEST = re.compile(r"[0-9a-f]{64}")
#: A list of numbers, as `json.dumps` spreads it over lines; within a text there is no end of a line.
_SHAPE = re.compile(r"\[\n\s*([\d\s,]+?)\n\s*\]")

Count = Annotated[int, Field(ge=0, le=1 << 62)]
FileName = Annotated[str, Field(min_length=1, max_length=4096)]
Name = Annotated[str, Field(min_length=1, max_length=256)]
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Format = Annotated[str, Field(pattern=FORMAT_NAME, max_length=64)]
Guidance = Literal["identity", "vjp", "hard", "trained", "ramp"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    """What all parts have in common: no unknown keys, no guessing of types, no change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class LockedFile(Part):
    """A file of the bundle; `size` in bytes."""

    sha256: Digest
    size: Count = Field(alias="bytes")


class LockedTensor(Part):
    """A tensor of an entry."""

    name: Name
    dtype: Dtype
    shape: list[Count] = Field(max_length=MAX_AXES)

    @property
    def tensor(self) -> Tensor:
        return Tensor(self.name, self.dtype, tuple(self.shape))


class LockedError(Part):
    """How far an output is from the framework's."""

    max_abs: Number
    max_rel: Number
    tolerance: Number


class LockedGate(Part):
    """The numerical gate that an entry went through.

    `allocated_bytes` is what one call made the device allocate beyond what the caller owns: 0, but for
    entries that read a number on the host (64 for the index of a dynamic slice) and for what is in a loop.
    """

    seed: Count
    samples: Count
    cpu: Name
    allocated_bytes: Count = 0
    outputs: dict[Name, LockedError]


class LockedEntry(Part):
    """An entry function."""

    inputs: list[LockedTensor]
    outputs: list[LockedTensor]
    consumed: list[Name] = []
    scratch_bytes: Count = 0
    caller_owned: bool = True
    guidance: Guidance | None = None
    gate: LockedGate | None = None


class LockedParameters(Part):
    """The weights of a module: files, number of tensors, and their bytes without the files' headers.

    No files, but bytes: the weights are within the artefact.
    """

    files: list[FileName] = []
    count: Count = 0
    size: Count = Field(default=0, alias="bytes")


class LockedCompiler(Part):
    """What made the machine code that entries were measured with."""

    name: str
    version: str
    flags: list[str]


class LockedMachineCode(Part):
    """What the artefact in the bundle needs: `features` by their names in /proc/cpuinfo."""

    arch: Name
    cpu: Name
    features: list[Name] = []


class LockedPlan(Part):
    """A static plan in the bundle; its other two files have the name of the first one.

    `scratch_bytes`, `refused`, `state_bytes`: see `polyrhythm.bundle.static_code.StaticCode`.
    """

    file: FileName
    compiler: Name
    machine_code: LockedMachineCode
    scratch_bytes: dict[Name, Count]
    refused: dict[Name, Annotated[str, Field(max_length=4096)]]
    state_bytes: Count

    @property
    def files(self) -> tuple[str, str, str]:
        """The plan, its kernels, and what they work on."""
        plan = PurePosixPath(self.file)
        return self.file, str(plan.with_suffix(".so")), str(plan.with_suffix(WORK))


class LockedModule(Part):
    """A compiled model."""

    format: Format = IREE
    source: FileName | None = None
    parameters: LockedParameters = LockedParameters()
    operations: dict[Name, Count] = {}
    compiler: LockedCompiler | None = None
    frontend: dict[Name, str] = {}
    machine_code: LockedMachineCode | None = None
    loaded_bytes: Count | None = None
    packed: FileName | None = None
    plan: LockedPlan | None = None
    island_plan: LockedPlan | None = None
    signatures: dict[Name, LockedEntry] = Field(alias="entries")
    stages: dict[Name, list[Name]] = {}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries by name, as links, arenas and calls need them."""
        return {
            name: Entry(
                name,
                tuple(item.tensor for item in entry.inputs),
                tuple(item.tensor for item in entry.outputs),
                entry.scratch_bytes,
                frozenset(entry.consumed),
                entry.guidance,
            )
            for name, entry in self.signatures.items()
        }

    @property
    def in_bundle(self) -> bool:
        """Whether the artefact itself is a file of the bundle; else it is made from the source."""
        return self.format != IREE or self.machine_code is not None

    @property
    def plans(self) -> tuple[LockedPlan, ...]:
        """Its static plans in the bundle."""
        return tuple(plan for plan in (self.plan, self.island_plan) if plan is not None)

    @property
    def embedded_bytes(self) -> int:
        """Bytes of the weights that are within the artefact."""
        return 0 if self.parameters.files else self.parameters.size

    @property
    def operation_count(self) -> int:
        return sum(self.operations.values())

    def with_code(self, scratch_bytes: dict[str, int], loaded_bytes: int | None) -> LockedModule:
        """The same with the sizes of other machine code; entries that are not named keep their scratch."""
        signatures = {
            name: entry.model_copy(update={"scratch_bytes": scratch_bytes.get(name, entry.scratch_bytes)})
            for name, entry in self.signatures.items()
        }
        changed = self.model_copy(update={"signatures": signatures, "loaded_bytes": loaded_bytes})
        changed.__dict__.pop("entries", None)  # a copy has what was cached of the original, too
        return changed


class Lock(Part):
    """The whole lock."""

    format: Literal["polyrhythm.bundle.lock"] = "polyrhythm.bundle.lock"
    version: Literal[1] = 1
    files: dict[FileName, LockedFile] = Field(max_length=MAX_FILES)
    modules: dict[FileName, LockedModule]

    @model_validator(mode="after")
    def _files_are_locked(self) -> Lock:
        for artefact, module in self.modules.items():
            named = [module.source] if module.source else []
            named += module.parameters.files + ([artefact] if module.in_bundle else [])
            named += [module.packed] if module.packed else []
            named += [name for plan in module.plans for name in plan.files]
            if odd := [key for key in _OF_IREE if module.format != IREE and getattr(module, key) is not None]:
                raise ValueError(f"module {artefact} is {module.format}, which has no {' and no '.join(odd)}")
            if not module.source and module.plans:
                raise ValueError(f"module {artefact} has a static plan and no source")
            if not module.source and not module.in_bundle:
                raise ValueError(f"module {artefact} has neither source nor machine code")
            if unknown := [name for name in named if name not in self.files]:
                raise ValueError(f"module {artefact} names {', '.join(unknown)}, which is not in `files`")
        return self


def dumps(lock: Lock) -> str:
    """The text of `lock`; equal locks give equal text."""
    data = lock.model_dump(mode="json", by_alias=True)
    text = json.dumps(data, indent=1, sort_keys=True, allow_nan=False)
    return _SHAPE.sub(lambda match: f"[{', '.join(match[1].split())}]".replace(",,", ","), text) + "\n"


def write_lock(lock: Lock, root: Path) -> None:
    """Write the lock of the bundle at `root`, whole or not at all."""
    write_atomically(root / LOCK_FILE, dumps(lock).encode())


def read_lock(root: Path) -> Lock:
    """Read the lock of the bundle at `root`.

    Raises:
        BundleError: PB002, PB003 or PB004.
    """
    file = root / LOCK_FILE
    rebuild = "build the bundle again with `polyrhythm build`"
    try:
        with open_regular(file) as stream:
            content = stream.read(MAX_LOCK_BYTES + 1)
    except FileNotFoundError:
        mend = f"{rebuild}; `polyrhythm lock --modules` locks modules that were compiled elsewhere"
        raise _error("PB002", file, "the bundle has no lock", None, f"a {LOCK_FILE} in it", mend) from None
    except OSError as error:
        raise _error(
            "PB003", file, f"the lock cannot be read: {error.strerror}", None, "a readable file"
        ) from None
    if len(content) > MAX_LOCK_BYTES:
        allowed = f"at most {MAX_LOCK_BYTES} bytes"
        raise _error("PB003", file, "the lock is too large", f"over {MAX_LOCK_BYTES}", allowed, rebuild)
    try:
        data = json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _error(
            "PB003", file, f"the lock is not JSON: {str(error)[:200]}", None, "JSON", rebuild
        ) from None
    _check_version(file, data)
    try:
        # JSON mode: strict types, but lists and objects as JSON has them.
        return Lock.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:200]
        reason = first["msg"].removeprefix("Value error, ")
        more = f" ({error.error_count() - 1} more)" if error.error_count() > 1 else ""
        message = f"the lock is damaged{f' at `{place}`' if place else ''}: {reason}{more}"
        raise _error("PB003", file, message, None, "a lock as the build writes it", rebuild) from None


def _check_version(file: Path, data: Any) -> None:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _error(
            "PB003", file, "this is not a bundle lock", None, f'an object with "format": "{FORMAT}"',
            "build the bundle again with `polyrhythm build`",
        )  # fmt: skip
    version = data.get("version")
    if version != VERSION or isinstance(version, bool):
        raise _error(
            "PB004", file, f"the lock has version {str(version)[:40]}", version, f"version {VERSION}",
            "build the bundle again, or use the polyrhythm that built it",
        )  # fmt: skip


def _error(code: str, file: Path, message: str, value: object, allowed: str, mend: str = "") -> BundleError:
    return BundleError((problem(code, file, message, value, allowed, mend),))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")
