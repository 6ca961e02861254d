"""Weights as files: `.safetensors` or `.irpa`, laid out so that a runtime can map them without a copy.

IREE uses a tensor in place if it starts at a multiple of 64 bytes in the file, and copies it into memory of
its own if not. So the header is padded, and tensors whose size is a multiple of 64 bytes come first; the odd
small ones at the end are the only ones to be copied. Any reader of the format reads the file.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle.lock import LockedParameters
from polyrhythm.bundle.signature import DTYPE_BYTES
from polyrhythm.compile.codes import BuildError, problem

ALIGNMENT = 64
#: IREE prints these in names of parameters so that it cannot read them back.
_ODD = {'"', "\\"}
_SAFETENSORS = {name: name.upper() for name in DTYPE_BYTES}
_NUMPY = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16",
    "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
    "uint64": "u64", "uint32": "u32", "uint16": "u16", "uint8": "u8", "bool": "bool",
}  # fmt: skip
_NAMES = {short: name for name, short in _NUMPY.items()}


def dtype_name(dtype: Any) -> str | None:
    """The short name of a NumPy dtype (``f32``); None if bundles have none for it."""
    return _NUMPY.get(np.dtype(dtype).name)


def numpy_dtype(name: str) -> np.dtype[Any]:
    """The NumPy dtype of a short name; bfloat16 is that of the package ml_dtypes, which comes with JAX."""
    if name == "bf16":
        import ml_dtypes

        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype(_NAMES[name])


def as_arrays(parameters: Mapping[str, Any], where: str) -> dict[str, np.ndarray]:
    """The parameters as arrays, sorted by name.

    Raises:
        BuildError: PK006 for each that cannot be stored.
    """
    arrays, found = {}, []
    for name in sorted(parameters, key=str):
        try:
            array = np.asarray(parameters[name])
        except (TypeError, ValueError, RuntimeError) as error:
            found.append(
                problem(
                    "PK006",
                    where,
                    f"parameter {name!r} is no array: {error}",
                    type(parameters[name]).__name__,
                    "numbers: " + ", ".join(_NAMES),
                    "convert it",
                    path=f"{where}.{name}",
                )
            )
            continue
        if (
            not isinstance(name, str)
            or not name
            or not name.isprintable()
            or name.startswith("__")
            or _ODD & set(name)
        ):
            found.append(
                problem(
                    "PK006",
                    where,
                    f"{name!r} is not a name for a parameter",
                    str(name)[:80],
                    "printable text without quotes and backslashes that does not begin with `__`",
                    "rename it",
                )
            )
        elif dtype_name(array.dtype) is None or array.size == 0:
            found.append(
                problem(
                    "PK006",
                    where,
                    f"parameter {name!r} is {array.dtype}{list(array.shape)}",
                    str(array.dtype),
                    "numbers: " + ", ".join(_NAMES),
                    "convert it",
                    path=f"{where}.{name}",
                )
            )
        else:
            arrays[name] = np.ascontiguousarray(array).reshape(array.shape)
    if found:
        raise BuildError(*found)
    return arrays


def describe(arrays: Mapping[str, np.ndarray], files: list[str]) -> LockedParameters:
    """What the lock says of the weights of a module."""
    return LockedParameters(
        files=files, count=len(arrays), size=sum(array.nbytes for array in arrays.values())
    )


def write_weights(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write `arrays` in the format that the ending of `path` names."""
    if path.suffix == ".irpa":
        _write_irpa(arrays, path)
    else:
        _write_safetensors(arrays, path)


def _write_safetensors(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    ordered = sorted(
        arrays.items(), key=lambda item: (item[1].nbytes % ALIGNMENT != 0, -item[1].itemsize, item[0])
    )
    header, end = {}, 0
    for name, array in ordered:
        header[name] = {
            "dtype": _SAFETENSORS[_NUMPY[array.dtype.name]],
            "shape": list(array.shape),
            "data_offsets": [end, end + array.nbytes],
        }
        end += array.nbytes
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-(len(text) + 8) % ALIGNMENT)
    with path.open("wb") as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        for _, array in ordered:
            stream.write(array.tobytes())


def _write_irpa(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    import iree.runtime as rt

    index = rt.ParameterIndex()
    for name, array in arrays.items():
        index.add_buffer(name, np.frombuffer(array.tobytes(), np.uint8).copy())
    index.create_archive_file(str(path))
