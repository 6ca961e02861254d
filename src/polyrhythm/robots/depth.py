"""A depth camera without graphics: one ray per pixel, cast by MuJoCo on the CPU.

`mujoco.mj_multiRay` needs no OpenGL, no window and no driver, and gives the same bits on every machine that
runs the same MuJoCo. The directions of the rays are computed once; a picture then costs one call, which
releases the GIL.

A limit of MuJoCo's: it first compares a ray with the directions of the corners of each body's bounding box,
so a box that is huge and close (its edges bulge beyond the elevation of its corners) loses a few rays. They
read as whatever lies behind. Planes are not affected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

VISIBLE_GROUPS = (1, 1, 1, 0, 0, 0)
"""Geometry groups 0-2: what MuJoCo draws by default. Group 3 and above hold collision shapes."""


class DepthCamera:
    """A pinhole camera that measures depth along its viewing axis. It stands still, unless `look` moves it.

    Parameters
    ----------
    position_m, lookat_m:
        where the camera stands and the point in the middle of the picture, ``[3]``, metres, world frame.
        The picture is upright: world z points up in it.
    fov_deg:
        vertical field of view (equal to the horizontal one, pixels are square and the picture too).
    size:
        pixels per side.
    near_m, far_m:
        the depths that become 0.0 and 1.0. Rays that hit nothing, or hit beyond `far_m`, give 1.0.
    """

    def __init__(
        self,
        *,
        position_m: Sequence[float],
        lookat_m: Sequence[float],
        fov_deg: float,
        size: int,
        near_m: float,
        far_m: float,
    ) -> None:
        if not 0.0 < fov_deg < 180.0:
            raise ValueError(f"fov_deg is {fov_deg}, it has to lie between 0 and 180")
        if not 0.0 <= near_m < far_m:
            raise ValueError(f"near_m={near_m} and far_m={far_m}: 0 <= near_m < far_m has to hold")
        self.size = size
        self.near_m = near_m
        self.far_m = far_m
        self._fov_deg = fov_deg
        self.look(position_m, lookat_m)
        self._groups = np.array(VISIBLE_GROUPS, np.uint8)
        self._distances = np.zeros(size * size)
        self._geom_ids = np.zeros(size * size, np.int32)
        self._image = np.zeros((size, size))

    def look(self, position_m: Sequence[float], lookat_m: Sequence[float]) -> None:
        """Stand there and look there; `ValueError` if that is straight up or down."""
        self._position = np.array(position_m, np.float64)
        forward = np.array(lookat_m, np.float64) - self._position
        if np.linalg.norm(np.cross(forward, (0.0, 0.0, 1.0))) < 1e-9:
            raise ValueError("the camera looks straight up or down: no direction of the picture would be up")
        directions, self._axial = _rays(forward, self._fov_deg, self.size)
        self._directions = directions.reshape(-1)

    def read(self, model: Any, data: Any, out: np.ndarray) -> None:
        """Write the picture of ``data`` into `out`, f32 ``[size, size]``, 0 at `near_m`, 1 at `far_m`.

        Row 0 is the top of the picture, column 0 its left side. `model` and `data` are MuJoCo's ``MjModel``
        and ``MjData``; the positions in `data` have to be up to date (``mj_forward`` or ``mj_step``).
        """
        import mujoco

        if out.shape != (self.size, self.size) or out.dtype != np.float32:
            raise ValueError(f"out is {out.dtype}{list(out.shape)}, it has to be f32{[self.size, self.size]}")
        mujoco.mj_multiRay(
            model,
            data,
            self._position,
            self._directions,
            self._groups,
            1,
            -1,
            self._geom_ids,
            self._distances,
            self.size * self.size,
            10.0 * self.far_m,
        )
        self._distances[self._distances < 0.0] = np.inf
        image = self._image
        np.multiply(self._distances.reshape(image.shape), self._axial, out=image)
        image -= self.near_m
        image /= self.far_m - self.near_m
        np.clip(image, 0.0, 1.0, out=image)
        out[...] = image


def _rays(forward: np.ndarray, fov_deg: float, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit ray directions ``[size, size, 3]`` and their cosines to the viewing axis ``[size, size]``."""
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    reach = np.tan(np.radians(fov_deg) / 2.0)
    offsets = ((np.arange(size) + 0.5) / size * 2.0 - 1.0) * reach
    rays = forward + offsets[None, :, None] * right - offsets[:, None, None] * up
    lengths = np.linalg.norm(rays, axis=-1)
    return rays / lengths[..., None], 1.0 / lengths
