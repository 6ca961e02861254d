"""Files of weights: any reader reads them, and IREE maps them."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file

from polyrhythm.compile import BuildError
from polyrhythm.compile.weights import ALIGNMENT, as_arrays, describe, write_weights

WEIGHTS = {
    "bias": np.arange(3, dtype=np.float32),
    "b": np.arange(64, dtype=np.float32),
    "a": np.arange(64, dtype=np.float64).reshape(8, 8).T,
    "scalar": np.float32(2.5),
    "truth": np.array([True, False, True]),
    "bytes": np.arange(128, dtype=np.uint8),
    "half": np.arange(32, dtype=np.float16),
}


def test_safetensors(tmp_path: Path) -> None:
    arrays = as_arrays(WEIGHTS, "m")
    write_weights(arrays, tmp_path / "w.safetensors")
    found = load_file(tmp_path / "w.safetensors")
    assert found.keys() == WEIGHTS.keys()
    for name, array in WEIGHTS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == np.asarray(array).dtype


def test_what_can_be_aligned_is(tmp_path: Path) -> None:
    write_weights(as_arrays(WEIGHTS, "m"), tmp_path / "w.safetensors")
    content = (tmp_path / "w.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    starts = {name: 8 + length + entry["data_offsets"][0] for name, entry in header.items()}
    assert all(starts[name] % ALIGNMENT == 0 for name in ("a", "b", "bytes", "half"))
    assert list(header)[:4] == ["a", "b", "half", "bytes"]
    assert all(starts[name] % np.asarray(WEIGHTS[name]).itemsize == 0 for name in WEIGHTS)


def test_bfloat16(tmp_path: Path) -> None:
    array = np.arange(4).astype(ml_dtypes.bfloat16)
    write_weights(as_arrays({"x": array}, "m"), tmp_path / "w.safetensors")
    assert b'"dtype":"BF16"' in (tmp_path / "w.safetensors").read_bytes()


def test_the_same_weights_give_the_same_bytes(tmp_path: Path) -> None:
    for suffix in (".safetensors", ".irpa"):
        for name, weights in {"one": WEIGHTS, "two": dict(reversed(WEIGHTS.items()))}.items():
            write_weights(as_arrays(weights, "m"), (tmp_path / name).with_suffix(suffix))
        assert (tmp_path / "one").with_suffix(suffix).read_bytes() == (tmp_path / "two").with_suffix(
            suffix
        ).read_bytes()


def test_what_the_lock_says() -> None:
    found = describe(as_arrays(WEIGHTS, "m"), ["m.safetensors"])
    assert (found.count, found.size) == (7, 12 + 256 + 512 + 4 + 3 + 128 + 64)


def test_what_cannot_be_stored() -> None:
    odd = {
        "text": np.array(["a"]),
        "none": np.zeros((0, 3)),
        'quo"te': np.zeros(1),
        "c": np.zeros(1, complex),
    }
    with pytest.raises(BuildError) as caught:
        as_arrays(odd, "m")
    assert [found.code for found in caught.value.diagnostics] == ["PK006"] * 4
