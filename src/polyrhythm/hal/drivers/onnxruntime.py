"""ONNX Runtime devices: one for each execution provider that the installed ONNX Runtime has.

A URI is a provider's name in small letters without its ending (``cpu``, ``cuda``, ``tensorrt``, ``cann``,
``qnn``, ...), the device's number behind a colon if it has one (``cuda:1``), and options that are passed on
to the provider as they are (``tensorrt?trt_fp16_enable=1&trt_engine_cache_enable=1``). What a provider does
not take on itself runs on the CPU.

On the CPU a call computes with as many threads as the device has ``cores``, each on its own; with one, that
of the queue, if none are named. Nobody spins. Inputs and outputs are the caller's memory, bound once, read
and written where they lie; scratch is ONNX Runtime's own, taken from an arena that no longer grows after the
first call. Nothing is updated in place, so entries that consume an input are refused.

An artefact is an ``.onnx`` file: one graph, so one entry, called as one likes. Tensors are matched by their
place in the graph. Weights beside the file are found by ONNX Runtime.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import onnxruntime as ort

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import Buffer, DeviceConfig, HalError
from polyrhythm.hal.binding import address, check_array, check_call
from polyrhythm.hal.priority import ranked
from polyrhythm.hal.timeline import HostTimeline
from polyrhythm.hal.worker import WorkerQueue, close_all, first_line, require_cores

#: How long `OnnxDevice.close` waits for queues that are still running something.
CLOSE_GRACE_NS = 2_000_000_000
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
#: ONNX Runtime's "fatal": what goes wrong comes as an exception, once.
_SILENT = 4


class OnnxBuffer:
    """See `polyrhythm.hal.api.Buffer`."""

    __slots__ = ("array", "owner")

    def __init__(self, owner: object, array: np.ndarray) -> None:
        check_array(array)
        self.array = array
        self.owner = owner


class OnnxCall:
    """See `polyrhythm.hal.api.Call`. Run it on one queue at a time: it is one set of memory."""

    __slots__ = ("_binding", "_keep", "_run", "entry", "owner")

    def __init__(
        self, owner: object, entry: Entry, session: Any, binding: Any, keep: tuple[Any, ...]
    ) -> None:
        self.owner, self.entry = owner, entry
        self._run, self._binding, self._keep = session.run_with_iobinding, binding, keep

    def run(self, key: int) -> None:
        """Run to the end in this thread; raises what a kernel fails with."""
        try:
            self._run(self._binding)
        except Exception as problem:  # ONNX Runtime's exceptions have no common base of their own
            raise HalError(first_line(problem)) from None


class OnnxExecutable:
    """See `polyrhythm.hal.api.Executable`; `session` is ONNX Runtime's."""

    def __init__(self, device: OnnxDevice, artefact: Path, entry: Entry) -> None:
        self.artefact, self.entries = artefact, {entry.name: entry}
        self._token, self._name = device.token, device.name
        _check_memory(artefact, entry)
        self.session = device.session(artefact)
        self._names = tuple(
            _matched(artefact, entry, kind, tensors, found)
            for kind, tensors, found in (
                ("input", entry.inputs, self.session.get_inputs()),
                ("output", entry.outputs, self.session.get_outputs()),
            )
        )

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> OnnxCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        signature = self.entries.get(entry)
        if signature is None:
            known = ", ".join(self.entries)
            raise HalError(f"{self.artefact.name} was loaded without entry {entry!r}; loaded are: {known}")
        check_call(signature, inputs, outputs, scratch, {})
        binding = self.session.io_binding()
        parts = (
            ("input", binding.bind_input, signature.inputs, inputs, self._names[0]),
            ("output", binding.bind_output, signature.outputs, outputs, self._names[1]),
        )
        for kind, bind, tensors, buffers, names in parts:
            for tensor, buffer, name in zip(tensors, buffers, names, strict=True):
                if getattr(buffer, "owner", None) is not self._token:
                    raise HalError(
                        f"{kind} {tensor.name!r} is not a buffer of device {self._name!r}: make one there"
                    )
                number = _TYPES[tensor.dtype][1]
                bind(name, "cpu", 0, number, list(tensor.shape), address(buffer.array))
        return OnnxCall(self._token, signature, self.session, binding, (self.session, *inputs, *outputs))

    def zero_copy(self, entry: str) -> bool:
        """Whether a call writes its outputs straight into the caller's memory: on the CPU."""
        return entry in self.entries and self.session.get_providers()[0] == f"CPU{_ENDING}"


