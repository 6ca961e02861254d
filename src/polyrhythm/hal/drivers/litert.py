"""LiteRT (TensorFlow Lite): ``.tflite`` files, on the CPU with XNNPACK.

The Python binding keeps tensors in memory of the interpreter, so inputs and outputs are copied. Each queue
has an interpreter of its own; the weights in the file are mapped once, what XNNPACK packs is not shared. Only
the first graph of a file is run, whose shapes are as in the file.
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
from polyrhythm.hal.library import COPIES, LibraryDriver, Port, Sessions, Signature, threads


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

    __slots__ = ("_inputs", "_native", "_outputs")

    def __init__(self, native: Any) -> None:
        native.allocate_tensors()
        self._native = native
        # Functions that give a view: the interpreter refuses to run while somebody holds a view itself.
        self._inputs, self._outputs = (
            [(tensor["index"], native.tensor(tensor["index"])) for tensor in group]
            for group in (native.get_input_details(), native.get_output_details())
        )

    @property
    def signature(self) -> Signature:
        """See `polyrhythm.hal.library.Session`."""
        return Signature(_ports(self._native.get_input_details()), _ports(self._native.get_output_details()))

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for array, (number, view) in zip(inputs, self._inputs, strict=True):
            if array.ndim:
                np.copyto(view(), array)
            else:  # there are no views of single numbers
                self._native.set_tensor(number, array)
        self._native.invoke()
        for array, (_, view) in zip(outputs, self._outputs, strict=True):
            np.copyto(array, view())


def _ports(found: Sequence[Mapping[str, Any]]) -> tuple[Port, ...]:
    return tuple(
        Port(
            tensor["name"],
            dtype_name(tensor["dtype"]),
            tuple(int(extent) for extent in tensor["shape"]),
        )
        for tensor in found
    )


driver = LibraryDriver(
    "litert",
    module="ai_edge_litert.interpreter",
    package="ai-edge-litert",
    formats=("tflite",),
    load=LiteRtProgram,
    capabilities=replace(COPIES, note="the CPU only, with XNNPACK; delegates of vendors are not loaded"),
)
