"""ONNX Runtime itself, in a process of its own: what a model gives, and what memory it takes.

``python onnx_probe.py`` reads one line of JSON, ``{"model": PATH, "weight_bytes": N, "samples": NPZ,
"count": N, "results": NPZ}``, and answers with one: ``{"loaded_bytes": N, "first_bytes": N}``, by which the
process has grown when the model was loaded and at its first call, or ``{"stage": "load" | "run", "error":
TEXT}``. Arrays are called ``SAMPLE.INDEX``. A model that brings the process down brings nobody else down.
Nothing of Polyrhythm is imported, so that little moves its size.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

#: Weights above this are loaded once only.
LARGE_BYTES = 1 << 30


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
                names = (item.name for item in session.get_inputs())
                outputs = session.run(None, {name: arrays[f"{sample}.{i}"] for i, name in enumerate(names)})
                if sample == 0:
                    sizes.append(_resident())
                results.update({f"{sample}.{i}": np.asarray(output) for i, output in enumerate(outputs)})
    except Exception as error:
        return {"stage": doing, "error": f"{error}"}
    np.savez(asked["results"], **results)  # type: ignore[arg-type]
    return {"loaded_bytes": sizes[1] - sizes[0], "first_bytes": sizes[2] - sizes[1]}


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps(answer(json.loads(sys.stdin.readline()))))
