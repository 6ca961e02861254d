"""What goes wrong at the robot: sensors, stamps, the control loop, episodes."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from polyrhythm.schedule.events import EpisodeEnd, Event, Launch, Start
from polyrhythm.simulate.faults.registry import MissedError, fault
from polyrhythm.simulate.harness import Fate, Reply
from polyrhythm.simulate.terse import MS

if TYPE_CHECKING:
    from polyrhythm.simulate.piece import Piece
    from polyrhythm.simulate.trial import Trial


def has_robot(piece: Piece) -> bool:
    """Whether there is one."""
    return piece.plan.control is not None


def has_sensors(piece: Piece) -> bool:
    """Whether it is observed."""
    return piece.plan.control is not None and bool(piece.plan.control.observations)


def has_chunks(piece: Piece) -> bool:
    """Whether it is driven."""
    return has_robot(piece) and any(m.chunk is not None for m in piece.plan.modules)


def sensor(trial: Trial, rng: Random) -> str:
    """One of those that are observed now."""
    control = trial.harness.scheduler.plan.control
    if control is None or not control.observations:
        raise MissedError
    return rng.choice(sorted(control.observations))


@fault("stale", every_s=20, fits=has_sensors)
def stale(trial: Trial, rng: Random, now_ns: int) -> None:
    """A sensor repeats itself: for up to 2 s its stamps are older and older."""
    port, until_ns = sensor(trial, rng), now_ns + rng.randrange(2000 * MS)

    def repeat(asked: str | None, at_ns: int) -> Reply | None:
        if at_ns >= until_ns:
            return None
        return Reply(0, stale_ns=at_ns - now_ns) if asked == port else Reply(0)

    trial.upset(repeat)


@fault("silent", every_s=20, fits=has_sensors)
def silent(trial: Trial, rng: Random, now_ns: int) -> None:
    """A sensor says nothing for up to 2 s; what it was asked for comes then."""
    port, until_ns = sensor(trial, rng), now_ns + rng.randrange(2000 * MS)

    def wait(asked: str | None, at_ns: int) -> Reply | None:
        if at_ns >= until_ns:
            return None
        return Reply(0, late_ns=until_ns - at_ns) if asked == port else Reply(0)

    trial.upset(wait)


@fault("disorder", every_s=20, fits=has_sensors)
def disorder(trial: Trial, rng: Random, now_ns: int) -> None:
    """For up to 2 s the stamps of a sensor are out of order, and samples come twice."""
    port, until_ns = sensor(trial, rng), now_ns + rng.randrange(2000 * MS)
    most_ns = rng.randrange(1, 200 * MS)

    def shuffle(asked: str | None, at_ns: int) -> Reply | None:
        if at_ns >= until_ns:
            return None
        if asked != port:
            return Reply(0)
        again_ns = (rng.randrange(50 * MS),) if rng.random() < 0.3 else ()
        return Reply(0, stale_ns=rng.randrange(most_ns), again_ns=again_ns)

    trial.upset(shuffle)


@fault("slow-loop", every_s=20, fits=has_robot)
def slow_loop(trial: Trial, rng: Random, now_ns: int) -> None:
    """For up to 2 s the control loop is slower than declared, by up to five times; reports come twice."""
    assert trial.piece.plan.control is not None
    takes_ns = round(trial.piece.plan.control.period_ns * (0.5 + 4.5 * rng.random()))
    until_ns = now_ns + rng.randrange(2000 * MS)

    def drag(asked: str | None, at_ns: int) -> Reply | None:
        if at_ns >= until_ns:
            return None
        return Reply(takes_ns, again_ns=(takes_ns // 2,)) if asked is None else Reply(0)

    trial.upset(drag)


@fault("reset", every_s=30, fits=has_robot)
def reset(trial: Trial, rng: Random, now_ns: int) -> Event | None:
    """The episode ends while a chunk is being made, and the next one begins up to 50 ms later."""
    begins_ns, share = rng.randrange(50 * MS), rng.random()
    makers = [m.id for m in trial.harness.scheduler.plan.modules if m.chunk is not None]
    if not makers:
        trial.harness.at(now_ns + begins_ns, Start)
        return EpisodeEnd(now_ns)

    def end(launch: Launch, cost_ns: int) -> Fate | None:
        if launch.tick < 0:
            return None  # a context is warmed up: that makes no chunk
        ends_ns = trial.harness.clock.now_ns() + round(cost_ns * share)
        trial.harness.at(ends_ns, EpisodeEnd)
        trial.harness.at(ends_ns + begins_ns, Start)
        return Fate(cost_ns)

    trial.arm(rng.randrange(len(makers)), makers, end)
    return None


@fault("island", every_s=60, fits=lambda piece: piece.island is not None)
def island(trial: Trial, rng: Random, now_ns: int) -> None:
    """The island dies, and the run ends; another begins up to 150 periods later, and then another run."""
    if trial.island is None or trial.island.attended:
        raise MissedError
    trial.island.strike(rng, now_ns)


@fault("island-stall", every_s=60, fits=lambda piece: piece.island is not None)
def island_stall(trial: Trial, rng: Random, now_ns: int) -> None:
    """The island stands still, and goes on up to 150 periods later: the run goes on meanwhile."""
    if trial.island is None or trial.island.attended:
        raise MissedError
    trial.island.strike(rng, now_ns, stalls=True)
