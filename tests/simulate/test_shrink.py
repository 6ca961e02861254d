"""Failures become small: a planted bug is found, and the strikes that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.schedule.scheduler import Scheduler
from polyrhythm.simulate.campaign import Setting, run
from polyrhythm.simulate.report import describe, replay_command
from polyrhythm.simulate.shrink import smallest

THREE_RATES = Path(__file__).parents[2] / "examples" / "three_rates"
S = 1_000_000_000


def test_the_smallest_list_that_fails() -> None:
    tried: list[list[int]] = []

    def fails(items: list[int]) -> bool:
        tried.append(items)
        return {3, 17, 18} <= set(items)

    assert smallest(list(range(40)), fails) == [3, 17, 18]
    assert len(tried) < 120
    assert smallest([1, 2, 3], lambda items: True) == []


def test_a_planted_bug_is_found_made_small_and_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage that fails is taken for one that has ended well."""

    def forgiving(self: Scheduler, job: object, message: str) -> None:
        self._finish(job)

    monkeypatch.setattr(Scheduler, "_fail", forgiving)
    setting = Setting(THREE_RATES, None, 60 * S, ("late", "fail", "duplicate", "stale"))
    result = run(setting, 0, trials=5)
    assert result.shrunk is not None and result.seed == 0
    assert [strike.fault for strike in result.shrunk.injections] == ["fail"]
    assert result.shrunk.length_ns < 60 * S
    again = Setting(THREE_RATES, None, result.shrunk.length_ns, (), tuple(result.shrunk.injections))
    replayed = again.trial(result.seed)
    replayed.play()
    assert replayed.failure is not None and replayed.failure.rule == result.shrunk.failure.rule
    command = replay_command(setting, result)
    assert command.startswith("polyrhythm simulate ") and '--only "fail@' in command
    told = describe("three rates", setting, 0, result, ())
    assert not told["ok"] and told["failure"]["last_events"]
