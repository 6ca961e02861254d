"""The island is a part of the robot's life: it follows what leaves, and dies; mistakes are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyrhythm.island import RobotSide, VirtualIsland, robot_side
from polyrhythm.island.settings import signed
from polyrhythm.schedule.events import Act, Decelerate, EpisodeEnd, Hold, Start
from polyrhythm.simulate.campaign import opened
from polyrhythm.simulate.faults import FAULTS, Injection, schedule
from polyrhythm.simulate.terse import MS, S
from polyrhythm.simulate.trial import Trial

PIECE = opened(Path(__file__).parents[2] / "examples" / "three_rates", None)
STRIKES, STALLS = (
    tuple(Injection(at_ns, fault) for at_ns in (S, 2 * S, 3 * S)) for fault in ("island", "island-stall")
)


def trial_of(seed: int = 0, strikes: tuple[Injection, ...] = STRIKES, **changes: Any) -> Trial:
    return Trial(replace(PIECE, **changes), seed, 4 * S, strikes, keep=True)


def test_the_run_that_has_lost_its_island_ends_and_another_begins() -> None:
    """It ends at the first control tick after the death, and nothing more leaves before the next begins."""
    ended = 0
    for seed in range(5):
        trial = trial_of(seed)
        assert trial.play().faults == {"island": 3} and trial.failure is None
        told = [(step.event, step.commands) for step in trial.harness.log]
        running, leaves = True, 0
        for event, commands in told:
            if isinstance(event, EpisodeEnd):
                assert running
                running, ended = False, ended + 1
            running = running or isinstance(event, Start)
            answers = [c for c in commands if isinstance(c, (Act, Hold, Decelerate))]
            assert running or not answers
            leaves += len(answers)
        assert leaves > 300, "most of the time it plays"
    assert ended > 10


def test_the_run_goes_on_while_the_island_stalls() -> None:
    for seed in range(5):
        trial = trial_of(seed, STALLS)
        assert trial.play().faults == {"island-stall": 3} and trial.failure is None
        assert not any(isinstance(step.event, EpisodeEnd) for step in trial.harness.log)


def test_an_island_that_makes_up_for_a_period_that_it_missed_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step, last_ns = VirtualIsland.step, dict[VirtualIsland, int]()

    def twice(island: VirtualIsland, now_ns: int) -> np.ndarray:
        if now_ns - last_ns.get(island, now_ns) > 2 * MS:
            step(island, now_ns - MS)
        last_ns[island] = now_ns
        return step(island, now_ns)

    slow = PIECE.island.copy()  # type: ignore[union-attr]
    slow["torque_rate"] /= 100
    trial = trial_of(0, STALLS, island=signed(slow))
    trial.play()
    assert trial.failure is None
    monkeypatch.setattr(VirtualIsland, "step", twice)
    trial = trial_of(0, STALLS, island=signed(slow))
    trial.play()
    assert trial.failure is not None and "the torque jumps" in trial.failure.message


def test_every_step_of_the_ladder_is_met() -> None:
    """One that is steeper than the control period is long."""
    steep = PIECE.island.copy()  # type: ignore[union-attr]
    for name, at_ms in (("extrapolate", 1), ("decelerate", 3), ("hold", 6), ("stop", 9)):
        steep[f"{name}_ns"] = at_ms * MS
    trial = trial_of(island=signed(steep))
    trial.play()
    assert trial.failure is None and trial.island is not None
    assert min(trial.island._island.read_counts()["entered"].values()) > 0


def broken(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, value: object) -> str:
    monkeypatch.setattr(owner, name, value)
    trial = trial_of()
    trial.play()
    assert trial.failure is not None, "nobody noticed"
    assert trial.failure.rule.startswith("island.py:")
    return trial.failure.message


def test_a_robot_that_is_told_too_late_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "heard" in broken(monkeypatch, robot_side, "DEAD_PERIODS", 4)


def test_motors_that_go_on_without_an_island_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def torque(side: RobotSide, now_ns: int | None = None) -> np.ndarray:
        side.dead = now_ns is not None and now_ns - int(side.ports.read("command")["stamp_ns"]) > 2 * MS
        return np.ones(2)

    assert "motors go on" in broken(monkeypatch, RobotSide, "torque", torque)


def test_a_robot_that_does_not_say_what_it_knows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    send = RobotSide.send

    def forgets(side: RobotSide, *args: Any, **more: Any) -> None:
        dead, side.dead = side.dead, False
        send(side, *args, **more)
        side.dead = dead

    assert "does not know" in broken(monkeypatch, RobotSide, "send", forgets)


def test_an_island_that_remembers_its_target_beyond_death_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    restart = VirtualIsland.restart

    def lives_on(island: VirtualIsland) -> None:
        if not int(island.counts["heartbeat"]):
            restart(island)

    assert "of an age for hold" in broken(monkeypatch, VirtualIsland, "restart", lives_on)


@pytest.mark.parametrize("limit", ["velocity", "torque", "torque_rate"])
def test_a_limit_that_is_not_kept_is_found(limit: str) -> None:
    """The island has twice the limit that the robot bears."""
    trial = trial_of()
    assert trial.island is not None
    trial.island._config = PIECE.island.copy()  # type: ignore[union-attr]
    trial.island._config[limit] *= 2
    signed(trial.island._config)
    trial.play()
    assert trial.failure is not None and trial.failure.rule.startswith("island.py:_play")


def test_a_strike_within_another_is_none() -> None:
    trial = trial_of(0, (Injection(S, "island"), Injection(S + 1, "island")))
    assert trial.play().faults == {"island": 1}


def test_it_holds_among_all_other_faults() -> None:
    often = dict.fromkeys(FAULTS, 1.0) | {"island": 60.0}
    for seed in range(2):
        trial = Trial(PIECE, seed, 10 * S, schedule(PIECE, seed, 10 * S, FAULTS, often))
        assert trial.play().faults["island"] > 3 and trial.failure is None, trial.failure
