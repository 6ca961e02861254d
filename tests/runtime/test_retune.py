"""`Runtime.retune`: guidance changes between two chunks, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime import RunError, Runtime


def test_only_plans_with_real_time_chunking_have_knobs(runtime):
    with pytest.raises(RunError, match="not one with real-time chunking"):
        runtime.retune(beta=2)


def test_what_does_not_fit_is_refused_and_changes_nothing(plan):
    with Runtime(replace(plan, rtc=Rtc(beta=4))) as runtime:
        with pytest.raises(
            RunError, match="'late' can't be changed in a run; schedule, beta, overlap_end can"
        ):
            runtime.retune(late="stop")
        with pytest.raises(RunError, match="beta: the number is outside its range"):
            runtime.retune(beta=-1)
        assert runtime.retune() == Rtc(beta=4)
        assert runtime.retune(beta=2, schedule="ones", overlap_end=3) == Rtc(
            beta=2, schedule="ones", overlap_end=3
        )
