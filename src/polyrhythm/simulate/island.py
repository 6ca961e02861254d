"""The island in a trial: the real step, on the trial's clock, for as long as a strike takes."""

from __future__ import annotations

from random import Random

import numpy as np

from polyrhythm.island import RUNGS, VirtualIsland
from polyrhythm.manifest.island import MAX_JOINTS


class IslandProbe:
    """An island that is restarted while targets come; checks what it tells the motors.

    Args:
        config: a record ``config``.
    """

    def __init__(self, config: np.ndarray) -> None:
        self._island = VirtualIsland(config)
        self._period_ns, self._joints = int(config["period_ns"]), int(config["joints"])
        self._most = config["torque"][: self._joints]

    def restart(self, rng: Random, now_ns: int) -> None:
        """Let it follow targets for some periods, restart it, and let it find its way back.

        A restarted island holds where it finds the robot until a target comes, and follows that one at once.
        """
        for _ in range(rng.randrange(5, 60)):
            now_ns = self._step(rng, now_ns, target=rng.random() < 0.2)
        self._island.restart()
        for _ in range(rng.randrange(1, 30)):
            now_ns = self._step(rng, now_ns, target=False)
            rung = RUNGS[int(self._island.port("command")["rung"])]
            assert rung == "hold", f"an island that has just begun does not hold but {rung}"
        now_ns = self._step(rng, now_ns, target=True)
        rung = RUNGS[int(self._island.port("command")["rung"])]
        assert rung == "use", f"an island with a fresh target does not use it but {rung}"

    def _step(self, rng: Random, now_ns: int, *, target: bool) -> int:
        at = np.zeros(MAX_JOINTS)
        self._island.send("state", now_ns, position=at[: self._joints], velocity=at[: self._joints])
        if target:
            aim = [rng.uniform(-0.1, 0.1) for _ in range(self._joints)]
            self._island.send("target", now_ns, position=aim, velocity=at[: self._joints])
        command = self._island.step(now_ns)
        torque = command["torque"][: self._joints]
        assert np.isfinite(torque).all() and (np.abs(torque) <= self._most).all(), f"a torque of {torque}"
        assert int(command["stamp_ns"]) == now_ns, "a command that is not of this period"
        return now_ns + self._period_ns
