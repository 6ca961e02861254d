"""A robot that writes down what it was told, and can be told to misbehave."""

from __future__ import annotations

import numpy as np

from polyrhythm.robots import RobotSpec, StepResult, TensorSpec


class Diary:
    """Its clock shows the number of ticks executed; `entries` holds (tick, action or None) of this episode.

    Args:
        length: ticks of an episode; it succeeds at the last one.
        scene: tick -> the four numbers shown.
        fails_at: the tick at which it raises.
    """

    spec = RobotSpec(
        control_hz=100.0,
        observations={"scene": TensorSpec("f32", (4,)), "clock": TensorSpec("f32", (1,))},
        action=TensorSpec("f32", (2,)),
        tasks=("left", "right"),
    )

    def __init__(self, length=60, scene=lambda tick: (4, 1, 9, 16), fails_at=None) -> None:
        self.length, self.scene, self.fails_at = length, scene, fails_at
        self.entries: list[tuple[int, tuple[float, ...] | None]] = []
        self.episodes: list[tuple[str, int]] = []
        self.closed = False

    def reset(self, *, task, seed) -> None:
        self.episodes.append((task, seed))
        self.entries = []

    def observe(self, name, out) -> None:
        out[:] = self.scene(len(self.entries)) if name == "scene" else len(self.entries)

    def act(self, action: np.ndarray) -> StepResult:
        return self._tick(tuple(action.tolist()))

    def hold(self) -> StepResult:
        return self._tick(None)

    def telemetry(self):
        return {"ticks": float(len(self.entries))}

    def close(self) -> None:
        self.closed = True

    def _tick(self, action) -> StepResult:
        if len(self.entries) == self.fails_at:
            raise OSError("the motor does not answer")
        self.entries.append((len(self.entries), action))
        over = len(self.entries) == self.length
        return StepResult(success=over, done=over)
