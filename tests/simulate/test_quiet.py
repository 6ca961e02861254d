"""What is skipped would have come as it was counted: with and without skipping a trial is the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from polyrhythm.schedule.grid import hyperperiod
from polyrhythm.simulate.campaign import opened
from polyrhythm.simulate.faults import FAULTS, Injection, schedule
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.state import resting_of, state_of, still
from polyrhythm.simulate.state.delays import Window, alike, lasts
from polyrhythm.simulate.swarm import random_scenario
from polyrhythm.simulate.terse import MS, S
from polyrhythm.simulate.trial import Trial
from tests.simulate.mutants import Mutant, planted

EXAMPLES = Path(__file__).parents[2] / "examples"


def looks(trial: Trial) -> tuple[object, ...]:
    """How a trial looks from where it is; what is armed by the names of the faults."""
    harness, auditor, armed, *others = state_of(trial)
    names = [(module, [fault for fault, _ in found]) for module, found in armed]  # type: ignore[attr-defined]
    return harness, auditor, names, *others, resting_of(trial)


def same(piece: Piece, seed: int, length_ns: int, strikes: Iterable[Injection]) -> float:
    """Play a trial with and without skipping; the share that was skipped."""
    strikes = tuple(strikes)
    short, whole = (Trial(piece, seed, length_ns, strikes, every_event=every) for every in (False, True))
    for trial in (short, whole):
        trial._play_on()
    # Later, if the host stands still then.
    assert short.true_ns(short.harness.clock.now_ns()) == whole.harness.clock.now_ns() >= length_ns
    assert short.harness.scheduler.phase == whole.harness.scheduler.phase
    if still(short):
        assert still(whole) and looks(short) == looks(whole)
    for trial in (short, whole):
        trial._end()
    found, expected = short.so_far(), whole.so_far()
    found.add(short._skipped)
    skipped_ns = found.skipped_ns
    assert replace(found, skipped_ns=0) == expected
    return skipped_ns / found.simulated_ns


def strikes_of(piece: Piece, seed: int, length_ns: int, often: float) -> list[Injection]:
    return list(schedule(piece, seed, length_ns, FAULTS, dict.fromkeys(FAULTS, often)))


@pytest.mark.parametrize(("example", "share"), [("three_rates", 0.96), ("dual_system", 0.92)])
def test_almost_all_of_an_undisturbed_trial_is_skipped(example: str, share: float) -> None:
    assert same(opened(EXAMPLES / example, None), 1, 30 * S, ()) > share


def test_it_is_skipped_while_delays_are_still_to_be_remembered() -> None:
    """It would take 1.1 s until fifty chunks have come and the same state has come again."""
    piece = opened(EXAMPLES / "three_rates", None)
    assert same(piece, 1, 1300 * MS, ()) == 500 / 1300


def test_what_comes_may_not_change_an_estimate() -> None:
    """The estimate is what 95 of 100 did not exceed: of less than twenty delays it is the longest."""
    trial = Trial(opened(EXAMPLES / "three_rates", None), 1, S, ())
    trial._play_on()
    control = trial.auditor.plan.control
    assert control is not None and (control.delay_window, control.delay_quantile) == (50, 0.95)

    def window(*delays: int) -> Window:
        return delays, tuple(sorted(delays)), delays

    assert lasts(trial, window(1, 1, 1), 1, 10**9)
    assert lasts(trial, window(*[1] * 18, 3), 3, 10**9)
    few = window(3, *[1] * 17)
    assert lasts(trial, few, 1, 1) and not lasts(trial, few, 1, 2)
    many = window(*[1] * 48, 3, 3)
    assert lasts(trial, many, 1, 10**9) and not lasts(trial, many, 3, 1)


def test_delays_are_alike_if_all_are_that_came() -> None:
    ones = (1, 1, 1)
    assert alike((ones, ones, ones), 3) == 1 and alike((ones, ones, ones), 4) is None
    assert alike(((2, 1, 1), (1, 1, 2), (2, 1, 1)), 2) == 1
    assert alike(((2, 1, 1), (1, 1, 2), (2, 1, 1)), 3) is None
    assert alike((ones, ones, ones), 0) is None, "none came"
    assert alike((ones, (1, 1, 1, 1), ones), 3) is None, "the scheduler has not forgotten one"
    assert alike((ones, ones, (1, 1)), 2) is None, "the auditor remembers others"


@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_it_is_the_same_trial_whatever_strikes(example: str) -> None:
    piece = opened(EXAMPLES / example, None)
    assert same(piece, 1, 60 * S, strikes_of(piece, 1, 60 * S, 0.15)) > 0.05


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"profile", "thermal"}))
def test_it_is_the_same_trial_with_each_fault(fault: str) -> None:
    piece = opened(EXAMPLES / "three_rates", None)
    strikes = [Injection(at_ns, fault) for at_ns in (2 * S, 2 * S + 250 * MS, 7 * S + 1)]
    assert same(piece, 3, 10 * S, strikes) > 0.1


def test_it_is_the_same_trial_in_the_swarm() -> None:
    """All that can be declared, power profiles and other contexts too; strikes are rarer, so that some of it
    is quiet."""
    shares = [in_the_swarm(seed, 5 * S) for seed in range(30_000, 30_012)]
    assert sum(share > 0.2 for share in shares) > 2


def test_it_is_the_same_trial_after_another_profile() -> None:
    """Ticks that were skipped before a change of profile are not counted in the period of the next one."""
    in_the_swarm(40_005, 4 * S)


def test_it_is_the_same_trial_in_the_next_episode() -> None:
    """In which ticks count from 0 again, under the profile that came in the last one."""
    piece = replace(random_scenario(41_046).piece, random_costs=False)
    same(piece, 41_046, 4 * S, [Injection(2 * S, "profile"), Injection(3 * S, "reset")])


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_it_is_the_same_trial_in_a_larger_swarm() -> None:
    shares = [in_the_swarm(seed, 20 * S) for seed in range(40_000, 40_500)]
    assert sum(share > 0.2 for share in shares) > 100


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("example", ["three_rates", "dual_system"])
def test_it_is_the_same_trial_for_many_seeds(example: str) -> None:
    piece = opened(EXAMPLES / example, None)
    for seed in range(100, 160):
        same(piece, seed, 120 * S, strikes_of(piece, seed, 120 * S, 0.2))


def in_the_swarm(seed: int, length_ns: int) -> float:
    made = random_scenario(seed)
    scale = {name: often / 30 for name, often in made.scale.items()}
    strikes = schedule(made.piece, seed, length_ns, scale, scale)
    return same(replace(made.piece, random_costs=False), seed, length_ns, strikes)


def test_nothing_is_skipped_where_every_cost_is_drawn() -> None:
    piece = replace(opened(EXAMPLES / "three_rates", None), random_costs=True)
    trial = Trial(piece, 0, 5 * S, ())
    assert trial.play().skipped_ns == 0 and trial.failure is None


def test_a_stage_takes_the_same_at_the_same_place_of_the_period() -> None:
    piece = opened(EXAMPLES / "three_rates", None)
    assert piece.period_ns(piece.plan, "") == S // 2
    assert piece.ticks(piece.plan, "") == {"follow": 4, "drive": 50}
    assert hyperperiod([]) == 1


MUTANTS = [
    Mutant(
        "a stage that failed has ended well", "schedule.work",
        "job.error = job.error or event.error", "job.error = job.error", "ledger",
    ),
    Mutant(
        "what a failed job reads stays pinned", "schedule.work",
        "        for read in job.reads or ():\n            deck.rings[read.port].unpin(read.slot)\n",
        "        for read in () if reason == 'failed' else job.reads or ():\n"
        "            deck.rings[read.port].unpin(read.slot)\n",
        "ledger",
    ),
    Mutant(
        "the window of delays forgets nothing", "chunks.delay",
        "            self._ranked.remove(self._recent[0])\n", "            pass\n", "ledger",
    ),
    Mutant(
        "an old observation passes for a new one", "schedule.slots",
        "age_ns > max_age_ns", "age_ns > 2 * max_age_ns", "ledger",
    ),
    Mutant(
        "observations of another context count", "schedule.scheduler",
        "deck.awaits.update(() if deck.plan.control is None else deck.plan.control.observations)", "pass",
        "ledger",
    ),
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_is_caught_at_the_same_event(mutant: Mutant) -> None:
    with planted(mutant):
        from polyrhythm.simulate.campaign import Setting

        for seed in range(2):
            setting = Setting(EXAMPLES / "three_rates", None, 20 * S, often=0.3)
            short, whole = (replace(setting, every_event=every).trial(seed) for every in (False, True))
            outcomes = [trial.play() for trial in (short, whole)]
            if whole.failure is not None:
                assert short.failure is not None
                assert short.failure[:3] == whole.failure[:3]
                return
            assert short.failure is None
            assert replace(outcomes[0], skipped_ns=0) == outcomes[1]
        raise AssertionError("nobody noticed")
