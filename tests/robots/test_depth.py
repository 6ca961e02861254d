"""The depth camera against geometry that can be worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from polyrhythm.robots.depth import DepthCamera  # noqa: E402

SCENE = """
<mujoco>
  <worldbody>
    <geom name="wall" type="plane" size="9 9 0.1" pos="2 0 0" zaxis="-1 0 0"/>
    {extra}
  </worldbody>
</mujoco>
"""


def scene(extra: str = "") -> tuple[Any, Any]:
    model = mujoco.MjModel.from_xml_string(SCENE.format(extra=extra))
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    return model, state


def camera(**changes: Any) -> DepthCamera:
    settings = {
        "position_m": (0.0, 0.0, 0.0),
        "lookat_m": (1.0, 0.0, 0.0),
        "fov_deg": 90.0,
        "size": 16,
        "near_m": 0.0,
        "far_m": 4.0,
    }
    return DepthCamera(**{**settings, **changes})


def picture(of: tuple[Any, Any], by: DepthCamera) -> np.ndarray:
    out = np.full((by.size, by.size), np.nan, np.float32)
    by.read(*of, out)
    return out


def test_a_wall_is_equally_deep_everywhere() -> None:
    np.testing.assert_allclose(picture(scene(), camera()), 2.0 / 4.0, atol=1e-6)


def test_near_and_far_are_zero_and_one() -> None:
    np.testing.assert_allclose(picture(scene(), camera(near_m=1.0, far_m=3.0)), 0.5, atol=1e-6)
    np.testing.assert_array_equal(picture(scene(), camera(far_m=1.5)), 1.0)
    np.testing.assert_array_equal(picture(scene(), camera(near_m=2.5)), 0.0)


def test_nothing_there_is_far() -> None:
    np.testing.assert_array_equal(picture(scene(), camera(lookat_m=(-1.0, 0.0, 0.0))), 1.0)


def test_a_box_is_where_it_should_be() -> None:
    # Front face at x = 1, y from 0 to 0.5 (left of the axis: y points left), z from 0.5 to 1 (above).
    block = scene('<geom type="box" size="0.01 0.25 0.25" pos="1.01 0.25 0.75"/>')
    image = picture(block, camera())
    expected = np.full((16, 16), 0.5, np.float32)
    expected[0:4, 4:8] = 0.25
    np.testing.assert_allclose(image, expected, atol=1e-6)


def test_collision_shapes_are_not_seen() -> None:
    hidden = scene('<geom type="box" size="0.1 0.25 0.25" pos="1.1 0.25 0.75" group="4"/>')
    np.testing.assert_allclose(picture(hidden, camera()), 0.5, atol=1e-6)


def test_lying_view_of_the_floor() -> None:
    floor = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="9 9 0.1" pos="0 0 -1"/></worldbody></mujoco>'
    )
    state = mujoco.MjData(floor)
    mujoco.mj_forward(floor, state)
    image = picture((floor, state), camera(lookat_m=(1.0, 0.0, -1.0), size=2, far_m=10.0))
    # Rays of the lower row make an angle of atan(1/2) with the axis in height: depth 1 / (sin + cos / 2).
    lower = 1.0 / (np.sqrt(0.5) + np.sqrt(0.5) / 2.0)
    np.testing.assert_allclose(image[1], lower / 10.0, rtol=1e-5)


def test_footgun_a_huge_box_loses_rays() -> None:
    # MuJoCo first compares a ray with the directions of the corners of a body's bounding box. The middle of
    # an edge close by lies beyond its corners' elevation, so a few rays miss. Planes are not affected.
    huge = scene('<geom type="box" size="0.1 3 3" pos="1.6 0 0"/>')
    missed = picture(huge, camera()) > 0.4
    assert missed[0, 7]
    assert missed[0, 8]
    assert not missed[2:-2].any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fov_deg": 180.0}, "fov_deg is 180.0"),
        ({"near_m": 2.0, "far_m": 1.0}, "0 <= near_m < far_m"),
        ({"lookat_m": (0.0, 0.0, -1.0)}, "straight up or down"),
    ],
)
def test_impossible_cameras_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        camera(**changes)


def test_wrong_memory_is_refused() -> None:
    with pytest.raises(ValueError, match=r"it has to be f32\[16, 16\]"):
        camera().read(*scene(), np.zeros((16, 16)))
