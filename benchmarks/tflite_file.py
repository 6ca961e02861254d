"""Writes `.tflite` files: the converters need TensorFlow or PyTorch, the format itself needs neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

Shape = tuple[int, ...]
#: Which member of the union of options an operation has; those without are not listed.
_OPTIONS = {
    "ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions", "DIV": "DivOptions",
    "BATCH_MATMUL": "BatchMatMulOptions", "FULLY_CONNECTED": "FullyConnectedOptions",
    "SOFTMAX": "SoftmaxOptions", "MEAN": "ReducerOptions", "RESHAPE": "ReshapeOptions",
    "TRANSPOSE": "TransposeOptions", "SLICE": "SliceOptions", "CONCATENATION": "ConcatenationOptions",
    "CONV_2D": "Conv2DOptions", "MAX_POOL_2D": "Pool2DOptions", "PAD": "PadOptions", "COS": "CosOptions",
}  # fmt: skip
_TYPES = {"float32": "FLOAT32", "int32": "INT32"}


class TfliteFile:
    """One graph; tensors are numbers, in the order in which they were made."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self._graph = schema.SubGraphT()
        self._graph.tensors, self._graph.operators = [], []
        self._model = schema.ModelT()
        self._model.version = 3
        # The first buffer is the empty one of all tensors that are computed.
        self._model.buffers, self._model.operatorCodes = [schema.BufferT()], []
        self._codes: dict[int, int] = {}

    def tensor(self, name: str, shape: Shape, dtype: str = "float32") -> int:
        """An input, or what an operation computes."""
        return self._add(name, shape, dtype, 0)

    def constant(self, name: str, value: np.ndarray) -> int:
        """A weight."""
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(np.ascontiguousarray(value).tobytes(), np.uint8)
        self._model.buffers.append(buffer)
        return self._add(name, value.shape, value.dtype.name, len(self._model.buffers) - 1)

    def operation(self, kind: str, inputs: Sequence[int], shape: Shape, **options: Any) -> int:
        """What `kind` (as the schema calls it) makes of `inputs`: a tensor of that shape."""
        code = getattr(schema.BuiltinOperator, kind)
        if code not in self._codes:
            self._codes[code] = len(self._codes)
            entry = schema.OperatorCodeT()
            entry.builtinCode, entry.deprecatedBuiltinCode, entry.version = code, min(code, 127), 1
            self._model.operatorCodes.append(entry)
        first = self._graph.tensors[inputs[0]]
        dtype = "int32" if first.type == schema.TensorType.INT32 else "float32"
        made = self.tensor(f"t{len(self.shapes)}", shape, dtype)
        operator = schema.OperatorT()
        operator.opcodeIndex = self._codes[code]
        operator.inputs, operator.outputs = np.array(inputs, np.int32), np.array([made], np.int32)
        if (union := _OPTIONS.get(kind)) is not None:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, union)
            operator.builtinOptions = getattr(schema, f"{union}T")()
            for key, value in options.items():
                setattr(operator.builtinOptions, key, value)
        self._graph.operators.append(operator)
        return made

    def write(self, path: Path, inputs: Mapping[str, int], outputs: Mapping[str, int]) -> Path:
        """Write the file; its one signature names inputs and outputs."""
        graph, model = self._graph, self._model
        graph.inputs, graph.outputs = (
            np.array(list(ports.values()), np.int32) for ports in (inputs, outputs)
        )
        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = "main", 0
        signature.inputs, signature.outputs = (
            [self._port(name, number) for name, number in ports.items()] for ports in (inputs, outputs)
        )
        model.subgraphs, model.signatureDefs = [graph], [signature]
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        path.write_bytes(builder.Output())
        return path

    def _add(self, name: str, shape: Shape, dtype: str, buffer: int) -> int:
        tensor = schema.TensorT()
        tensor.name, tensor.buffer = name, buffer
        tensor.shape, tensor.type = np.array(shape, np.int32), getattr(schema.TensorType, _TYPES[dtype])
        self._graph.tensors.append(tensor)
        self.shapes.append(tuple(shape))
        return len(self.shapes) - 1

    @staticmethod
    def _port(name: str, number: int) -> Any:
        port = schema.TensorMapT()
        port.name, port.tensorIndex = name, number
        return port