class OnnxDevice:
    """See `polyrhythm.hal.api.Device`."""

    def __init__(self, config: DeviceConfig) -> None:
        self._provider, self._options = _provider(config)
        require_cores(config.cores)
        self.name, self.uri, self._cores = config.name, config.uri, config.cores
        #: Stands for the device where holding it would keep it alive.
        self.token = object()
        self._ranks = config.ranks
        self._queues: weakref.WeakSet[WorkerQueue] = weakref.WeakSet()
        self._made = 0

    def session(self, artefact: Path) -> Any:
        """A session of ONNX Runtime for a file, with threads as the device has them.

        Raises:
            HalError: it does not load, or the provider does not work here.
        """
        options = ort.SessionOptions()
        options.log_severity_level = _SILENT
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        options.inter_op_num_threads = 1
        options.intra_op_num_threads = max(1, len(self._cores))
        for key in ("session.intra_op.allow_spinning", "session.inter_op.allow_spinning"):
            options.add_session_config_entry(key, "0")
        if len(self._cores) > 1:
            # The queue's thread computes too, on the first; cores count from 1 here.
            others = ";".join(str(core + 1) for core in self._cores[1:])
            options.add_session_config_entry("session.intra_op_thread_affinities", others)
        try:
            # Threads inherit the priority of who makes them.
            with ranked(None if self._ranks is None else self._ranks.compute):
                session = ort.InferenceSession(
                    str(artefact), options, providers=[(self._provider, self._options)]
                )
        except Exception as problem:
            raise HalError(f"{artefact} does not load on {self.uri!r}: {first_line(problem)}") from None
        if session.get_providers()[0] != self._provider:
            raise HalError(
                f"device {self.name!r}: ONNX Runtime has {self._provider}, but it does not work here "
                "(a library or the device is missing): install what it needs, or use `cpu`"
            )
        return session

    def queue(self) -> WorkerQueue:
        """See `polyrhythm.hal.api.Device.queue`."""
        self._made += 1
        pooled = len(self._cores) > 1
        queue = WorkerQueue(
            f"{self.name}.{self._made}", self._cores[:1], self.token, ranks=self._ranks, pooled=pooled
        )
        self._queues.add(queue)
        return queue

    def timeline(self) -> HostTimeline:
        """See `polyrhythm.hal.api.Device.timeline`."""
        return HostTimeline(f"{self.name}.host")

    def buffer(self, array: np.ndarray) -> OnnxBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return OnnxBuffer(self.token, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> OnnxExecutable:
        """See `polyrhythm.hal.api.Device.load`; the artefact is an ONNX file, `parameters` lie beside it."""
        if len(entries) != 1:
            names = ", ".join(entry.name for entry in entries) or "none"
            raise HalError(f"{artefact} holds one entry, as every ONNX file; asked for are: {names}")
        if missing := [path for path in parameters if not path.is_file()]:
            raise HalError(f"{artefact} needs {missing[0]}, which is missing")
        return OnnxExecutable(self, artefact, entries[0])

    def close(self) -> None:
        """See `polyrhythm.hal.api.Device.close`; leaves hung queues behind after `CLOSE_GRACE_NS`."""
        close_all(self._queues, CLOSE_GRACE_NS)


class OnnxDriver:
    """See `polyrhythm.hal.api.Driver`."""

    name = "onnxruntime"
    formats: tuple[str, ...] = ("onnx",)
    package = "onnxruntime"

    def open(self, config: DeviceConfig) -> OnnxDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        return OnnxDevice(config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`."""
        return tuple(sorted(_providers()))


def _providers() -> dict[str, str]:
    """URI -> provider, of those that the installed ONNX Runtime was built with."""
    return {
        name.removesuffix(_ENDING).lower(): name
        for name in ort.get_available_providers()
        if name not in _REMOTE
    }


def _provider(config: DeviceConfig) -> tuple[str, dict[str, str]]:
    """The provider that a URI asks for, and its options.

    Raises:
        HalError: this ONNX Runtime doesn't have it (lists those it has).
    """
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
    options = dict(parse_qsl(query, keep_blank_values=True))
    if colon:
        options["device_id"] = number
    return known[name], options


def _matched(
    artefact: Path, entry: Entry, kind: str, tensors: Sequence[Tensor], found: Sequence[Any]
) -> tuple[str, ...]:
    """The graph's names of the inputs (or outputs) of an entry, which have to be as it declares them."""
    if len(found) != len(tensors):
        named = ", ".join(tensor.name for tensor in tensors) or "none"
        raise HalError(
            f"{artefact}: entry {entry.name!r} declares {len(tensors)} {kind}s ({named}), "
            f"the graph has {len(found)} ({', '.join(argument.name for argument in found) or 'none'})"
        )
    for tensor, argument in zip(tensors, found, strict=True):
        shape = argument.shape
        fits = len(shape) == len(tensor.shape) and all(
            not isinstance(there, int) or there == here
            for there, here in zip(shape, tensor.shape, strict=True)
        )
        if argument.type != _TYPES[tensor.dtype][0] or not fits:
            raise HalError(
                f"{artefact}: {kind} {tensor.name!r} of entry {entry.name!r} is declared {tensor}, "
                f"the graph has {argument.type} {shape}"
            )
    return tuple(argument.name for argument in found)


def _check_memory(artefact: Path, entry: Entry) -> None:
    if entry.consumed:
        names = ", ".join(sorted(entry.consumed))
        raise HalError(
            f"{artefact}: entry {entry.name!r} declares {names} consumed; ONNX Runtime updates "
            "nothing in place"
        )
    if entry.scratch_bytes:
        raise HalError(
            f"{artefact}: entry {entry.name!r} declares {entry.scratch_bytes} bytes of scratch; ONNX Runtime "
            "takes its own: declare none"
        )


driver = OnnxDriver()
