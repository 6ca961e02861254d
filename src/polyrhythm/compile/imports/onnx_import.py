"""`import onnx`: an ONNX file becomes a bundle, on IREE where that is as good, else on ONNX Runtime.

ONNX Runtime takes nearly every file. IREE gives the caller all of the memory and stages that can be cut, and
needs nothing but the core to run; so it goes first where its module gives the same numbers and takes at most
`SLOWER` times as long. Either way every output is held against plain ONNX Runtime on the file as it was.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from rich.progress import Progress

from polyrhythm.bundle import Entry, LockedEntry, LockedGate, LockedModule, LockedParameters
from polyrhythm.bundle.lock import LockedCompiler
from polyrhythm.compile import gate
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.imports import onnx_iree
from polyrhythm.compile.imports.onnx_edit import Edits, edit
from polyrhythm.compile.imports.onnx_model import Model, read
from polyrhythm.compile.imports.onnx_reference import Reference, output_shapes, reference
from polyrhythm.compile.imports.onnx_shapes import (
    Fixed,
    Shapes,
    fix,
    misfits,
    outputs,
    with_outputs,
)
from polyrhythm.compile.imports.report import Report
from polyrhythm.compile.imports.write import check_new, module_id, write_bundle
from polyrhythm.compile.iree_compiler import COMPILER, HOST
from polyrhythm.compile.iree_compiler import version as compiler_version
from polyrhythm.compile.machine import signatures
from polyrhythm.compile.machine_size import check_size
from polyrhythm.compile.pipeline import locked_entries, locked_tensor
from polyrhythm.compile.place import workplace
from polyrhythm.compile.policy import EntrySource
from polyrhythm.compile.progress import Steps
from polyrhythm.compile.weights import describe, write_weights
from polyrhythm.compile.written import write_code
from polyrhythm.hal import DeviceConfig, HalError
from polyrhythm.manifest import Diagnostic
from polyrhythm.manifest.diagnostics import printable

Using = Literal["auto", "iree", "onnxruntime"]
#: IREE is chosen up to this ratio of the medians.
SLOWER = 2.0
ENTRY = onnx_iree.ENTRY
NO_EDITS = Edits()
_SAY = "say what is in its inputs (`--sample NAME=3`)"
_ELSE = f"{_SAY}, or leave `--driver` out"
_MENDS = gate.Mends(differs=_ELSE, whole=_ELSE, nothing=_SAY)
_DEVICES = {"iree": "local-sync", "onnxruntime": "cpu"}
_ROUNDS, _SECONDS = 30, 2.0
_MOST_HZ = 10


@dataclass(frozen=True)
class Made:
    """A module in the directory `place`: its files, what is locked of it, and what a call takes."""

    place: Path
    artefact: str
    module: LockedModule
    gate: LockedGate
    latency_ms: float


@dataclass(frozen=True)
class _Case:
    """What is to be made, and what it has to give.

    `models` are the same model, with fixed shapes first; of the others the shapes are open.
    """

    name: str
    models: tuple[Model, ...]
    entry: Entry
    samples: Sequence[gate.Sample]
    reference: Reference


def import_onnx(
    path: Path,
    out: Path,
    *,
    shapes: Shapes | None = None,
    numbers: Mapping[str, float] | None = None,
    edits: Edits = NO_EDITS,
    using: Using = "auto",
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Make the bundle `out` of an ONNX file.

    Args:
        shapes: of inputs that the file leaves open, by name.
        numbers: what is in an input when the model is tried, by name; random numbers in the others.
        edits: what to take off the outside of the graph.
        using: the driver to use; `auto` chooses.
        force: replace a bundle that is there.

    Raises:
        BuildError: PI001 to PI018, PI054, PK013, PK014, PK020, PK022, PK023; `out` is as it was.
    """
    out = out.absolute()
    check_new(out, force=force)
    _need_runtime()
    steps = Steps(progress, 4 if using == "auto" else 3, f"importing {path.name}")
    with tempfile.TemporaryDirectory(prefix="polyrhythm-") as temporary:
        work = Path(temporary)
        with steps.step(f"reading {path.name}"):
            model = read(path)
            given = {"sample": numbers or {}, "set": edits.constants}
            if problems := [
                found for option, wanted in given.items() for found in misfits(model, wanted, option)
            ]:
                raise BuildError(*problems)
            fixed = fix(model, shapes or {})
            drawn = gate.SAMPLES * sum(tensor.nbytes for tensor in fixed.inputs)
            check_size(drawn + model.weight_bytes, f"its weights, and its inputs {gate.SAMPLES} times,")
        with steps.step("running the original"):
            case, changed = _case(model, fixed, {**(numbers or {}), **edits.constants}, edits, work)
        made, reasons = _candidates(case, work, using, steps)
        chosen, why = _chosen(path, made, reasons)
        with workplace(out) as place:
            shutil.copytree(made[chosen].place, place, dirs_exist_ok=True)
            text = manifest(path.name, case.name, chosen, made[chosen])
            write_bundle(place, text, {made[chosen].artefact: made[chosen].module})
    steps.done(f"imported {path.name}")
    return Report(
        printable(path.name), chosen, why, changed, model.operations,
        {name: found.latency_ms for name, found in made.items()}, {ENTRY: made[chosen].gate},
    )  # fmt: skip


