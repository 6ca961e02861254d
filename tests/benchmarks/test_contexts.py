"""A switch is measured until the context that was asked for looks, not one that still plays."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from contexts import Watch

from polyrhythm.schedule.events import Observe, Switched, Wake


def test_what_still_plays_does_not_end_a_switch() -> None:
    watch = Watch()
    for context in (1, 2):
        watch.ask(context)
        watch.step(Wake(0), [Observe("clock", 0, context - 1)])
        assert not watch.flipped.is_set()
        watch.step(Wake(0), [Switched(context), Observe("clock", 0, context)])
        assert watch.flipped.is_set()
    assert len(watch.took_ns) == len(watch.flip_ns) == 2
