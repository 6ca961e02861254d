"""Quiet stretches are not played twice.

A trial is a function of its state and of what strikes. So once its state has come again, seen from now, what
came of the time between comes again as well, event for event and check for check, until the next strike. It
is counted, not played: instead of moving the state on, what is still to strike is moved closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final

from polyrhythm.schedule.grid import Grid
from polyrhythm.simulate.harness import NEVER
from polyrhythm.simulate.state import age, state_of, still
from polyrhythm.simulate.state.delays import Window, alike, chunks_of, lasts, remember, window_of

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Outcome, Trial

#: How many times in the period of the plan it is looked whether the state has come again, if that leaves
#: so much time between two looks.
LOOKS: Final = 4
SPACING_NS: Final = 40_000_000
#: So many states are remembered.
MOST_STATES: Final = 1000


@dataclass(slots=True)
class Cycle:
    """What comes again: how long it takes, its control ticks, what came of it, how many chunks came, and
    their delay; None if they differ."""

    period_ns: int
    ticks: int
    outcome: Outcome
    chunks: int
    delay: int | None


@dataclass(slots=True)
class Seen:
    """A state that was met: when, how much had struck before, the control ticks, what had come up to then,
    how many chunks, which of their delays are remembered; and the cycle that it lies on, if it is known."""

    at_ns: int
    struck: int
    cursor: int
    outcome: Outcome
    chunks: int
    window: Window
    cycle: Cycle | None = None


class Quiet:
    """Looks for states that come again, and skips what is known to follow.

    Args:
        trial: its clock shows `skipped_ns` less than the time that it has simulated.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._seen: dict[tuple[object, ...], Seen] = {}
        self._alike: dict[tuple[object, ...], Seen] = {}  # the same, by all but the delays of chunks
        self._over = -1  # nothing more is to be skipped until more than that has struck

    def next_ns(self, end_ns: int) -> int:
        """When to look next, on the clock of the trial; `NEVER` if not before `end_ns`."""
        harness = self._trial.harness
        if harness.struck == self._over:
            at_ns = harness.next_strike_ns()
        else:
            scheduler, now_ns = harness.scheduler, harness.clock.now_ns()
            period_ns = self._trial.piece.period_ns(scheduler.plan, scheduler.profiles.name)
            grid = Grid(_spacing_ns(period_ns), self._trial.auditor.origin_ns)
            at_ns = grid.at(grid.last_at_or_before(now_ns) + 1)
        return at_ns if at_ns < end_ns else NEVER

    def look(self, end_ns: int) -> Outcome | None:
        """What would come of what can be skipped now of the time up to `end_ns`; what is still to strike is
        moved closer by that time."""
        trial, harness = self._trial, self._trial.harness
        if not still(trial) or (cycle := self._cycle()) is None:
            return None
        now_ns, strike_ns = harness.clock.now_ns(), harness.next_strike_ns()
        # At the instant of a strike it comes first.
        times = (min(strike_ns - 1, end_ns) - now_ns) // cycle.period_ns
        chunks, delay = times * cycle.chunks, cycle.delay
        if times > 0 and delay is not None and not lasts(trial, window_of(trial), delay, chunks):
            return None
        self._over = harness.struck
        if times <= 0:
            return None
        skipped_ns = times * cycle.period_ns
        harness.bring_closer(skipped_ns)
        age(trial, skipped_ns, times * cycle.ticks)
        if delay is not None:
            remember(trial, delay, chunks)
        return cycle.outcome.skipped(times)

    def _cycle(self) -> Cycle | None:
        """What is known to follow the present state, and to lead back to it."""
        state, now = state_of(self._trial), self._now()
        for known, same in ((self._seen.get(state), True), (self._alike.get(state[:-1]), False)):
            if known is None:
                continue
            if (cycle := known.cycle) is not None:
                if same or cycle.delay is not None:
                    return cycle
            elif known.struck == now.struck:
                cycle = _between(known, now)
                if same or self._leads_back(known, cycle):
                    for seen in self._seen.values():
                        if seen.struck == now.struck and seen.at_ns >= known.at_ns:
                            seen.cycle = cycle
                    return cycle
        if len(self._seen) >= MOST_STATES:
            self._seen.clear()
            self._alike.clear()
        self._seen[state] = self._alike[state[:-1]] = now
        return None

    def _now(self) -> Seen:
        trial, control = self._trial, self._trial.harness.scheduler.control
        cursor = 0 if control is None else control.cursor
        at_ns, struck = trial.harness.clock.now_ns(), trial.harness.struck
        return Seen(at_ns, struck, cursor, trial.so_far(), chunks_of(trial), window_of(trial))

    def _leads_back(self, known: Seen, cycle: Cycle) -> bool:
        """Whether the delays that came since are no reason for anything."""
        return cycle.delay is not None and lasts(self._trial, known.window, cycle.delay, cycle.chunks)


def _between(known: Seen, now: Seen) -> Cycle:
    chunks = now.chunks - known.chunks
    return Cycle(
        now.at_ns - known.at_ns,
        now.cursor - known.cursor,
        now.outcome.since(known.outcome),
        chunks,
        alike(now.window, chunks),
    )


def _spacing_ns(period_ns: Fraction) -> Fraction:
    """Between two looks: a part of the period, or some of them."""
    if period_ns >= LOOKS * SPACING_NS:
        return period_ns / LOOKS
    return period_ns * ceil(SPACING_NS / period_ns)
