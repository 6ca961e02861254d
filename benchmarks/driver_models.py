"""The models of `polyrhythm bench drivers`, written once for every framework.

A model is a function of operations, weights and inputs. What the operations do is for the framework to say:
`Reference` computes in float64, `Jax` in JAX (and so makes StableHLO), `Onnx` writes down nodes, `Torch`
computes in PyTorch (and so makes what its exporters take).

==========  ==========================================================================================
mlp         64-256-256-8 with relu
flow_head   one Euler step of System 1 of `examples/dual_system`, with its trained weights: 3 layers of
            self- and cross-attention over 16 ticks
resnet      ResNet-18 (arXiv 1512.03385) on one picture of 224 x 224, random weights, normalisation folded
==========  ==========================================================================================

The dialect is narrow on purpose: what every converter takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import pi, sqrt
from pathlib import Path
from typing import Any, Protocol

import numpy as np

EXAMPLE = Path(__file__).parents[1] / "examples" / "dual_system" / "bundle" / "dit.safetensors"
Weights = Mapping[str, np.ndarray]
Shape = tuple[int, ...]


class Operations(Protocol):
    """What a framework brings; values are its own, constants are NumPy arrays."""

    def constant(self, value: np.ndarray, name: str = "") -> Any: ...
    def add(self, a: Any, b: Any) -> Any: ...
    def subtract(self, a: Any, b: Any) -> Any: ...
    def multiply(self, a: Any, b: Any) -> Any: ...
    def divide(self, a: Any, b: Any) -> Any: ...
    def matmul(self, a: Any, b: Any) -> Any: ...
    def relu(self, x: Any) -> Any: ...
    def tanh(self, x: Any) -> Any: ...
    def sigmoid(self, x: Any) -> Any: ...
    def sqrt(self, x: Any) -> Any: ...
    def cos(self, x: Any) -> Any: ...
    def sin(self, x: Any) -> Any: ...
    def softmax(self, x: Any) -> Any:
        """Over the last axis."""

    def mean(self, x: Any) -> Any:
        """Over the last axis, which stays."""

    def reshape(self, x: Any, shape: Shape) -> Any: ...
    def transpose(self, x: Any, axes: Shape) -> Any: ...
    def slice(self, x: Any, axis: int, start: int, stop: int) -> Any: ...
    def concatenate(self, xs: Sequence[Any], axis: int) -> Any: ...
    def convolve(self, x: Any, weight: Any, bias: Any, stride: int, pad: int) -> Any:
        """Of x ``[1, c, h, w]`` with weight ``[o, c, k, k]``."""

    def pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        """The largest of ``size x size`` pixels of x ``[1, c, h, w]``."""

    def average(self, x: Any) -> Any:
        """x ``[1, c, h, w]`` -> ``[1, c, 1, 1]``."""


@dataclass(frozen=True)
class Model:
    """A model of one output, which is called ``y``; all tensors are float32."""

    name: str
    inputs: Mapping[str, Shape]
    weights: Weights
    function: Callable[..., Any]

    def sample(self, seed: int = 0) -> dict[str, np.ndarray]:
        """Inputs drawn at random."""
        rng = np.random.default_rng(seed)
        return {name: rng.normal(size=shape).astype(np.float32) for name, shape in self.inputs.items()}

    def run(self, operations: Operations, values: Mapping[str, Any]) -> Any:
        """Its output for inputs that are the framework's own values."""
        weights = {name: operations.constant(value, name) for name, value in self.weights.items()}
        return self.function(operations, weights, **values)

    def reference(self, sample: Mapping[str, np.ndarray]) -> np.ndarray:
        """Its output, computed in float64."""
        found: np.ndarray = self.run(Reference(), {n: v.astype(np.float64) for n, v in sample.items()})
        return found


# --- the models -----------------------------------------------------------------------------------


def _linear(o: Operations, w: Mapping[str, Any], name: str, x: Any) -> Any:
    return o.add(o.matmul(x, w[f"{name}.w"]), w[f"{name}.b"])


def _number(o: Operations, value: float) -> Any:
    return o.constant(np.array([value], np.float32))


def _mlp(o: Operations, w: Mapping[str, Any], x: Any) -> Any:
    for name in ("in", "middle"):
        x = o.relu(_linear(o, w, name, x))
    return _linear(o, w, "out", x)


