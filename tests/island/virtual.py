"""An island of two joints on a clock of the test's own, with a body that can be held still or moved."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from polyrhythm.island import VirtualIsland, config_record
from polyrhythm.island.layout import BLIND, DEAD_PERIODS
from polyrhythm.manifest import Island

from .plans import ENTRY

MS = 1_000_000
#: Later than any target of these tests is old.
START_NS = 100_000 * MS
JOINTS = {
    "hip": {"position": [-1, 1], "velocity": 10, "torque": 5, "torque_rate": 1000, "kp": 20, "kd": 1},
    "knee": {"velocity": 20, "torque": 2, "torque_rate": 400, "kp": 10, "kd": 0},
}
LADDER = {"extrapolate": 20, "decelerate": 60, "hold": 160, "stop": 1000}


def declared(**changes: Any) -> Island:
    """The manifest's section."""
    return Island.model_validate({"joints": JOINTS, "ladder_ms": LADDER, "blind_ms": 5, **changes})


def two_cores() -> list[int]:
    """Two cores of this machine; skips the test where there are not so many."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("a second thread needs a second core")
    return cores[:2]


class Bench:
    """A virtual island, its clock, and a body that is where it was put."""

    def __init__(self, **changes: Any) -> None:
        root, plan = changes.pop("root", None), changes.pop("plan", None)
        if plan is not None:
            changes["policy"] = {"vmfb": "act.vmfb", "budget_ms": 0.5}
        self.config = config_record(declared(**changes), root, plan and (plan, ENTRY))
        self.island = VirtualIsland(self.config)
        self.now_ns, self._period_ns = START_NS, int(self.config["period_ns"])
        self.position = np.zeros(2)
        self.velocity = np.zeros(2)
        self.sensors: list[float] = []
        self.commands: list[np.ndarray] = []
        self._seen = np.zeros((2, 2))  # position and velocity, as the island was told them last
        self.seen: list[np.ndarray] = []  # the same, for every command

    def target(self, position: Any, velocity: Any = (0.0, 0.0), age_ns: int = 0, writer: int = 1) -> None:
        """Send a target that is `age_ns` old already."""
        self.island.send("target", self.now_ns - age_ns, position=position, velocity=velocity, writer=writer)

    def step(self, periods: int = 1, *, see: bool = True, until_ns: int = 0) -> np.ndarray:
        """So many periods; returns a copy of the last command."""
        for _ in range(periods):
            if see:
                self.island.send(
                    "state", self.now_ns, position=self.position, velocity=self.velocity, sensors=self.sensors
                )
                if np.isfinite(told := np.array([self.position, self.velocity])).all():
                    self._seen = told
            self.seen.append(self._seen)
            self.commands.append(self.island.step(self.now_ns, until_ns).copy())
            self.now_ns += self._period_ns
        return self.commands[-1]

    def follow(self) -> None:
        """The body is where it was told to be."""
        self.position = self.commands[-1]["position"][:2].copy()

    @property
    def counts(self) -> np.ndarray:
        return self.island.counts

    def check_limits(self) -> None:
        """What must hold of every command whatever came in."""
        torque = np.array([[0.0, 0.0], *(command["torque"][:2] for command in self.commands)])
        stamps = np.array([int(command["stamp_ns"]) for command in self.commands])
        gaps = np.diff(stamps, prepend=stamps[0])
        let_go = gaps > DEAD_PERIODS * self._period_ns  # by the motors: the command before is too old
        fell = let_go & (gaps >= min(self.config["blind_ns"], self.config["stop_ns"]))
        reference = np.array([command["position"][:2] for command in self.commands])
        assert np.isfinite(torque).all() and np.isfinite(reference).all()
        assert (np.abs(torque) <= self.config["torque"][:2]).all()
        self._check_torque(np.where(let_go[:, None], 0.0, torque[:-1]), torque[1:])
        speed = np.array([command["velocity"][:2] for command in self.commands])
        assert (np.abs(speed) <= self.config["velocity"][:2]).all()
        driven = np.array([not command["flags"] for command in self.commands])
        low, high = self.config["position_low"][:2], self.config["position_high"][:2]
        for at in np.flatnonzero(driven[1:] & driven[:-1] & ~fell[1:]):
            before, after = reference[at], reference[at + 1]
            most = self.config["velocity"][:2] * self._period_ns / 1e9 + 1e-9 * (1 + np.abs(before))
            assert (np.abs(after - before) <= most).all()
            # Within the limits, or on the way back to them.
            assert (np.maximum(after - high, 0) <= np.maximum(before - high, 0)).all()
            assert (np.maximum(low - after, 0) <= np.maximum(low - before, 0)).all()

    def _check_torque(self, before: np.ndarray, after: np.ndarray) -> None:
        """What motors had before each command, and have from then on; both f64 ``[commands, joints]``."""
        position, velocity = np.array(self.seen).transpose(1, 0, 2)
        blind = np.array([bool(command["flags"] & BLIND) for command in self.commands])[:, None]
        low, high, fast = (self.config[name][:2] for name in ("position_low", "position_high", "velocity"))

        def forbidden(torque: np.ndarray) -> np.ndarray:
            too_fast = (np.abs(velocity) > fast) & (np.sign(torque) * np.sign(velocity) > 0)
            beyond = ((position > high) & (torque > 0)) | ((position < low) & (torque < 0))
            return np.asarray(too_fast | beyond | (blind & (torque != 0)))

        assert not forbidden(after).any()
        most = self.config["torque_rate"][:2] * self._period_ns / 1e9 * (1 + 1e-9)
        cut = (after == 0) & forbidden(before)
        assert ((np.abs(after - before) <= most) | cut).all()
