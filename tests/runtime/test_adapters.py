"""Mistakes of those who write a robot: told in a sentence, before anything moves."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from polyrhythm.runtime import RunError
from polyrhythm.runtime.hands import failure
from tests.runtime.robot import Diary
from tests.runtime.test_runs import BOTH


class NoSpec(Diary):
    @property
    def spec(self):
        raise OSError("no cable\n\x1b[31m")


@pytest.mark.parametrize("spec", [None, {"control_hz": 100.0}], ids=["none", "dict"])
def test_a_robot_whose_spec_is_none(runtime, spec, snapshot):
    robot = Diary()
    robot.spec = spec
    with pytest.raises(RunError) as caught:
        runtime.run(robot, episodes=1, lockstep=True)
    assert str(caught.value) == snapshot and robot.episodes == []


def test_a_robot_without_one(runtime, snapshot):
    with pytest.raises(RunError) as caught:
        runtime.run(NoSpec(), episodes=1, lockstep=True)
    assert re.sub(r"py:\d+", "py:N", str(caught.value)) == snapshot


@pytest.mark.parametrize(
    "wrong",
    [
        {"control_hz": "100"},
        {"control_hz": 0.0},
        {"control_hz": True},
        {"control_hz": float("inf")},
        {"tasks": ("follow")},
        {"tasks": (1,)},
        {"observations": {"scene": (4,)}},
        {"observations": ("scene",)},
        {"action": (2,)},
    ],
    ids=str,
)
def test_a_specification_of_other_types_is_none(wrong, snapshot):
    with pytest.raises(ValueError, match="has to be") as caught:
        replace(Diary.spec, **wrong)
    assert str(caught.value) == snapshot


@BOTH
def test_what_a_robot_raises_cannot_disturb_a_terminal(runtime, lockstep):
    class Raises(Diary):
        def act(self, action):
            raise RuntimeError("motor 3 does not answer\n\x1b[31m")

    robot = Raises()
    robot.hold = lambda: robot.act(None)
    outcome = runtime.run(robot, episodes=1, lockstep=lockstep)
    said, place = outcome.reason.split(" (")
    assert said == "the robot failed: RuntimeError: motor 3 does not answer �[31m"
    assert re.fullmatch(r"test_adapters\.py:\d+ in act\)", place)


@BOTH
def test_a_mistake_is_told_with_the_line_of_the_adapter_that_led_to_it(runtime, lockstep):
    """Not with that of the library which found it."""

    class Stacks(Diary):
        def observe(self, name, out):
            out[:] = np.stack([np.zeros(1), np.zeros(2)]).sum()

    outcome = runtime.run(Stacks(), episodes=1, lockstep=lockstep)
    line = Stacks.observe.__code__.co_firstlineno + 1
    assert outcome.reason == (
        "the robot failed: ValueError: all input arrays must have the same shape "
        f"(test_adapters.py:{line} in observe)"
    )


@BOTH
def test_an_observation_that_is_given_back_is_none(runtime, lockstep):
    class Gives(Diary):
        def observe(self, name, out):
            return np.zeros_like(out)

    outcome = runtime.run(Gives(), episodes=1, lockstep=lockstep)
    assert outcome.reason == "the robot failed: `observe` returned a ndarray: it has to write into `out`"


@BOTH
def test_to_give_back_what_was_written_is_no_mistake(runtime, lockstep):
    class Gives(Diary):
        def observe(self, name, out):
            super().observe(name, out)
            return out

    assert runtime.run(Gives(), episodes=1, lockstep=lockstep).reason == "complete"


def test_what_cannot_even_say_what_is_wrong_is_told() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    assert failure(Mute()) == "Mute: it can't say why"
