"""IREE devices: ``local-sync``, ``local-task`` and any other URI that the installed IREE runtime opens.

Every queue is a thread that runs the ordinary synchronous ABI (`VmContext.invoke` drops the interpreter
lock), so any module works and a failure is an exception of the call that caused it. ``local-sync`` (the one
to start with) computes in that thread; ``local-task`` in a worker pool of its own for each device. A call
that hangs takes its thread with it, and with ``local-task`` the pool: then another queue of the device does
not help, another device does.

Whose native object dies first matters: buffers, executables and contexts must not outlive the device that
made them, nor the memory they view. So what belongs together lies in one tuple, makers first: a tuple drops
its items from the last to the first, whoever lets go of it and in whatever order.

A context may be used by one thread at a time. An executable makes its first one in `Device.load`, where
mistakes show, and gives it to the first queue that runs one of its calls; each further queue gets its own at
its first call (some 0.2 ms, in the queue's thread). Parameters are mapped once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import iree.runtime as rt
import numpy as np

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Buffer, Capabilities, DeviceConfig, HalError
from polyrhythm.hal.binding import ALIGNMENT, aligned_zeros, check_array, check_call
from polyrhythm.hal.drivers.iree_abi import Layout, layout
from polyrhythm.hal.drivers.iree_native import (
    ERRORS,
    Core,
    available,
    instance,
    load_hint,
    map_parameters,
    read_module,
    reason,
)
from polyrhythm.hal.local import LocalDevice

_List = rt.VmVariantList
#: Scope of the parameters in modules that the compile room makes.
PARAMETER_SCOPE = "model"

_ELEMENT = {
    "f64": rt.HalElementType.FLOAT_64, "f32": rt.HalElementType.FLOAT_32,
    "f16": rt.HalElementType.FLOAT_16, "bf16": rt.HalElementType.BFLOAT_16,
    "i64": rt.HalElementType.SINT_64, "i32": rt.HalElementType.SINT_32,
    "i16": rt.HalElementType.SINT_16, "i8": rt.HalElementType.SINT_8,
    "u64": rt.HalElementType.UINT_64, "u32": rt.HalElementType.UINT_32,
    "u16": rt.HalElementType.UINT_16, "u8": rt.HalElementType.UINT_8,
    "bool": rt.HalElementType.BOOL_8,
}  # fmt: skip


class IreeBuffer:
    """See `polyrhythm.hal.api.Buffer`."""

    __slots__ = ("array", "native")

    def __init__(self, core: Core, array: np.ndarray) -> None:
        check_array(array)
        self.array = array
        self.native = (core, array, core.view(array))


class IreeCall:
    """See `polyrhythm.hal.api.Call`. Run it on one queue at a time: it is one set of memory."""

    __slots__ = ("_copied", "_executable", "_native", "_results", "_scalars", "entry", "owner")

    def __init__(
        self,
        executable: IreeExecutable,
        entry: Entry,
        plan: Layout,
        buffers: Mapping[str, Sequence[IreeBuffer]],
    ) -> None:
        core = executable.core
        self.entry = entry
        self.owner = core.token
        self._executable = executable
        self._results = plan.results
        self._scalars = {index: buffers["input"][index].array for index in plan.scalars}
        self._copied = tuple((index, buffers["output"][index].array) for index in plan.copied)
        references: list[Any] = []
        for position, (kind, index) in enumerate(plan.arguments):
            native = buffers[kind][index].native[2]
            if kind == "input" and index in plan.scalars:
                references.append(None)
            elif position in plan.storage:
                references.append(native)
            else:
                tensor = (entry.inputs if kind == "input" else entry.outputs)[index]
                references.append(rt.HalBufferView(native, list(tensor.shape), _ELEMENT[tensor.dtype]))
        function = executable.module.lookup_function(entry.name)
        keep = tuple(buffer for group in buffers.values() for buffer in group)
        refs = tuple(references)
        arguments = None if self._scalars else self._list(refs)
        self._native = (core, executable.module, keep, refs, function, arguments, executable.invokes)

    @property
    def bare(self) -> tuple[Any, Any, int]:
        """(function, arguments, number of results): the same call as plain IREE, for benchmarks."""
        return self._native[4], self._native[5], self._results

    def run(self, key: int) -> None:
        """Invoke on the context of queue `key` and wait for the end; raises what the module raises."""
        _, _, _, references, function, arguments, invokes = self._native
        invoke = invokes.get(key) or self._executable.invoke(key)
        if arguments is None:
            arguments = self._list(references)
        results = _List(self._results)
        try:
            invoke(function, arguments, results)
        except ERRORS as problem:
            raise HalError(reason(problem)) from None
        for index, array in self._copied:
            view = results.get_as_object(index, rt.HalBufferView)
            np.copyto(array, view.map().asarray(view.shape, array.dtype))

    def _list(self, references: Sequence[Any]) -> Any:
        arguments = _List(len(references))
        for index, reference in enumerate(references):
            if reference is not None:
                arguments.push_ref(reference)
            elif self.entry.inputs[index].dtype in ("f32", "f64"):
                arguments.push_float(float(self._scalars[index]))
            else:
                arguments.push_int(int(self._scalars[index]))
        return arguments


class IreeExecutable:
    """See `polyrhythm.hal.api.Executable`."""

    def __init__(
        self, core: Core, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path]
    ) -> None:
        self.core = core
        self.artefact = artefact
        self.module = read_module(artefact)
        names = self.module.function_names
        self._layouts: dict[str, Layout] = {}
        for entry in entries:
            if entry.name not in names:
                public = [n for n in names if not n.startswith("_") and not n.endswith("_transients_size")]
                raise HalError(f"{artefact} has no entry {entry.name!r}; it has: {', '.join(public)}")
            try:
                self._layouts[entry.name] = layout(entry, self.module.lookup_function(entry.name).reflection)
            except HalError as problem:
                raise HalError(f"{artefact}: {problem}") from None
        self.entries: Mapping[str, Entry] = {entry.name: entry for entry in entries}
        self._parameters = map_parameters(parameters)
        modules = [core.module, self.module]
        if self._parameters is not None:
            provider = self._parameters.index.create_provider(scope=PARAMETER_SCOPE)
            modules.insert(0, rt.create_io_parameters_module(instance, provider))
        #: `VmContext.invoke` of each queue's context. The first waits under no key for the first queue.
        self.invokes: dict[int | None, Any] = {}
        self._native = (core, self._parameters, tuple(modules), self.invokes)
        self.invokes[None] = self._new_context().invoke

    def bind(
        self, entry: str, inputs: Sequence[Buffer], outputs: Sequence[Buffer], scratch: Buffer | None
    ) -> IreeCall:
        """See `polyrhythm.hal.api.Executable.bind`."""
        signature = self.entries.get(entry)
        if signature is None:
            known = ", ".join(self.entries) or "none"
            raise HalError(f"{self.artefact.name} was loaded without entry {entry!r}; loaded are: {known}")
        plan = self._layouts[entry]
        check_call(signature, inputs, outputs, scratch, plan.aliases)
        if scratch is None:
            # The function has the argument even if it needs nothing.
            scratch = IreeBuffer(self.core, aligned_zeros(ALIGNMENT))
        buffers = {"input": inputs, "output": outputs, "scratch": (scratch,)}
        native: dict[str, list[IreeBuffer]] = {}
        for kind, group in buffers.items():
            native[kind] = [self._own(kind, index, buffer) for index, buffer in enumerate(group)]
        return IreeCall(self, signature, plan, native)

    def zero_copy(self, entry: str) -> bool:
        """Whether a call writes its outputs straight into the caller's memory."""
        return not self._layouts[entry].copied

    def invoke(self, key: int) -> Any:
        """`VmContext.invoke` of the context of queue `key`, which is made at its first use."""
        # Only the thread of that queue asks for its key, and dict operations are atomic.
        invoke = self.invokes.get(key)
        if invoke is None:
            invoke = self.invokes.pop(None, None) or self._new_context().invoke
            self.invokes[key] = invoke
        return invoke

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        self.invokes.pop(key, None)

    def _own(self, kind: str, index: int, buffer: Buffer) -> IreeBuffer:
        if not isinstance(buffer, IreeBuffer) or buffer.native[0] is not self.core:
            raise HalError(f"{kind} {index} is not a buffer of device {self.core.name!r}: make one there")
        return buffer

    def _new_context(self) -> Any:
        try:
            return rt.VmContext(instance, list(self._native[2]))
        except ERRORS as problem:
            hint = load_hint(problem)
            raise HalError(f"{self.artefact} does not load on {self.core.uri!r}: {hint}") from problem


