"""Apache TVM: Relax modules that were compiled to a shared library (``.so``), on the CPU.

A library may have several functions, each an entry. It does not say what they take and give, so each is run
once on zeros when it is loaded, which tells. Inputs are read where they lie; outputs are made in memory of
TVM that it keeps, and copied.

A library is machine code that runs in this process: load none that you would not execute. Half a file crashes
whoever loads it; the digests of a bundle keep that from happening.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import Capabilities, DeviceConfig, HalError
from polyrhythm.hal.binding import aligned_zeros, dtype_name
from polyrhythm.hal.library import LibraryDriver, Run
from polyrhythm.hal.local import PerQueue
from polyrhythm.hal.ports import Port, Signature, copy_out
from polyrhythm.hal.worker import first_line


class TvmProgram:
    """See `polyrhythm.hal.library.Program`."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        import tvm

        if len(config.cores) > 1:
            raise HalError(
                f"device {config.name!r}: TVM has one pool of threads for all of the process, so a device "
                "computes with one thread: name one core"
            )
        self._view = tvm.runtime.from_dlpack
        module = tvm.runtime.load_module(str(artefact))
        # A virtual machine has registers of its own, and is for one thread at a time.
        self._machines = PerQueue(lambda: tvm.runtime.vm.VirtualMachine(module, tvm.cpu()))
        self.signatures: Mapping[str, Signature] = {e.name: self._tried(artefact, e) for e in entries}

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        """The function of the queue's machine, on views of the inputs."""
        machine, views = self._machines.get, [self._view(array) for array in inputs]

        def run(key: int) -> None:
            made = _results(machine(key)[entry](*views))
            for index, (array, one) in enumerate(zip(outputs, made, strict=True)):
                copy_out(index, np.from_dlpack(one), array)

        return run

    def forget(self, key: int) -> None:
        """Queue `key` has ended."""
        self._machines.forget(key)

    def _tried(self, artefact: Path, entry: Entry) -> Signature:
        """What a function gives for zeros as inputs.

        Raises:
            HalError: there is none of that name, or it does not take them.
        """
        machine = self._machines.spare
        if not machine.module.implements_function(entry.name):
            raise HalError(f"{artefact} has no entry {entry.name!r}")
        zeros = [self._view(aligned_zeros(tensor)) for tensor in entry.inputs]
        try:
            made = _results(machine[entry.name](*zeros))
        except Exception as problem:
            declared = ", ".join(f"{t.name!r}: {t}" for t in entry.inputs) or "none"
            raise HalError(
                f"{artefact}: entry {entry.name!r} declares inputs {declared}, which the artefact does not "
                f"take: {first_line(problem)}"
            ) from None
        found = (Port("", dtype_name(np.from_dlpack(one).dtype), tuple(one.shape)) for one in made)
        return Signature(tuple(_port(t) for t in entry.inputs), tuple(found))


def _results(value: Any) -> Sequence[Any]:
    return [value] if hasattr(value, "__dlpack__") else list(value)


def _port(tensor: Tensor) -> Port:
    return Port(tensor.name, tensor.dtype, tensor.shape)


driver = LibraryDriver(
    "tvm",
    module="tvm",
    package="apache-tvm",
    formats=("tvm",),
    endings={"tvm": ".so"},
    load=TvmProgram,
    capabilities=Capabilities(
        caller_owned_outputs=False,
        in_place=False,
        failures=False,
        note="one thread a device; artefacts tell nothing of their tensors, so entries are tried when loaded",
    ),
)
