"""Many trials, in one process or several, until they are done, time is up, or a rule is broken."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from time import monotonic

from polyrhythm.runtime import CostChoice
from polyrhythm.simulate.faults import FAULTS, Injection, schedule
from polyrhythm.simulate.piece import Piece, beside, open_piece
from polyrhythm.simulate.shrink import Shrunk
from polyrhythm.simulate.swarm import random_scenario
from polyrhythm.simulate.trial import Outcome, Trial

#: Trials that a process is given at a time.
BATCH = 8


@dataclass(frozen=True)
class Setting:
    """What trials are of; can be sent to another process.

    Attributes:
        path: of what is played; None: a random scenario for each seed.
        length_ns: of a trial; None: as long as the scenario says, or a minute.
        faults: the kinds that strike.
        only: exactly these strikes; None: at random.
        often: how many times as often as usual they strike.
        random_costs: what a stage takes is drawn for every tick (in a swarm the scenario says so).
        every_event: play also what comes again as it was.
        other: of what is swapped in as well.
    """

    path: Path | None
    costs: CostChoice | None = None
    length_ns: int | None = None
    faults: tuple[str, ...] = tuple(FAULTS)
    only: tuple[Injection, ...] | None = None
    often: float = 1.0
    random_costs: bool = False
    every_event: bool = False
    other: Path | None = None

    def trial(self, seed: int) -> Trial:
        """The trial of a seed.

        Raises:
            PieceError: it can't be played.
        """
        if self.path is None:
            made = random_scenario(seed)
            piece, scale, length_ns = made.piece, made.scale, self.length_ns or made.length_ns
            faults = [name for name in self.faults if name in scale]
        else:
            piece = opened(self.path, self.costs, self.other)
            scale, length_ns = dict.fromkeys(self.faults, 1.0), self.length_ns or 60_000_000_000
            faults = list(self.faults)
        if self.random_costs:
            piece = replace(piece, random_costs=True)
        scale = {name: scale[name] * self.often for name in faults}
        strikes: Iterable[Injection] = (
            schedule(piece, seed, length_ns, faults, scale) if self.only is None else self.only
        )
        return Trial(piece, seed, length_ns, strikes, every_event=self.every_event)


@lru_cache(maxsize=2)
def opened(path: Path, costs: CostChoice | None, other: Path | None = None) -> Piece:
    """`open_piece`, once in a process; beside it the one at `other`.

    Raises:
        PieceError: one can't be played, or they can't take turns.
    """
    piece = open_piece(path, costs)
    return piece if other is None else beside(piece, open_piece(other), other)


@dataclass
class Result:
    """What came of a campaign: the sum of all trials, and the first that failed, made small."""

    outcome: Outcome = field(default_factory=Outcome)
    real_s: float = 0.0
    seed: int | None = None  #: of the trial that failed
    shrunk: Shrunk | None = None


def run(
    setting: Setting, seed: int, *, trials: int | None = None, seconds: float | None = None, jobs: int = 1
) -> Result:
    """Play the trials of `seed`, `seed` + 1, ...

    Args:
        trials: how many at most; None: as many as there is time for.
        seconds: begin none after so many of real time.
        jobs: processes.
    """
    result, began_s = Result(), monotonic()
    for outcome, failed in _outcomes(setting, seed, trials, began_s, seconds, jobs):
        result.outcome.add(outcome)
        if failed is not None and (result.seed is None or failed < result.seed):
            result.seed = failed
    result.real_s = monotonic() - began_s
    if result.seed is not None:
        trial = setting.trial(result.seed)
        trial.play()
        result.shrunk = Shrunk(trial.piece, trial)
    return result


def _outcomes(
    setting: Setting, seed: int, trials: int | None, began_s: float, seconds: float | None, jobs: int
) -> Iterator[tuple[Outcome, int | None]]:
    """What came of the trials, and the seed of one that failed; ends with the first."""
    seeds = count(seed) if trials is None else iter(range(seed, seed + trials))

    def batch(size: int) -> list[int]:
        over = seconds is not None and monotonic() - began_s >= seconds
        return [] if over else list(islice(seeds, size))

    if jobs == 1:
        while chosen := batch(1):
            found = play(setting, chosen)
            yield found
            if found[1] is not None:
                return
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        running: set[Future[tuple[Outcome, int | None]]] = set()
        failed = False
        while True:
            while not failed and len(running) < 2 * jobs and (chosen := batch(BATCH)):
                running.add(pool.submit(play, setting, chosen))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                found = future.result()
                failed |= found[1] is not None
                yield found


def play(setting: Setting, seeds: list[int]) -> tuple[Outcome, int | None]:
    """Play trials, up to the first that fails: their sum, and its seed."""
    outcome = Outcome()
    for seed in seeds:
        trial = setting.trial(seed)
        outcome.add(trial.play())
        if trial.failure is not None:
            return outcome, seed
    return outcome, None
