"""Whatever ends a campaign early, what came of its trials is told, and which seed it was."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from polyrhythm.simulate.campaign import BATCH, Result, Setting, run
from polyrhythm.simulate.report import describe, render
from polyrhythm.simulate.trial import Failure, Outcome, Trial

THREE_RATES = Path(__file__).parents[2] / "examples" / "three_rates"
S = 1_000_000_000


class Broken(Trial):
    """Breaks a rule, always the same."""

    def play(self) -> Outcome:
        outcome = super().play()
        self.failure = Failure("rule", "this is wrong", self.length_ns, ())
        return outcome


@dataclass(frozen=True)
class Trouble(Setting):
    """Trials that go wrong: by seed, how."""

    breaks: int | None = None
    raises: int | None = None
    dies: int | None = None
    not_in: int | None = None  #: a process in which no rule is broken
    raises_in: int | None = None  #: a process in which every seed raises

    def trial(self, seed: int) -> Trial:
        if seed == self.raises or os.getpid() == self.raises_in:
            raise ValueError("no scenario")
        if seed == self.dies:
            os._exit(3)
        trial = super().trial(seed)
        kind = Broken if seed == self.breaks and os.getpid() != self.not_in else Trial
        return kind(trial.piece, seed, trial.length_ns, ())


def trouble(**how: int) -> Trouble:
    return Trouble(THREE_RATES, None, S // 5, (), **how)  # type: ignore[arg-type]


def told(setting: Setting, result: Result) -> str:
    console = Console(width=200, record=True, file=StringIO())
    console.print(render(describe("three rates", setting, 0, result, ())))
    return console.export_text()


def test_a_seed_that_can_not_be_played_is_named() -> None:
    setting = trouble(raises=3)
    result = run(setting, 0, trials=6)
    assert result.outcome.trials == 3 and result.seed is None
    [error] = result.errors
    assert error.startswith("seed 3: ValueError: no scenario (test_campaign.py, line ")
    assert f"ERROR, {error}" in told(setting, result)
    assert not describe("three rates", setting, 0, result, ())["ok"]


def test_a_broken_rule_is_not_lost_to_an_error_elsewhere() -> None:
    setting = trouble(breaks=1, raises=BATCH)
    result = run(setting, 0, trials=2 * BATCH, jobs=2)
    assert result.seed == 1 and result.shrunk is not None
    assert [error.partition(":")[0] for error in result.errors] == [f"seed {BATCH}"]
    text = told(setting, result)
    assert f"ERROR, seed {BATCH}" in text and "of seed 1: " in text and "this is wrong" in text


def test_a_process_that_dies_names_the_seeds_that_it_may_have_played() -> None:
    setting = trouble(dies=2)
    result = run(setting, 0, trials=2 * BATCH, jobs=2)
    assert any(
        error.startswith(f"one of seeds 0 to {BATCH - 1}: BrokenProcessPool: ") for error in result.errors
    )
    assert not describe("three rates", setting, 0, result, ())["ok"]


@pytest.mark.parametrize(
    ("where", "again"),
    [
        ("not_in", "it did not come again"),
        ("raises_in", "when it was played again: ValueError: no scenario ("),
    ],
)
def test_a_failure_that_does_not_come_again_is_told(where: str, again: str) -> None:
    setting = trouble(breaks=1, **{where: os.getpid()})
    result = run(setting, 0, trials=2, jobs=2)
    assert result.seed is None and result.shrunk is None and result.outcome.trials == 2
    [error] = result.errors
    assert error.startswith(f"seed 1: this is wrong; {again}")
