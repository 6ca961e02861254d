"""What an import may take off the outside of a graph: constant inputs, and first axes of 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from polyrhythm.bundle import Tensor
from polyrhythm.compile.imports.onnx_model import Model, Port
from polyrhythm.compile.imports.onnx_shapes import set_shape

_INT64 = 7


@dataclass(frozen=True)
class Edits:
    """What to take off: `constants` are inputs, by the graph's name, and the number that they are full of;
    `no_batch`: first axes of 1."""

    constants: Mapping[str, float] = field(default_factory=dict)
    no_batch: bool = False

    def __bool__(self) -> bool:
        return bool(self.constants) or self.no_batch

    def outside(self, tensor: Tensor) -> Tensor:
        """A tensor as a call takes or gives it afterwards."""
        batch = self.no_batch and len(tensor.shape) > 1 and tensor.shape[0] == 1
        return Tensor(tensor.name, tensor.dtype, tensor.shape[1:]) if batch else tensor

    def kept(self, model: Model, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The inputs that a call still takes, as it takes them."""
        both = zip(model.inputs, inputs, strict=True)
        return tuple(self.outside(tensor) for port, tensor in both if port.name not in self.constants)

    def told(self, model: Model, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> Iterator[str]:
        """What is done, a line each."""
        for port, tensor in zip((*model.inputs, *model.outputs), (*inputs, *outputs), strict=True):
            if port.name in self.constants:
                yield f"input {tensor.name} is always {self.constants[port.name]:g}"
            elif (outside := self.outside(tensor)) != tensor:
                yield f"{tensor.name} is {outside}, without its first axis"


def edit(model: Model, inputs: Sequence[Tensor], outputs: Sequence[Tensor], edits: Edits) -> Model:
    """The model with all of it done; `inputs` and `outputs` are as they were before."""
    if not edits:
        return model
    import onnx
    from onnx import helper, numpy_helper

    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    graph, before, after = proto.graph, list[Any](), list[Any]()
    values = {value.name: value for value in (*graph.input, *graph.output)}
    ports: dict[bool, list[Port]] = {True: [], False: []}
    sides = [(True, pair) for pair in zip(model.inputs, inputs, strict=True)]
    sides += [(False, pair) for pair in zip(model.outputs, outputs, strict=True)]
    for entering, (port, tensor) in sides:
        outside = edits.outside(tensor)
        if entering and port.name in edits.constants:
            kind = helper.tensor_dtype_to_np_dtype(values[port.name].type.tensor_type.elem_type)
            array = np.full(tensor.shape, edits.constants[port.name], kind)
            graph.initializer.append(numpy_helper.from_array(array, port.name))
            graph.input.remove(values[port.name])
            continue
        if outside != tensor:
            name, shape = f"{port.name}.flat", tensor.shape if entering else outside.shape
            graph.initializer.append(helper.make_tensor(f"{name}.shape", _INT64, [len(shape)], shape))
            ends = (name, port.name) if entering else (port.name, name)
            node = helper.make_node("Reshape", [ends[0], f"{name}.shape"], [ends[1]])
            (before if entering else after).append(node)
            values[port.name].name = name
            set_shape(values[port.name], outside.shape)
            ports[entering].append(Port(name, port.dtype, outside.shape))
        else:
            ports[entering].append(port)
    nodes = [*before, *graph.node, *after]
    del graph.node[:]
    graph.node.extend(nodes)
    inside = tuple(ports[True]), tuple(ports[False])
    return replace(model, proto=proto, inputs=inside[0], outputs=inside[1], as_it_was=False)
