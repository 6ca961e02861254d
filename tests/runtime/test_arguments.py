"""What `Runtime.run` is asked to play is looked at before anything moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from polyrhythm.runtime import RunError
from tests.runtime.robot import Diary

UNFIT = {
    "tasks in one string": {"tasks": "left"},
    "tasks of a generator": {"tasks": (task for task in ("left",))},
    "a task that there is not": {"tasks": ["left", "lift"]},
    "a task that is no name": {"tasks": [0]},
    "no episode": {"episodes": 0},
    "fewer than none": {"episodes": -1},
    "half an episode": {"episodes": 0.5},
    "whether": {"episodes": True},
    "no seconds": {"seconds": 0},
    "seconds that have passed": {"seconds": -1.0},
    "no number": {"seconds": math.nan},
    "without end": {"seconds": math.inf, "episodes": 1},
    "longer than the clock": {"seconds": 1e300},
    "seconds as text": {"seconds": "10"},
    "a seed below 0": {"seed": -1},
    "a seed of 64 bits": {"seed": 2**63},
    "no seed": {"seed": None},
    "everything": {"tasks": ["lift"], "episodes": 0, "seconds": 0, "seed": -1},
}


@pytest.mark.parametrize("asked", UNFIT.values(), ids=UNFIT)
def test_what_can_not_be_played_is_refused(runtime, asked, snapshot) -> None:
    robot = Diary()
    with pytest.raises(RunError) as refused:
        runtime.run(robot, **asked)
    assert str(refused.value) == snapshot
    assert not robot.episodes


def test_numbers_of_numpy_are_numbers(runtime) -> None:
    outcome = runtime.run(
        Diary(), episodes=np.int64(1), seconds=np.float32(100.0), seed=np.uint64(2**63 - 1),
        tasks=("left", "left"), lockstep=True,
    )  # fmt: skip
    assert [(e.task, e.seed) for e in outcome.episodes] == [("left", 2**63 - 1)] * 2


def test_a_robot_that_knows_no_task_plays_none(runtime, snapshot) -> None:
    robot = Diary()
    robot.spec = replace(Diary.spec, tasks=())
    said = set()
    for tasks in ((), ("left",)):
        with pytest.raises(RunError) as refused:
            runtime.run(robot, episodes=1, tasks=tasks)
        said.add(str(refused.value))
    assert said.pop() == snapshot and not said
