"""Cost files: what the stages of a bundle took on one machine, and whether that may be used here.

JSON, written by `polyrhythm profile`; times are integers of nanoseconds::

    {"format": "polyrhythm.costs", "version": 2,
     "bundle": "dual system", "taken": "2026-05-01T12:00:00+00:00", "seconds": 5.0,
     "machine": {"processor": ..., "cpu": DIGEST, "cores": 8, "governor": "performance"},   or null
     "packages": {"polyrhythm": ..., "iree-base-runtime": ..., "compiler": ...},
     "devices": {NAME: {"driver": "iree", "uri": "local-sync", "cores": [1], "threads": "SCHED_FIFO 10"}},
     "release": {"samples": 4000, "p50_ns": ..., "p99_ns": ..., "p999_ns": ..., "max_ns": ...},
     "modules": {ID: {"artefact": ..., "digest": DIGEST, "code": DIGEST, "device": NAME, "stages": [
        {"stage": "encode", "alone":  {"samples": 900, "p50_ns": ..., ...},
                            "loaded": {...},                                               the same
                            "piece":  {...}}]}}}                                the same, or null

``alone`` is with nothing else running, ``loaded`` with all other modules of the bundle; ``piece`` is the
longest kernel, where the device leaves a stage between two of them; ``release`` is how late the scheduler
heard of a release, all modules running at their rates. ``digest`` is of a module's source and weights,
``code`` of what was compiled from it, which counts on the same machine only. A file is *stale* if modules,
devices or IREE are others now, and *foreign* if the machine is another, or in another state.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from math import ceil
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, ValidationError

from polyrhythm.bundle import IREE, Bundle, host
from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.cpu import processor
from polyrhythm.bundle.files import digest
from polyrhythm.bundle.lock import Part
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.hal.api import HalError
from polyrhythm.hal.priority import NORMAL
from polyrhythm.hal.registry import driver
from polyrhythm.manifest import Diagnostic, IslandPolicy
from polyrhythm.manifest.diagnostics import Location
from polyrhythm.manifest.schema import Coded, Device, Module
from polyrhythm.runtime.ranks import asked_of

FORMAT = "polyrhythm.costs"
VERSION = 2
MAX_FILE_BYTES = 16 << 20
DEFAULT_MARGIN = Fraction(6, 5)

_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")

Ns = Annotated[int, Field(ge=0, le=1 << 62)]
#: What of the measured times counts as the cost.
Statistic = Literal["max", "p999", "p99"]
STATISTICS: dict[Statistic, str] = {
    "max": "measured maxima",
    "p999": "what 999 of 1,000 took at most,",
    "p99": "what 99 of 100 took at most,",
}
_NAMES: dict[Statistic, str] = {"max": "maximum", "p999": "99.9 % quantile", "p99": "99 % quantile"}
#: What takes so many times its median at most is more likely the machine's doing than the model's.
SUSPICIOUS = 5


class Measured(Part):
    """How long something took: quantiles by nearest rank, the maximum exact, from so many samples."""

    samples: Annotated[int, Field(ge=1, le=1 << 62)]
    p50_ns: Ns
    p99_ns: Ns
    #: Not in earlier files, and not of the island.
    p999_ns: Ns | None = None
    max_ns: Ns

    @classmethod
    def of(cls, took_ns: list[int]) -> Measured:
        """The quantiles of at least one sample."""
        ordered = sorted(took_ns)
        p50_ns, p99_ns, p999_ns = (ordered[max(0, ceil(q * len(ordered)) - 1)] for q in (0.5, 0.99, 0.999))
        return cls(samples=len(ordered), p50_ns=p50_ns, p99_ns=p99_ns, p999_ns=p999_ns, max_ns=ordered[-1])

    def ns(self, at: Statistic) -> int:
        """What it took at most, in so many of 1,000 cases; the maximum where that is not known."""
        p999_ns = self.max_ns if self.p999_ns is None else self.p999_ns
        return {"max": self.max_ns, "p999": p999_ns, "p99": self.p99_ns}[at]

    def times(self, at: Statistic) -> int:
        """How many times its median that is."""
        return self.ns(at) // max(1, self.p50_ns)


class StageCosts(Part):
    """One stage of a module; the step of a loop is one."""

    stage: str
    alone: Measured
    loaded: Measured
    piece: Measured | None = None

    def ns(self, at: Statistic) -> int:
        """The longer of both."""
        return max(self.alone.ns(at), self.loaded.ns(at))

    def times(self, at: Statistic) -> int:
        """How many times its median that is, alone or with the others; see `SUSPICIOUS`."""
        return max(self.alone.times(at), self.loaded.times(at))

    def piece_ns(self, at: Statistic) -> int | None:
        """The longest kernel beside the other modules: as much longer as the whole stage is then, and no
        longer than that. It was measured by itself, where nobody else needs caches and memory."""
        if self.piece is None:
            return None
        alone, loaded = self.alone, self.loaded
        rates = (loaded.p50_ns, alone.p50_ns), (loaded.ns(at), alone.ns(at))
        slower = max(Fraction(1), *(Fraction(beside, max(1, by_itself)) for beside, by_itself in rates))
        return min(ceil(self.piece.ns(at) * slower), self.ns(at))

    @property
    def samples(self) -> int:
        """How often it was measured."""
        return self.alone.samples + self.loaded.samples


class ModuleCosts(Part):
    """One module as it was measured."""

    #: Earlier files say `vmfb`.
    artefact: str = Field(validation_alias=AliasChoices("artefact", "vmfb"))
    digest: str
    #: Not in earlier files.
    code: str | None = None
    device: str
    #: Of the island's policy; those of a module are its device's.
    threads: int = 1
    stages: Annotated[tuple[StageCosts, ...], Field(min_length=1)]


class Setup(Part):
    """A device as it was set up."""

    driver: str
    uri: str
    cores: tuple[int, ...]
    #: Their priority; empty if it is like that of all others, and in earlier files.
    threads: str = ""

    @classmethod
    def of(cls, device: Device) -> Setup:
        """That of a declared device."""
        asked = asked_of(device)
        threads = "" if asked == NORMAL else str(asked)
        return cls(driver=device.driver, uri=device.uri, cores=device.cores, threads=threads)

    def __str__(self) -> str:
        cores = ", ".join(map(str, self.cores))
        placed = f"{self.driver} {self.uri}, " + (f"cores {cores}" if cores else "not pinned")
        return f"{placed}, {self.threads}" if self.threads else placed


class Machine(Part):
    """What tells machines, and states of one machine, apart. `cpu` is a digest of its model and features."""

    processor: str
    cpu: str
    cores: int
    governor: str | None = None

    @classmethod
    def here(cls) -> Machine:
        """This one."""
        governor = None
        with suppress(OSError):
            governor = _GOVERNOR.read_text().strip()
        cpu = hashlib.sha256(host().identity.encode()).hexdigest()[:16]
        return cls(processor=processor(), cpu=cpu, cores=os.cpu_count() or 1, governor=governor)

    def __str__(self) -> str:
        governor = self.governor or "unknown"
        return f"{self.processor}, {self.cores} cores, governor {governor}"


class CostFile(Part):
    """A whole cost file."""

    format: Literal["polyrhythm.costs"] = "polyrhythm.costs"
    version: Literal[2] = 2
    bundle: str
    taken: str
    seconds: float
    machine: Machine
    packages: dict[str, str]
    devices: dict[str, Setup]
    release: Measured
    modules: dict[str, ModuleCosts]


class CostsError(Exception):
    """A cost file that can't be read; `diagnostics` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostics = (diagnostic,)
        super().__init__(diagnostic.render())