def mlp() -> Model:
    rng, weights = np.random.default_rng(0), {}
    for name, n, m in (("in", 64, 256), ("middle", 256, 256), ("out", 256, 8)):
        weights[f"{name}.w"] = (rng.normal(size=(n, m)) * n**-0.5).astype(np.float32)
        weights[f"{name}.b"] = (rng.normal(size=m) * 0.1).astype(np.float32)
    return Model("mlp", {"x": (1, 64)}, weights, _mlp)


HEADS, LAYERS, WIDTH, TICKS, ACTION, CONTEXT, MODULATION = 4, 3, 96, 16, 4, 12, 4
_DT = 0.2


def _normalise(o: Operations, x: Any) -> Any:
    centred = o.subtract(x, o.mean(x))
    variance = o.mean(o.multiply(centred, centred))
    return o.divide(centred, o.sqrt(o.add(variance, _number(o, 1e-5))))


def _gelu(o: Operations, x: Any) -> Any:
    cubic = o.multiply(o.multiply(x, o.multiply(x, x)), _number(o, 0.044715))
    inner = o.multiply(o.add(x, cubic), _number(o, sqrt(2 / pi)))
    return o.multiply(o.multiply(x, _number(o, 0.5)), o.add(o.tanh(inner), _number(o, 1.0)))


def _attend(o: Operations, query: Any, key: Any, value: Any, n: int, m: int) -> Any:
    d = WIDTH // HEADS
    q = o.transpose(o.reshape(query, (n, HEADS, d)), (1, 0, 2))
    k = o.transpose(o.reshape(key, (m, HEADS, d)), (1, 2, 0))
    v = o.transpose(o.reshape(value, (m, HEADS, d)), (1, 0, 2))
    weights = o.softmax(o.multiply(o.matmul(q, k), _number(o, d**-0.5)))
    return o.reshape(o.transpose(o.matmul(weights, v), (1, 0, 2)), (n, WIDTH))


def _flow_head(o: Operations, w: Mapping[str, Any], cond: Any, x: Any, t: Any) -> Any:
    frequencies = np.geomspace(1.0, 100.0, 32).astype(np.float32)[None]
    angles = o.multiply(t, o.constant(frequencies))
    clock = _linear(o, w, "clock0", o.concatenate([o.cos(angles), o.sin(angles)], 1))
    clock = _linear(o, w, "clock1", o.multiply(clock, o.sigmoid(clock)))
    clock = o.reshape(clock, (MODULATION, WIDTH))
    tokens = o.add(_linear(o, w, "action_in", x), w["tick_position"])
    for i in range(LAYERS):
        layer = o.reshape(o.slice(cond, 0, i, i + 1), (2 * CONTEXT + MODULATION, WIDTH))
        key, value = o.slice(layer, 0, 0, CONTEXT), o.slice(layer, 0, CONTEXT, 2 * CONTEXT)
        modulation = o.add(o.slice(layer, 0, 2 * CONTEXT, 2 * CONTEXT + MODULATION), clock)
        shift1, scale1, shift2, scale2 = (o.slice(modulation, 0, r, r + 1) for r in range(MODULATION))
        h = o.add(o.multiply(_normalise(o, tokens), o.add(scale1, _number(o, 1.0))), shift1)
        qkv = _linear(o, w, f"layer{i}.self", h)
        q, k, v = (o.slice(qkv, 1, j * WIDTH, (j + 1) * WIDTH) for j in range(3))
        tokens = o.add(tokens, _linear(o, w, f"layer{i}.self_out", _attend(o, q, k, v, TICKS, TICKS)))
        q = _linear(o, w, f"layer{i}.query", _normalise(o, tokens))
        seen = _attend(o, q, key, value, TICKS, CONTEXT)
        tokens = o.add(tokens, _linear(o, w, f"layer{i}.context_out", seen))
        h = o.add(o.multiply(_normalise(o, tokens), o.add(scale2, _number(o, 1.0))), shift2)
        h = _linear(o, w, f"layer{i}.down", _gelu(o, _linear(o, w, f"layer{i}.up", h)))
        tokens = o.add(tokens, h)
    velocity = _linear(o, w, "action_out", _normalise(o, tokens))
    return o.add(x, o.multiply(velocity, _number(o, _DT)))


