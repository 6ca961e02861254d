"""Control is judged by every instant: one that passed without an answer waited for the next one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import swap
from swap import PERIOD_NS, Watch

from polyrhythm.schedule.events import Command, Drop, Hold, Wake


def late_ms(monkeypatch: pytest.MonkeyPatch, *steps: tuple[float, list[Command]]) -> list[float]:
    """How late every instant was answered, of steps at such times in ms."""
    watch, origin_ns = Watch(), 5_000_000_000
    for at_ms, commands in steps:
        now_ns = origin_ns + round(at_ms * 1e6)
        monkeypatch.setattr(swap, "monotonic_ns", lambda now_ns=now_ns: now_ns)
        watch.step(Wake(now_ns), commands)
    return [ns / 1e6 for ns in watch.late_ns[False]]


def test_what_is_late_by_more_than_a_period_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PERIOD_NS == 20_000_000
    late = Drop("control", "host_late", 2)
    steps = (0, [Hold(0, "")]), (60.5, [late, Hold(1, "")]), (80, [Hold(2, "")])
    assert late_ms(monkeypatch, *steps) == [0, 40.5, 20.5, 0.5, 0]


def test_an_instant_that_a_busy_robot_lets_pass_comes_after_the_one_that_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    busy = Drop("control", "robot_busy")
    steps = (0, [Hold(0, "")]), (40, [busy]), (43, [Hold(1, "")]), (60, [Hold(2, "")])
    assert late_ms(monkeypatch, *steps) == [0, 23, 3, 0]