@dataclass(frozen=True)
class CostChoice:
    """Which costs `check` is to use: a file, times a margin; `foreign`: also of another machine; `at`: where
    the maxima are others' doing (a host that takes the cores away), a quantile instead."""

    file: Path
    margin: Fraction = DEFAULT_MARGIN
    foreign: bool = False
    at: Statistic = "max"


@dataclass(frozen=True)
class Costs:
    """Costs in ns of the stages of each module, one for each that the manifest names; what they come from;
    how late the scheduler may hear of a release; what the measured times were multiplied by; after how long
    the device of a module gives way at most; and by module and stage, the worst first, what speaks against
    costs that are suspiciously far from their medians."""

    ns: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    release_jitter_ns: int = 0
    margins: Mapping[str, Fraction] = field(default_factory=dict)
    pieces_ns: Mapping[str, int] = field(default_factory=dict)
    outliers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def packages(bundle: Bundle | None = None) -> dict[str, str]:
    """Versions of what makes a stage as fast as it is; with the runtimes of a bundle's modules, if given."""
    names = ["polyrhythm", "iree-base-runtime"]
    if bundle is not None:
        foreign = (
            bundle.manifest.devices[bundle.manifest.device_of(module)].driver
            for module in bundle.manifest.orchestration.modules
            if bundle.module(module.artefact).format != IREE
        )
        for name in foreign:
            with suppress(HalError):  # a driver that can't be used here: `check` says so
                names.append(driver(name).package)
    found = {"compiler": compiler_version()}
    for name in dict.fromkeys(filter(None, names)):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def module_digest(bundle: Bundle, module: Coded) -> str:
    """What the code and the weights of a module are, by the digests of the lock."""
    locked, files = bundle.lock.modules[module.artefact], bundle.lock.files
    code = locked.source or module.artefact
    names = [code, *(module.parameters or locked.parameters.files)]
    return _of_all(files[name].sha256 if name in files else "" for name in names)


