"""Locks for bundles made by hand: a manifest with modules that were compiled elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from polyrhythm.bundle import IREE, Bundle, BundleError, Entry, Lock, LockedModule
from polyrhythm.bundle.files import locked_file, walk
from polyrhythm.bundle.lock import MAX_AXES, LockedParameters
from polyrhythm.bundle.open import open_as
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.formats import format_of
from polyrhythm.compile.iree_compiler import embedded_target
from polyrhythm.compile.pipeline import locked_entry
from polyrhythm.compile.reflection import Function, functions
from polyrhythm.manifest import Diagnostic, Manifest, load
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.manifest.schema import Coded

Names = Mapping[str, Mapping[str, tuple[Sequence[str], Sequence[str]]]]

#: artefact -> its entries
Entries = Mapping[str, Sequence[Entry]]

#: How much is shown of a place in a module; names in it may be of any length.
_PLACE_LENGTH = 60


def lock_existing(
    directory: str | Path, names: Names | None = None, entries: Entries | None = None
) -> Bundle:
    """Open the directory of a manifest and compiled modules, and write its `bundle.lock` when all is well.

    Every file in it becomes part of the bundle. Signatures are what the modules say of themselves. Modules
    made by `build` name their tensors; for others, `names` may give ``{vmfb: {entry: (inputs, outputs)}}``;
    else the only input (or output) of a module whose links name only one is called like that, and what is
    left ``input0``, ``output0``.

    Artefacts of other formats (`polyrhythm.compile.formats` tells which), do not say it alike: their entries
    are `entries`, which are not tried here. Names are as in the file, or in its order where it has none; see
    the driver. Weights beside such an artefact are in a ``.bin`` of the same name.

    Raises:
        BuildError: PK030 to PK033, PK050 or PK051 for every module that cannot be read, or the manifest's
            errors.
        BundleError: PB008 to PB013, PB015 and PB016, as for any bundle; a lock that was there is as it was.
    """
    root = Path(directory)
    loaded = load(root, inside=root.resolve())
    if loaded.manifest is None:
        raise BuildError(*loaded.errors)
    found: list[Diagnostic] = []
    modules = {}
    for place, declared in loaded.manifest.coded:
        absent = [name for name in (declared.artefact, *declared.parameters) if not (root / name).is_file()]
        if absent:
            where = loaded.locate(place)
            message = f"module {declared.id!r} has no file {', '.join(absent)}"
            found.append(problem("PK031", where, message, absent, "files of the bundle", "put it there"))
            continue
        try:
            if (format_ := format_of(loaded, place, declared)) == IREE:
                modules[declared.artefact] = _module(
                    root, loaded.manifest, declared.artefact, (names or {}).get(declared.artefact, {})
                )
            elif given := (entries or {}).get(declared.artefact):
                modules[declared.artefact] = _foreign(root, declared, format_, given)
            else:
                where = loaded.locate((*place, declared.artefact_key))
                message = f"{declared.artefact} is {format_}, and nobody says what its entries are"
                mend = f'give `entries={{"{declared.artefact}": [Entry("main", inputs, outputs)]}}`'
                allowed = "entries for every module that IREE did not make"
                found.append(problem("PK032", where, message, declared.artefact, allowed, mend))
        except BuildError as error:
            found.extend(error.diagnostics)
        except ValidationError as error:
            found.append(_no_room(root / declared.artefact, error))
    if found:
        raise BuildError(*found)
    paths = dict(walk(root.resolve(), found))
    if found:
        raise BundleError(tuple(found))
    return open_as(
        root, Lock(files={name: locked_file(path) for name, path in paths.items()}, modules=modules)
    )


def _module(
    root: Path, manifest: Manifest, vmfb: str, names: Mapping[str, tuple[Sequence[str], Sequence[str]]]
) -> LockedModule:
    content = (root / vmfb).read_bytes()
    found = functions(content, str(root / vmfb))
    users = [module for _, module in manifest.coded if module.artefact == vmfb]
    weights = list(dict.fromkeys(name for module in users for name in module.parameters))
    source = str(PurePosixPath(vmfb).with_suffix(".mlir"))
    entries = {
        name: _entry(
            function, *names.get(name, _linked(manifest, {m.id for m in users}, function, len(found)))
        )
        for name, function in found.items()
    }
    # All at once, so that a mistake is told with its place.
    return LockedModule.model_validate(
        {
            "source": source if (root / source).is_file() else None,
            "parameters": LockedParameters(files=weights),
            "machine_code": embedded_target(content),
            "entries": entries,
        }
    )


def _no_room(file: Path, error: ValidationError) -> Diagnostic:
    first = error.errors(include_url=False)[0]
    where = printable(".".join(map(str, first["loc"])))[:_PLACE_LENGTH]
    message = f"a lock can't say what this module takes and gives: {where}: {first['msg']}"
    allowed = f"names of 1 to 256 characters, tensors of at most {MAX_AXES} axes"
    return problem("PK033", file, message, None, allowed, "compile it again, within these limits")


def _foreign(root: Path, declared: Coded, format_: str, entries: Sequence[Entry]) -> LockedModule:
    """The artefact of another runtime. Weights within it are not told apart from it: they count as all."""
    beside = str(PurePosixPath(declared.artefact).with_suffix(".bin"))
    files = [*declared.parameters, *([beside] if (root / beside).is_file() else [])]
    sizes = [(root / name).stat().st_size for name in files or [declared.artefact]]
    return LockedModule(
        format=format_,
        parameters=LockedParameters(files=files, size=sum(sizes)),
        signatures={entry.name: locked_entry(entry, False, None) for entry in entries},
    )


def _linked(manifest: Manifest, ids: set[str], function: Function, count: int) -> tuple[list[str], list[str]]:
    """Names that the links give, where there is no doubt."""
    inputs = [tensor.name for tensor in function.inputs]
    outputs = [tensor.name for tensor in function.outputs]
    if function.named or count != 1:
        return inputs, outputs
    links = manifest.orchestration.links
    sinks = {link.sink.port for link in links if link.sink.owner in ids}
    sources = {link.source.port for link in links if link.source.owner in ids}
    return (
        list(sinks) if len(sinks) == len(inputs) == 1 else inputs,
        list(sources) if len(sources) == len(outputs) == 1 else outputs,
    )


def _entry(function: Function, inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, Any]:
    """What a `LockedEntry` is to be made of."""
    if len(inputs) != len(function.inputs) or len(outputs) != len(function.outputs):
        raise ValueError(
            f"{function.name!r} has {len(function.inputs)} inputs and {len(function.outputs)} outputs, "
            f"names are given for {len(inputs)} and {len(outputs)}"
        )
    tensors = (
        [
            {"name": name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
            for name, tensor in zip(given, described, strict=True)
        ]
        for given, described in ((inputs, function.inputs), (outputs, function.outputs))
    )
    return {
        "inputs": next(tensors),
        "outputs": next(tensors),
        "consumed": sorted(
            name
            for name, tensor in zip(inputs, function.inputs, strict=True)
            if tensor.name in function.consumed
        ),
        "scratch_bytes": function.scratch_bytes,
        "caller_owned": function.caller_owned,
    }
