"""The entries of the conformance suite as ONNX files, one each; needs the package `onnx`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from polyrhythm.hal.conformance.kit import F64, GAIN, NEGATIVE, SQUARE

_TYPES = {"f32": TensorProto.FLOAT, "i32": TensorProto.INT32}


def write(folder: Path, *, loops: bool = True) -> dict[str, Path]:
    """Write `add`, `two`, `twice` and `grind`; their paths by name.

    Nothing is updated in place in ONNX, so there is no `step`. Without `loops` the products of `grind` are
    written out, as in `polyrhythm.hal.conformance.GRIND_LONG`.
    """
    graphs = {"add": _add(), "two": _two(), "twice": _twice(), "grind": _grind() if loops else _grind_long()}
    paths = {}
    for name, graph in graphs.items():
        paths[name] = folder / f"{name}.onnx"
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        save(model, str(paths[name]))
    return paths


def value(name: str, dtype: str, shape: tuple[int, ...]) -> Any:
    """A declared tensor."""
    return helper.make_tensor_value_info(name, _TYPES[dtype], list(shape))


def constant(name: str, array: Any) -> Any:
    """An initializer."""
    return numpy_helper.from_array(np.asarray(array), name)


def _add() -> Any:
    nodes = [helper.make_node("Add", ["a", "b"], ["sum"])]
    return helper.make_graph(
        nodes, "add", [value("a", "f32", F64), value("b", "f32", F64)], [value("sum", "f32", F64)]
    )


def _two() -> Any:
    nodes = [
        helper.make_node("Add", ["x", "one"], ["next"]),
        helper.make_node("Mul", ["next", "gain"], ["common"]),
        helper.make_node("Add", ["common", "x"], ["first"]),
        helper.make_node("Add", ["common", "y"], ["second"]),
    ]
    return helper.make_graph(
        nodes, "two", [value("x", "f32", F64), value("y", "f32", F64)],
        [value("first", "f32", F64), value("second", "f32", F64)],
        [constant("one", np.float32(1)), constant("gain", np.full(64, GAIN, np.float32))],
    )  # fmt: skip


def _twice() -> Any:
    """A negative angle becomes an index that is not there; the error tells the node's name."""
    nodes = [
        helper.make_node("Min", ["angle", "zero"], ["below"]),
        helper.make_node("Mul", ["below", "two"], ["index"]),
        helper.make_node("Gather", ["zeros", "index"], ["nothing"], name=NEGATIVE),
        helper.make_node("Add", ["angle", "angle"], ["doubled"]),
        helper.make_node("Add", ["doubled", "nothing"], ["double"]),
    ]
    constants = [
        constant("zero", np.int32(0)), constant("two", np.int32(2)), constant("zeros", np.zeros(1, np.int32)),
    ]  # fmt: skip
    return helper.make_graph(
        nodes, "twice", [value("angle", "i32", ())], [value("double", "i32", ())], constants
    )


def _grind() -> Any:
    body = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "before"], ["after"]),
            helper.make_node("Identity", ["go"], ["on"]),
        ],
        "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, []),
         helper.make_tensor_value_info("go", TensorProto.BOOL, []), value("before", "f32", SQUARE)],
        [helper.make_tensor_value_info("on", TensorProto.BOOL, []), value("after", "f32", SQUARE)],
    )  # fmt: skip
    nodes = [
        helper.make_node("Cast", ["count"], ["trips"], to=TensorProto.INT64),
        helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body),
    ]
    return helper.make_graph(
        nodes, "grind", [value("x", "f32", SQUARE), value("count", "i32", ())], [value("y", "f32", SQUARE)]
    )


def _grind_long() -> Any:
    names = ["x", *(f"y{i}" for i in range(29)), "y"]
    nodes = [helper.make_node("MatMul", ["x", before], [after]) for before, after in pairwise(names)]
    return helper.make_graph(nodes, "grind", [value("x", "f32", SQUARE)], [value("y", "f32", SQUARE)])
