"""The island in a trial: the real step and the real robot's side of its ports, on the trial's clock.

It is played while a strike takes its course: from a while before the island dies or stands still until a
while after the next one has begun or it has gone on. Every action that leaves at a control tick is a target
of it, and a robot that only has positions does what it says. The run that has lost its island ends at its
next control tick, as a real one does, and another begins once there is an island again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from typing import Any, cast

import numpy as np

from polyrhythm.island import RUNGS, Ports, RobotSide, VirtualIsland
from polyrhythm.island.layout import DEAD_PERIODS, ISLAND_DEAD
from polyrhythm.schedule.events import Act, Decelerate, EpisodeEnd, Event, Hold, Start, Wake
from polyrhythm.simulate.harness import Harness, Step
from polyrhythm.simulate.terse import MS

#: Periods before the island dies, until another one begins, and after that; at most.
BEFORE, DEAD, AFTER = 200, 150, 150
#: A run begins so long after there is an island for it, at most.
BEGINS_NS = 50 * MS
#: What rounding may add to a limit, of the limit itself and of what it is added to.
ROUNDING = 1e-9


class _VirtualPorts:
    """The ports of a virtual island, as far as `RobotSide` uses them."""

    def __init__(self, island: VirtualIsland) -> None:
        self._island = island
        self.now_ns = 0

    def read_record(self, name: str) -> Any:
        assert name == "config"
        return self._island.config

    def read(self, name: str) -> Any:
        found = self._island.port(name)
        return found if int(found["stamp_ns"]) else None

    def write(self, name: str, fields: Mapping[str, Any]) -> None:
        self._island.send(name, self.now_ns, **fields)


class SimulatedIsland:
    """The island of a trial's robot.

    Args:
        config: a record ``config``.
        harness: of the trial.

    Attributes:
        attended: a strike takes its course.
    """

    def __init__(self, config: np.ndarray, harness: Harness) -> None:
        self.attended = False
        self._config, self._harness = config, harness
        self._joints, self._period_ns = int(config["joints"]), int(config["period_ns"])
        self._ladder = [int(config[f"{rung}_ns"]) for rung in RUNGS[1:]]
        self._dead_ns = DEAD_PERIODS * self._period_ns  # motors let go then
        self._fallen_ns = min(int(config["blind_ns"]), int(config["stop_ns"]))
        self._low, self._high, self._velocity, self._torque, self._rate = (
            config[name][: self._joints]
            for name in ("position_low", "position_high", "velocity", "torque", "torque_rate")
        )

    @cached_property
    def _island(self) -> VirtualIsland:
        return VirtualIsland(self._config)

    @cached_property
    def _ports(self) -> _VirtualPorts:
        return _VirtualPorts(self._island)

    @cached_property
    def _side(self) -> RobotSide:
        return RobotSide(cast(Ports, self._ports))

    def strike(self, rng: Random, now_ns: int, *, stalls: bool = False) -> None:
        """The island dies, and another one begins; draws from `rng` until that is over.

        Args:
            stalls: it does not die, but stands still and goes on.
        """
        self._rng, self.attended = rng, True
        self._is_at = np.clip([rng.uniform(-0.5, 0.5) for _ in range(self._joints)], self._low, self._high)
        self._moves = np.zeros(self._joints)
        self._next_ns = self._played_ns = now_ns
        self._begin()
        self._lost = False  # the run knows an island that is dead
        goes_ns = now_ns + rng.randrange(1, BEFORE * self._period_ns)
        self._back_ns = goes_ns + rng.randrange(1, DEAD * self._period_ns)
        ends_ns = self._back_ns + rng.randrange(1, AFTER * self._period_ns)
        goes, comes = (self._stall, self._go_on) if stalls else (self._die, self._begin)
        for at_ns, what in ((goes_ns, goes), (self._back_ns, comes), (ends_ns, self._leave)):
            self._harness.at(at_ns, self._then(what))

    def follow(self, step: Step) -> None:
        """What the runtime does goes to the island that it knows; without one its run ends."""
        now_ns = step.event.now_ns
        self._pass(now_ns)
        if isinstance(step.event, Start):
            self._lost = not self._alive
        for command in step.commands:
            if not isinstance(command, (Act, Decelerate, Hold)):
                continue
            if self._lost:
                self._harness.at(now_ns, EpisodeEnd)
                begins_ns = max(now_ns, self._back_ns) + self._rng.randrange(1, BEGINS_NS)
                self._harness.at(begins_ns, Start)
            elif not isinstance(command, Hold):  # which sends nothing
                self._aim(now_ns, moves=isinstance(command, Act))

    # -- what strikes ---------------------------------------------------------------------------------------

    def _then(self, what: Callable[[], None]) -> Callable[[int], Event]:
        def happen(now_ns: int) -> Event:
            self._pass(now_ns)
            what()
            return Wake(now_ns)

        return happen

    def _die(self) -> None:
        self._alive, self._lost = False, True

    def _begin(self) -> None:
        """A new island, which knows nothing of the one before."""
        self._island.restart()
        self._alive, self._stalls = True, False
        self._aimed_ns: int | None = None  # when it was sent its last target
        self._pulls, self._points = np.zeros(self._joints), self._is_at.copy()

    def _stall(self) -> None:
        self._stalls = True

    def _go_on(self) -> None:
        self._stalls = False

    def _leave(self) -> None:
        self.attended = False

    # -- the robot ------------------------------------------------------------------------------------------

    def _aim(self, now_ns: int, *, moves: bool) -> None:
        """A target: anywhere, and now and then beyond the limits."""
        aim = [self._rng.uniform(-1.2, 1.2) for _ in range(self._joints)]
        velocity = [moves * self._rng.uniform(-1, 1) for _ in range(self._joints)]
        self._island.send("target", now_ns, position=aim, velocity=velocity, writer=1)
        self._aimed_ns = now_ns

    def _pass(self, now_ns: int) -> None:
        """All periods up to now."""
        while self._next_ns <= now_ns:
            self._period(self._next_ns)
            self._next_ns += self._period_ns

    def _period(self, now_ns: int) -> None:
        self._ports.now_ns, was_dead = now_ns, self._side.dead
        self._side.send(self._is_at, self._moves)
        told = bool(int(self._island.port("state")["flags"]) & ISLAND_DEAD)
        assert told == was_dead, "the robot says of its island what it does not know"
        if self._alive and not self._stalls:
            self._play(now_ns)
            self._played_ns = now_ns
        torque, silent_ns = self._side.torque(now_ns), now_ns - self._played_ns
        dead = silent_ns > self._dead_ns
        assert self._side.dead == dead, f"heard {silent_ns} ns ago, and {self._side.dead=}"
        assert not (dead and torque.any()), f"motors go on with {torque} of a dead island"
        before = self._is_at
        if dead:  # it sags, and where to nobody says
            self._pulls = np.zeros(self._joints)
            drift = np.array([self._rng.uniform(-0.1, 0.1) for _ in range(self._joints)])
            self._is_at = np.clip(before + drift * self._velocity * self._dt_s, self._low, self._high)
        else:
            self._is_at = before + 0.3 * (self._points - before)
        self._moves = (self._is_at - before) / self._dt_s

    @property
    def _dt_s(self) -> float:
        return self._period_ns / 1e9

    def _play(self, now_ns: int) -> None:
        """One period of the island, and what has to be true of its command whatever comes in."""
        command = self._island.step(now_ns)
        torque, points = (command[name][: self._joints].copy() for name in ("torque", "position"))
        rung, due = RUNGS[int(command["rung"])], self._rung(now_ns)
        assert rung == due, f"the island's ladder stands at {rung}, and its target is of an age for {due}"
        assert int(command["stamp_ns"]) == now_ns, "a command that is not of this period"
        assert np.isfinite(torque).all() and (np.abs(torque) <= self._torque).all(), f"a torque of {torque}"
        most = self._rate * self._dt_s * (1 + ROUNDING) + ROUNDING * self._torque
        jumps, silent_ns = np.abs(torque - self._pulls) > most, now_ns - self._played_ns
        if silent_ns > self._dead_ns:
            jumps &= np.abs(torque) > most  # it does not know when the motors look: it begins from none
            if silent_ns >= self._fallen_ns:
                self._points = self._is_at.copy()
        # What a joint forbids is gone at once.
        assert not (jumps & (torque != 0)).any(), f"the torque jumps from {self._pulls} to {torque}"
        most = self._velocity * self._dt_s * (1 + ROUNDING) + ROUNDING
        walks = np.abs(points - self._points) <= most
        assert rung == "stop" or walks.all(), f"the reference jumps from {self._points} to {points}"
        self._pulls, self._points = torque, points

    def _rung(self, now_ns: int) -> str:
        """By the age of the last target that this island was sent."""
        if self._aimed_ns is None:
            return "hold"
        return RUNGS[bisect_right(self._ladder, now_ns - self._aimed_ns)]
