"""Ticks hide how old an action is once the loop is slower than declared; the auditor looks at the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.campaign import opened
from polyrhythm.simulate.faults import Injection
from polyrhythm.simulate.terse import S
from polyrhythm.simulate.trial import Trial

EXAMPLES = Path(__file__).parents[2] / "examples"


def trial_of(example: str, fault: str) -> Trial:
    piece = opened(EXAMPLES / example, None)
    return Trial(piece, 0, 5 * S, [Injection(at_ns, fault) for at_ns in (S, 2 * S, 3 * S)])


@pytest.mark.parametrize("fault", ["slow-loop", "host"])
@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_a_loop_that_is_slowed_makes_actions_older_by_that(example: str, fault: str) -> None:
    trial = trial_of(example, fault)
    trial.play()
    assert trial.failure is None and trial.auditor.slowed_ns > 0
    even = trial_of(example, "duplicate")
    even.play()
    assert even.auditor.slowed_ns == 0 and even.auditor.oldest_ns < trial.auditor.oldest_ns


@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_a_loop_that_is_slow_and_does_not_say_so_is_found(
    monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    """Its actions are of ticks within their chunk, each answered once: in ticks nothing is wrong."""

    def acted(auditor: Auditor, tick: int, now_ns: int) -> None:
        auditor.acting = None if tick == auditor.acting else auditor.acting

    monkeypatch.setattr(Auditor, "_acted", acted)
    trial = trial_of(example, "slow-loop")
    trial.play()
    assert trial.failure is not None and trial.failure.rule.startswith("control.py:_aged")
    assert "ns after its chunk came, which may be" in trial.failure.message