def _need_runtime() -> None:
    try:
        version("onnxruntime")
    except ImportError as error:
        raise missing_extra("onnxruntime", "onnx", "importing an ONNX file") from error


def _case(
    model: Model, fixed: Fixed, numbers: Mapping[str, float], edits: Edits, work: Path
) -> tuple[_Case, tuple[str, ...]]:
    samples = gate.draw_tensors(fixed.inputs, model.path.name)
    for port, tensor in zip(model.inputs, fixed.inputs, strict=True):
        for sample in samples if port.name in numbers else ():
            sample[tensor.name][...] = numbers[port.name]
    found = reference(model, fixed.inputs, samples, work)
    shapes = output_shapes(model, found)
    given, renamed = outputs(fixed, shapes)
    whole = with_outputs(fixed.model, shapes)
    models = [edit(each, fixed.inputs, given, edits) for each in (whole, model)[: 1 if whole is model else 2]]
    inputs = edits.kept(model, fixed.inputs)
    entry = Entry(ENTRY, inputs, tuple(map(edits.outside, given)))
    kept = [
        {tensor.name: sample[tensor.name].reshape(tensor.shape) for tensor in inputs} for sample in samples
    ]
    told = (*fixed.changed, *renamed, *edits.told(model, fixed.inputs, given))
    return _Case(module_id(model.path.stem), tuple(models), entry, kept, found), told


def _candidates(
    case: _Case, work: Path, using: Using, steps: Steps
) -> tuple[dict[str, Made], dict[str, BuildError | str]]:
    """What could be made, by driver, and why the rest could not."""
    made: dict[str, Made] = {}
    reasons: dict[str, BuildError | str] = {}
    if using in ("auto", "onnxruntime"):
        with steps.step("checking it on ONNX Runtime"):
            try:
                made["onnxruntime"] = _on_runtime(case, work / "onnxruntime")
            except BuildError as error:
                reasons["onnxruntime"] = error
    if using in ("auto", "iree"):
        with steps.step("compiling and checking it with IREE"):
            known = next(onnx_iree.blockers(case.models[0], case.entry.inputs), None)
            try:
                if known is not None and using == "auto":
                    raise onnx_iree.NotTaken(known)
                made["iree"] = _on_iree(case, work / "iree")
            except onnx_iree.NotTaken as refused:
                reasons["iree"] = str(refused)
            except BuildError as error:
                reasons["iree"] = error
    return made, reasons


def _chosen(path: Path, made: Mapping[str, Made], reasons: Mapping[str, BuildError | str]) -> tuple[str, str]:
    """The driver, and why it is that one.

    Raises:
        BuildError: nothing was made.
    """
    if not made:
        raise _nothing(path, reasons)
    if len(made) == 1:
        (name,) = made
        if not reasons:
            return name, "as was asked for"
        other, reason = next(iter(reasons.items()))
        said = reason if isinstance(reason, str) else f"{other}: {reason.diagnostics[0].message}"
        return name, said
    iree, theirs = made["iree"].latency_ms, made["onnxruntime"].latency_ms
    compared = f"a call takes {iree:.3g} ms with IREE and {theirs:.3g} ms with ONNX Runtime"
    if iree <= SLOWER * theirs:
        return "iree", f"IREE compiles it, and {compared}"
    return "onnxruntime", f"IREE compiles it, but {compared}"


def _nothing(path: Path, reasons: Mapping[str, BuildError | str]) -> BuildError:
    diagnostics: list[Diagnostic] = []
    for name, reason in reasons.items():
        if isinstance(reason, BuildError):
            diagnostics += reason.diagnostics
        else:
            mend = "leave `--driver` out, or look at the operation that it names"
            diagnostics.append(problem("PI018", path, reason, name, "a model that it takes", mend))
    return BuildError(*diagnostics)


# -- with each driver ----------------------------------------------------------------------------------


