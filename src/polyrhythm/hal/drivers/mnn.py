"""MNN: ``.mnn`` files on the CPU, in its precise mode (float32).

Sessions have tensors of their own, in an order of axes that suits them, so inputs and outputs are copied by
way of a tensor that has the caller's. Each queue has a session of its own; the weights are shared.
Ports are listed by name, whatever their order in the graph: where there are several, only names
tell which is which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.binding import dtype_name
from polyrhythm.hal.library import COPIES, LibraryDriver, Sessions, threads
from polyrhythm.hal.ports import Port, Signature


class MnnProgram(Sessions):
    """See `polyrhythm.hal.library.Program`."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        import MNN

        interpreter = MNN.Interpreter(str(artefact))
        setting = {"backend": "CPU", "numThread": threads(config), "precision": "high"}

        def make() -> _Session:
            return _Session(interpreter, MNN.Tensor, MNN.Tensor_DimensionType_Caffe, setting)

        super().__init__(artefact, entries, make)


class _Session:
    """A session with its tensors, and those in the caller's order of axes with views of their memory."""

    def __init__(self, interpreter: Any, tensor: Any, order: Any, setting: Mapping[str, Any]) -> None:
        self._interpreter = interpreter
        self._native = interpreter.createSession(dict(setting))
        self._inputs = interpreter.getSessionInputAll(self._native)
        self._outputs = interpreter.getSessionOutputAll(self._native)
        self._sources, self._sinks = (
            [(one, host := tensor(one, order), host.getNumpyData()) for one in group.values()]
            for group in (self._inputs, self._outputs)
        )

    @property
    def signature(self) -> Signature:
        """See `polyrhythm.hal.library.Session`."""
        return Signature(_ports(self._inputs), _ports(self._outputs), ordered=False)

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for array, (native, host, view) in zip(inputs, self._sources, strict=True):
            np.copyto(view, array)
            native.copyFrom(host)
        if code := self._interpreter.runSession(self._native):
            raise HalError(f"MNN can't run it (code {code})")
        for array, (native, host, view) in zip(outputs, self._sinks, strict=True):
            native.copyToHostTensor(host)
            np.copyto(array, view)


def _ports(tensors: Mapping[str, Any]) -> tuple[Port, ...]:
    return tuple(
        Port(name, dtype_name(tensor.getNumpyData().dtype), tuple(tensor.getShape()))
        for name, tensor in tensors.items()
    )


driver = LibraryDriver(
    "mnn",
    module="MNN",
    package="MNN",
    formats=("mnn",),
    load=MnnProgram,
    capabilities=COPIES,
)
