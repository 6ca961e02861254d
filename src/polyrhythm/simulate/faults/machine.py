"""What happens to the host, contexts, memory and power."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from polyrhythm.schedule.events import Event, SetProfile
from polyrhythm.simulate.faults.registry import MissedError, fault
from polyrhythm.simulate.terse import MS

if TYPE_CHECKING:
    from polyrhythm.simulate.piece import Piece
    from polyrhythm.simulate.trial import Trial

#: More contexts are not loaded.
MAX_CONTEXTS = 4


def has_profiles(piece: Piece) -> bool:
    """Whether there are several."""
    return len(piece.plan.profiles) > 1


def has_source(piece: Piece) -> bool:
    """Whether a reading chooses the profile."""
    return piece.source is not None and bool(piece.source.levels)


@fault("host", every_s=20)
def host(trial: Trial, rng: Random, now_ns: int) -> None:
    """The host stands still for up to 2 s: what comes meanwhile is told then."""
    trial.harness.stall(now_ns + round(rng.choice([5, 50, 400, 2000]) * rng.random() * MS))


@fault("alloc", every_s=30)
def alloc(trial: Trial, rng: Random, now_ns: int) -> None:
    """The n-th reservation of a context that is loaded fails."""
    plan, before = rng.randrange(len(trial.piece.plans)), trial.memory.refused
    if trial.cast.there < MAX_CONTEXTS and (most := trial.memory.reservations(plan)):
        trial.cast.load(plan, fails_at=rng.randrange(most))
    if trial.memory.refused == before:
        raise MissedError


@fault("context", every_s=10)
def context(trial: Trial, rng: Random, now_ns: int) -> None:
    """Another context plays; one is loaded for that if there is none, one too many is let go.

    Now and then it is asked to play before it is ready, or let go as soon as it was asked.
    """
    choice, hasty = rng.random(), rng.random() < 0.3
    if not trial.cast.ready and trial.cast.there < MAX_CONTEXTS:
        if (loaded := trial.cast.load(rng.randrange(len(trial.piece.plans)))) is None:
            raise MissedError
        if hasty:
            trial.cast.switch(loaded, in_ns=rng.randrange(20 * MS))
    elif trial.cast.ready and (choice < 0.7 or trial.cast.there < 3):
        chosen = rng.choice(sorted(trial.cast.ready))
        trial.cast.switch(chosen)
        if hasty:
            trial.cast.retire(chosen)
    elif trial.cast.ready:
        trial.cast.retire(rng.choice(sorted(trial.cast.ready)))
    else:
        raise MissedError


@fault("swap", every_s=30)
def swap(trial: Trial, rng: Random, now_ns: int) -> None:
    """A bundle, another one if there is one, is swapped in, in the middle of a chunk; the one before goes."""
    if trial.cast.there >= MAX_CONTEXTS:
        if trial.cast.ready:
            trial.cast.retire(min(trial.cast.ready))  # so the next one finds room
        raise MissedError
    plays = trial.harness.scheduler.contexts.live.plan
    others = [i for i, plan in enumerate(trial.piece.plans) if plan is not plays]
    if trial.cast.load(rng.choice(others or [0]), then_play=True) is None:
        raise MissedError


@fault("profile", every_s=10, fits=has_profiles)
def profile(trial: Trial, rng: Random, now_ns: int) -> Event:
    """Somebody asks for another power profile."""
    return SetProfile(now_ns, rng.choice(sorted(trial.piece.plan.profiles)))


@fault("thermal", every_s=30, fits=has_source)
def thermal(trial: Trial, rng: Random, now_ns: int) -> Event:
    """The power source takes a step past a level, and one back within 5 s: profiles follow it."""
    source, chooser = trial.piece.source, trial.chooser
    assert source is not None and chooser is not None
    sign = -1 if source.falls else 1
    unit = 1000 if source.kind == "thermal" else 1
    hot = float(rng.choice(source.levels).at) + sign * rng.random()
    cool = float(min(sign * level.back for level in source.levels)) * sign - sign

    def at(now_ns: int, reading: float) -> Event:
        return SetProfile(now_ns, chooser.choose(str(reading * unit)))

    trial.harness.at(now_ns + rng.randrange(5000 * MS), lambda then_ns: at(then_ns, cool))
    return at(now_ns, hot)
