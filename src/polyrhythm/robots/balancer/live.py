"""The balancer in real time: its body is a process of its own, and goes on whatever becomes of this one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from time import monotonic_ns, sleep
from typing import Any

import numpy as np

from polyrhythm.island import IslandError, LiveIsland
from polyrhythm.island.layout import FALLEN
from polyrhythm.robots.balancer.body import SENSORS
from polyrhythm.robots.balancer.robot import Balancer, Snapshot

#: A body that has said nothing for this long is not there.
GONE_NS = 1_000_000_000
#: How long a new body may take to stand.
PATIENCE_NS = 30_000_000_000


class LiveBalancer(Balancer):
    """A balancer on a live island. A body that stands already is taken over as it is."""

    def __init__(
        self, island: LiveIsland, *, control_hz: float, episode_s: float, world: Mapping[str, Any]
    ) -> None:
        super().__init__(control_hz, episode_s)
        self._island = island
        self._world = world
        self._next_ns = 0  # when the next control tick is due
        self._process: subprocess.Popen[bytes] | None = None

    def stand_up(self, seed: int) -> None:
        """See `Balancer.stand_up`: stands it up if it lies, and starts its process if there is none."""
        state = self._island.state()
        if state is None or monotonic_ns() - int(state["stamp_ns"]) > GONE_NS:
            self._start_body(seed)
        elif int(state["flags"]) & FALLEN:
            self._ask(seed)

    def pass_tick(self, action: np.ndarray | None) -> None:
        """See `Balancer.pass_tick`: sends the target; time passes by itself."""
        if not self._island.alive:
            raise IslandError("the island is dead: the robot has let go")
        self._next_ns = monotonic_ns() + round(1e9 / self.spec.control_hz)
        if action is not None:
            self._island.target(action[:2], action[2:])

    def look(self) -> Snapshot:
        """See `Balancer.look`."""
        state, command = self._island.state(), self._island.command()
        if state is None or command is None:
            raise IslandError("the ports are broken: neither the robot nor the island can be heard")
        if monotonic_ns() - int(state["stamp_ns"]) > GONE_NS:
            raise IslandError("the balancer's body says nothing any more: its process is dead, or hangs")
        ahead_s = min(max(0, self._next_ns - int(command["stamp_ns"])) / 1e9, 1 / self.spec.control_hz)
        reference = command["position"][:2] + ahead_s * command["velocity"][:2]
        return Snapshot(
            reference, command["velocity"][:2], state["position"][:2], state["velocity"][:2],
            state["sensors"][: len(SENSORS)],
        )  # fmt: skip

    def _start_body(self, seed: int) -> None:
        command = [sys.executable, "-m", "polyrhythm.robots.balancer", str(self._island.ports.path)]
        self._process = subprocess.Popen(
            [*command, json.dumps({"seed": seed, **self._world})],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        began_ns = monotonic_ns()
        while (state := self._island.state()) is None or int(state["stamp_ns"]) < began_ns:
            if self._process.poll() is not None or monotonic_ns() - began_ns > PATIENCE_NS:
                raise IslandError("the balancer's body does not start: what it said stands above")
            sleep(0.005)

    def _ask(self, seed: int) -> None:
        asked = self._island.ports.write("request", {"seed": seed})
        began_ns = monotonic_ns()
        while (state := self._island.state()) is None or int(state["answered"]) != asked:
            if monotonic_ns() - began_ns > PATIENCE_NS:
                raise IslandError("the balancer's body does not stand up")
            sleep(0.002)
