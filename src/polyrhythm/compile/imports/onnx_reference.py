"""What the original gives, by ONNX Runtime in a process of its own (`onnx_probe`)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polyrhythm.bundle import Tensor
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.gate import Sample
from polyrhythm.compile.imports.onnx_model import Model
from polyrhythm.compile.iree_compiler import limited
from polyrhythm.compile.weights import numpy_dtype
from polyrhythm.manifest.diagnostics import printable

TIMEOUT_S = 300.0
_PROBE = Path(__file__).with_name("onnx_probe.py")
_NO_OPERATION = (
    re.compile(
        r"Could not find an implementation for (?P<kind>[\w.]+)\(\d+\) node with name '(?P<node>.*?)'"
    ),
    re.compile(r"Fatal error: (?P<kind>[\w.:]+)\(-?\d+\) is not a registered function/op"),
    re.compile(r"No Op registered for (?P<kind>\w+)"),
)


@dataclass(frozen=True)
class Reference:
    """What the original gave.

    `outputs` has a tuple of arrays for every sample, `loaded_bytes` and `first_bytes` are what the process
    grew by while it loaded the model and at the first call.
    """

    outputs: Sequence[tuple[np.ndarray, ...]]
    loaded_bytes: int
    first_bytes: int


def reference(model: Model, inputs: Sequence[Tensor], samples: Sequence[Sample], work: Path) -> Reference:
    """Run the file of `model` on `samples` (by the names of `inputs`, which are in the order of the graph).

    Raises:
        BuildError: PI016, PI017.
    """
    given, results = work / "samples.npz", work / "results.npz"
    arrays = {
        f"{number}.{index}": _bits(sample[tensor.name], tensor.dtype)
        for number, sample in enumerate(samples)
        for index, tensor in enumerate(inputs)
    }
    np.savez(given, **arrays)  # type: ignore[arg-type]
    asked = {
        "model": str(model.path.resolve()), "weight_bytes": model.weight_bytes,
        "samples": str(given), "count": len(samples), "results": str(results),
    }  # fmt: skip
    command = [sys.executable, str(_PROBE)]
    try:
        status, said, complaints = limited(command, work, TIMEOUT_S, json.dumps(asked) + "\n")
    except subprocess.TimeoutExpired:
        raise _does_not_run(model, f"{len(samples)} calls took more than {TIMEOUT_S:g} s") from None
    if status:
        last = complaints.strip().splitlines()[-1:] or [f"status {status}"]
        raise _does_not_run(model, f"ONNX Runtime ended with it: {last[0][:200]}")
    answer = json.loads(said.strip().splitlines()[-1])
    if "error" in answer:
        raise _refused(model, answer)
    with np.load(results) as found:
        outputs = [
            tuple(
                _numbers(found[f"{number}.{index}"], port.dtype) for index, port in enumerate(model.outputs)
            )
            for number in range(len(samples))
        ]
    return Reference(outputs, max(0, answer["loaded_bytes"]), max(0, answer["first_bytes"]))


def _bits(array: np.ndarray, dtype: str) -> np.ndarray:
    """An array as files of NumPy hold it."""
    return array.view(np.uint16) if dtype == "bf16" else array


def _numbers(array: np.ndarray, dtype: str) -> np.ndarray:
    """What such a file holds, as numbers."""
    return array.view(numpy_dtype(dtype)) if dtype == "bf16" else array


def output_shapes(model: Model, found: Reference) -> list[tuple[int, ...]]:
    """The shapes of the outputs, which are the same whatever is in the inputs.

    Raises:
        BuildError: PI015, one for each output of which that is not so.
    """
    problems, shapes = [], []
    for index, port in enumerate(model.outputs):
        seen = list(dict.fromkeys(outputs[index].shape for outputs in found.outputs))
        if len(seen) > 1 or 0 in seen[0]:
            what = "is empty" if len(seen) == 1 else "depends on what is in the inputs"
            message = (
                f"the shape of output {printable(port.name)!r} {what}: {', '.join(map(str, map(list, seen)))}"
            )
            allowed, mend = (
                "the same shape at every call",
                "cut the model before the operation that decides it",
            )
            problems.append(problem("PI015", model.path, message, None, allowed, mend))
        shapes.append(seen[0])
    if problems:
        raise BuildError(*problems)
    return shapes


def _refused(model: Model, answer: Mapping[str, str]) -> BuildError:
    said = " ".join(answer["error"].split())
    for pattern in _NO_OPERATION:
        if (match := pattern.search(said)) is not None:
            kind, node = match["kind"].replace(":", "."), match.groupdict().get("node")
            message = f"ONNX Runtime has no operation {kind!r}" + (
                f" (node {printable(node)!r})" if node else ""
            )
            mend = "export the model without it, or install an ONNX Runtime that has it"
            return BuildError(
                problem("PI016", model.path, message, kind, "operations of ONNX and of ONNX Runtime", mend)
            )
    doing = "does not load it" if answer["stage"] == "load" else "fails with it on random inputs"
    return _does_not_run(model, f"ONNX Runtime {doing}: {said[:400]}")


def _does_not_run(model: Model, reason: str) -> BuildError:
    allowed = "a model that ONNX Runtime runs"
    mend = "other shapes may help (`--shape NAME=...`), or inputs that are not random (`--sample NAME=3`)"
    return BuildError(problem("PI017", model.path, reason, None, allowed, mend))
