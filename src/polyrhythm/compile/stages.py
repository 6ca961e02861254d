"""Finding the cut: stages of at most so many milliseconds on this machine, that give the same bits.

Where to cut is first guessed from arithmetic and bytes, then measured: the stages are built and run on the
device that the manifest gives the module, and what each of them really takes corrects the guess for its
operations, until all stages fit or the cut repeats itself. Among cuts into as few stages as will do, of
nearly equal length, the one with the fewest bytes between the stages is taken.

Every cut that is tried runs against the uncut entry on the same inputs. Fusion across a cut is lost, and
might round differently: a position at which some bit differs is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from polyrhythm.bundle import Entry
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.cut import Cuttable
from polyrhythm.compile.machine import compile_entries, signatures
from polyrhythm.compile.source import Lowered
from polyrhythm.hal import DeviceConfig

#: Stages are planned this much shorter than they may be: measurements scatter.
_FILL = 0.93
#: How much longer than the best balanced cut stages may be, if fewer bytes cross then.
_UNEVEN = 1.1
#: Cuts that are built and measured before the best one has to do.
_ATTEMPTS = 8
_ROUNDS, _SECONDS = 30, 2.0


@dataclass(frozen=True)
class Cut:
    """What became of an entry.

    Attributes:
        limit_ms: the longest that a stage may take.
        uncut_ms: what the entry takes in one piece.
        stages: the new entries in order; empty if it was left whole.
        took_ms: what each of them takes.
        largest: the largest operation of the longest stage, and what it takes.
    """

    entry: str
    limit_ms: float
    uncut_ms: float
    stages: Mapping[str, Lowered]
    took_ms: tuple[float, ...]
    largest: str = ""

    @property
    def fits(self) -> bool:
        """Whether every stage is as short as was asked for."""
        return max(self.took_ms) <= self.limit_ms

    def __str__(self) -> str:
        head = f"{self.entry} takes {self.uncut_ms:.3g} ms"
        if not self.stages:
            return f"{head} and stays whole (at most {self.limit_ms:g} ms a stage)"
        return (
            f"{head}, cut into {len(self.stages)} stages of at most {max(self.took_ms):.3g} ms "
            f"(asked for {self.limit_ms:g}), {sum(self.took_ms):.3g} ms together"
        )


class Bench:
    """Runs cuts of one entry beside the uncut one, on the same inputs.

    Args:
        config: the device.
        arrays, weights: parameters, and the files that hold them.
        uncut: machine code that has the entry in one piece, and its signature there.
        samples: inputs by name, for several calls.
    """

    def __init__(
        self,
        config: DeviceConfig,
        arrays: Mapping[str, np.ndarray],
        weights: Sequence[Path],
        uncut: tuple[Path, Entry],
        samples: Sequence[Mapping[str, np.ndarray]],
    ) -> None:
        self._config, self._arrays, self._weights, self._samples = config, arrays, weights, samples
        code, entry = uncut
        self.path = entry.name
        with Chain(config, code, weights, [entry]) as chain:
            self._expected = [chain.run(sample) for sample in samples]
            (self.uncut_ms,) = chain.measure(samples[0], _ROUNDS, _SECONDS)

    def build(self, stages: Mapping[str, Lowered]) -> list[float] | None:
        """Compile a cut and `run` it."""
        source, made = compile_entries(stages, self._arrays, self.path)
        return self.run(made.path, list(signatures(stages, source, made.compiled).values()))

    def run(
        self, code: Path, entries: Sequence[Entry], weights: Sequence[Path] | None = None
    ) -> list[float] | None:
        """What every stage takes, in milliseconds; None if some bit of the result differs.

        `weights` are those of `code` if it takes others than the uncut entry's.
        """
        with Chain(self._config, code, self._weights if weights is None else weights, entries) as chain:
            for sample, expected in zip(self._samples, self._expected, strict=True):
                found = chain.run(sample)
                if any(found[name] != content for name, content in expected.items()):
                    return None
            return chain.measure(self._samples[0], _ROUNDS, _SECONDS)


def search(entry: Cuttable, limit_ms: float, bench: Bench) -> Cut:
    """The cut with the fewest stages that all fit, or the one whose longest stage is the shortest."""
    costs = np.array(entry.costs) * (bench.uncut_ms / max(sum(entry.costs), 1e-9))
    crossing = list(entry.crossing)
    best: tuple[tuple[float, ...], tuple[int, ...]] = ((bench.uncut_ms,), ())
    tried: set[tuple[int, ...]] = {()}
    for _ in range(_ATTEMPTS):
        positions = partition(costs, crossing, limit_ms * _FILL)
        fits = max(best[0]) <= limit_ms
        if positions in tried or (fits and len(positions) >= len(best[1])):
            break
        tried.add(positions)
        took = bench.build(entry.cut(positions))
        if took is None:
            wrong = [p for p in positions if len(positions) == 1 or bench.build(entry.cut([p])) is None]
            for p in wrong or positions:
                crossing[p] = None
            continue
        if max(took) <= limit_ms or (not fits and max(took) < max(best[0])):
            best = tuple(took), positions
        for (begin, end), ms in zip(pairwise([0, *positions, len(costs)]), took, strict=True):
            costs[begin:end] *= ms / max(costs[begin:end].sum(), 1e-9)
    took_ms, positions = best
    begin, end = list(pairwise([0, *positions, len(costs)]))[int(np.argmax(took_ms))]
    heaviest = begin + int(np.argmax(costs[begin:end]))
    largest = f"{entry.describe(heaviest)}, about {costs[heaviest]:.3g} ms"
    stages = entry.cut(positions) if positions else {}
    return Cut(entry.name, limit_ms, bench.uncut_ms, stages, took_ms, largest)


def partition(costs: np.ndarray, crossing: Sequence[int | None], cap: float) -> tuple[int, ...]:
    """Where to cut so that no part costs more than `cap`, if it can be cut that finely.

    Args:
        costs: of the operations.
        crossing: bytes across every position; None where no cut can be (position 0 is before the first).

    Returns the positions of the fewest cuts that do; of those that make parts of nearly the same cost, the
    ones that the fewest bytes cross.
    """
    before = np.concatenate([[0.0], np.cumsum(costs)])
    places = [0, *(p for p in range(1, len(costs)) if crossing[p] is not None), len(costs)]
    units = np.diff(before[places])
    finest = float(units.max(initial=0.0))
    parts = _count(units, max(cap, finest))
    low, high = finest, max(cap, finest)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _count(units, middle) <= parts else (middle, high)
    cap = min(max(cap, finest), high * _UNEVEN)
    # best[j]: the fewest bytes with which the operations up to here make j + 1 parts.
    at = before[places]
    best = np.full((len(places), parts + 1), np.inf)
    came = np.zeros((len(places), parts + 1), int)
    best[0, 0] = 0.0
    for i in range(1, len(places)):
        nbytes = crossing[places[i]] if i < len(places) - 1 else 0
        first = int(np.searchsorted(at, at[i] - cap * (1 + 1e-9)))
        window = best[min(first, i - 1) : i, :-1]
        choice = window.argmin(axis=0)
        best[i, 1:] = window[choice, np.arange(parts)] + float(nbytes or 0)
        came[i, 1:] = choice + min(first, i - 1)
    return tuple(places[i] for i in _back(came, parts))


def _back(came: np.ndarray, parts: int) -> list[int]:
    found, i = [], len(came) - 1
    for part in range(parts, 1, -1):
        i = int(came[i, part])
        found.append(i)
    return found[::-1]


def _count(units: np.ndarray, cap: float) -> int:
    """How many parts there are if each takes as many units as fit."""
    parts, filled = 1, 0.0
    for unit in units:
        if filled + unit > cap * (1 + 1e-9):
            parts, filled = parts + 1, 0.0
        filled += float(unit)
    return parts
