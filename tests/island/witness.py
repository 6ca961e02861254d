"""Looks at the commands of a live island from outside, and judges each: within its limits, on its rung."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread
from time import monotonic_ns, sleep
from typing import Any

import numpy as np

from polyrhythm.island import RUNGS, Ports
from polyrhythm.island.layout import DEAD_PERIODS

#: How far ahead of a command a target's stamp may lie, as in `pr_island.c`.
AHEAD_NS = 1_000_000


class Witness:
    """A thread that reads commands as they come; a context manager, which judges them when it ends.

    Which target a command went by is certain if that target lay in the port since before the command's period
    began, and still does when the command is read. Such a command has to be on the rung of its target's age,
    to the nanosecond, whatever this thread or the island was late for.

    Attributes:
        rungs: the rungs of commands whose target is certain.
        commands: how many were read.
        looked: the number of the target that was looked at last.
    """

    def __init__(self, path: Path) -> None:
        self._ports = Ports.attach(path)
        self._config = self._ports.read_record("config")
        self._over = Event()
        self._thread = Thread(target=self._look, name="witness")
        self._faults: list[str] = []
        self.rungs: set[str] = set()
        self.commands = 0
        self.looked = -1

    def __enter__(self) -> Witness:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()
        self._ports.close()
        assert not self._faults, "\n".join(self._faults[:10])

    def _look(self) -> None:
        accepted: Any = None
        since_ns, before = 0, None
        while not self._over.is_set():
            target = self._ports.read("target")
            seq = -1 if target is None else int(target["seq"])
            if seq != self.looked:
                since_ns = monotonic_ns()
                if target is not None and self._takes(target, accepted):
                    accepted = target
                self.looked = seq
            command = self._ports.read("command")
            if command is None or (before is not None and command["seq"] == before["seq"]):
                sleep(0.0005)
                continue
            self.commands += 1
            self._judge_limits(before, command)
            again = self._ports.read("target")
            certain = (-1 if again is None else int(again["seq"])) == self.looked
            if accepted is not None and certain and command["stamp_ns"] > since_ns:
                self._judge_rung(int(command["stamp_ns"] - accepted["stamp_ns"]), RUNGS[command["rung"]])
            before = command

    def _takes(self, target: Any, before: Any) -> bool:
        n = int(self._config["joints"])
        finite = np.isfinite(target["position"][:n]).all() and np.isfinite(target["velocity"][:n]).all()
        newer = before is None or target["stamp_ns"] >= before["stamp_ns"]
        return bool(finite and newer and target["stamp_ns"] <= monotonic_ns() + AHEAD_NS)

    def _judge_rung(self, age_ns: int, rung: str) -> None:
        begins = [int(self._config[f"{name}_ns"]) for name in RUNGS[1:]]
        due = RUNGS[sum(age_ns >= begin for begin in begins)]
        self.rungs.add(rung)
        if rung != due:
            self._faults.append(f"a target {age_ns} ns old: {rung}, and not {due}")

    def _judge_limits(self, before: Any, command: Any) -> None:
        n, config = int(self._config["joints"]), self._config
        torque, reference = command["torque"][:n], command["position"][:n]
        if not (np.abs(torque) <= config["torque"][:n]).all():
            self._faults.append(f"torque {torque}")
        if before is None:
            return
        periods = int(command["seq"] - before["seq"])
        seconds = periods * int(config["period_ns"]) / 1e9 * (1 + 1e-9)
        in_rate = np.abs(torque - before["torque"][:n]) <= config["torque_rate"][:n] * seconds
        # What the joint forbids, or nobody sees, was cut to nothing, and has come back since at that rate;
        # what motors had let go of comes back from that very period on.
        gap_ns = int(command["stamp_ns"] - before["stamp_ns"])
        let_go = gap_ns > DEAD_PERIODS * int(config["period_ns"])
        cut = np.abs(torque) <= config["torque_rate"][:n] * seconds * (periods - 1 + let_go) / periods
        if not (in_rate | cut).all():
            self._faults.append(f"torque from {before['torque'][:n]} to {torque} in {periods} periods")
        # Where it lets go in between, or the robot may have fallen, the reference is where the robot is.
        fell = let_go and gap_ns >= min(config["blind_ns"], config["stop_ns"])
        if periods == 1 and not command["flags"] and not before["flags"] and not fell:
            moved = np.abs(reference - before["position"][:n])
            if not (moved <= config["velocity"][:n] * seconds + 1e-12).all():
                self._faults.append(f"reference by {moved} in a period")
            low, high = config["position_low"][:n], config["position_high"][:n]
            beyond, was = (np.maximum(at - high, low - at) for at in (reference, before["position"][:n]))
            if not (beyond <= np.maximum(was, 0)).all():  # within, or on the way back
                self._faults.append(f"reference {reference}")
