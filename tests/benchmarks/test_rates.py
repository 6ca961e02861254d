"""A tick that failed was not done in time, either."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from rates import missed


def test_every_lost_tick_is_a_miss() -> None:
    drops = {"overrun": 1, "failed": 2, "hung": 3, "device_renewed": 4, "absent": 100, "old_epoch": 100}
    assert missed(SimpleNamespace(late=5, drops=drops)) == 15  # type: ignore[arg-type]
