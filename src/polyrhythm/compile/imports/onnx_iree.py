"""An ONNX model as a module of IREE: through the compiler's own ONNX front end, with its weights outside.

The large tensors of weights become leading inputs of the graph, so that they never pass through MLIR; the
rest is as for every other front end (`polyrhythm.compile.source`). Every tool runs in a process of its own,
with limits on its time and memory.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle import Tensor
from polyrhythm.compile.codes import BuildError
from polyrhythm.compile.imports.onnx_model import Model, nodes
from polyrhythm.compile.iree_compiler import Refused, compiler_path, limited
from polyrhythm.compile.machine import compile_here
from polyrhythm.compile.source import Lowered, merge
from polyrhythm.compile.weights import as_arrays
from polyrhythm.compile.written import Parts

ENTRY = "main"
TIMEOUT_S = 300.0
#: Tensors of weights with fewer numbers stay in the graph: bounds, scales, epsilons.
_SMALL = 64
_FLOATS = (1, 10, 11, 16)
_BRANCHES = ("If", "Loop", "Scan")
#: From ONNX operations to loops over plain tensors.
_PASSES = (
    "builtin.module(torch-onnx-to-torch-backend-pipeline,torch-backend-to-linalg-on-tensors-backend-pipeline,"
    "func.func(torch-iree-tm-tensor-to-linalg-ext,canonicalize,cse))"
)


class NotTaken(Exception):
    """IREE does not take the model; the message says why, in a sentence without a full stop."""


def blockers(model: Model, inputs: Sequence[Tensor]) -> Iterator[str]:
    """Why a model is not even tried with IREE, in sentences without a full stop."""
    for node in nodes(model.proto.graph):
        if node.op_type in _BRANCHES and node.domain in ("", "ai.onnx"):
            yield f"it decides while it runs ({node.op_type}), and IREE would wait for the host each time"
    for tensor in inputs:
        if tensor.dtype[0] == "u":
            yield f"input {tensor.name} is {tensor.dtype}, and IREE's ONNX front end has signed numbers only"


def make(
    model: Model, inputs: Sequence[Tensor], outputs: Sequence[Tensor], work: Path
) -> tuple[Parts, dict[str, np.ndarray]]:
    """Compile a model with fixed shapes for this machine; returns what `pipeline` writes, and its weights.

    Raises:
        NotTaken: it is not imported, or not compiled.
    """
    proto, arrays = _apart(model)
    text = _lower(proto, work)
    lowered = {ENTRY: Lowered(text, list(arrays), list(inputs), [tensor.name for tensor in outputs])}
    try:
        source, made = _compiled(lowered, arrays, model.path.name)
    except BuildError as error:
        raise NotTaken(f"IREE does not compile it: {_first(error)}") from None
    found = source.outputs[ENTRY]
    if found != tuple(outputs):
        differs = next(f"{a.name} {a} for {b}" for a, b in zip(found, outputs, strict=True) if a != b)
        raise NotTaken(f"IREE makes another shape of an output: {differs}")
    return Parts(lowered, source, made), arrays


def _compiled(lowered: Mapping[str, Lowered], arrays: Mapping[str, np.ndarray], where: str) -> Any:
    source = merge(lowered, arrays, where=where)
    try:
        return source, compile_here(source.text, where=where)
    except Refused:
        # Not every graph can have its scratch from the caller.
        source = merge(lowered, arrays, where=where, without_scratch=frozenset(lowered))
        return source, compile_here(source.text, where=where)


def _apart(model: Model) -> tuple[Any, dict[str, np.ndarray]]:
    """The model with its weights as leading inputs, and the weights by name."""
    import onnx
    from onnx import numpy_helper

    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    if model.data:
        onnx.load_external_data_for_model(proto, str(model.path.parent))
    graph = proto.graph
    weights = [
        tensor
        for tensor in graph.initializer
        if tensor.data_type in _FLOATS and np.prod(tensor.dims, dtype=np.int64) >= _SMALL
    ]
    given = [value for value in graph.input if value.name not in {t.name for t in graph.initializer}]
    kept = [tensor for tensor in graph.initializer if not any(tensor is weight for weight in weights)]
    leading = [onnx.helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)) for t in weights]
    arrays: dict[str, np.ndarray] = {}
    for tensor in weights:
        arrays[_name(tensor.name, arrays)] = numpy_helper.to_array(tensor)
    ordered = [value for _, value in sorted(zip(arrays, leading, strict=True), key=lambda item: item[0])]
    inputs, constants = [*ordered, *given], list(kept)
    copies = [onnx.ValueInfoProto.FromString(value.SerializeToString()) for value in inputs]
    tensors = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in constants]
    del graph.input[:], graph.initializer[:]
    graph.input.extend(copies)
    graph.initializer.extend(tensors)
    graph.name = ENTRY
    return proto, as_arrays(arrays, model.path.name)


def _name(name: str, taken: Collection[str]) -> str:
    """A name that weights can be stored under, and that none has yet."""
    plain = "".join(c if c.isprintable() and c not in '"\\' else "_" for c in name)
    plain = (plain.lstrip("_") if plain.startswith("__") else plain) or "weight"
    return next(found for n in count(1) if (found := plain if n == 1 else f"{plain}_{n}") not in taken)


def _lower(proto: Any, work: Path) -> str:
    """The graph as a function `main` on plain tensors.

    Raises:
        NotTaken: see `make`.
    """
    (work / "model.onnx").write_bytes(proto.SerializeToString())
    importer = [sys.executable, "-m", "iree.compiler.tools.import_onnx", "model.onnx", "-o", "torch.mlir"]
    _step("import", importer, work)
    lowering = [
        str(compiler_path("iree-opt")),
        "torch.mlir",
        f"--pass-pipeline={_PASSES}",
        "-o",
        "plain.mlir",
    ]
    _step("lower", lowering, work)
    # `merge` sets how visible a function is, which has to be there to be set.
    return (work / "plain.mlir").read_text().replace("func.func @", "func.func public @")


def _step(doing: str, command: list[str], work: Path) -> None:
    try:
        status, _, complaints = limited(command, work, TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise NotTaken(f"IREE took more than {TIMEOUT_S:g} s to {doing} it") from None
    if status:
        raise NotTaken(f"IREE does not {doing} it: {_complaint(complaints, status)}")


def _complaint(text: str, status: int) -> str:
    lines = [line.strip() for line in text.splitlines() if "error:" in line or "Error" in line]
    said = lines[0].partition("error: ")[2] or lines[0] if lines else f"it ended with status {status}"
    return said[:200]


def _first(error: BuildError) -> str:
    said = error.diagnostics[0].message.splitlines()
    line = next((line for line in said if "error:" in line), said[0])
    return (line.partition("error: ")[2] or line).strip()[:200]