class IreeDevice(LocalDevice):
    """See `polyrhythm.hal.api.Device`."""

    def __init__(self, config: DeviceConfig) -> None:
        super().__init__(config, pooled=config.uri.startswith("local-task"))
        self._core = Core(config)
        self.token = self._core.token

    def buffer(self, array: np.ndarray) -> IreeBuffer:
        """See `polyrhythm.hal.api.Device.buffer`."""
        return IreeBuffer(self._core, array)

    def load(
        self, artefact: Path, entries: Sequence[Entry], parameters: Sequence[Path] = ()
    ) -> IreeExecutable:
        """See `polyrhythm.hal.api.Device.load`."""
        executable = IreeExecutable(self._core, artefact, entries, parameters)
        self.tell_ends(executable)
        return executable

    def statistics(self) -> Mapping[str, int]:
        """Bytes that the device allocator has given out and taken back; imported memory does not count."""
        found: Mapping[str, int] = self._core.device.allocator.statistics
        return found


class IreeDriver:
    """See `polyrhythm.hal.api.Driver`."""

    name = "iree"
    formats: tuple[str, ...] = ("iree",)
    package = "iree-base-runtime"
    capabilities = Capabilities()

    def open(self, config: DeviceConfig) -> IreeDevice:
        """See `polyrhythm.hal.api.Driver.open`."""
        return IreeDevice(config)

    def available(self) -> tuple[str, ...]:
        """See `polyrhythm.hal.api.Driver.available`."""
        return available()


driver = IreeDriver()
