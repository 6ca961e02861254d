"""The robot of these tests: it takes no time, and tells in a file how far it is.

A Gymnasium environment, ``tests.faults.body:Faults/Body-v0``. The file that ``FAULTS_BEAT`` names holds what
`tests.faults.beat` says; a test may ask there for the end of the episode.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from typing import Any

import gymnasium
import numpy as np

from tests.faults.beat import BEAT, END

#: In mode ``greedy`` 16 MiB more are kept at every tick from this one on.
GREEDY_FROM = 20


class Body(gymnasium.Env[np.ndarray, np.ndarray]):
    """Shows the tick; ends when asked to."""

    observation_space = gymnasium.spaces.Box(0, np.inf, (1,), np.float32)
    action_space = gymnasium.spaces.Box(-1, 1, (2,), np.float32)

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._ticks, self._jump_s, self._clocks = 0, 0.0, self._read_clocks()
        self._file = os.open(os.environ["FAULTS_BEAT"], os.O_RDWR | os.O_CREAT)
        os.pwrite(self._file, BEAT.pack(0, 0.0, 0), 0)
        mode = os.environ.get("FAULTS_MODE", "")
        if mode in MODES:
            threading.Thread(target=MODES[mode], daemon=True).start()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Tick 0."""
        return np.zeros(1, np.float32), {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One tick more."""
        self._ticks += 1
        if os.environ.get("FAULTS_MODE") == "greedy" and self._ticks > GREEDY_FROM:
            self._held.append(bytes(1 << 24))
        (wall_s, steady_s), before = self._read_clocks(), self._clocks
        self._clocks = wall_s, steady_s
        self._jump_s = max(self._jump_s, abs((wall_s - before[0]) - (steady_s - before[1])))
        asked = END.unpack(os.pread(self._file, END.size, BEAT.size - END.size))[0]
        os.pwrite(self._file, BEAT.pack(self._ticks, self._jump_s, asked)[: -END.size], 0)
        return np.full(1, self._ticks, np.float32), 0.0, bool(asked), False, {"success": bool(asked)}

    @staticmethod
    def _read_clocks() -> tuple[float, float]:
        return time.time(), time.monotonic()


def storm() -> None:
    """Circular garbage, big arrays and whole collections, for ever: what bad code beside a run may do."""
    while True:
        for _ in range(2_000):
            ring: list[object] = []
            ring.append(ring)
        held = [np.ones(1 << 18) for _ in range(8)]
        gc.collect()
        del held


def glutton() -> None:
    """Takes all the memory that it may have, in ever smaller pieces, and keeps it."""
    held: list[object] = []
    size = 1 << 24
    while True:
        try:
            held.append(bytes(size))
        except MemoryError:
            size = max(size // 2, 64)


#: What ``FAULTS_MODE`` may say: what goes on beside the run, in its process.
MODES = {"storm": storm, "glutton": glutton}

gymnasium.register("Faults/Body-v0", Body, disable_env_checker=True)
