"""ONNX models with random weights: a ResNet-18, and a step of a decoder with a KV cache."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save


class Graph:
    """Collects nodes and weights; every method gives the name of what it makes."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def weight(self, *shape: int) -> str:
        """Random weights that neither grow nor shrink what goes through them."""
        fan = int(np.prod(shape[1:])) if len(shape) > 1 else shape[0]
        return self.constant((self._rng.standard_normal(shape) / np.sqrt(fan)).astype(np.float32))

    def constant(self, array: Any) -> str:
        """A tensor of the graph."""
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """A node with one output."""
        name = name or f"t{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def save(self, path: Path, inputs: Any, outputs: Any) -> Path:
        """Write the model; `inputs` and `outputs` are (name, shape, ONNX type)."""
        values = [
            [helper.make_tensor_value_info(name, kind, list(shape)) for name, shape, kind in group]
            for group in (inputs, outputs)
        ]
        graph = helper.make_graph(self._nodes, path.stem, *values, self._constants)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
        return path


def resnet18(path: Path, size: int = 224) -> Path:
    """As in torchvision, its normalisations folded into the convolutions; the batch is left open."""
    graph = Graph()

    def conv(x: str, into: int, out: int, kernel: int, stride: int) -> str:
        pads = [kernel // 2] * 4
        weights = graph.weight(out, into, kernel, kernel), graph.weight(out)
        return graph.node("Conv", x, *weights, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=pads)

    x = graph.node("Relu", conv("image", 3, 64, 7, 2))
    x = graph.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    into = 64
    for out, first in ((64, 1), (128, 2), (256, 2), (512, 2)):
        for stride in (first, 1):
            y = graph.node("Relu", conv(x, into, out, 3, stride))
            y = conv(y, out, out, 3, 1)
            x = x if (into, stride) == (out, 1) else conv(x, into, out, 1, stride)
            x, into = graph.node("Relu", graph.node("Add", y, x)), out
    x = graph.node("Flatten", graph.node("GlobalAveragePool", x))
    graph.node("Gemm", x, graph.weight(1000, 512), graph.weight(1000), name="scores", transB=1)
    image = ("image", ("batch", 3, size, size), TensorProto.FLOAT)
    return graph.save(path, [image], [("scores", ("batch", 1000), TensorProto.FLOAT)])


def decoder(path: Path, layers: int = 2, width: int = 256, heads: int = 4, length: int = 128) -> Path:
    """One step of a decoder: a token's embedding and its position in, a row written into each cache."""
    graph, each = Graph(), width // heads
    cache = (layers, heads, length, each)
    column = graph.constant(np.arange(length, dtype=np.int64))
    here = graph.node(
        "Reshape", graph.node("Equal", column, "position"), graph.constant(np.int64([1, length, 1]))
    )
    after = graph.node(
        "Reshape", graph.node("Greater", column, "position"), graph.constant(np.int64([1, 1, length]))
    )
    masked = graph.node("Where", after, graph.constant(np.float32(-1e9)), graph.constant(np.float32(0)))

    def split(x: str) -> str:
        return graph.node("Reshape", x, graph.constant(np.int64([heads, 1, each])))

    def linear(x: str, out: int, into: int = width) -> str:
        return graph.node("MatMul", x, graph.weight(into, out))

    def norm(x: str) -> str:
        return graph.node("LayerNormalization", x, graph.constant(np.ones(width, np.float32)))

    x, rows = "token", dict[str, list[str]](keys=[], values=[])
    for layer in range(layers):
        h, past = norm(x), {}
        for name in rows:
            index = graph.constant(np.int64(layer))
            old = graph.node("Gather", name, index, axis=0)
            past[name] = graph.node("Where", here, split(linear(h, width)), old)
            rows[name].append(graph.node("Unsqueeze", past[name], graph.constant(np.int64([0]))))
        scores = graph.node(
            "MatMul", split(linear(h, width)), graph.node("Transpose", past["keys"], perm=[0, 2, 1])
        )
        scaled = graph.node("Mul", scores, graph.constant(np.float32(each**-0.5)))
        weights = graph.node("Softmax", graph.node("Add", scaled, masked), axis=-1)
        seen = graph.node(
            "Reshape", graph.node("MatMul", weights, past["values"]), graph.constant(np.int64([1, width]))
        )
        x = graph.node("Add", x, linear(seen, width))
        up = graph.node("Relu", linear(norm(x), 4 * width))
        x = graph.node("Add", x, linear(up, width, 4 * width))
    for name, parts in rows.items():
        graph.node("Concat", *parts, name=f"new_{name}", axis=0)
    graph.node("Identity", x, name="hidden")
    outputs: Sequence[Any] = [("hidden", (1, width), TensorProto.FLOAT)]
    caches = [(name, cache, TensorProto.FLOAT) for name in rows]
    inputs = [("token", (1, width), TensorProto.FLOAT), ("position", (1,), TensorProto.INT64), *caches]
    return graph.save(path, inputs, [*outputs, *((f"new_{name}", *rest) for name, *rest in caches)])
