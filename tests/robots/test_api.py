"""The protocol's data types, and how a robot is found by name."""

from __future__ import annotations

import numpy as np
import pytest

from polyrhythm.robots import RobotSpec, TensorSpec, UnknownRobotError, UnknownTaskError, api, load_robot


def test_tensor_spec_makes_matching_memory() -> None:
    spec = TensorSpec("i32", (2, 3), unit="token")
    array = spec.empty()
    assert array.dtype == np.int32
    assert array.shape == (2, 3)
    spec.require("tokens", array)


def test_tensor_spec_refuses_unknown_dtype() -> None:
    with pytest.raises(ValueError, match="unknown dtype 'float32': use one of bool, f16, f32, f64, i16, i32"):
        TensorSpec("float32", (1,))


@pytest.mark.parametrize("array", [np.zeros(3, np.float32), np.zeros((2, 3), np.float64)])
def test_require_names_what_is_wrong(array: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"depth: the array is .* it has to be f32\[2, 3\]"):
        TensorSpec("f32", (2, 3)).require("depth", array)


def test_first_task_is_the_default() -> None:
    spec = RobotSpec(10.0, {}, TensorSpec("f32", (1,)), ("reach", "push"))
    assert api.choose_task(None, spec.tasks) == "reach"
    assert api.choose_task("push", spec.tasks) == "push"
    with pytest.raises(UnknownTaskError, match="unknown task 'fly': this robot knows reach, push"):
        api.choose_task("fly", spec.tasks)


def test_unknown_observation_lists_the_names() -> None:
    specs = {"depth": TensorSpec("f32", (1,)), "body": TensorSpec("f32", (1,))}
    with pytest.raises(KeyError, match="unknown observation 'rgb': this robot offers body, depth"):
        api.find_observation("rgb", specs)


def test_unknown_robot_lists_the_installed_ones() -> None:
    with pytest.raises(UnknownRobotError, match=r"no robot is called 'r2d2' .* installed: .*gymnasium"):
        load_robot("r2d2")


def test_options_that_do_not_fit_are_explained() -> None:
    pytest.importorskip("gymnasium")
    with pytest.raises(TypeError, match=r"robot 'gymnasium' .* refuses its options \(legs\)"):
        load_robot("gymnasium", {"legs": 2})
    with pytest.raises(TypeError, match=r"it allows: env_id, control_hz, hold_action, .*env_options"):
        load_robot("gymnasium", {"legs": 2})


def test_the_manifest_rate_is_the_default_of_a_robot_that_can_be_given_one() -> None:
    pytest.importorskip("gymnasium")
    for options, control_hz in (({}, 25.0), ({"control_hz": 20}, 20.0)):
        robot = load_robot("gymnasium", {"env_id": "Pendulum-v1"} | options, control_hz=25.0)
        assert robot.spec.control_hz == control_hz
        robot.close()


def test_load_robot_passes_options_on() -> None:
    pytest.importorskip("gymnasium")
    robot = load_robot("gymnasium", {"env_id": "Pendulum-v1", "control_hz": 20})
    assert robot.spec.control_hz == 20.0
    robot.close()
