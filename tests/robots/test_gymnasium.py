"""The Gymnasium adapter, on a stock environment and on small ones made for the purpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from polyrhythm.robots.gymnasium import GymnasiumRobot, robot  # noqa: E402

from .conformance import check_robot  # noqa: E402


class Cart(gymnasium.Env):  # type: ignore[misc]
    """A point on a line: the action is added to the position, success is to be beyond 1.2."""

    metadata = {"render_fps": 50}  # noqa: RUF012

    def __init__(self) -> None:
        box = gymnasium.spaces.Box
        self.observation_space = gymnasium.spaces.Dict(
            {"position": box(-9.0, 9.0, (1,), np.float64), "picture": box(0, 255, (2, 2), np.uint8)}
        )
        self.action_space = box(np.float32([-0.5]), np.float32([0.5]))
        self.received: list[np.ndarray] = []

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._x = float(self.np_random.uniform(-0.1, 0.1))
        return self._see(), {}

    def step(self, action: np.ndarray) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.received.append(action)
        self._x += float(action[0])
        return self._see(), -abs(self._x), abs(self._x) > 2.2, False, {"success": self._x > 1.2}

    def _see(self) -> dict[str, np.ndarray]:
        return {"position": np.array([self._x]), "picture": np.full((2, 2), 7, np.uint8)}


def test_pendulum_conforms() -> None:
    check_robot(robot("Pendulum-v1", control_hz=20.0))


def test_dict_observations_conform() -> None:
    check_robot(GymnasiumRobot(Cart(), control_hz=50.0))


def test_spaces_become_specifications() -> None:
    cart = GymnasiumRobot(Cart(), control_hz=50.0)
    position, picture = cart.spec.observations["position"], cart.spec.observations["picture"]
    assert (position.dtype, position.shape, position.low, position.high) == ("f32", (1,), -9.0, 9.0)
    assert (picture.dtype, picture.shape) == ("u8", (2, 2))
    assert (cart.spec.action.dtype, cart.spec.action.low, cart.spec.action.high) == ("f32", -0.5, 0.5)


def test_a_depth_camera_of_sixteen_bits_is_offered_as_it_is() -> None:
    cart = Cart()
    cart.observation_space["depth"] = gymnasium.spaces.Box(0, 65535, (2, 2), np.uint16)
    assert GymnasiumRobot(cart, control_hz=50.0).spec.observations["depth"].dtype == "u16"


def test_rate_comes_from_the_environment_unless_given() -> None:
    assert robot("Pendulum-v1").spec.control_hz == 30.0
    assert robot("Pendulum-v1", control_hz=25).spec.control_hz == 25.0


def test_actions_are_clipped_and_hold_is_what_was_asked_for() -> None:
    """Each is an array of its own: the environment keeps them."""
    cart = GymnasiumRobot(Cart(), control_hz=50.0, hold_action=[0.25])
    cart.reset(task=None, seed=0)
    within = np.float32([0.1])
    for action in (np.float32([3.0]), within):
        cart.act(action)
    within[:] = 9
    cart.hold()
    cart.env.received[-1][:] = 9
    cart.hold()
    np.testing.assert_array_equal(cart.env.received, np.float32([[0.5], [0.1], [9], [0.25]]))


def test_without_a_notion_of_success_there_is_none() -> None:
    cart = GymnasiumRobot(Cart(), control_hz=50.0, success_key="absent")
    cart.reset(task=None, seed=0)
    assert cart.hold().success is None


@pytest.mark.parametrize("end_on_success", [True, False])
def test_success_done_and_reset(end_on_success: bool) -> None:
    cart = GymnasiumRobot(Cart(), control_hz=50.0, end_on_success=end_on_success)
    cart.reset(task="default", seed=0)
    results = [cart.act(np.float32([0.5])) for _ in range(3 if end_on_success else 5)]
    assert [result.success for result in results] == [False, False, True, True, True][: len(results)]
    assert [result.done for result in results] == [False] * (len(results) - 1) + [True]
    with pytest.raises(RuntimeError, match="call reset first"):
        cart.hold()
    cart.reset(task=None, seed=1)
    assert not cart.hold().done


def test_nothing_to_see_before_reset() -> None:
    cart = GymnasiumRobot(Cart(), control_hz=50.0)
    with pytest.raises(RuntimeError, match="before the first reset"):
        cart.observe("position", np.zeros(1, np.float32))
    with pytest.raises(RuntimeError, match="call reset first"):
        cart.hold()


def test_hold_action_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"hold_action has shape \[2\], the action \[1\]"):
        GymnasiumRobot(Cart(), control_hz=50.0, hold_action=[0.0, 0.0])


def test_discrete_spaces_are_refused() -> None:
    with pytest.raises(TypeError, match="the action is a Discrete space; a Box"):
        robot("CartPole-v1")
