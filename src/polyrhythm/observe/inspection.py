"""What is in a file: a bundle, a compiled module, or what Polyrhythm writes, told by its content."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import IREE, Lock, LockedModule, LockedTensor, read_lock
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.observe import summary as summaries
from polyrhythm.observe.eventlog import MAGIC, read_log
from polyrhythm.observe.files import need
from polyrhythm.observe.tables import digits, table
from polyrhythm.runtime.costs import FORMAT as COSTS
from polyrhythm.runtime.costs import read_costs

SCHEMA = 1
#: Larger traces, summaries and cost files are refused: the largest there are lie far below.
MAX_BYTES = 512 << 20


class UnreadableError(ValueError):
    """The file is none of the kinds that can be told; the message says which those are."""


def inspect(path: Path) -> dict[str, Any]:
    """What `path` holds, ready for `json.dumps`; ``kind`` is bundle, module, trace, summary, log or costs.

    Raises:
        UnreadableError: it is none of them.
        LogError: a log, of which not even the header can be read.
        CostsError: a cost file that `check` would not take.
        BundleError: a directory without a lock, or with a damaged one.
        MissingExtraError: a trace, and the package `perfetto` isn't installed.
    """
    if path.is_dir():
        return _bundle(path)
    with path.open("rb") as file:
        head = file.read(64)
    if (lock := _lock_beside(path)) is not None and path.name in lock.modules:
        return _module(path, lock)
    if head.startswith(MAGIC[:-1]):
        return _log(path)
    if head.lstrip()[:1] == b"{":
        return _json(path)
    if path.suffix == ".vmfb" or head[4:8] == b"IREE" or head[:2] == b"PK":
        return _module(path, None)
    return _trace(path)


def render_inspection(found: Mapping[str, Any]) -> RenderableType:
    """What was found, as tables."""
    kind = found["kind"]
    if kind == "summary":
        return summaries.render(found["summary"])
    if kind == "bundle":
        return _bundle_tables(found)
    made = table(f"{kind} {found['name']}", "", "<")
    for name, value in found.items():
        if name not in ("schema", "kind", "name", "tracks", "entries") and not isinstance(value, dict):
            made.add_row(name, ", ".join(value) if isinstance(value, list) else str(value))
    if kind == "module":
        return Group(made, _entries(found["entries"])) if "entries" in found else made
    if kind == "log":
        return made
    if kind == "costs":
        return Group(made, _measured(found["modules"]))
    tracks = table("tracks", "track", "slices", "instants", "counter values")
    for name, counts in found["tracks"].items():
        tracks.add_row(name, *(str(counts[key]) for key in ("slices", "instants", "values")))
    return Group(made, tracks)


# -- bundles ------------------------------------------------------------------------------------------


def _bundle(path: Path) -> dict[str, Any]:
    lock = read_lock(path)
    return {
        "schema": SCHEMA,
        "kind": "bundle",
        "name": path.resolve().name,
        "bytes": sum(file.size for file in lock.files.values()),
        "files": {name: {"bytes": file.size, "sha256": file.sha256} for name, file in lock.files.items()},
        "modules": {name: _locked(module) for name, module in lock.modules.items()},
    }


def _locked(module: LockedModule) -> dict[str, Any]:
    code = module.machine_code
    return {
        "format": module.format,
        "source": module.source,
        "machine_code": None if code is None else f"{code.arch} {code.cpu}",
        "compiler": None if module.compiler is None else f"{module.compiler.name} {module.compiler.version}",
        "weights": {"tensors": module.parameters.count, "bytes": module.parameters.size},
        "operations": module.operations,
        "entries": {
            name: {
                "inputs": [_signature(tensor) for tensor in entry.inputs],
                "outputs": [_signature(tensor) for tensor in entry.outputs],
                "scratch_bytes": entry.scratch_bytes,
                "max_rel_error": None
                if entry.gate is None
                else max((e.max_rel for e in entry.gate.outputs.values()), default=0.0),
            }
            for name, entry in module.signatures.items()
        },
    }


def _signature(tensor: LockedTensor) -> str:
    return f"{tensor.name}: {tensor.tensor}"


def _bundle_tables(found: Mapping[str, Any]) -> RenderableType:
    parts: list[RenderableType] = [Text(f"bundle {found['name']}, {_size(found['bytes'])}", style="bold")]
    files = table("files", "file", "size", "<sha256")
    for name, file in found["files"].items():
        files.add_row(name, _size(file["bytes"]), file["sha256"][:16])
    parts.append(files)
    for name, module in found["modules"].items():
        made = table(f"module {name}", "", "<")
        made.add_row("format", module["format"])
        made.add_row("source", module["source"] or "-")
        at_first_use = "made at first use" if module["format"] == IREE else "loaded as it is"
        made.add_row("machine code", module["machine_code"] or at_first_use)
        made.add_row("compiler", module["compiler"] or "-")
        weights = module["weights"]
        made.add_row("weights", f"{weights['tensors']} tensors, {_size(weights['bytes'])}")
        made.add_row("operations", str(sum(module["operations"].values())))
        parts += [made, _entries(module["entries"])]
    return Group(*parts)


def _entries(entries: Mapping[str, Any]) -> RenderableType:
    made = table("", "entry", "<takes", "<gives", "scratch", "error")
    for name, entry in entries.items():
        error = entry["max_rel_error"]
        made.add_row(
            name, "\n".join(entry["inputs"]), "\n".join(entry["outputs"]),
            _size(entry["scratch_bytes"]), "-" if error is None else f"{error:.1e}",
        )  # fmt: skip
    return made


# -- files --------------------------------------------------------------------------------------------


def _module(path: Path, lock: Lock | None) -> dict[str, Any]:
    whole = locked_file(path)
    digest = whole.sha256
    found: dict[str, Any] = {
        "schema": SCHEMA, "kind": "module", "name": path.name, "bytes": whole.size, "sha256": digest,
    }  # fmt: skip
    if lock is not None:
        locked = _locked(lock.modules[path.name])
        found["intact"] = path.name not in lock.files or lock.files[path.name].sha256 == digest
        found |= {name: locked[name] for name in ("format", "machine_code", "entries")}
    return found


def _lock_beside(path: Path) -> Lock | None:
    from polyrhythm.bundle import BundleError

    try:
        return read_lock(path.resolve().parent)
    except BundleError:
        return None


def _log(path: Path) -> dict[str, Any]:
    log = read_log(path)
    events = commands = first_ns = now_ns = 0
    for event, answer in log:
        now_ns = event.now_ns
        first_ns = first_ns if events else now_ns
        events, commands = events + 1, commands + len(json.loads(answer))
    return {
        "schema": SCHEMA, "kind": "log", "name": path.name, "bytes": path.stat().st_size,
        "made_by": f"polyrhythm {printable(log.header.made_by)}", "bundle": printable(log.header.bundle),
        "modules": [printable(module.id) for module in log.header.plan.modules],
        "seconds": (now_ns - first_ns) / 1e9, "events": events, "commands": commands, "end": log.end,
    }  # fmt: skip


def _costs(path: Path) -> dict[str, Any]:
    file = read_costs(path)
    return {
        "schema": SCHEMA, "kind": "costs", "name": path.name, "bytes": path.stat().st_size,
        "bundle": file.bundle, "taken": file.taken, "seconds": file.seconds, "machine": str(file.machine),
        "packages": file.packages, "devices": {name: str(setup) for name, setup in file.devices.items()},
        "modules": {
            name: {
                "artefact": module.artefact,
                "device": module.device,
                "stages": [stage.stage for stage in module.stages],
                "samples": min(stage.samples for stage in module.stages),
            }
            for name, module in file.modules.items()
        },
    }  # fmt: skip


def _measured(modules: Mapping[str, Any]) -> RenderableType:
    made = table("modules", "module", "<artefact", "<device", "<stages", "samples a stage")
    for name, module in modules.items():
        stages, samples = ", ".join(module["stages"]), str(module["samples"])
        made.add_row(name, module["artefact"], module["device"], stages, samples)
    return made


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{path} is not JSON: {error}") from None
    if isinstance(content, dict) and content.get("format") == COSTS:
        return _costs(path)
    if not isinstance(content, dict) or "schema" not in content or "times" not in content:
        raise UnreadableError(
            f"{path} is JSON, but neither a summary of `polyrhythm run` nor costs of `polyrhythm profile`"
        )
    if content["schema"] != summaries.SCHEMA:
        raise UnreadableError(
            f"{path} has schema {content['schema']!r}, this version reads {summaries.SCHEMA}"
        )
    try:
        # What its parts are shows when they are printed, and not before.
        Console(file=TextIOWrapper(BytesIO(), "utf-8")).print(summaries.render(content))
    except Exception as error:  # whatever its parts are not
        raise UnreadableError(f"{path} is no whole summary of `polyrhythm run`: {error!r}") from None
    return {"schema": SCHEMA, "kind": "summary", "summary": content}


def _trace(path: Path) -> dict[str, Any]:
    protos = need("perfetto.protos.perfetto.trace.perfetto_trace_pb2", "observe", "reading a Perfetto trace")
    message = need("google.protobuf.message", "observe", "reading a Perfetto trace")
    trace = protos.Trace()
    try:
        trace.ParseFromString(_read(path))
    except message.DecodeError:
        raise UnreadableError(
            f"{path} is no bundle directory, .vmfb, Perfetto trace, summary, log or cost file"
        ) from None
    names = {}
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            name = packet.track_descriptor.name  # bytes, if they are not UTF-8
            names[packet.track_descriptor.uuid] = (
                name.decode(errors="replace") if isinstance(name, bytes) else name
            )
    event = protos.TrackEvent
    kinds = {event.TYPE_SLICE_BEGIN: "slices", event.TYPE_INSTANT: "instants", event.TYPE_COUNTER: "values"}
    tracks: dict[str, Counter[str]] = {}
    stamps = []
    for packet in trace.packet:
        if packet.HasField("track_event"):
            stamps.append(packet.timestamp)
            name = names.get(packet.track_event.track_uuid, "?")
            counts = tracks.setdefault(name, Counter(dict.fromkeys(kinds.values(), 0)))
            if (kind := kinds.get(packet.track_event.type)) is not None:
                counts[kind] += 1
    if not stamps:
        raise UnreadableError(
            f"{path} is no bundle directory, .vmfb, Perfetto trace, summary, log or cost file"
        )
    return {
        "schema": SCHEMA, "kind": "trace", "name": path.name, "bytes": path.stat().st_size,
        "packets": len(trace.packet), "seconds": (max(stamps) - min(stamps)) / 1e9,
        "tracks": {name: dict(counts) for name, counts in sorted(tracks.items())},
    }  # fmt: skip


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UnreadableError(f"{path} is larger than {MAX_BYTES >> 20} MB")
    return content


def _size(nbytes: int) -> str:
    for unit, factor in (("MB", 1_000_000), ("KB", 1000)):
        if nbytes >= factor:
            return f"{digits(nbytes / factor)} {unit}"
    return f"{nbytes} B"
