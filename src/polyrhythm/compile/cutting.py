"""`max_stage_ms`, from the limits of a build to a module of stages and a manifest that names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from polyrhythm.bundle import LockedGate
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.cut import Cuttable
from polyrhythm.compile.machine import compile_entries, signatures
from polyrhythm.compile.policy import LIMIT, sound_limit
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.stages import Bench, Cut, search
from polyrhythm.compile.written import Parts, Written
from polyrhythm.hal import DeviceConfig, HalError
from polyrhythm.manifest import Diagnostic, Loaded, Location, Manifest, Module, nearest
from polyrhythm.manifest.edit import Staged, with_stages

#: What is asked of a whole build: one number for all modules, or by module or ``module.entry``.
Asked = float | Mapping[str, float] | None
Told = Callable[[str], None]
Sample = Mapping[str, np.ndarray]
Write = Callable[[Parts], Written]


# -- what is asked for --------------------------------------------------------------------------------------


def check_asked(asked: Asked, entries: Mapping[str, Sequence[str]], where: Path) -> None:
    """Refuse limits that are no times, or for what is not there; `entries` by module.

    Raises:
        BuildError: PK041 for each.
    """
    limits = asked if isinstance(asked, Mapping) else {} if asked is None else {"": asked}
    known = ["", *entries, *(f"{key}.{name}" for key, names in entries.items() for name in names)]
    found = []
    for name, limit_ms in limits.items():
        if name not in known:
            near = nearest(name, known[1:])
            mend = f"did you mean `{near}`?" if near else "name a module, or module.entry"
            message = f"`max_stage_ms` is for {name!r}, which the bundle does not have"
            found.append(problem("PK041", where, message, name, ", ".join(entries), mend))
        elif not sound_limit(limit_ms):
            message = f"a stage cannot take at most {limit_ms} ms"
            found.append(problem("PK041", where, message, str(limit_ms), LIMIT, "for example `4.5`"))
    if found:
        raise BuildError(*found)


def limit_of(
    asked: Asked, key: str, entry: str, declared: tuple[float | None, float | None] = (None, None)
) -> tuple[float | None, bool]:
    """How long a stage of an entry may be, and whether that was asked for this entry in particular.

    `declared` is what the policy description says of the entry and of its module; what is asked of the build
    goes first.
    """
    own, module = declared
    if isinstance(asked, Mapping):
        own, module = asked.get(f"{key}.{entry}", own), asked.get(key, module)
    elif asked is not None:
        own, module = None, asked
    return (module, False) if own is None else (own, True)


def limits_of(
    asked: Asked,
    called: Callable[[Module], str],
    lowered: Mapping[str, Lowered],
    manifest: Manifest,
    vmfb: str,
    told: Told,
    declared: Mapping[str, tuple[float | None, float | None]] | None = None,
) -> dict[str, float]:
    """Which entries of `vmfb` are to be cut, into stages of at most how many milliseconds.

    Modules that run the same entry run the same stages: the least that is asked for any of them, by the name
    that it is `called`, is for all. Entries that nobody runs are left alone, and those that are one stage.

    Raises:
        BuildError: PK041, one of those is asked to be cut.
    """
    modules = [module for module in manifest.orchestration.modules if module.artefact == vmfb]
    whole = _steps(manifest, modules, lowered) | _policy(manifest, vmfb, lowered)
    found = {}
    for name in lowered:
        keys = dict.fromkeys(called(module) for module in modules if name in (module.stages or lowered))
        limits = {key: limit_of(asked, key, name, (declared or {}).get(name, (None, None))) for key in keys}
        given = [limit_ms for limit_ms, _ in limits.values() if limit_ms is not None]
        if given and name not in whole:
            found[name] = float(min(given))
        for key, (limit_ms, own) in limits.items() if name in whole else ():
            what, allowed, mend = whole[name]
            if own:
                message = f"it is {what}, which is one stage and cannot be cut"
                path = f"{key}.{name}"
                raise BuildError(problem("PK041", "stages", message, limit_ms, allowed, mend, path=path))
            if limit_ms is not None:
                told(f"{key}.{name} is {what} and stays whole")
    return found


_STEP = (
    "the step of a loop",
    "entries without `runtime.dt`",
    "leave it out: a loop gives the device back after every step",
)
_POLICY = (
    "the island's policy",
    "entries that the island does not run",
    "leave it out, or give the island an entry of its own",
)


def _steps(
    manifest: Manifest, modules: Sequence[Module], lowered: Mapping[str, Lowered]
) -> dict[str, tuple[str, str, str]]:
    """The entries that are the step of a loop: those that take `runtime.dt`."""
    ids = {module.id for module in modules if module.steps is not None}
    ports = {
        link.sink.port
        for link in manifest.orchestration.links
        if str(link.source) == "runtime.dt" and link.sink.owner in ids
    }
    return {
        name: _STEP for name, entry in lowered.items() if ports & {tensor.name for tensor in entry.inputs}
    }


def _policy(manifest: Manifest, vmfb: str, lowered: Mapping[str, Lowered]) -> dict[str, tuple[str, str, str]]:
    """The entry that the island runs."""
    policy = manifest.policy
    if policy is None or policy.artefact != vmfb:
        return {}
    return {name: _POLICY for name in lowered if policy.entry in (None, name)}


def device_of(manifest: Manifest, module: Module) -> DeviceConfig:
    """The device that stages of a module are measured on; one core if the module's is not IREE's."""
    name = manifest.device_of(module)
    device = manifest.devices[name]
    if device.driver != "iree":
        return DeviceConfig(name, "local-sync")
    return DeviceConfig(name, device.uri, device.cores)


# -- cutting ------------------------------------------------------------------------------------------------


def cut_module(
    whole: Parts,
    limits: Mapping[str, float],
    arrays: Mapping[str, np.ndarray],
    weights: Sequence[Path],
    config: DeviceConfig,
    samples: Callable[[str], Sequence[Sample]],
    path: str,
    told: Told,
    write: Write,
) -> tuple[Parts, Written | None]:
    """`whole` with the entries of `limits` cut, and its code as it was written if any was.

    Args:
        limits: entry -> the longest that a stage may take, in milliseconds.
        arrays, weights: parameters, and the files that hold them.
        config: the device to measure on.
        samples: inputs of an entry to compare and measure with.
        path: what diagnostics call the module.
        told: gets a line for every entry.
        write: writes the code of what was cut, whose stages are compared once more as they were written.

    Raises:
        BuildError: PK022 (the device cannot be opened, or a stage does not run), PK040, PK041 (a stage would
            have the name of an entry), or what `write` raises.
    """
    try:
        parts, written = _cut(whole, limits, arrays, weights, config, samples, path, write)
    except HalError as error:
        message, mend = f"its stages do not run here: {error}", "cut it where the manifest's devices are"
        raise BuildError(problem("PK022", "stages", message, None, "", mend, path=path)) from error
    for cut in parts.cuts:
        told(f"{path}.{cut}")
        if not cut.fits:
            told(_too_long(cut, path).render())
    return parts, written


def _cut(
    whole: Parts,
    limits: Mapping[str, float],
    arrays: Mapping[str, np.ndarray],
    weights: Sequence[Path],
    config: DeviceConfig,
    samples: Callable[[str], Sequence[Sample]],
    path: str,
    write: Write,
) -> tuple[Parts, Written | None]:
    known = signatures(whole.lowered, whole.source, whole.made.compiled)
    benches, cuts = {}, []
    for name, limit_ms in limits.items():
        bench = Bench(config, arrays, weights, (whole.made.path, known[name]), samples(name))
        benches[name] = bench
        cuts.append(search(Cuttable(name, whole.lowered[name]), limit_ms, bench))
    for cut in cuts:
        _check_names(cut, whole.lowered, path)
    if not any(cut.stages for cut in cuts):
        return replace(whole, cuts=tuple(cuts)), None
    by_entry = {cut.entry: cut.stages for cut in cuts if cut.stages}
    lowered = {
        name: one
        for entry, uncut in whole.lowered.items()
        for name, one in by_entry.get(entry, {entry: uncut}).items()
    }
    parts = Parts(lowered, *compile_entries(lowered, arrays, path))
    written = write(parts)
    confirmed = (_confirmed(cut, benches[cut.entry], parts, written, path) for cut in cuts)
    return replace(parts, cuts=tuple(confirmed)), written


def _check_names(cut: Cut, entries: Mapping[str, Lowered], path: str) -> None:
    if taken := [name for name in cut.stages if name in entries]:
        message = f"a stage of it would be called {taken[0]!r}, as another entry is"
        allowed, mend = "names that no entry has", f"rename {taken[0]!r}, or leave the limit out"
        where = f"{path}.{cut.entry}"
        raise BuildError(problem("PK041", "stages", message, taken[0], allowed, mend, path=where))


def _confirmed(cut: Cut, bench: Bench, parts: Parts, written: Written, path: str) -> Cut:
    """The same, measured in the module that holds all entries; noise only ever adds to a measurement."""
    if not cut.stages:
        return cut
    entries = signatures(parts.lowered, parts.source, written.here.compiled)
    took = bench.run(written.here.path, [entries[name] for name in cut.stages], written.weights)
    if took is None:
        message = f"cut into {len(cut.stages)} stages, some bit of its result differs"
        mend = "ask for longer stages, or for none of this entry"
        raise BuildError(
            problem("PK040", "gate", message, None, "equal results", mend, path=f"{path}.{cut.entry}")
        )
    return replace(cut, took_ms=tuple(map(min, took, cut.took_ms)))


def _too_long(cut: Cut, path: str) -> Diagnostic:
    longest = float(f"{max(cut.took_ms):.3g}")
    message = (
        f"the longest stage of {cut.entry} takes {longest:g} ms, and no finer cut was found that helps: its "
        f"largest operation is {cut.largest}"
    )
    mend = (
        "make that operation smaller (fewer rows at once, a loop unrolled), or move what it blocks elsewhere"
    )
    where, allowed = Location("stages", path=f"{path}.{cut.entry}"), f"at most {cut.limit_ms:g} ms"
    return Diagnostic("PK042", "note", message, where, longest, allowed, mend)


def stage_gates(cuts: Sequence[Cut], gates: Mapping[str, LockedGate]) -> dict[str, LockedGate]:
    """The gates of stages: what the uncut entries went through, each for the outputs that it gives."""
    return {
        name: gates[cut.entry].model_copy(
            update={"outputs": {o: e for o, e in gates[cut.entry].outputs.items() if o in stage.outputs}}
        )
        for cut in cuts
        if cut.entry in gates
        for name, stage in cut.stages.items()
    }


def tell_uncut(asked: Asked, cuts: Mapping[str, Sequence[Cut]], told: Told) -> None:
    """Say so if nothing was cut, though it was asked for; `cuts` by `vmfb`."""
    if asked is not None and not any(cut.stages for made in cuts.values() for cut in made):
        told("nothing was cut: the stages are the same without a limit")


# -- the manifest -------------------------------------------------------------------------------------------


def write_stages(loaded: Loaded, file: Path, cuts: Mapping[str, Sequence[Cut]]) -> None:
    """Put the stages in the place of the entries that were cut, in the manifest `file`; `cuts` by `vmfb`.

    A planned cost is shared out among the stages as they were measured.
    """
    manifest = loaded.manifest
    assert manifest is not None
    changed = {}
    for index, module in enumerate(manifest.orchestration.modules):
        made = {cut.entry: cut for cut in cuts.get(module.artefact, ()) if cut.stages}
        named = module.stages or tuple(made)[:1]
        if any(name in made for name in named):
            changed[index] = _staged(module, named, made)
    if changed:
        file.write_text(with_stages(file.read_text(encoding="utf-8"), changed), encoding="utf-8")


def _staged(module: Module, named: Sequence[str], made: Mapping[str, Cut]) -> Staged:
    entry: list[str] = []
    cost_ms: list[Fraction] = []
    for index, name in enumerate(named):
        cut = made.get(name)
        entry.extend(cut.stages if cut else [name])
        if module.cost_ms is not None:
            cost = module.cost_ms[index]
            cost_ms.extend(_shares(cost, cut.took_ms) if cut else [cost])
    return Staged(entry, cost_ms)


def _shares(cost: Fraction, took_ms: Sequence[float]) -> Iterator[Fraction]:
    """`cost` in the proportions of `took_ms`, to the microsecond; together exactly `cost`."""
    left = cost
    for took in took_ms[:-1]:
        share = round(cost * Fraction(took) / Fraction(sum(took_ms)), 3)
        left -= share
        yield share
    yield left
