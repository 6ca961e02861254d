"""The entries of the conformance suite as ncnn files, one each.

Nothing is updated in place; `twice` is in f32 and does not look at its input; `grind` multiplies thirty
times. ncnn wants to be told where a tensor is read more than once, by layers called Split.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polyrhythm.hal.conformance import GAIN

_ADD, _MULTIPLY = "0=0", "0=2"


def write(folder: Path) -> dict[str, Path]:
    """Their paths by name; their weights lie beside them."""
    gain = np.full(64, GAIN, np.float32)
    split = " ".join(f"x{i}" for i in range(31))
    grind = ["Input x 0 1 x", f"Split copies 1 31 x {split}"]
    before = "x30"
    for i in range(30):
        after = "y" if i == 29 else f"y{i}"
        grind.append(f"MatMul product{i} 2 1 x{i} {before} {after}")
        before = after
    return {
        "add": _file(folder / "add", ["Input a 0 1 a", "Input b 0 1 b", f"BinaryOp add 2 1 a b sum {_ADD}"]),
        "two": _file(
            folder / "two",
            [
                "Input x 0 1 x",
                "Input y 0 1 y",
                "Split xs 1 2 x x0 x1",
                f"BinaryOp next 1 1 x0 next {_ADD} 1=1 2=1.0",
                "MemoryData gain 0 1 gain 0=64",
                f"BinaryOp common 2 1 next gain common {_MULTIPLY}",
                "Split commons 1 2 common c0 c1",
                f"BinaryOp first 2 1 c0 x1 first {_ADD}",
                f"BinaryOp second 2 1 c1 y second {_ADD}",
            ],
            gain,
        ),
        "twice": _file(
            folder / "twice",
            ["Input angle 0 1 angle", f"BinaryOp double 1 1 angle double {_MULTIPLY} 1=1 2=2.0"],
        ),
        "grind": _file(folder / "grind", grind),
    }


def _file(path: Path, layers: Sequence[str], weights: np.ndarray | None = None) -> Path:
    blobs = sum(int(layer.split()[3]) for layer in layers)
    param = path.with_suffix(".param")
    param.write_text("\n".join(["7767517", f"{len(layers)} {blobs}", *layers]) + "\n")
    path.with_suffix(".bin").write_bytes(b"" if weights is None else weights.tobytes())
    return param
