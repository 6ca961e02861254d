"""What every driver checks before it takes memory: arrays, and the buffers of a call against its entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike

from polyrhythm.bundle.signature import DTYPE_BYTES, Entry, Tensor
from polyrhythm.hal.api import Buffer, HalError

#: Byte alignment of all memory that a device reads or writes: a cache line, and the widest vector load.
ALIGNMENT = 64

#: Element type of arrays for each dtype name. NumPy has no bfloat16 of its own: its bits are kept as u16.
STORAGE: Mapping[str, np.dtype] = {
    name: np.dtype({"bf16": "u2", "bool": "?"}.get(name, f"{name[0]}{nbytes}"))
    for name, nbytes in DTYPE_BYTES.items()
}
_NAMES = {dtype: name for name, dtype in STORAGE.items() if name != "bf16"}


def dtype_name(dtype: DTypeLike) -> str:
    """The short name of a dtype of NumPy's own (``f32``); NumPy's name if signatures have none for it."""
    found = np.dtype(dtype)
    return _NAMES.get(found, str(found))


def in_place(entry: Entry) -> dict[int, int]:
    """Outputs that a call writes where an input lies: index of the output -> index of the input.

    They are those that have name, dtype and shape of an input that the entry consumes: state that stays where
    it is, such as a KV cache of which a call writes one row. Bind both to the same memory.
    """
    inputs = {tensor: index for index, tensor in enumerate(entry.inputs) if tensor.name in entry.consumed}
    return {index: inputs[tensor] for index, tensor in enumerate(entry.outputs) if tensor in inputs}


def address(array: np.ndarray) -> int:
    """Where the first byte lies."""
    pointer: int = array.__array_interface__["data"][0]
    return pointer


def aligned_zeros(item: Tensor | int) -> np.ndarray:
    """Zeros that a device may use: of the tensor's shape and element type, or u8 of that many bytes."""
    nbytes = item if isinstance(item, int) else item.nbytes
    raw = np.zeros(nbytes + ALIGNMENT, np.uint8)
    start = -address(raw) % ALIGNMENT
    raw = raw[start : start + nbytes]
    return raw if isinstance(item, int) else raw.view(STORAGE[item.dtype]).reshape(item.shape)


def check_array(array: np.ndarray) -> None:
    """Raise `HalError` unless a device can use this memory as it is."""
    if not array.flags.c_contiguous:
        raise HalError(f"array of shape {array.shape} is not C-contiguous; give memory from an arena")
    if not array.flags.writeable:
        raise HalError(f"array of shape {array.shape} is read-only; a device needs writable memory")
    if address(array) % ALIGNMENT:
        raise HalError(
            f"array of shape {array.shape} at {address(array):#x} is not {ALIGNMENT}-byte aligned "
            f"(off by {address(array) % ALIGNMENT}); NumPy aligns to 16 only: take memory from an arena"
        )


def check_call(
    entry: Entry,
    inputs: Sequence[Buffer],
    outputs: Sequence[Buffer],
    scratch: Buffer | None,
    aliases: Mapping[int, int],
) -> None:
    """Raise `HalError` unless these buffers fit `entry`: number, dtype, shape, scratch, no overlap.

    `aliases` gives, for an output that a call writes into the memory of an input, that input's index.
    """
    _check_tensors(entry, "input", entry.inputs, inputs)
    _check_tensors(entry, "output", entry.outputs, outputs)
    have = 0 if scratch is None else scratch.array.nbytes
    if have < entry.scratch_bytes:
        raise HalError(
            f"{entry.name!r} needs {entry.scratch_bytes} bytes of scratch, got {have if scratch else 'none'}"
        )
    for index, source in aliases.items():
        if address(outputs[index].array) != address(inputs[source].array):
            raise HalError(
                f"{entry.name!r} writes output {entry.outputs[index].name!r} in place of input "
                f"{entry.inputs[source].name!r}: bind both to the same memory"
            )
    _check_overlap(entry, inputs, outputs, scratch, aliases)


def _check_tensors(entry: Entry, kind: str, wanted: Sequence[Tensor], given: Sequence[Buffer]) -> None:
    if len(given) != len(wanted):
        named = ", ".join(f"{tensor.name}: {tensor}" for tensor in wanted) or "none"
        if len(given) < len(wanted):
            missing = ", ".join(repr(tensor.name) for tensor in wanted[len(given) :])
            what = f"{missing} missing"
        else:
            what = f"{len(given) - len(wanted)} too many"
        raise HalError(f"{entry.name!r} has {len(wanted)} {kind}s ({named}), got {len(given)}: {what}")
    for tensor, buffer in zip(wanted, given, strict=True):
        array = buffer.array
        if array.shape != tensor.shape or not _same_type(array.dtype, tensor.dtype):
            raise HalError(
                f"{kind} {tensor.name!r} of {entry.name!r} is {tensor}, got {array.dtype}{list(array.shape)}"
            )


def _same_type(dtype: np.dtype, name: str) -> bool:
    return dtype == STORAGE[name] or (name == "bf16" and dtype.name == "bfloat16")


def _check_overlap(
    entry: Entry,
    inputs: Sequence[Buffer],
    outputs: Sequence[Buffer],
    scratch: Buffer | None,
    aliases: Mapping[int, int],
) -> None:
    """What a call writes shares no memory with anything else, except where the entry says so."""
    written = [(f"output {t.name!r}", buffer) for t, buffer in zip(entry.outputs, outputs, strict=True)]
    if scratch is not None and scratch.array.nbytes:
        written.append(("scratch", scratch))
    for index, (what, buffer) in enumerate(written):
        others = [*written[:index]]
        others += [
            (f"input {tensor.name!r}", source)
            for position, (tensor, source) in enumerate(zip(entry.inputs, inputs, strict=True))
            if aliases.get(index) != position
        ]
        for other, source in others:
            if np.may_share_memory(buffer.array, source.array):
                raise HalError(f"{what} and {other} of {entry.name!r} overlap in memory")
