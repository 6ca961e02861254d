"""Trials of the examples: the plan is the one that `run` makes, faults strike, every rule holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.simulate.campaign import Setting, opened
from polyrhythm.simulate.faults import FAULTS, Injection, schedule
from polyrhythm.simulate.trial import Outcome, Trial

EXAMPLES = Path(__file__).parents[2] / "examples"
S = 1_000_000_000


def play(example: str, faults: tuple[str, ...], seeds: range, length_s: int = 20) -> Outcome:
    """Play an example; fails as soon as a rule is broken."""
    setting, sum_ = Setting(EXAMPLES / example, None, length_s * S, faults), Outcome()
    for seed in seeds:
        trial = setting.trial(seed)
        sum_.add(trial.play())
        assert trial.failure is None, (seed, trial.failure)
    return sum_


@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_without_faults_every_job_keeps_its_bound(example: str) -> None:
    found = play(example, (), range(1))
    assert not found.faults and found.simulated_ns == 20 * S
    assert found.judged == found.jobs > 400
    assert all(0 < took_ns <= bound_ns for took_ns, bound_ns in found.worst.values())
    assert len(found.worst) == 2


@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_every_rule_holds_whatever_strikes(example: str) -> None:
    found = play(example, tuple(FAULTS), range(4))
    assert found.faults.total() > 50 and found.judged > 200
    assert found.contexts["switched"] > 2


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"profile", "thermal"}))
def test_each_fault_strikes_alone(fault: str) -> None:
    setting = Setting(EXAMPLES / "three_rates", None, 6 * S, (), (Injection(2 * S, fault),))
    trial = setting.trial(0)
    outcome = trial.play()
    assert trial.failure is None
    assert outcome.faults == {fault: 1}


def test_a_trial_is_a_function_of_its_seed() -> None:
    setting = Setting(EXAMPLES / "three_rates", None, 10 * S)
    first, again, other = setting.trial(7), setting.trial(7), setting.trial(8)
    assert first.play() == again.play() != other.play()


def test_leaving_a_strike_out_leaves_the_others_alone() -> None:
    """What a stage costs and what else strikes does not depend on it."""
    piece = opened(EXAMPLES / "three_rates", None)
    strikes = sorted(schedule(piece, 3, 20 * S, ["duplicate", "disorder"]))
    fewer = [s for s in strikes if s.fault != "duplicate"]
    assert fewer and len(fewer) < len(strikes)
    both, one = (Trial(piece, 3, 20 * S, chosen, keep=True) for chosen in (strikes, fewer))
    assert both.play().faults["disorder"] == one.play().faults["disorder"]
    commands = [[c for step in trial.harness.log for c in step.commands] for trial in (both, one)]
    assert commands[0] == commands[1], "a completion that is reported twice changes nothing"
