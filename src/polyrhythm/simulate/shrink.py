"""A failure made small: as few strikes and as little time as still break the same rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from polyrhythm.simulate.faults import Injection
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.trial import Failure, Trial

T = TypeVar("T")
#: So many trials at most.
MAX_TRIALS = 300


class Shrunk:
    """The smallest trial that was found, `trials` later.

    Attributes:
        injections, length_ns: of it.
        failure: what it fails with.
    """

    def __init__(self, piece: Piece, trial: Trial, max_trials: int = MAX_TRIALS) -> None:
        assert trial.failure is not None
        self.trials = 0
        self.failure = trial.failure
        self.injections = [i for i in trial.injections if i.at_ns <= trial.failure.now_ns]
        self.length_ns = trial.length_ns
        self._piece, self._seed, self._left = piece, trial.seed, max_trials
        self._every_event = trial.every_event
        self._shorten(min(self.length_ns, self.failure.now_ns))
        self.injections = smallest(self.injections, self._fails)
        for share in (1, 2, 4, 8):
            self._shorten(min(self.length_ns, self.failure.now_ns) * share // (share + 1))
        self._shorten(min(self.length_ns, self.failure.now_ns))
        # At last event by event: so its last events are told as they came.
        self._every_event, self._left = True, min(max_trials, 1)
        if self._left and not self._fails(self.injections):
            told = f"only where quiet stretches are skipped: {self.failure.message}"
            self.failure = self.failure._replace(message=told)

    def _shorten(self, length_ns: int) -> None:
        if 0 < length_ns < self.length_ns and self._fails(self.injections, length_ns):
            self.length_ns = length_ns

    def _fails(self, injections: Sequence[Injection], length_ns: int | None = None) -> bool:
        """Whether the same rule breaks."""
        if self._left <= 0:
            return False
        self._left -= 1
        self.trials += 1
        length_ns = length_ns or self.length_ns
        trial = Trial(self._piece, self._seed, length_ns, injections, every_event=self._every_event)
        trial.play()
        found: Failure | None = trial.failure
        if found is None or found.rule != self.failure.rule:
            return False
        self.failure = found
        return True


def smallest(items: list[T], fails: Callable[[list[T]], bool]) -> list[T]:
    """Fewer items with which it still fails, none of which can be left out alone (Zeller's ddmin)."""
    parts = 2
    if not items or fails([]):
        return []
    while len(items) >= 2:
        size = -(-len(items) // parts)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items, parts = rest, max(parts - 1, 2)
                break
        else:
            if parts >= len(items):
                break
            parts = min(2 * parts, len(items))
    return items
