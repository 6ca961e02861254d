"""ncnn: ``.param`` files, with their weights beside them (``.bin``, or the module's parameters).

ncnn knows no batch: a leading axis of extent 1 is dropped, as its converter pnnx does. Everything is float32,
whatever the CPU could do with fewer bits. Its files say nothing of shapes: whether an output has as many
numbers as its entry says is seen when a call has run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.library import COPIES, LibraryDriver, Run, threads
from polyrhythm.hal.ports import Port, Signature, one_entry

#: Fewer bits than float32.
_SHORTCUTS = (
    "use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage", "use_bf16_packed",
    "use_vulkan_compute",
)  # fmt: skip


class NcnnProgram:
    """See `polyrhythm.hal.library.Program`."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        import ncnn

        self._mat = ncnn.Mat
        self._net = ncnn.Net()
        self._net.opt.num_threads = threads(config)
        for name in _SHORTCUTS:
            if hasattr(self._net.opt, name):
                setattr(self._net.opt, name, False)
        weights = parameters[0] if parameters else artefact.with_suffix(".bin")
        if self._net.load_param(str(artefact)) or self._net.load_model(str(weights)):
            raise ValueError(f"it is damaged, or its weights in {weights.name} are missing")
        self._inputs, self._outputs = list(self._net.input_names()), list(self._net.output_names())
        takes, gives = (tuple(Port(n, "f32") for n in ns) for ns in (self._inputs, self._outputs))
        self.signatures: Mapping[str, Signature] = one_entry(artefact.stem, entries, Signature(takes, gives))
        self._tried: set[tuple[object, ...]] = set()

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """An extractor for every run: ncnn's own, which makes the memory of its outputs."""
        # ncnn works in place on what nobody else holds, which would be the caller's inputs: it gets a copy.
        given = [self._mat(_unbatched(array)) for array in inputs]
        sources = list(zip(self._inputs, given, strict=True))
        sinks = list(zip(self._outputs, outputs, strict=True))
        net = self._net

        def run(key: int) -> None:
            extractor = net.create_extractor()
            for name, mat in sources:
                extractor.input(name, mat.clone())
            for name, array in sinks:
                code, mat = extractor.extract(name)
                if code:
                    raise HalError(f"ncnn can't compute {name!r} (code {code})")
                np.copyto(array, _shaped(name, np.asarray(mat), array))

        return run

    def forget(self, key: int) -> None:
        """Nothing is kept for a queue."""


def _unbatched(array: np.ndarray) -> np.ndarray:
    """Without the leading axis of extent 1; what has none is a vector of one."""
    if array.ndim > 1 and array.shape[0] == 1:
        array = array[0]
    return array.reshape(1) if array.ndim == 0 else array


def _shaped(name: str, found: Any, array: np.ndarray) -> np.ndarray:
    if found.size != array.size:
        raise HalError(f"output {name!r} is {list(found.shape)}, declared is {list(array.shape)}")
    made: np.ndarray = found.reshape(array.shape)
    return made


driver = LibraryDriver(
    "ncnn",
    module="ncnn",
    package="ncnn",
    formats=("ncnn",),
    endings={"ncnn": ".param"},
    load=NcnnProgram,
    capabilities=replace(
        COPIES,
        allocation_free=False,
        note="float32 tensors only; shapes are known when a call has run",
    ),
)