def flow_head() -> Model:
    """Its time is ``[1, 1]``: not every converter knows tensors without axes."""
    from safetensors.numpy import load_file

    used = ("clock", "action_in", "action_out", "tick_position", "layer")
    weights = {
        name: value
        for name, value in load_file(EXAMPLE).items()
        if name.startswith(used) and not name.endswith(("context.w", "context.b", "modulation"))
    }
    inputs = {"cond": (LAYERS, 2 * CONTEXT + MODULATION, WIDTH), "x": (TICKS, ACTION), "t": (1, 1)}
    return Model("flow_head", inputs, weights, _flow_head)


STAGES = (64, 128, 256, 512)


def _resnet(o: Operations, w: Mapping[str, Any], image: Any) -> Any:
    def convolve(name: str, x: Any, stride: int, pad: int) -> Any:
        return o.convolve(x, w[f"{name}.w"], w[f"{name}.b"], stride, pad)

    x = o.pool(o.relu(convolve("stem", image, 2, 3)), 3, 2, 1)
    for stage in range(len(STAGES)):
        for block in range(2):
            name = f"block{stage}{block}"
            stride = 2 if stage and not block else 1
            h = convolve(f"{name}.second", o.relu(convolve(f"{name}.first", x, stride, 1)), 1, 1)
            x = o.relu(o.add(h, convolve(f"{name}.skip", x, stride, 0) if stride > 1 else x))
    return _linear(o, w, "out", o.reshape(o.average(x), (1, STAGES[-1])))


def resnet() -> Model:
    rng, weights = np.random.default_rng(0), {}

    def draw(name: str, shape: Shape, inputs: int, scale: float = 1.0) -> None:
        weights[f"{name}.w"] = (rng.normal(size=shape) * scale * inputs**-0.5).astype(np.float32)
        outputs = shape[0] if len(shape) == 4 else shape[1]
        weights[f"{name}.b"] = (rng.normal(size=outputs) * 0.05).astype(np.float32)

    draw("stem", (64, 3, 7, 7), 147, 1.4)
    channels = 64
    for stage, width in enumerate(STAGES):
        for block in range(2):
            name = f"block{stage}{block}"
            draw(f"{name}.first", (width, channels, 3, 3), 9 * channels, 1.4)
            draw(f"{name}.second", (width, width, 3, 3), 9 * width, 0.5)
            if stage and not block:
                draw(f"{name}.skip", (width, channels, 1, 1), channels)
            channels = width
    draw("out", (512, 1000), 512)
    return Model("resnet", {"image": (1, 3, 224, 224)}, weights, _resnet)


MODELS: Mapping[str, Callable[[], Model]] = {"mlp": mlp, "flow_head": flow_head, "resnet": resnet}


# --- the frameworks -------------------------------------------------------------------------------


class _Arrays:
    """What NumPy and JAX have in common; `xp` is either."""

    xp: Any = np

    def constant(self, value: np.ndarray, name: str = "") -> Any:
        return value

    def __getattr__(self, name: str) -> Any:
        if name in ("add", "subtract", "multiply", "divide", "matmul", "tanh", "sqrt", "cos", "sin",
                    "reshape", "transpose"):  # fmt: skip
            return getattr(self.xp, name)
        raise AttributeError(name)

    def relu(self, x: Any) -> Any:
        return self.xp.maximum(x, 0)

    def sigmoid(self, x: Any) -> Any:
        return 1 / (1 + self.xp.exp(-x))

    def softmax(self, x: Any) -> Any:
        e = self.xp.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def mean(self, x: Any) -> Any:
        return x.mean(axis=-1, keepdims=True)

    def slice(self, x: Any, axis: int, start: int, stop: int) -> Any:
        return x[(slice(None),) * axis + (slice(start, stop),)]

    def concatenate(self, xs: Sequence[Any], axis: int) -> Any:
        return self.xp.concatenate(xs, axis)

    def average(self, x: Any) -> Any:
        return x.mean(axis=(2, 3), keepdims=True)


class Reference(_Arrays):
    """NumPy."""

    def convolve(self, x: Any, weight: Any, bias: Any, stride: int, pad: int) -> Any:
        windows = self._windows(x, weight.shape[-1], stride, pad, 0.0)
        return np.einsum("chwij,ocij->ohw", windows, weight, optimize=True)[None] + bias[:, None, None]

    def pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        return self._windows(x, size, stride, pad, -np.inf).max(axis=(3, 4))[None]

    @staticmethod
    def _windows(x: np.ndarray, size: int, stride: int, pad: int, fill: float) -> np.ndarray:
        padded = np.pad(x[0], ((0, 0), (pad, pad), (pad, pad)), constant_values=fill)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))
        return windows[:, ::stride, ::stride]


