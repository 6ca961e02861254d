"""LiteRT (TensorFlow Lite): ``.tflite`` files, on the CPU with XNNPACK.

The Python binding keeps tensors in memory of the interpreter, so inputs and outputs are copied. Each queue
has an interpreter of its own; the weights in the file are mapped once, what XNNPACK packs is not shared. Only
the first graph of a file is run, whose shapes are as in the file. Its ports have the names of the file's
signatures, and those of its tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import DeviceConfig
from polyrhythm.hal.binding import dtype_name
from polyrhythm.hal.library import COPIES, LibraryDriver, Sessions, threads
from polyrhythm.hal.ports import Port, Signature, copy_out


class LiteRtProgram(Sessions):
    """See `polyrhythm.hal.library.Program`."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        from ai_edge_litert.interpreter import Interpreter

        def make() -> _Interpreter:
            return _Interpreter(Interpreter(str(artefact), num_threads=threads(config)))

        super().__init__(artefact, entries, make)


class _Interpreter:
    """An interpreter with its memory."""

    __slots__ = ("_inputs", "_native", "_outputs", "signature")

    def __init__(self, native: Any) -> None:
        native.allocate_tensors()
        self._native = native
        # Functions that give a view: the interpreter refuses to run while somebody holds a view itself.
        self._inputs, self._outputs = (
            [(tensor["index"], native.tensor(tensor["index"])) for tensor in group]
            for group in (native.get_input_details(), native.get_output_details())
        )
        named = [native.get_signature_runner(key) for key in native.get_signature_list() if key]
        self.signature = Signature(
            _ports(native.get_input_details(), [one.get_input_details() for one in named]),
            _ports(native.get_output_details(), [one.get_output_details() for one in named]),
        )

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for array, (number, view) in zip(inputs, self._inputs, strict=True):
            if array.ndim:
                np.copyto(view(), array)
            else:  # there are no views of single numbers
                self._native.set_tensor(number, array)
        self._native.invoke()
        for array, (_, view), port in zip(outputs, self._outputs, self.signature.outputs, strict=True):
            copy_out(port.name, view(), array)


def _ports(
    found: Sequence[Mapping[str, Any]], signatures: Sequence[Mapping[str, Mapping[str, Any]]]
) -> tuple[Port, ...]:
    return tuple(_port(tensor, signatures) for tensor in found)


def _port(tensor: Mapping[str, Any], signatures: Sequence[Mapping[str, Mapping[str, Any]]]) -> Port:
    """A tensor of the graph; signatures may be of other graphs, which number theirs alike."""
    name, *also = [
        port
        for signature in signatures
        for port, one in signature.items()
        if (one["index"], one["name"]) == (tensor["index"], tensor["name"])
    ] + [tensor["name"]]
    shape = tuple(int(extent) for extent in tensor["shape"])
    return Port(name, dtype_name(tensor["dtype"]), shape, tuple(also))


driver = LibraryDriver(
    "litert",
    module="ai_edge_litert.interpreter",
    package="ai-edge-litert",
    formats=("tflite",),
    load=LiteRtProgram,
    capabilities=replace(COPIES, note="the CPU only, with XNNPACK; delegates of vendors are not loaded"),
)
