"""ONNX Runtime devices: one for each execution provider that the installed ONNX Runtime has.

A URI is a provider's name in small letters without its ending (``cpu``, ``cuda``, ``tensorrt``, ``cann``,
``qnn``, ...), the device's number behind a colon if it has one (``cuda:1``), and options that are passed on
to the provider as they are (``tensorrt?trt_fp16_enable=1&trt_engine_cache_enable=1``); ``cpu`` has neither.
What a provider does not take on itself runs on the CPU.

On the CPU a call computes with as many threads as the device has ``cores``, each on its own; with one, that
of the queue, if none are named. Nobody spins. Inputs and outputs are the caller's memory, bound once, read
and written where they lie; scratch is ONNX Runtime's own, taken from an arena that no longer grows after the
first call. Nothing is updated in place, so entries that consume an input are refused.

An artefact is an ``.onnx`` file: one graph, so one entry, called as one likes. Tensors are matched by
name where all names agree, else by their place in the graph. Weights beside the file are found by ONNX
Runtime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Capabilities, DeviceConfig, HalError
from polyrhythm.hal.binding import address
from polyrhythm.hal.library import CPU, LibraryDriver, Run, threads
from polyrhythm.hal.ports import Port, Signature
from polyrhythm.hal.worker import first_line

_ENDING = "ExecutionProvider"
#: It runs nothing here: it asks a service.
_REMOTE = ("AzureExecutionProvider",)
#: ONNX's name and number of each dtype.
_TYPES: Mapping[str, tuple[str, int]] = {
    "f32": ("tensor(float)", 1), "u8": ("tensor(uint8)", 2), "i8": ("tensor(int8)", 3),
    "u16": ("tensor(uint16)", 4), "i16": ("tensor(int16)", 5), "i32": ("tensor(int32)", 6),
    "i64": ("tensor(int64)", 7), "bool": ("tensor(bool)", 9), "f16": ("tensor(float16)", 10),
    "f64": ("tensor(double)", 11), "u32": ("tensor(uint32)", 12), "u64": ("tensor(uint64)", 13),
    "bf16": ("tensor(bfloat16)", 16),
}  # fmt: skip
_NAMES = {name: dtype for dtype, (name, _) in _TYPES.items()}
#: ONNX Runtime's "fatal": what goes wrong comes as an exception, once.
_SILENT = 4


class OnnxProgram:
    """See `polyrhythm.hal.library.Program`; `session` is ONNX Runtime's."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        if len(entries) != 1:
            names = ", ".join(entry.name for entry in entries) or "none"
            raise HalError(f"{artefact} holds one entry, as every ONNX file; asked for are: {names}")
        self.session = _session(artefact, config)
        sources, sinks = (_ports(group) for group in (self.session.get_inputs(), self.session.get_outputs()))
        self.signatures: Mapping[str, Signature] = {entries[0].name: Signature(sources, sinks)}

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """A binding of its own, to the caller's arrays."""
        binding, signature = self.session.io_binding(), self.signatures[entry]
        for bind, arrays, ports in (
            (binding.bind_input, inputs, signature.inputs),
            (binding.bind_output, outputs, signature.outputs),
        ):
            for array, port in zip(arrays, ports, strict=True):
                assert port.dtype is not None
                bind(port.name, "cpu", 0, _TYPES[port.dtype][1], list(array.shape), address(array))
        execute = self.session.run_with_iobinding

        def run(key: int) -> None:
            execute(binding)

        return run

    def forget(self, key: int) -> None:
        """Nothing is kept for a queue."""


def _session(artefact: Path, config: DeviceConfig) -> Any:
    """A session of ONNX Runtime for a file, with threads as the device has them.

    Raises:
        HalError: it does not load, or the provider does not work here.
    """
    import onnxruntime as ort

    provider, more = _provider(config)
    options = ort.SessionOptions()
    options.log_severity_level = _SILENT
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = threads(config)
    for key in ("session.intra_op.allow_spinning", "session.inter_op.allow_spinning"):
        options.add_session_config_entry(key, "0")
    if len(config.cores) > 1:
        # The queue's thread computes too, on the first; cores count from 1 here.
        others = ";".join(str(core + 1) for core in config.cores[1:])
        options.add_session_config_entry("session.intra_op_thread_affinities", others)
    try:
        session = ort.InferenceSession(str(artefact), options, providers=[(provider, more)])
    except Exception as problem:
        raise HalError(f"{artefact} does not load on {config.uri!r}: {first_line(problem)}") from None
    if session.get_providers()[0] != provider:
        raise HalError(
            f"device {config.name!r}: ONNX Runtime has {provider}, but it does not work here "
            "(a library or the device is missing): install what it needs, or use `cpu`"
        )
    return session


def _ports(found: Sequence[Any]) -> tuple[Port, ...]:
    return tuple(
        Port(
            argument.name,
            _NAMES.get(argument.type, argument.type),
            tuple(extent if isinstance(extent, int) else None for extent in argument.shape),
        )
        for argument in found
    )


def _providers() -> dict[str, str]:
    """URI -> provider, of those that the installed ONNX Runtime was built with."""
    import onnxruntime as ort

    return {
        name.removesuffix(_ENDING).lower(): name
        for name in ort.get_available_providers()
        if name not in _REMOTE
    }


def _provider(config: DeviceConfig) -> tuple[str, dict[str, str]]:
    """The provider that a URI asks for, and its options.

    Raises:
        HalError: this ONNX Runtime doesn't have it (lists those it has), or ``cpu`` is given more.
    """
    import onnxruntime as ort

    place, _, query = config.uri.partition("?")
    name, colon, number = place.partition(":")
    known = _providers()
    if name not in known or (colon and not (number.isascii() and number.isdecimal())):
        elsewhere = {p.removesuffix(_ENDING).lower() for p in ort.get_all_providers() if p not in _REMOTE}
        what = (
            f"ONNX Runtime {ort.__version__} as installed is built without {name!r}"
            if name in elsewhere - set(known)
            else f"{config.uri!r} does not open here"
        )
        raise HalError(f"device {config.name!r}: {what}; there are: {', '.join(sorted(known))}")
    if name == CPU != config.uri:
        raise HalError(
            f"device {config.name!r}: `cpu` takes no {'number' if colon else 'options'}: write `uri: cpu` in "
            f"place of {config.uri!r}; `cores` say where it computes, and with how many threads"
        )
    options = dict(parse_qsl(query, keep_blank_values=True))
    if colon:
        options["device_id"] = number
    return known[name], options


driver = LibraryDriver(
    "onnxruntime",
    module="onnxruntime",
    package="onnxruntime",
    formats=("onnx",),
    load=OnnxProgram,
    more_uris=lambda: tuple(sorted(set(_providers()) - {CPU})),
    check_uri=_provider,
    makes_threads=True,
    capabilities=Capabilities(
        several_entries=False,
        in_place=False,
        note="execution providers are passed through, see what it opens",
    ),
)
