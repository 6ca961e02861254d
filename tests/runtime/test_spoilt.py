"""A runtime whose memory something still has in its hands plays no more."""

from __future__ import annotations

import sys

import pytest

from polyrhythm.runtime import RunError, Runtime, realtime
from tests.runtime.robot import Diary

#: The module; `polyrhythm.runtime.play` is the function.
play_module = sys.modules["polyrhythm.runtime.play"]


def test_a_stage_that_never_came_back_spoils_its_runtime_alone(plan, monkeypatch):
    """The grinder works for seconds; the run is over before, and nobody waits for it."""
    monkeypatch.setattr(realtime, "DRAIN_NS", 0)
    monkeypatch.setattr(play_module, "CLOSE_GRACE_NS", 0)
    with Runtime(plan) as runtime:
        outcome = runtime.run(Diary(length=1000, scene=lambda tick: (300_000, 1, 9, 16)), seconds=0.3)
        assert outcome.reason == "complete"
        assert outcome.modules["grinder"].under_way == 1
        with pytest.raises(RunError, match="never came back from the last run: make a new Runtime"):
            runtime.run(Diary(), episodes=1)
        monkeypatch.undo()
        with Runtime(plan) as other:
            assert other.run(Diary(length=20), episodes=1, tasks=["left"]).reason == "complete"
