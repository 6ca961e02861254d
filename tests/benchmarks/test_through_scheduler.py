"""A run lasts until there is enough to measure, however slow the machine is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import through_scheduler
from measure import planned
from through_scheduler import periods_ns, play

SLOW = """
devices: { one: { driver: "null", uri: "sleep_ns:30000000" } }
orchestration:
  mode: parallel
  modules: [{ id: first, vmfb: stages.vmfb, rate_hz: 100, on_overrun: shift }]
"""
SOURCE = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }"


def test_a_slow_machine_takes_longer_and_gives_as_much() -> None:
    watch = play(planned(SOURCE, "stages.vmfb", SLOW), 14)
    assert len(periods_ns(watch, 10)) >= 3


def test_what_never_comes_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through_scheduler, "LIMIT_S", 0.1)
    with pytest.raises(
        SystemExit, match=r"of 1000 ticks were finished within 0\.1 s: the machine is too busy"
    ):
        play(planned(SOURCE, "stages.vmfb", SLOW), 1000)