def code_digest(bundle: Bundle, module: Coded) -> str | None:
    """What machine code of a module runs here, or what static plan; None as long as there is none."""
    paths = bundle.artefacts_of(module)
    return _of_all(map(digest, paths)) if paths else None


def _of_all(digests: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def write_costs(file: CostFile, path: Path) -> None:
    """Write a cost file, whole or not at all."""
    write_atomically(
        path, json.dumps(file.model_dump(mode="json"), indent=1, sort_keys=True).encode() + b"\n"
    )


def read_costs(path: Path) -> CostFile:
    """Read a cost file.

    Raises:
        CostsError: PC019.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, f"it cannot be read: {error.strerror}") from None
    if len(content) > MAX_FILE_BYTES:
        raise _unreadable(path, f"it has more than {MAX_FILE_BYTES} bytes")
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"it is not JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _unreadable(path, f'it has no "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise _unreadable(path, f"it has version {str(data.get('version'))[:40]}, known is {VERSION}")
    try:
        return CostFile.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))[:200]
        raise _unreadable(path, f"it is damaged at `{place}`: {first['msg']}") from None


def choose(bundle: Bundle, choice: CostChoice) -> tuple[Costs, list[Diagnostic]]:
    """The costs of a file for the modules of `bundle`, and what speaks against using them.

    A module that the file does not know gets none (the manifest's numbers count then). Errors: PC019 (not
    read), PC020 (stale), PC021 (foreign; a note if that is allowed).
    """
    try:
        file = read_costs(choice.file)
    except CostsError as error:
        return Costs(), list(error.diagnostics)
    foreign = list(_foreign(file, choice))
    found = foreign + list(_stale(file, bundle, choice.file, same_machine=not foreign))
    if any(d.is_error for d in found):
        return Costs(), found
    chosen: dict[str, tuple[int, ...]] = {}
    sources: dict[str, str] = {}
    pieces_ns: dict[str, int] = {}
    outliers: dict[str, dict[str, str]] = {}
    for _, module in bundle.manifest.coded:
        if (measured := file.modules.get(module.id)) is None:
            continue
        ns = _by_stage(measured, choice)
        chosen[module.id] = tuple(ns[name] for name in stage_names(bundle, module))
        sources[module.id] = source_text(file, choice)
        outliers[module.id] = _outliers(measured, choice.at)
        kernels = (stage.piece_ns(choice.at) for stage in measured.stages)
        pieces = [longest_ns for longest_ns in kernels if longest_ns is not None]
        if len(pieces) == len(measured.stages):
            pieces_ns[module.id] = ceil(max(pieces) * choice.margin)
    jitter_ns = ceil(file.release.ns(choice.at) * choice.margin) if chosen else 0
    return Costs(chosen, sources, jitter_ns, dict.fromkeys(chosen, choice.margin), pieces_ns, outliers), found


def source_text(file: CostFile, choice: CostChoice) -> str:
    """Where measured costs come from, for the assumptions of a verdict."""
    fewest = min(stage.samples for module in file.modules.values() for stage in module.stages)
    iree = file.packages.get("iree-base-runtime", "unknown")
    return (
        f"{STATISTICS[choice.at]} times {float(choice.margin):g} ({choice.file.name}, "
        f"taken {file.taken[:10]}, at least {fewest} samples a stage) on {file.machine}, IREE {iree}"
    )


def stage_names(bundle: Bundle, module: Coded) -> tuple[str, ...]:
    """The entries that the manifest names for a module, in order, or the only one there is."""
    return module.stages or tuple(bundle.module(module.artefact).entries)


def _by_stage(measured: ModuleCosts, choice: CostChoice) -> dict[str, int]:
    ns: dict[str, int] = {}
    for stage in measured.stages:
        ns[stage.stage] = max(ns.get(stage.stage, 0), ceil(stage.ns(choice.at) * choice.margin))
    return ns


def _outliers(measured: ModuleCosts, at: Statistic) -> dict[str, str]:
    """Stage -> what speaks against its cost, and what to do about it."""
    found = {}
    for stage in sorted(measured.stages, key=lambda stage: -stage.times(at)):
        if stage.times(at) >= SUSPICIOUS:
            lower = list(STATISTICS)[list(STATISTICS).index(at) + 1 :]
            calm = next((other for other in lower if stage.times(other) < SUSPICIOUS), None)
            instead = "" if calm is None else f", or go by `--costs-at {calm}`"
            found[stage.stage] = (
                f"the {_NAMES[at]} of {stage.stage} is {stage.times(at)} times its median: probably "
                f"something else was on the machine; profile again without it{instead}"
            )
    return found


def _foreign(file: CostFile, choice: CostChoice) -> Iterator[Diagnostic]:
    here = Machine.here()
    if file.machine == here:
        return
    yield Diagnostic(
        "PC021", "note" if choice.foreign else "error",
        f"the costs were measured on another machine, or in another state of this one: {file.machine}",
        Location(str(choice.file)), str(file.machine), str(here),
        "" if choice.foreign
        else "measure here with `polyrhythm profile`, or plan for that machine with `--foreign-costs`",
    )  # fmt: skip


def _stale(file: CostFile, bundle: Bundle, path: Path, *, same_machine: bool) -> Iterator[Diagnostic]:
    def stale(message: str, value: object, allowed: str) -> Diagnostic:
        mend = "measure again with `polyrhythm profile`"
        return Diagnostic("PC020", "error", message, Location(str(path)), value, allowed, mend)

    here = packages(bundle)
    for name in ("iree-base-runtime", *here):
        if name != "polyrhythm" and (then := file.packages.get(name)) != (now := here.get(name)):
            what = "IREE" if name in ("iree-base-runtime", "compiler") else "runtime"
            yield stale(f"the costs were measured with another {what} ({name} {then})", then, str(now))
            break
    for _, module in bundle.manifest.coded:
        if (measured := file.modules.get(module.id)) is None or module.artefact not in bundle.lock.modules:
            continue
        made_from, names = module_digest(bundle, module), stage_names(bundle, module)
        code = code_digest(bundle, module) if same_machine else None
        known = [stage.stage for stage in measured.stages]
        setup = before = None
        if isinstance(module, Module):
            setup = Setup.of(bundle.manifest.devices[bundle.manifest.device_of(module)])
            before = file.devices.get(measured.device)
        if measured.digest != made_from:
            message = f"the costs of {module.id} were measured with other code or weights"
            yield stale(message, measured.digest[:16], f"{module.artefact} as it is now ({made_from[:16]})")
        elif None not in (code, measured.code) and measured.code != code:
            message = f"the costs of {module.id} were measured with other machine code, of the same source"
            yield stale(
                message, str(measured.code)[:16], f"{module.artefact} as it runs here ({str(code)[:16]})"
            )
        elif missing := [name for name in names if name not in known]:
            message = f"the costs of {module.id} lack stage {missing[0]}"
            yield stale(message, ", ".join(known), ", ".join(names))
        elif isinstance(module, IslandPolicy) and measured.threads != module.threads:
            message = f"the costs of {module.id} were measured with another number of threads"
            yield stale(message, measured.threads, str(module.threads))
        elif before != setup:
            message = f"the costs of {module.id} were measured on another device"
            yield stale(message, str(before), str(setup))


def _unreadable(path: Path, reason: str) -> CostsError:
    allowed = "a cost file as `polyrhythm profile` writes it"
    message, mend = f"the cost file cannot be used: {reason}", "measure again with `polyrhythm profile`"
    return CostsError(Diagnostic("PC019", "error", message, Location(str(path)), None, allowed, mend))
