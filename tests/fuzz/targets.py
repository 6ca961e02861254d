"""What is fuzzed: for every kind of file, good examples and how to read one.

A reader may answer with a value, with diagnostics, or with the error that users are told; anything else is a
fault. Reading is bounded in time and memory whatever the bytes are.
"""

from __future__ import annotations

import json
import struct
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

from rich.console import Console

from polyrhythm.bundle import BundleError
from polyrhythm.bundle.lock import LOCK_FILE, read_lock
from polyrhythm.hal import HalError
from polyrhythm.hal.dsa.work import read_work
from polyrhythm.manifest import loads
from polyrhythm.observe import write_trace
from polyrhythm.observe.eventlog import MAGIC, LogError, _frames
from polyrhythm.observe.inspection import UnreadableError, inspect, render_inspection
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import CostFile, CostsError, read_costs, write_costs
from polyrhythm.runtime.costs import Machine, Measured, ModuleCosts, Setup, StageCosts, packages
from tests.cli.bundles import make_bundle
from tests.manifest.test_fuzz import judged
from tests.manifest.texts import FULL, SPECIFICATION, TEN_MISTAKES
from tests.observe.conftest import play
from tests.observe.harness import dual_plan, flow_plan, solo_plan
from tests.observe.test_eventlog import record

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class Target:
    """One kind of file. `text`: it is made of lines and tokens, so they are what is moved about."""

    corpus: Callable[[Path], list[bytes]]
    read: Callable[[bytes, Path], None]
    text: bool = True


def _manifests(_: Path) -> list[bytes]:
    found = [path.read_bytes() for path in sorted(EXAMPLES.rglob("manifest.yaml"))]
    return [*found, *(text.encode() for text in (FULL, SPECIFICATION, TEN_MISTAKES))]


def _read_manifest(content: bytes, _: Path) -> None:
    judged(loads(content))


def _links(_: Path) -> list[bytes]:
    return [b"links:\n- { from: vlm.hidden, to: dit.condition, max_age_ms: 500, on_stale: hold }\n"] + [
        path.read_bytes() for path in sorted(EXAMPLES.rglob("link.yaml"))
    ]


def _read_links(content: bytes, _: Path) -> None:
    judged(loads(SPECIFICATION.partition("  links:")[0], links=content))


def _locks(folder: Path) -> list[bytes]:
    found = [path.read_bytes() for path in sorted(EXAMPLES.rglob(LOCK_FILE))]
    return [*found, (make_bundle(folder / "duet") / LOCK_FILE).read_bytes()]


def _read_lock(content: bytes, folder: Path) -> None:
    (folder / LOCK_FILE).write_bytes(content)
    try:
        read_lock(folder)
    except BundleError as error:
        assert error.diagnostics


def _logs(folder: Path) -> list[bytes]:
    record(folder / "a.log", dual_plan(), ticks=20)
    return [(folder / "a.log").read_bytes()]


def _replay(content: bytes, folder: Path) -> None:
    (folder / "a.log").write_bytes(content)
    try:
        replay(folder / "a.log")
    except LogError as error:
        assert str(error)


def _records(folder: Path) -> list[bytes]:
    """Logs unpacked: the header in the first line, a record in each of the others."""
    record(folder / "a.log", dual_plan(), ticks=20)
    return [b"\n".join(_frames(folder / "a.log"))]


def _replay_records(content: bytes, folder: Path) -> None:
    packer, packed = zlib.compressobj(1, zlib.DEFLATED, -15), [MAGIC]
    for line in content.split(b"\n"):
        frame = packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH)
        packed += [struct.pack("<II", len(frame), zlib.crc32(frame)), frame]
    _replay(b"".join(packed), folder)


def _costs(folder: Path) -> list[bytes]:
    took = Measured.of([1, 2, 3])
    stages = tuple(StageCosts(stage=name, alone=took, loaded=took) for name in ("encode", "step"))
    file = CostFile(
        bundle="duet", taken="2026-01-01T00:00:00+00:00", seconds=1.5, machine=Machine.here(),
        packages=packages(), release=took,
        devices={"cpu": Setup(driver="iree", uri="local-sync", cores=(0, 1))},
        modules={"vlm": ModuleCosts(vmfb="vlm.vmfb", digest="d" * 64, device="cpu", stages=stages)},
    )  # fmt: skip
    write_costs(file, folder / "costs.json")
    return [(folder / "costs.json").read_bytes()]


def _read_costs(content: bytes, folder: Path) -> None:
    (folder / "costs.json").write_bytes(content)
    try:
        read_costs(folder / "costs.json")
    except CostsError as error:
        assert str(error)


def _summaries(folder: Path) -> list[bytes]:
    """Of real plays, with and without a robot, and the trace of one."""
    dual, flow = play(dual_plan(), ticks=10), play(flow_plan(), ticks=20)
    solo = play(solo_plan(), tasks=(), until_ms=100)
    trace = folder / "trace"
    write_trace(trace, dual.info, dual.recorder)
    summaries = [json.dumps(run.summary).encode() for run in (dual, flow, solo)]
    return [*summaries, trace.read_bytes(), *_logs(folder), *_costs(folder)]


def _inspect(content: bytes, folder: Path) -> None:
    """As the command does: told in JSON, and as a page for a terminal that takes UTF-8."""
    (folder / "what").write_bytes(content)
    try:
        found = inspect(folder / "what")
    except (UnreadableError, LogError, CostsError) as error:
        assert str(error)
        return
    assert json.dumps(found)
    page = TextIOWrapper(BytesIO(), "utf-8")
    Console(file=page, width=118).print(render_inspection(found))
    assert page.tell()


def _works(_: Path) -> list[bytes]:
    """Only the beginnings: the steps of a whole model are many and alike."""
    found = []
    for path in sorted((ROOT / "tests" / "hal" / "dsa" / "data").glob("*.work.json")):
        work = json.loads(path.read_bytes())
        for entry in work["entries"].values():
            entry["steps"] = entry["steps"][:4]
        found.append(json.dumps(work).encode())
    return found


def _read_work(content: bytes, folder: Path) -> None:
    (folder / "a.work.json").write_bytes(content)
    try:
        entries = read_work(folder / "a.work.json")
    except HalError as error:
        assert len(str(error)) < 1000
        return
    for entry in entries.values():
        assert all(entry.moved_bytes(name) >= 0 for name in entry.memories) and entry.results is not None


TARGETS: dict[str, Target] = {
    "manifest": Target(_manifests, _read_manifest),
    "links": Target(_links, _read_links),
    "lock": Target(_locks, _read_lock),
    "log": Target(_logs, _replay, text=False),
    "records": Target(_records, _replay_records),
    "costs": Target(_costs, _read_costs),
    "inspect": Target(_summaries, _inspect),
    "work": Target(_works, _read_work),
}


def scratch() -> Path:
    """A folder for files that are read once: in memory, where there is such a place."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="polyrhythm-fuzz-", dir=shared if shared.is_dir() else None))
