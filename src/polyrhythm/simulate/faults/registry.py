"""The faults by name. A new one is one decorated function in a file of this package.

A fault strikes at random instants, drawn from a source of its own, so that leaving a strike out changes
neither when others come nor what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from polyrhythm.schedule.events import Event
from polyrhythm.simulate.chance import source

if TYPE_CHECKING:
    from polyrhythm.simulate.piece import Piece
    from polyrhythm.simulate.trial import Trial


class MissedError(Exception):
    """There is nothing to strike now."""


class Injection(NamedTuple):
    """One strike of a fault; ``fault@ns`` as text."""

    at_ns: int
    fault: str

    def __str__(self) -> str:
        return f"{self.fault}@{self.at_ns}"

    @classmethod
    def parse(cls, text: str) -> Injection:
        """From its text. Raises `ValueError`."""
        fault, at, instant = text.strip().partition("@")
        if not at or fault not in FAULTS or not instant.isdecimal():
            raise ValueError(text)
        return cls(int(instant), fault)


#: (trial, its source of chance, now): the event that is the strike, if it is one. Raises `MissedError`.
Strike = Callable[["Trial", Random, int], Event | None]


@dataclass(frozen=True)
class Fault:
    """One kind of fault: `every_s` of simulated time it strikes on average, where it `fits`."""

    name: str
    what: str
    every_s: float
    strike: Strike
    fits: Callable[[Piece], bool]


FAULTS: dict[str, Fault] = {}


def fault(
    name: str, *, every_s: float, fits: Callable[[Piece], bool] = lambda piece: True
) -> Callable[[Strike], Strike]:
    """Register a fault; the first line of the function's docstring says what it is."""

    def register(strike: Strike) -> Strike:
        assert name not in FAULTS and strike.__doc__ is not None
        FAULTS[name] = Fault(name, strike.__doc__.partition("\n")[0], every_s, strike, fits)
        return strike

    return register


def schedule(
    piece: Piece, seed: int, length_ns: int, faults: Iterable[str], scale: Mapping[str, float] = {}
) -> Iterator[Injection]:
    """What strikes when within a trial; `scale` multiplies how often."""
    for name in faults:
        found = FAULTS[name]
        if not found.fits(piece):
            continue
        rng, at_ns = source(seed, name), 0
        while True:
            at_ns += 1 + round(rng.expovariate(scale.get(name, 1) / found.every_s) * 1e9)
            if at_ns >= length_ns:
                break
            yield Injection(at_ns, name)
