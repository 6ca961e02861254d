"""Two flywheels as a process of its own on an island's ports: `python body.py PORTS SECONDS`.

Prints JSON at the end: what it was told, at most, from one look to the next.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic_ns, sleep

import numpy as np

from polyrhythm.island import Ports
from polyrhythm.island.robot_side import RobotSide

INERTIA = np.array([0.02, 0.01])


def let_go(ports: Ports) -> int:
    """How many periods the island has not driven the joints."""
    counts = ports.read_record("counts")
    return int(counts["rung_periods"][-1] + counts["blind_periods"])


def main(path: Path, seconds: float) -> None:
    side = RobotSide(Ports.attach(path))
    position, velocity = np.zeros(2), np.zeros(2)
    most = {"torque": 0.0, "reference_step": 0.0}
    dead_after_ns = None
    before = None
    now_ns = began_ns = monotonic_ns()
    while now_ns - began_ns < seconds * 1e9:
        side.send(position, velocity)
        sleep(0.001)
        last_ns, now_ns = now_ns, monotonic_ns()
        torque = side.torque(now_ns)
        idle = let_go(side.ports)
        command = side.ports.read("command")
        if side.dead and dead_after_ns is None and side.deaths == 1:
            dead_after_ns = now_ns - int(command["stamp_ns"])
        reference = command["position"][:2].copy()
        # In periods in which it let go, seen here or not, the reference goes where the robot goes.
        if before is not None and before[2] == let_go(side.ports):
            periods = max(1, int(command["seq"]) - before[1])
            step = float(np.abs(reference - before[0]).max() / periods)
            most["reference_step"] = max(most["reference_step"], step)
        before = (reference, int(command["seq"]), idle)
        most["torque"] = max(most["torque"], float(np.abs(torque).max()))
        dt = (now_ns - last_ns) / 1e9
        velocity = velocity + dt * (torque - 0.02 * velocity) / INERTIA
        position = position + dt * velocity
    print(json.dumps(most | {"deaths": side.deaths, "position": position.tolist(), "dead_ns": dead_after_ns}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
