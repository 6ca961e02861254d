"""Small ONNX models, one for each thing that an import has to deal with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

RNG = np.random.default_rng(0)
_TYPES = {
    "f32": TensorProto.FLOAT,
    "i64": TensorProto.INT64,
    "u8": TensorProto.UINT8,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "bool": TensorProto.BOOL,
}


def value(name: str, shape: Sequence[int | str | None] | None, dtype: str = "f32") -> Any:
    """A declared tensor."""
    return helper.make_tensor_value_info(name, _TYPES[dtype], shape)


def weight(name: str, *shape: int) -> Any:
    """A tensor of weights."""
    return numpy_helper.from_array((RNG.standard_normal(shape) * 0.1).astype(np.float32), name)


def constant(name: str, array: Any) -> Any:
    """A tensor that is no weight."""
    return numpy_helper.from_array(np.asarray(array), name)


def model(
    nodes: Sequence[Any],
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    constants: Sequence[Any] = (),
    **more: Any,
) -> Any:
    """A model of one graph."""
    graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
    more.setdefault("opset_imports", [helper.make_opsetid("", 17)])
    return helper.make_model(graph, ir_version=9, producer_name="tests", **more)


def root() -> Any:
    """The square root of a negative number, unless it is told what is in `x`."""
    nodes = [helper.make_node("ReduceMin", ["x"], ["least"]), helper.make_node("Sqrt", ["least"], ["y"])]
    return model(nodes, [value("x", [64])], [value("y", [1])])


def mlp(batch: int | str = 1) -> Any:
    """64 -> 32 -> 4."""
    nodes = [
        helper.make_node("MatMul", ["obs", "layer.0/w"], ["h"]),
        helper.make_node("Tanh", ["h"], ["a"]),
        helper.make_node("MatMul", ["a", "layer.1/w"], ["action"]),
    ]
    return model(
        nodes, [value("obs", [batch, 64])], [value("action", [batch, 4])],
        [weight("layer.0/w", 64, 32), weight("layer.1/w", 32, 4)],
    )  # fmt: skip


def two_named_axes() -> Any:
    """Two inputs that have to have the same length, under names that no link can carry."""
    nodes = [helper.make_node("Add", ["in:0", "/in/1"], ["out put"])]
    return model(
        nodes, [value("in:0", [1, "time"]), value("/in/1", [1, "time"])], [value("out put", [1, "time"])]
    )


def branch() -> Any:
    """`If`, as voice detectors have it for their two sample rates."""
    branches = {
        name: helper.make_graph([helper.make_node(kind, ["x", "x"], [name])], name, [], [value(name, [4])])
        for name, kind in (("sum", "Add"), ("product", "Mul"))
    }
    nodes = [
        helper.make_node("If", ["fast"], ["y"], then_branch=branches["sum"], else_branch=branches["product"])
    ]
    return model(nodes, [value("x", [4]), value("fast", [], "bool")], [value("y", [4])])


def text() -> Any:
    """An input of strings."""
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    info = [helper.make_tensor_value_info(name, TensorProto.STRING, [1]) for name in "xy"]
    return model(nodes, info[:1], info[1:])


def unknown(domain: str = "com.vendor") -> Any:
    """An operation that is nobody's."""
    nodes = [helper.make_node("Levitate", ["x"], ["y"], domain=domain, name="up")]
    imports = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return model(nodes, [value("x", [4])], [value("y", [4])], opset_imports=imports)


def depends() -> Any:
    """An output as long as there are numbers above 0."""
    nodes = [
        helper.make_node("Greater", ["x", "zero"], ["above"]),
        helper.make_node("NonZero", ["above"], ["where"]),
    ]
    return model(
        nodes, [value("x", [16])], [value("where", [1, None], "i64")], [constant("zero", np.float32(0))]
    )


def fails() -> Any:
    """Looks up what may not be there: an index of up to 7 among 2."""
    nodes = [helper.make_node("Gather", ["table", "token"], ["row"], name="lookup")]
    return model(nodes, [value("token", [8], "i64")], [value("row", [8, 4])], [weight("table", 2, 4)])


def unsigned() -> Any:
    """An image of bytes."""
    nodes = [helper.make_node("Cast", ["image"], ["y"], to=TensorProto.FLOAT)]
    return model(nodes, [value("image", [1, 8, 8, 3], "u8")], [value("y", [1, 8, 8, 3])])


def half() -> Any:
    """Numbers up to 65504."""
    return model([helper.make_node("Neg", ["x"], ["y"])], [value("x", [4], "f16")], [value("y", [4], "f16")])


def brain() -> Any:
    """bf16 goes in, bf16 and f32 come out."""
    nodes = [
        helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT),
        helper.make_node("Tanh", ["wide"], ["y"]),
        helper.make_node("Cast", ["y"], ["z"], to=TensorProto.BFLOAT16),
    ]
    return model(nodes, [value("x", [4], "bf16")], [value("y", [4]), value("z", [4], "bf16")])


def many(count: int, extent: int) -> Any:
    """So many inputs, the largest of them at every place."""
    names = [f"x{index}" for index in range(count)]
    inputs = [value(name, [extent]) for name in names]
    return model([helper.make_node("Max", names, ["y"])], inputs, [value("y", [extent])])


def write(proto: Any, path: Path, *, external: str | None = None) -> Path:
    """Write a model, its weights in a file of their own if `external` names one."""
    if external is None:
        save(proto, str(path))
    else:
        save(
            proto, str(path), save_as_external_data=True, all_tensors_to_one_file=True, location=external,
            size_threshold=0,
        )  # fmt: skip
    return path
