"""The entries of the conformance suite as `.tflite` files, one each.

Nothing is updated in place, `twice` does not look at its input, and `grind` multiplies thirty times.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from polyrhythm.hal.conformance import F64, GAIN, SQUARE

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from tflite_file import TfliteFile


def write(folder: Path) -> dict[str, Path]:
    """Their paths by name."""
    found = {}
    f = TfliteFile()
    a, b = f.tensor("a", F64), f.tensor("b", F64)
    total = f.operation("ADD", [a, b], F64)
    found["add"] = f.write(folder / "add.tflite", {"a": a, "b": b}, {"sum": total})

    f = TfliteFile()
    x, y = f.tensor("x", F64), f.tensor("y", F64)
    one, gain = f.constant("one", np.ones(1, np.float32)), f.constant("gain", np.full(64, GAIN, np.float32))
    common = f.operation("MUL", [f.operation("ADD", [x, one], F64), gain], F64)
    first, second = (f.operation("ADD", [common, port], F64) for port in (x, y))
    found["two"] = f.write(folder / "two.tflite", {"x": x, "y": y}, {"first": first, "second": second})

    f = TfliteFile()
    angle = f.tensor("angle", (), "int32")
    double = f.operation("ADD", [angle, angle], ())
    found["twice"] = f.write(folder / "twice.tflite", {"angle": angle}, {"double": double})

    f = TfliteFile()
    x = y = f.tensor("x", SQUARE)
    for _ in range(30):
        y = f.operation("BATCH_MATMUL", [x, y], SQUARE)
    found["grind"] = f.write(folder / "grind.tflite", {"x": x}, {"y": y})
    return found
