"""OpenVINO: models in its own format (``.xml`` with weights beside it) and ONNX files.

URIs are OpenVINO's device names in small letters: ``cpu``, and ``gpu`` or ``npu`` where it finds one. Every
call is an infer request over the caller's memory.
Numbers are float32 throughout: without being told so, OpenVINO would use bfloat16 on CPUs that have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Capabilities, DeviceConfig
from polyrhythm.hal.library import CPU, LibraryDriver, Run, threads
from polyrhythm.hal.ports import Port, Signature, check_made, matched, one_entry

_DTYPES = {"boolean": "bool"}


class OpenVinoProgram:
    """See `polyrhythm.hal.library.Program`."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        import openvino as ov

        core = ov.Core()
        model = core.read_model(artefact, parameters[0]) if parameters else core.read_model(artefact)
        if len(entries) == 1 and model.is_dynamic() and len(model.inputs) == len(entries[0].inputs):
            tensors = entries[0].inputs
            order = matched(tensors, _ports(model.inputs))
            shapes = [list(tensors[index].shape) for index in order]
            model.reshape(dict(zip(model.inputs, shapes, strict=True)))
        self._tensor = ov.Tensor
        self._compiled = core.compile_model(model, *_options(config))
        signature = Signature(_ports(model.inputs), _ports(model.outputs))
        self.signatures: Mapping[str, Signature] = one_entry(model.get_friendly_name(), entries, signature)

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """A request of its own: its tensors are the caller's arrays."""
        request = self._compiled.create_infer_request()
        for index, array in enumerate(inputs):
            request.set_input_tensor(index, self._tensor(array, shared_memory=True))
        for index, array in enumerate(outputs):
            request.set_output_tensor(index, self._tensor(array, shared_memory=True))
        start, wait, made = request.start_async, request.wait, request.get_output_tensor
        ports = self.signatures[entry].outputs
        loose = [
            (index, port.name, array.shape)
            for index, (port, array) in enumerate(zip(ports, outputs, strict=True))
            if port.shape is None
        ]

        def run(key: int) -> None:
            start(share_inputs=True)
            wait()
            for index, name, declared in loose:
                check_made(name, made(index).shape, declared)

        return run

    def forget(self, key: int) -> None:
        """Nothing is kept for a queue."""


def _options(config: DeviceConfig) -> tuple[str, dict[str, Any]]:
    """OpenVINO's device and its properties."""
    if config.uri != CPU:
        return config.uri.upper(), {"PERFORMANCE_HINT": "LATENCY"}
    return "CPU", {
        "PERFORMANCE_HINT": "LATENCY",
        "NUM_STREAMS": 1,
        "INFERENCE_NUM_THREADS": threads(config),
        "INFERENCE_PRECISION_HINT": "f32",
        "ENABLE_CPU_PINNING": False,
    }


def _ports(found: Sequence[Any]) -> tuple[Port, ...]:
    return tuple(
        Port(
            port.any_name if port.names else "",
            _DTYPES.get(name := port.element_type.get_type_name(), name),
            tuple(port.shape) if port.partial_shape.is_static else None,
            tuple(sorted(port.names)),
        )
        for port in found
    )


def _devices() -> tuple[str, ...]:
    import openvino as ov

    return tuple(sorted({name.lower() for name in ov.Core().available_devices} - {CPU}))


driver = LibraryDriver(
    "openvino",
    module="openvino",
    package="openvino",
    formats=("openvino", "onnx"),
    endings={"openvino": ".xml"},
    load=OpenVinoProgram,
    more_uris=_devices,
    capabilities=Capabilities(several_entries=False, in_place=False, failures=False),
)
