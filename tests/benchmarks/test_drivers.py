"""A driver that gives NaN has the largest error, in whatever order they come."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from driver_worker import Loaded


def test_an_output_of_nan_is_no_small_error() -> None:
    loaded = Loaded.__new__(Loaded)
    loaded.outputs = [np.ones(2, np.float32), np.full(2, np.nan, np.float32)]
    loaded.wanted = [np.ones(2), np.ones(2)]
    loaded.load_ms, loaded._before_kb = 1.0, (0, 0)
    assert np.isnan(loaded.facts()["error"])
