"""Real runs of compiled modules, recorded, replay byte for byte: in both kinds of time, however they end.

A thousand of them are `pytest -m slow tests/runtime/test_recorded.py`; a tenth of that is `-k "replay[3]"`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from polyrhythm.observe.eventlog import LogWriter, record_to
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import Plan, RunError, RunOver, Runtime
from tests.runtime.robot import Diary
from tests.runtime.test_runs import BOTH

PORTION = 100


def record(runtime: Runtime, plan: Plan, log: Path, seed: int) -> int:
    """Record a run of a few dozen control ticks; returns the number of its events."""
    rng = Random(seed)
    nan_from, stops_at, fails_at = (rng.choice([None, None, rng.randrange(40)]) for _ in range(3))

    def scene(tick: int) -> tuple[int, int, int, int]:
        if tick == stops_at:
            runtime.stop("enough")
        return (-1, 1, 1, 1) if nan_from is not None and tick >= nan_from else (4, 1, 9, 16)

    robot = Diary(rng.randint(1, 40), scene, fails_at)
    episodes, lockstep = rng.randint(1, 2), rng.random() < 0.25
    with record_to(log, plan) as writer:
        runtime.run(
            robot, episodes=episodes, tasks=["left"], seed=seed, lockstep=lockstep, listeners=[writer]
        )
    return writer.records


@pytest.mark.parametrize(
    "portion",
    ["few", *(pytest.param(n, marks=[pytest.mark.slow, pytest.mark.timeout(900)]) for n in range(10))],
)
def test_recorded_runs_replay(plan: Plan, tmp_path: Path, portion: int | str) -> None:
    first, count = (1000, 8) if portion == "few" else (PORTION * int(portion), PORTION)
    with Runtime(plan) as runtime:
        for seed in range(first, first + count):
            log = tmp_path / f"{seed}.log"
            events = record(runtime, plan, log, seed)
            found = replay(log)
            assert found.difference is None and found.events == events, f"seed {seed}"
            log.unlink()


def play(runtime: Runtime, log: LogWriter, lockstep: bool, **options: Any) -> None:
    runtime.run(Diary(30), episodes=1, tasks=["left"], lockstep=lockstep, listeners=[log], **options)


@BOTH
def test_a_log_is_whole_when_its_run_is_over(plan: Plan, tmp_path: Path, lockstep: bool) -> None:
    """Without a block around the run; the next run is another one, and has no place in it."""
    path = str(tmp_path / "a.log")
    with Runtime(plan) as runtime:
        log = record_to(path, runtime)
        play(runtime, log, lockstep)
        found, content = replay(path), (tmp_path / "a.log").read_bytes()
        assert (found.difference, found.end, log.problem) == (None, "complete", None)
        assert found.events == log.records > 30
        play(runtime, log, lockstep)
        log.close()
    assert (tmp_path / "a.log").read_bytes() == content and list(tmp_path.iterdir()) == [tmp_path / "a.log"]


@BOTH
def test_what_ends_a_run_is_the_end_of_its_log(plan: Plan, tmp_path: Path, lockstep: bool) -> None:
    class Breaks:
        def __init__(self) -> None:
            self.notes: list[object] = []

        def step(self, event: object, commands: object) -> None:
            if len(self.notes) > 5:
                raise ZeroDivisionError

        def note(self, note: object) -> None:
            self.notes.append(note)

    breaks = Breaks()
    with Runtime(plan) as runtime:
        log = record_to(tmp_path / "a.log", runtime)
        with pytest.raises(ZeroDivisionError):
            runtime.run(Diary(30), episodes=1, tasks=["left"], lockstep=lockstep, listeners=[log, breaks])
    assert replay(tmp_path / "a.log").end == log.problem == "the run ended with ZeroDivisionError"
    assert breaks.notes[-1] == RunOver("ZeroDivisionError") and breaks.notes.count(breaks.notes[-1]) == 1


def test_a_run_that_is_refused_is_not_the_one(plan: Plan, tmp_path: Path) -> None:
    with Runtime(plan) as runtime:
        log = record_to(tmp_path / "a.log", runtime)
        with pytest.raises(RunError):
            runtime.run(seconds=1, listeners=[log])
        play(runtime, log, lockstep=True)
    assert replay(tmp_path / "a.log").end == "complete"