def _on_runtime(case: _Case, place: Path) -> Made:
    """The file itself, with fixed shapes if it bears them (branches that are never taken may not).

    Raises:
        BuildError: PK020, PK022, PK023.
    """
    model = case.models[0]
    place.mkdir()
    artefact = f"{case.name}/{case.name}.onnx" if model.data else f"{case.name}.onnx"
    file = place / artefact
    file.parent.mkdir(exist_ok=True)
    for name in model.data:
        (file.parent / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(model.path.parent / name, file.parent / name)
    files = [(Path(artefact).parent / name).as_posix() for name in model.data]
    weights = [place / name for name in files]
    for last, each in enumerate(case.models, 1 - len(case.models)):
        file.write_bytes(each.content)
        try:
            taken = case.reference
            if not each.as_it_was:  # elsewhere first: what crashes ONNX Runtime must not crash us
                taken = reference(replace(each, path=file), case.entry.inputs, case.samples, place.parent)
            gate_, latency_ms = _through("onnxruntime", case, case.entry, file, weights)
            break
        except BuildError:
            if not last:
                raise
    gate_ = gate_.model_copy(update={"allocated_bytes": taken.first_bytes})
    locked = LockedEntry(
        inputs=[locked_tensor(tensor) for tensor in case.entry.inputs],
        outputs=[locked_tensor(tensor) for tensor in case.entry.outputs],
        caller_owned=False,
        gate=gate_,
    )
    grown = taken.loaded_bytes - model.weight_bytes
    module = LockedModule(
        format="onnx",
        parameters=LockedParameters(files=files, count=model.weights, size=model.weight_bytes),
        operations=model.operations,
        frontend=_versions(model),
        loaded_bytes=max(0, grown),
        signatures={ENTRY: locked},
    )
    return Made(place, artefact, module, gate_, latency_ms)


def _on_iree(case: _Case, place: Path) -> Made:
    """A module of IREE, its portable source and its weights.

    Raises:
        NotTaken: IREE does not import or compile it.
        BuildError: PK020, PK022, PK023.
    """
    place.mkdir()
    model = case.models[0]
    parts, arrays = onnx_iree.make(model, case.entry.inputs, case.entry.outputs, place)
    for file in list(place.iterdir()):
        file.unlink()
    files = [f"{case.name}.safetensors"] if arrays else []
    for name in files:
        write_weights(arrays, place / name)
    weights = [place / name for name in files]
    artefact = f"{case.name}.vmfb"
    final = write_code(parts, place, f"{case.name}.mlir", artefact, HOST, weights, case.name)
    entry = signatures(parts.lowered, parts.source, final.compiled)[ENTRY]
    gate_, latency_ms = _through("iree", case, entry, final.here.path, final.weights)
    module = LockedModule(
        source=f"{case.name}.mlir",
        parameters=describe(arrays, files),
        operations=model.operations,
        compiler=LockedCompiler(name=COMPILER, version=compiler_version(), flags=list(final.compiled.flags)),
        frontend=_versions(model),
        machine_code=final.compiled.target,
        loaded_bytes=final.loaded_bytes,
        packed=final.packed,
        signatures=locked_entries(parts, final.compiled, {ENTRY: gate_}),
    )
    return Made(place, artefact, module, gate_, latency_ms)


def _through(
    name: str, case: _Case, entry: Entry, file: Path, weights: Sequence[Path]
) -> tuple[LockedGate, float]:
    """Hold every output against the original, then measure a call."""
    uri, where = _DEVICES[name], f"{case.name}.{ENTRY}"
    source = EntrySource(lambda *_: None, {t.name: (t.dtype, t.shape) for t in entry.inputs}, ())
    # Outputs of the original that are scalars come as such.
    wanted = [tuple(array.reshape(t.shape) for array, t in zip(found, entry.outputs, strict=True))
              for found in case.reference.outputs]  # fmt: skip
    cases = {where: gate.Case(entry, source, case.samples, wanted, _MENDS)}
    held = gate.run(file, weights, cases, HOST, (name, uri))
    try:
        with Chain(DeviceConfig(name, uri), file, weights, [entry], name) as chain:
            (latency_ms,) = chain.measure(case.samples[0], _ROUNDS, _SECONDS)
    except HalError as error:
        raise BuildError(problem("PK022", file.name, f"it does not run: {error}", path=where)) from error
    return held[where], latency_ms


def _versions(model: Model) -> dict[str, str]:
    return {**{name: version(name) for name in ("onnx", "onnxruntime")}, **model.versions}


# -- the manifest ----------------------------------------------------------------------------------------


def manifest(source: str, name: str, driver: str, made: Made) -> str:
    """A manifest that runs the module by itself, at a rate that leaves half of the time to others."""
    return "".join(f"{line}\n" for line in _lines(source, name, driver, made))


def _lines(source: str, name: str, driver: str, made: Made) -> Iterator[str]:
    cost_ms = float(f"{1.5 * made.latency_ms:.2g}") or 0.001
    rate = f"{_MOST_HZ}"
    if 2 * cost_ms > 1000 / _MOST_HZ:
        rate = f"1/{max(1, -(-2 * int(cost_ms + 1) // 1000))}"
    yield f"# Made by `polyrhythm import onnx` from {printable(source)}."
    yield f"name: {name}"
    yield "devices:"
    yield f"  cpu: {{ driver: {driver}, uri: {_DEVICES[driver]} }}"
    yield "orchestration:"
    yield "  modules:"
    yield f"  - id: {name}"
    yield f"    {'vmfb' if driver == 'iree' else 'artefact'}: {made.artefact}"
    yield f"    rate_hz: {rate}"
    yield f"    cost_ms: {cost_ms:g}  # half again what a call took here; `polyrhythm profile` measures it"
    for kind, tensors in (("takes", made.module.signatures[ENTRY].inputs),
                          ("gives", made.module.signatures[ENTRY].outputs)):  # fmt: skip
        for tensor in tensors:
            yield f"  # {kind} {name}.{tensor.name}: {tensor.tensor}"
