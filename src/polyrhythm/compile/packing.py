"""Lays weights out as machine code wants them, once, so that loading the code need not do it.

The compiler writes, beside the code, an **encoder**: a module with the functions ``__encode_parameter_*``
that say which arrays the code takes, and make them from the weights as they are in their files. It is run
here, and what it makes is kept as an archive of IREE (``.irpa``), that devices map. Weights that the code
takes as they are go into the archive too: it is all that the code needs.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import iree.runtime as rt
import numpy as np

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.source import SCOPE
from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.drivers.iree_native import ERRORS, Core, Parameters, instance, reason

_INDICES, _STEPS, _ENCODE = (
    "__encode_parameter_indices_all", "__encode_parameter_steps_all", "__encode_parameters_all"
)  # fmt: skip
#: A constant in the part of IREE's file that describes the module: a table with one field, which comes next
#: and starts with its length.
_CONSTANT = re.compile(rb"(?=\x04\0\0\0(.{4}))", re.DOTALL)


def pack(encoder: bytes, code: bytes, weights: Sequence[Path], archive: Path) -> None:
    """Write to `archive` what `code` takes, as `encoder` makes it of `weights`; takes as much memory as the
    archive is large.

    Raises:
        BuildError: PK016, it does not run.
    """
    try:
        _pack(encoder, code, weights, archive)
        archive.chmod(0o644)  # like all files of a bundle; IREE leaves others out
    except (*ERRORS, HalError) as error:
        archive.unlink(missing_ok=True)
        message = f"its weights cannot be laid out for this machine: {reason(error)}"
        mend = "look whether memory or the disk is full"
        raise BuildError(problem("PK016", ", ".join(map(str, weights)), message, None, "", mend)) from error


def _pack(encoder: bytes, code: bytes, weights: Sequence[Path], archive: Path) -> None:
    core = Core(DeviceConfig("packing", "local-sync"))
    module = rt.VmModule.copy_buffer(instance, encoder)
    index, packed = Parameters(weights).index, rt.ParameterIndex()
    originals = index.items()

    def call(function: str, arguments: Any = None) -> Any:
        parameters = rt.create_io_parameters_module(instance, index.create_provider(scope=SCOPE))
        context = rt.VmContext(instance, [core.module, parameters, module])
        results = rt.VmVariantList(1)
        context.invoke(module.lookup_function(function), arguments or rt.VmVariantList(0), results)
        return results

    # [[scope, [[kind, key, metadata, bytes, alignment], ...]]]
    arrays = call(_INDICES).get_as_list(0).get_as_list(0).get_as_list(1)
    asked = _asked_for(code)
    for key, entry in originals:
        if key.encode() in asked:
            packed.add_buffer(key, rt.parameter_index_entry_as_numpy_flat_ndarray(entry))
    for row in (arrays.get_as_list(index) for index in range(arrays.size)):
        key = bytes(row.get_as_object(1, rt.VmBuffer)).decode()
        array = np.zeros(row.get_variant(3), np.uint8)
        index.add_buffer(key, array, readable=True, writable=True)
        packed.add_buffer(key, array)
    done = rt.HalFence.create_at(core.device.create_semaphore(0), 1)
    arguments = rt.VmVariantList(3)
    arguments.push_list(call(_STEPS).get_as_list(0))
    arguments.push_ref(rt.HalFence.create_at(core.device.create_semaphore(0), 0))
    arguments.push_ref(done)
    call(_ENCODE, arguments)
    done.wait()
    packed.create_archive_file(str(archive))


def _asked_for(code: bytes) -> set[bytes]:
    """The keys of the weights that machine code takes, and perhaps other words.

    What loads weights has their keys end to end in one constant, and in another where each begins and how
    long it is, two u32 a key.
    """
    constants = set(_constants(code))
    ends: dict[int, list[np.ndarray]] = {}
    for constant in constants:
        if constant and len(constant) % 8 == 0:
            starts, sizes = np.frombuffer(constant, "<u4").reshape(-1, 2).T.astype(np.int64)
            if np.array_equal(starts, np.cumsum(sizes) - sizes):
                ends.setdefault(int(sizes.sum()), []).append(np.cumsum(sizes))
    return {
        constant[start:end]
        for constant in constants
        for found in ends.get(len(constant), ())
        for start, end in pairwise([0, *found])
    }


def _constants(code: bytes) -> Iterator[bytes]:
    """All constants of a module: its file is an archive, with large ones as members of their own."""
    with zipfile.ZipFile(io.BytesIO(code)) as archive:
        module, *large = map(archive.read, archive.namelist())
    yield from large
    for found in _CONSTANT.finditer(module):
        start = found.start() + 8
        end = start + int.from_bytes(found[1], "little")
        if end <= len(module):
            yield module[start:end]
