"""ONNX Runtime itself, in a process of its own: what a model gives, and what memory it takes.

``python onnx_probe.py`` reads one line of JSON, ``{"model": PATH, "weight_bytes": N, "samples": NPZ,
"count": N, "results": NPZ}``, and answers with one: ``{"loaded_bytes": N, "first_bytes": N}``, by which the
process has grown when the model was loaded and at its first call, or ``{"stage": "load" | "run", "error":
TEXT}``. Arrays are called ``SAMPLE.INDEX``; those of bf16, which NumPy does not have, hold its bits.
A model that brings the process down brings nobody else down. Nothing of Polyrhythm is imported, so that
little moves its size.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

#: Weights above this are loaded once only.
LARGE_BYTES = 1 << 30
#: ONNX Runtime's name and ONNX's number of bf16.
_BF16, _BF16_NUMBER = "tensor(bfloat16)", 16


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Run every sample of the file once."""
    with np.load(asked["samples"]) as found:
        arrays = dict(found)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    sessions, sizes, results, doing = [], [0, 0, 0], {}, "load"
    try:
        # What ONNX Runtime sets up once for all is no part of a model: look at a second, if there is room.
        for _ in range(1 if asked["weight_bytes"] > LARGE_BYTES else 2):
            doing, sizes = "load", [_resident()]
            session = ort.InferenceSession(asked["model"], options, providers=["CPUExecutionProvider"])
            sessions.append(session)
            doing = "run"
            sizes.append(_resident())
            for sample in range(asked["count"]):
                given = {
                    item.name: _value(arrays[f"{sample}.{i}"], item.type)
                    for i, item in enumerate(session.get_inputs())
                }
                outputs = session.run_with_ort_values(None, given)
                if sample == 0:
                    sizes.append(_resident())
                results.update({f"{sample}.{i}": _array(output) for i, output in enumerate(outputs)})
    except Exception as error:
        return {"stage": doing, "error": f"{error}"}
    np.savez(asked["results"], **results)  # type: ignore[arg-type]
    return {"loaded_bytes": sizes[1] - sizes[0], "first_bytes": sizes[2] - sizes[1]}


def _value(array: np.ndarray, kind: str) -> Any:
    if kind == _BF16:
        return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, _BF16_NUMBER)
    return ort.OrtValue.ortvalue_from_numpy(array)


def _array(value: Any) -> np.ndarray:
    if value.data_type() != _BF16:
        return np.asarray(value.numpy())
    shape = value.shape()
    bits = (ctypes.c_uint16 * prod(shape)).from_address(value.data_ptr())
    return np.array(bits, np.uint16).reshape(shape)


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps(answer(json.loads(sys.stdin.readline()))))
