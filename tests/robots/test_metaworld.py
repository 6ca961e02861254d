"""The MetaWorld arm: conformance, determinism, instructions, and the honest limits of what it shows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("metaworld")

from polyrhythm.robots import UnknownTaskError
from polyrhythm.robots import metaworld as arm

from .conformance import check_robot, trajectory


@pytest.fixture(scope="module")
def robot() -> Iterator[arm.MetaWorldRobot]:
    made = arm.robot(tasks=["pick-place", "button-press", "drawer-open"])
    yield made
    made.close()


def test_conforms() -> None:
    check_robot(arm.robot(tasks=["button-press", "pick-place"]), ticks=4)


def test_an_episode_depends_on_nothing_that_ran_before(robot: arm.MetaWorldRobot) -> None:
    fresh = trajectory(arm.robot(tasks=["drawer-open"]), "drawer-open", 6)
    np.random.seed(99)
    trajectory(robot, "drawer-open", 20, seed=5)
    trajectory(robot, "pick-place", 3)
    assert trajectory(robot, "drawer-open", 6) == fresh


def test_seeds_differ(robot: arm.MetaWorldRobot) -> None:
    assert trajectory(robot, "pick-place", 1, seed=1) != trajectory(robot, "pick-place", 1, seed=2)


def test_puck_and_hand_are_in_the_picture(robot: arm.MetaWorldRobot) -> None:
    image = np.zeros((64, 64), np.float32)
    robot.reset(task="pick-place", seed=0)
    robot.observe("depth", image)
    before = image.copy()
    state = robot.act(np.zeros(4, np.float32))
    assert not state.success
    env = robot._current().env
    env._set_obj_xyz(np.array([0.0, 0.9, 0.02]))
    robot.observe("depth", image)
    assert 8 <= np.count_nonzero(np.abs(image - before) > 0.005) <= 200
    assert image.min() > 0.0


def test_instruction_says_the_goal_in_centimetres(robot: arm.MetaWorldRobot) -> None:
    tokens = np.zeros(arm.INSTRUCTION_TOKENS, np.int32)
    robot.reset(task="pick-place", seed=4)
    robot.observe("instruction", tokens)
    goal = np.rint(robot.privileged_state()[36:39] * 100).astype(int)
    text = f"pick the puck and place it at {goal[0]} {goal[1]} {goal[2]}"
    assert robot.instruction_text == text
    np.testing.assert_array_equal(tokens, arm.tokenize(text))


def test_proprio_is_hand_and_gripper_now_and_before(robot: arm.MetaWorldRobot) -> None:
    proprio = np.zeros(8, np.float32)
    robot.reset(task="pick-place", seed=0)
    robot.observe("proprio", proprio)
    start = proprio[:4].copy()
    np.testing.assert_array_equal(proprio[4:], start)
    robot.act(np.float32([0.0, 0.0, 1.0, 1.0]))
    robot.act(np.float32([0.0, 0.0, 1.0, 1.0]))
    robot.observe("proprio", proprio)
    assert proprio[2] > proprio[6] > start[2]
    assert proprio[3] < start[3]


def test_hold_keeps_still_and_keeps_the_grip(robot: arm.MetaWorldRobot) -> None:
    proprio = np.zeros(8, np.float32)
    robot.reset(task="pick-place", seed=0)
    for _ in range(20):
        robot.hold()
    robot.observe("proprio", proprio)
    assert np.abs(proprio[:3] - proprio[4:7]).max() < 1e-3
    opened = proprio[3]
    for _ in range(10):
        robot.act(np.float32([0.0, 0.0, 0.0, 1.0]))
    for _ in range(10):
        robot.hold()
    robot.observe("proprio", proprio)
    assert proprio[3] < opened - 0.2


def test_episode_ends_with_the_time(robot: arm.MetaWorldRobot) -> None:
    robot.reset(task="button-press", seed=0)
    results = [robot.hold() for _ in range(arm.MAX_TICKS)]
    assert [result.done for result in results] == [False] * (arm.MAX_TICKS - 1) + [True]
    with pytest.raises(RuntimeError, match="call reset first"):
        robot.hold()


@pytest.mark.parametrize("end_on_success", [True, False])
def test_the_first_success_is_the_end_or_not(end_on_success: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = arm.robot(["button-press"], end_on_success=end_on_success)
    robot.reset(task=None, seed=0)
    env = robot._current().env
    step = env.step
    monkeypatch.setattr(env, "step", lambda action: (*step(action)[:4], {"success": 1.0}))
    result = robot.hold()
    assert (result.success, result.done) == (True, end_on_success)


def test_telemetry_follows_the_hand(robot: arm.MetaWorldRobot) -> None:
    robot.reset(task="button-press", seed=0)
    before = robot.telemetry()["hand_x"]
    for _ in range(10):
        robot.act(np.float32([1.0, 0.0, 0.0, 0.0]))
    assert robot.telemetry()["hand_x"] > before + 0.02


def test_unknown_tasks_are_listed() -> None:
    with pytest.raises(UnknownTaskError, match="unknown task 'juggle': this robot knows button-press"):
        arm.robot(tasks=["juggle"])
    with pytest.raises(ValueError, match="give at least one task"):
        arm.robot(tasks=[])


def test_numbers_are_three_tokens() -> None:
    words = [arm.VOCABULARY[i] for i in arm.tokenize("place it at -5 82 0")]
    assert words == ["place", "it", "at", "-", "0", "5", "+", "8", "2", "+", "0", "0"] + ["<pad>"] * 4
    assert len(arm.VOCABULARY) <= arm.VOCABULARY_SIZE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paint the puck", "unknown word 'paint'"),
        ("place it at 100", "numbers lie between -99 and 99"),
        ("the " * 17, "17 tokens long"),
    ],
)
def test_bad_commands_are_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        arm.tokenize(text)