class Jax(_Arrays):
    """JAX. Pictures have their channels last, which IREE's convolutions want: see `picture`."""

    def __init__(self) -> None:
        import jax

        self.xp, self._lax = jax.numpy, jax.lax

    def convolve(self, x: Any, weight: Any, bias: Any, stride: int, pad: int) -> Any:
        made = self._lax.conv_general_dilated(
            x, weight, (stride, stride), [(pad, pad)] * 2, dimension_numbers=("NHWC", "OIHW", "NHWC")
        )
        return made + bias

    def picture(self, x: Any) -> Any:
        """An input as it is computed with."""
        return x.transpose(0, 2, 3, 1) if x.ndim == 4 else x

    def average(self, x: Any) -> Any:
        return x.mean(axis=(1, 2), keepdims=True)

    def pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        window, strides = (1, size, size, 1), (1, stride, stride, 1)
        padding = ((0, 0), (pad, pad), (pad, pad), (0, 0))
        return self._lax.reduce_window(x, -np.inf, self._lax.max, window, strides, padding)


class Onnx:
    """Nodes of an ONNX graph; a value is the name of one."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy = helper, numpy_helper
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self._numbers: dict[bytes, str] = {}

    def _node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, value: np.ndarray, name: str = "") -> str:
        if not name:
            key = value.dtype.str.encode() + repr(value.shape).encode() + value.tobytes()
            if key in self._numbers:
                return self._numbers[key]
            name = self._numbers[key] = f"c{len(self._numbers)}"
        self.initializers.append(self._numpy.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, a: str, b: str) -> str:
        return self._node("Add", a, b)

    def subtract(self, a: str, b: str) -> str:
        return self._node("Sub", a, b)

    def multiply(self, a: str, b: str) -> str:
        return self._node("Mul", a, b)

    def divide(self, a: str, b: str) -> str:
        return self._node("Div", a, b)

    def matmul(self, a: str, b: str) -> str:
        return self._node("MatMul", a, b)

    def relu(self, x: str) -> str:
        return self._node("Relu", x)

    def tanh(self, x: str) -> str:
        return self._node("Tanh", x)

    def sigmoid(self, x: str) -> str:
        return self._node("Sigmoid", x)

    def sqrt(self, x: str) -> str:
        return self._node("Sqrt", x)

    def cos(self, x: str) -> str:
        return self._node("Cos", x)

    def sin(self, x: str) -> str:
        return self._node("Sin", x)

    def softmax(self, x: str) -> str:
        return self._node("Softmax", x, axis=-1)

    def mean(self, x: str) -> str:
        return self._node("ReduceMean", x, axes=[-1], keepdims=1)

    def reshape(self, x: str, shape: Shape) -> str:
        return self._node("Reshape", x, self.constant(np.array(shape, np.int64)))

    def transpose(self, x: str, axes: Shape) -> str:
        return self._node("Transpose", x, perm=list(axes))

    def slice(self, x: str, axis: int, start: int, stop: int) -> str:
        return self._node("Slice", x, *(self.constant(np.array([v], np.int64)) for v in (start, stop, axis)))

    def concatenate(self, xs: Sequence[str], axis: int) -> str:
        return self._node("Concat", *xs, axis=axis)

    def convolve(self, x: str, weight: str, bias: str, stride: int, pad: int) -> str:
        return self._node("Conv", x, weight, bias, strides=[stride] * 2, pads=[pad] * 4)

    def pool(self, x: str, size: int, stride: int, pad: int) -> str:
        return self._node("MaxPool", x, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def average(self, x: str) -> str:
        return self._node("GlobalAveragePool", x)


def write_onnx(model: Model, path: Path) -> Path:
    """The model as an ONNX file (opset 13, which all converters read)."""
    from onnx import TensorProto, checker, helper, save_model, shape_inference

    operations = Onnx()
    result = model.run(operations, {name: name for name in model.inputs})
    operations.nodes[-1].output[0] = "y"
    assert result == operations.nodes[-1].name
    shape = model.reference(model.sample()).shape
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in model.inputs.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(operations.nodes, model.name, inputs, outputs, operations.initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    made = shape_inference.infer_shapes(made, strict_mode=True)
    checker.check_model(made, full_check=True)
    save_model(made, str(path))
    return path


@cache
def model(name: str) -> Model:
    """One of `MODELS`."""
    return MODELS[name]()
