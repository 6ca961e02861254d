"""The operations of `driver_models` in TensorFlow Lite.

Pictures have their channels last there: a value of four axes is kept like that, and its shape as the model
has it. Every value carries an array of its shape, computed in NumPy, so that shapes follow by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from driver_models import Model, Reference, Shape
from tflite_file import TfliteFile, schema

_LAST, _FIRST = (0, 2, 3, 1), (0, 3, 1, 2)
_VALID = schema.Padding.VALID


@dataclass(frozen=True)
class Value:
    """A tensor of the file, and an array of its shape."""

    number: int | None
    array: np.ndarray
    #: What it is, if that is known; it becomes a tensor when it is used as it is.
    name: str | None = None


class Tflite:
    """See `driver_models.Operations`."""

    def __init__(self, file: TfliteFile) -> None:
        self.file, self._reference = file, Reference()
        #: By the identity of the array, which is kept so that it stays the only one of that identity.
        self._constants: dict[int, tuple[np.ndarray, int]] = {}

    def input(self, name: str, shape: Shape) -> tuple[int, Value]:
        """An input: the tensor of the file, and its value."""
        number, array = self.file.tensor(name, shape), np.zeros(shape, np.float32)
        if len(shape) < 4:
            return number, Value(number, array)
        return number, self._made("TRANSPOSE", [number, self._numbers(_LAST)], array)

    def constant(self, value: np.ndarray, name: str = "") -> Value:
        return Value(None, value, name)

    def add(self, a: Value, b: Value) -> Value:
        return self._made("ADD", [self._number(a), self._number(b)], self._reference.add(a.array, b.array))

    def subtract(self, a: Value, b: Value) -> Value:
        return self._made(
            "SUB", [self._number(a), self._number(b)], self._reference.subtract(a.array, b.array)
        )

    def multiply(self, a: Value, b: Value) -> Value:
        return self._made(
            "MUL", [self._number(a), self._number(b)], self._reference.multiply(a.array, b.array)
        )

    def divide(self, a: Value, b: Value) -> Value:
        return self._made("DIV", [self._number(a), self._number(b)], a.array + b.array)

    def matmul(self, a: Value, b: Value) -> Value:
        array = self._reference.matmul(a.array, b.array)
        if b.name is None:
            return self._made("BATCH_MATMUL", [self._number(a), self._number(b)], array)
        weight = self.file.constant(f"w{len(self.file.shapes)}", b.array.T)
        return self._made("FULLY_CONNECTED", [self._number(a), weight, -1], array, keepNumDims=True)

    def relu(self, x: Value) -> Value:
        return self._made("RELU", [self._number(x)], x.array)

    def tanh(self, x: Value) -> Value:
        return self._made("TANH", [self._number(x)], x.array)

    def sigmoid(self, x: Value) -> Value:
        return self._made("LOGISTIC", [self._number(x)], x.array)

    def sqrt(self, x: Value) -> Value:
        return self._made("SQRT", [self._number(x)], x.array)

    def cos(self, x: Value) -> Value:
        return self._made("COS", [self._number(x)], x.array)

    def sin(self, x: Value) -> Value:
        return self._made("SIN", [self._number(x)], x.array)

    def softmax(self, x: Value) -> Value:
        return self._made("SOFTMAX", [self._number(x)], x.array, beta=1.0)

    def mean(self, x: Value) -> Value:
        array = self._reference.mean(x.array)
        return self._made("MEAN", [self._number(x), self._numbers((x.array.ndim - 1,))], array, keepDims=True)

    def reshape(self, x: Value, shape: Shape) -> Value:
        wanted = self._numbers(shape)
        return self._made(
            "RESHAPE", [self._number(x), wanted], x.array.reshape(shape), newShape=np.array(shape)
        )

    def transpose(self, x: Value, axes: Shape) -> Value:
        return self._made("TRANSPOSE", [self._number(x), self._numbers(axes)], x.array.transpose(axes))

    def slice(self, x: Value, axis: int, start: int, stop: int) -> Value:
        array = self._reference.slice(x.array, axis, start, stop)
        begin = tuple(start if i == axis else 0 for i in range(x.array.ndim))
        return self._made("SLICE", [self._number(x), self._numbers(begin), self._numbers(array.shape)], array)

    def concatenate(self, xs: Sequence[Value], axis: int) -> Value:
        array = self._reference.concatenate([x.array for x in xs], axis)
        return self._made("CONCATENATION", [self._number(x) for x in xs], array, axis=axis)

    def convolve(self, x: Value, weight: Value, bias: Value, stride: int, pad: int) -> Value:
        filters = self.file.constant(f"w{len(self.file.shapes)}", weight.array.transpose(0, 2, 3, 1))
        array = self._window(x.array, weight.array.shape[-1], stride, pad, weight.array.shape[0])
        given = [self._padded(x, pad), filters, self._number(bias)]
        return self._made("CONV_2D", given, array, padding=_VALID, **_strides(stride))

    def pool(self, x: Value, size: int, stride: int, pad: int) -> Value:
        """Pads with zeros: x is not negative, as behind a relu."""
        array = self._window(x.array, size, stride, pad, x.array.shape[1])
        return self._made(
            "MAX_POOL_2D", [self._padded(x, pad)], array, padding=_VALID, filterHeight=size, filterWidth=size,
            **_strides(stride),
        )  # fmt: skip

    def average(self, x: Value) -> Value:
        array = self._reference.average(x.array)
        return self._made("MEAN", [self._number(x), self._numbers((1, 2))], array, keepDims=True)

    def _padded(self, x: Value, pad: int) -> int:
        number = self._number(x)
        if not pad:
            return number
        widths = self.file.constant(
            f"p{len(self.file.shapes)}", np.array([[0, 0], [pad, pad], [pad, pad], [0, 0]], np.int32)
        )
        _, h, w, c = self.file.shapes[number]
        return self.file.operation("PAD", [number, widths], (1, h + 2 * pad, w + 2 * pad, c))

    @staticmethod
    def _window(x: np.ndarray, size: int, stride: int, pad: int, channels: int) -> np.ndarray:
        side = (x.shape[2] + 2 * pad - size) // stride + 1
        return np.zeros((1, channels, side, side), np.float32)

    def _numbers(self, values: Sequence[int]) -> int:
        return self.file.constant(f"i{len(self.file.shapes)}", np.array(values, np.int32))

    def _number(self, value: Value) -> int:
        """The tensor of the file."""
        if value.number is not None:
            return value.number
        key = id(value.array)
        if key not in self._constants:
            name = value.name or f"c{len(self.file.shapes)}"
            self._constants[key] = value.array, self.file.constant(name, value.array)
        return self._constants[key][1]

    def _made(self, kind: str, inputs: Sequence[int], array: np.ndarray, **options: Any) -> Value:
        shape = tuple(array.shape[i] for i in _LAST) if array.ndim == 4 else array.shape
        return Value(self.file.operation(kind, inputs, shape, **options), array)


def _strides(stride: int) -> Mapping[str, int]:
    return {"strideH": stride, "strideW": stride}


def write_tflite(model: Model, path: Path) -> Path:
    """The model as a `.tflite` file."""
    file = TfliteFile()
    operations = Tflite(file)
    ports = {name: operations.input(name, shape) for name, shape in model.inputs.items()}
    with np.errstate(all="ignore"):  # only their shapes count
        result = model.run(operations, {name: value for name, (_, value) in ports.items()})
    return file.write(path, {name: number for name, (number, _) in ports.items()}, {"y": result.number})
