"""Real runs of compiled modules, recorded, replay byte for byte: in both kinds of time, however they end.

A thousand of them are `pytest -m slow tests/runtime/test_recorded.py`; a tenth of that is `-k "replay[3]"`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from polyrhythm.observe.eventlog import record_to
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import Plan, Runtime
from tests.runtime.robot import Diary

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
