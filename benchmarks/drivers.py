"""One model through every driver that takes it, in one run.

``MODEL`` is ``mlp``, ``flow_head``, ``resnet`` (see `driver_models`), or an ONNX file of static shapes. Each
driver runs it in a process of its own, pinned to one core with one thread, in turns of so many calls, so that
what else the machine does hits all of them; a figure is the median over turns. Measured are

- the call itself, from its start to its end in the thread of the queue: p50, p99, and jitter, which is
  p99 - p50; and what submitting it and being told adds to that (``queue``, p50);
- ``load``: importing the library, opening a device, loading, binding, and the first call;
- ``memory``: what that has added to the process's own memory, and to the files that it maps (weights in
  a mapped file count there);
- the size of the artefact with its weights, and of the packages that the driver needs beside Polyrhythm's;
- ``error``: the largest difference from the model in float64 (of an ONNX file: from ONNX's reference
  evaluator), over the largest magnitude.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Any

import numpy as np
from driver_models import MODELS, model, write_onnx
from driver_routes import ROUTES, Artefact, NoRoute, Subject
from driver_worker import Job
from measure import Figure, cores, largest, over_rounds, parser, pinned, quantile

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import HalError, driver

WORKER = Path(__file__).with_name("driver_worker.py")
#: A turn takes about so long, whatever the model.
TURN_NS = 250_000_000
FEWEST, MOST = 5, 2000
INSTALL = "pip install -c constraints.txt -e '.[jax,onnx,drivers]'"
#: With fewer calls a turn, a quantile is taken over all turns together.
ENOUGH = 100
#: The distributions that a driver needs; what those require comes with them.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "iree": ("iree-base-runtime",),
    "static": (),
    "onnxruntime": ("onnxruntime",),
    "openvino": ("openvino",),
    "litert": ("ai-edge-litert",),
    "ncnn": ("ncnn",),
    "mnn": ("MNN",),
    "tvm": ("apache-tvm",),
}
_CORE = "polyrhythm"
_OWN = ("iree", "static")


@dataclass
class Row:
    """What was found out about one driver; without a measurement, `why` says why, and `missing` whether it
    lacks a package."""

    driver: str
    why: str | None = None
    missing: bool = False
    p50_us: float = 0.0
    p99_us: float = 0.0
    jitter_us: float = 0.0
    queue_us: float = 0.0
    load_ms: float = 0.0
    memory_mb: float = 0.0
    mapped_mb: float = 0.0
    artefact_mb: float = 0.0
    runtime_mb: float = 0.0
    error: float = 0.0


class Worker:
    """A process with one driver and the model."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.calls = FEWEST
        self.inside: list[list[int]] = []
        self.through: list[list[int]] = []
        # A file: nobody reads a pipe meanwhile, and one that is full would stop the worker.
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        self.facts = self._ask(job.line())

    def turn(self, keep: bool = True) -> None:
        """Some calls."""
        found = self._ask(json.dumps({"calls": self.calls}))
        mean_ns = sum(found["call_ns"]) // self.calls
        if keep:
            self.inside.append(found["call_ns"])
            self.through.append(found["through_ns"])
        self.calls = max(FEWEST, min(MOST, TURN_NS // max(1, mean_ns)))

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def _ask(self, line: str) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._process.stdout.readline()
        if not answer:
            self._process.communicate()
            self._said.seek(0)
            lines = [text for text in self._said.read().splitlines() if text.strip()]
            raise NoRoute(lines[-1][:300] if lines else f"it ended with {self._process.returncode}")
        found: dict[str, Any] = json.loads(answer)
        return found


def subject(given: str, place: Path) -> Subject:
    """The model, its ONNX file, inputs drawn at random, and what it should give for them."""
    if given in MODELS:
        made = model(given)
        path, sample = write_onnx(made, place / f"{given}.onnx"), made.sample()
        wanted = made.reference(sample)
        inputs = tuple(Tensor(name, "f32", shape) for name, shape in made.inputs.items())
        entry = Entry("main", inputs, (Tensor("y", "f32", wanted.shape),))
        return Subject(given, path, entry, sample, [wanted], made)
    path = Path(given)
    if not path.is_file():
        raise SystemExit(
            f"error: there is no model {given!r}; there are {', '.join(MODELS)}, or an ONNX file"
        )
    return _foreign(path)


def _foreign(path: Path) -> Subject:
    import onnx
    from onnx.reference import ReferenceEvaluator

    from polyrhythm.compile.weights import dtype_name

    try:
        loaded = onnx.load(str(path))
        onnx.checker.check_model(loaded)
    except Exception as problem:
        raise SystemExit(f"error: {path} is not a sound ONNX file: {problem}") from None
    constants = {tensor.name for tensor in loaded.graph.initializer}

    def tensors(values: Any) -> tuple[Tensor, ...]:
        found = []
        for value in values:
            kind = value.type.tensor_type
            shape = tuple(dim.dim_value if dim.HasField("dim_value") else 0 for dim in kind.shape.dim)
            if 0 in shape:
                raise SystemExit(f"error: {path}: {value.name} has a dynamic shape; fix it first")
            dtype = dtype_name(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))
            found.append(Tensor(value.name, dtype or "?", shape))
        return tuple(found)

    entry = Entry(
        "main",
        tensors(v for v in loaded.graph.input if v.name not in constants),
        tensors(loaded.graph.output),
    )
    rng = np.random.default_rng(0)
    sample = {
        t.name: rng.normal(size=t.shape).astype(np.float32)
        if t.dtype == "f32"
        else rng.integers(0, 2, t.shape).astype(t.dtype.replace("i", "int").replace("u", "uint"))
        for t in entry.inputs
    }
    wanted = ReferenceEvaluator(loaded).run(None, dict(sample))
    return Subject(path.stem, path, entry, sample, wanted)


def start(name: str, given: Subject, sample: Path, place: Path, row: Row) -> Worker | None:
    """A worker for a driver, or why there is none."""
    try:
        driver(name).available()
        place.mkdir()
        artefact = ROUTES[name](given, place)
        row.artefact_mb = artefact.nbytes / 1e6
        row.runtime_mb = installed_bytes(NEEDS[name]) / 1e6
        return Worker(name, _job(name, artefact, sample))
    except (NoRoute, HalError, ImportError) as reason:
        row.why = str(reason)
        row.missing = isinstance(reason, ImportError) or isinstance(reason.__cause__, ImportError)
    except Exception as problem:  # a converter in this process may fail in any way
        row.why = f"{type(problem).__name__}: {problem}".splitlines()[0]
    return None


def _job(name: str, artefact: Artefact, sample: Path) -> Job:
    entry = artefact.entry
    inputs, outputs = (
        [(t.name, t.dtype, list(t.shape)) for t in group] for group in (entry.inputs, entry.outputs)
    )
    uri, weights = "local-sync" if name in _OWN else "cpu", [str(file) for file in artefact.parameters]
    return Job(
        name, uri, cores()[1], str(artefact.path), weights, entry.name, inputs, outputs, str(sample),
        entry.scratch_bytes,
    )  # fmt: skip


def installed_bytes(names: Sequence[str]) -> int:
    """Size on disk of distributions and all that they require, without what Polyrhythm's core requires."""
    mine, wanted = _closure([_CORE]) - set(names), _closure(names)
    return sum(_files_bytes(name) for name in wanted - mine)


def _closure(names: Sequence[str]) -> set[str]:
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop().lower().replace("_", "-")
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue
        if name not in found:
            found.add(name)
            plain = [text for text in needed if "extra ==" not in text]
            todo += ["".join(c if c.isalnum() or c in "-_." else " " for c in t).split()[0] for t in plain]
    return found


def _files_bytes(name: str) -> int:
    files = distribution(name).files or []
    paths = (Path(str(file.locate())) for file in files)
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")


def measure(given: str, names: Sequence[str], rounds: int) -> list[Row]:
    """All drivers, in turns."""
    rows = [Row(name) for name in names]
    workers: dict[str, Worker] = {}
    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as folder, pinned(cores()[0]):
        place = Path(folder)
        what = subject(given, place)
        sample = place / "sample.npz"
        np.savez(sample, **what.sample, **{f"y{i}": value for i, value in enumerate(what.wanted)})
        try:
            for row in rows:
                worker = start(row.driver, what, sample, place / row.driver, row)
                if worker is not None:
                    workers[row.driver] = worker
            for worker in workers.values():
                worker.turn(keep=False)
            for turn in range(rounds):
                order = list(workers.values())
                first = turn % max(1, len(order))
                for worker in order[first:] + order[:first]:
                    worker.turn()
        finally:
            for worker in workers.values():
                worker.stop()
    for row in rows:
        if row.driver in workers:
            _fill(row, workers[row.driver])
    return rows


def _fill(row: Row, worker: Worker) -> None:
    row.p50_us, row.p99_us = (_quantile(worker.inside, q) / 1e3 for q in (0.5, 0.99))
    row.jitter_us = row.p99_us - row.p50_us
    row.queue_us = _quantile(worker.through, 0.5) / 1e3 - row.p50_us
    row.load_ms, row.error = worker.facts["load_ms"], worker.facts["error"]
    row.memory_mb, row.mapped_mb = (worker.facts[key] * 1024 / 1e6 for key in ("memory_kb", "mapped_kb"))


def _quantile(turns: Sequence[Sequence[float]], q: float) -> float:
    if min(map(len, turns)) >= ENOUGH:
        return over_rounds(turns, q)
    return quantile([value for turn in turns for value in turn], q)


_HEAD = (
    f"{'driver':<12}{'p50 us':>10}{'p99 us':>10}{'jitter':>9}{'queue us':>10}{'load ms':>9}"
    f"{'memory MB':>11}{'mapped MB':>11}{'artefact MB':>13}{'runtime MB':>12}{'error':>10}"
)


def show(given: str, rows: Sequence[Row]) -> None:
    """The table."""
    print(f"{given}: one core, one thread\n\n{_HEAD}")
    for row in sorted((row for row in rows if row.why is None), key=lambda row: row.p50_us):
        print(
            f"{row.driver:<12}{row.p50_us:>10.1f}{row.p99_us:>10.1f}{row.jitter_us:>9.1f}{row.queue_us:>10.1f}"
            f"{row.load_ms:>9.0f}{row.memory_mb:>11.1f}{row.mapped_mb:>11.1f}{row.artefact_mb:>13.2f}"
            f"{row.runtime_mb:>12.0f}{row.error:>10.1e}"
        )
    for row in rows:
        if row.why is not None:
            print(f"{row.driver:<12}  {row.why}")
    if lacking := [row.driver for row in rows if row.missing]:
        print(f"\nnot installed: {', '.join(lacking)}; for all of them, in the checkout: {INSTALL}")


def main() -> int:
    made = parser(__doc__ or "")
    made.add_argument("model", nargs="?", default="mlp", help="mlp, flow_head, resnet, or an ONNX file")
    made.add_argument("--only", action="append", choices=list(ROUTES), help="only this driver; repeatable")
    made.add_argument("--out", type=Path, help="also write drivers.json here")
    args = made.parse_args()
    try:
        rows = measure(args.model, args.only or list(ROUTES), 3 if args.quick else 40)
    except ModuleNotFoundError as problem:  # of what makes the model's ONNX file
        raise SystemExit(f"error: {problem}; in the checkout: {INSTALL}") from None
    ran = [row for row in rows if row.why is None]
    figures = [Figure("largest error", largest((row.error for row in ran), 1.0) * 1e6, "ppm", 1000)]
    if not args.only:
        least = 4 if args.model in MODELS else 1
        figures.append(Figure("drivers that ran it", len(ran), "", least, at_least=True))
    found = {"model": args.model, "drivers": [asdict(row) for row in rows]}
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "drivers.json").write_text(json.dumps(found, indent=1) + "\n")
    if args.json:
        print(json.dumps(found, indent=1))
    else:
        show(args.model, rows)
        print()
        print(*figures, sep="\n")
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
