"""The island's ports as a robot uses them: its state in, torques out, none from an island that is dead."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic_ns
from typing import Any

import numpy as np

from polyrhythm.island.layout import DEAD_PERIODS, ISLAND_DEAD
from polyrhythm.island.ports import Ports


class RobotSide:
    """What a robot, real or simulated, does with the ports once a millisecond or so.

    A motor that went on with its last torque would throw the robot; so whoever drives the motors has to look
    at the age of the command, and let go when the island has been silent for `DEAD_PERIODS` periods.

    Attributes:
        dead: the island was silent when `torque` was asked for last; sent along with the state.
        deaths: how often it has fallen silent.
    """

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        config = ports.read_record("config")
        self._joints = int(config["joints"])
        self._dead_ns = DEAD_PERIODS * int(config["period_ns"])
        self._none = np.zeros(self._joints)
        self._command: Any = None  # the newest that was whole
        self.dead = False
        self.deaths = 0

    def send(
        self,
        position: Sequence[float] | np.ndarray,
        velocity: Sequence[float] | np.ndarray,
        sensors: Sequence[float] | np.ndarray = (),
        *,
        flags: int = 0,
        answered: int = 0,
    ) -> None:
        """Tell where the joints are, f64 ``[joints]``, how they move, and what the sensors say."""
        fields = {
            "position": position,
            "velocity": velocity,
            "sensors": sensors,
            "flags": flags | (ISLAND_DEAD if self.dead else 0),
            "answered": answered,
        }
        self.ports.write("state", fields)

    def torque(self, now_ns: int | None = None) -> np.ndarray:
        """The torques to apply now, f64 ``[joints]``: the newest, or none if the island is dead."""
        # One that is half written is no death: an island may be held up while it writes.
        if (found := self.ports.read("command")) is not None:
            self._command = found
        command = self._command
        now_ns = monotonic_ns() if now_ns is None else now_ns
        dead = command is None or now_ns - int(command["stamp_ns"]) > self._dead_ns
        self.deaths += dead and not self.dead
        self.dead = dead
        return self._none if dead else command["torque"][: self._joints]
