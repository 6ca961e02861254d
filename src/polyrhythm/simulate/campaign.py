"""Many trials, in one process or several, until they are done, time is up, or a rule is broken."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import NamedTuple

from polyrhythm.runtime import CostChoice
from polyrhythm.simulate.faults import FAULTS, Injection, schedule
from polyrhythm.simulate.piece import Piece, PieceError, beside, open_piece
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
    """What came of a campaign: the sum of all trials, and the first that failed, made small.

    Attributes:
        seed: of the trial that failed.
        errors: of what plays the trials, and failures that did not come again; each with its seeds.
    """

    outcome: Outcome = field(default_factory=Outcome)
    real_s: float = 0.0
    seed: int | None = None
    shrunk: Shrunk | None = None
    errors: list[str] = field(default_factory=list)


class Broken(NamedTuple):
    """Why some trials ended early."""

    seeds: Sequence[int]  #: of the trial; of all that it may have been, where nobody knows
    why: str
    by_rule: bool = False  #: a rule was broken; else what plays them was

    def __str__(self) -> str:
        first, last = self.seeds[0], self.seeds[-1]
        return f"seed {first}: {self.why}" if first == last else f"one of seeds {first} to {last}: {self.why}"


#: What came of some trials, and why they ended early.
Played = tuple[Outcome, Broken | None]


def run(
    setting: Setting, seed: int, *, trials: int | None = None, seconds: float | None = None, jobs: int = 1
) -> Result:
    """Play the trials of `seed`, `seed` + 1, ...

    Args:
        trials: how many at most; None: as many as there is time for.
        seconds: begin none after so many of real time.
        jobs: processes.

    Raises:
        PieceError: they can't be played.
    """
    result, began_s = Result(), monotonic()
    failed: list[Broken] = []
    for outcome, broken in _played(setting, seed, trials, began_s, seconds, jobs):
        result.outcome.add(outcome)
        if broken is not None and broken.by_rule:
            failed.append(broken)
        elif broken is not None:
            result.errors.append(str(broken))
    result.real_s = monotonic() - began_s
    if failed:
        _make_small(setting, min(failed), result)
    return result


def _make_small(setting: Setting, broken: Broken, result: Result) -> None:
    """Play the trial that failed again, and smaller ones."""
    seed = broken.seeds[0]
    try:
        trial = setting.trial(seed)
        trial.play()
        if trial.failure is not None:
            result.seed, result.shrunk = seed, Shrunk(trial.piece, trial)
            return
        again = "it did not come again"
    except Exception as error:
        again = f"when it was played again: {_said(error)}"
    result.errors.append(f"{broken}; {again}")


def _played(
    setting: Setting, seed: int, trials: int | None, began_s: float, seconds: float | None, jobs: int
) -> Iterator[Played]:
    """What came of the trials; ends with the first that ended early."""
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
    with ProcessPoolExecutor(jobs, mp_context=context) as pool, _ended_at_once(pool):
        running: dict[Future[Played], list[int]] = {}
        ended = False
        while True:
            while not ended and len(running) < 2 * jobs and (chosen := batch(BATCH)):
                running[_submitted(pool, setting, chosen)] = chosen
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                found = _result(future, running.pop(future))
                ended |= found[1] is not None
                yield found


@contextmanager
def _ended_at_once(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Whatever is raised, nobody waits for trials that are under way."""
    try:
        yield
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def _submitted(pool: ProcessPoolExecutor, setting: Setting, chosen: list[int]) -> Future[Played]:
    try:
        return pool.submit(play, setting, chosen)
    except BrokenProcessPool as error:  # since the last one was looked at
        future = Future[Played]()
        future.set_exception(error)
        return future


def _result(future: Future[Played], chosen: list[int]) -> Played:
    try:
        return future.result()
    except PieceError:
        raise
    except Exception as error:  # a process has ended, or what it sent can't be read
        return Outcome(), Broken(chosen, f"{type(error).__name__}: {error}")


def play(setting: Setting, seeds: Sequence[int]) -> Played:
    """Play trials, up to the first that fails or can't be played: their sum, and why it ended early."""
    outcome = Outcome()
    for seed in seeds:
        try:
            trial = setting.trial(seed)
            outcome.add(trial.play())
        except PieceError:
            raise
        except Exception as error:
            return outcome, Broken([seed], _said(error))
        if trial.failure is not None:
            return outcome, Broken([seed], trial.failure.message, by_rule=True)
    return outcome, None


def _said(error: Exception) -> str:
    *_, frame = extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
