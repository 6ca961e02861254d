"""The delays of chunks, of which nothing counts but the estimate that is made of them.

A window of fifty is full, or has forgotten, after fifty chunks; the estimate is the same long before. So a
cycle may begin while delays are still to be remembered or forgotten, if all that come in it are alike, and if
no estimate becomes another one by it: which is tried, with the scheduler's own and the auditor's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.chunks import ChunkPlayer, DelayEstimate
from polyrhythm.simulate.audit.chunks import Pace

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Trial

#: What the scheduler remembers, also by size, and what the auditor does.
Window = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def estimates_of(trial: Trial) -> tuple[int | None, int]:
    """How many ticks a chunk is said to take, by the scheduler and by the auditor."""
    estimate = _estimate(trial)
    return None if estimate is None else estimate.ticks, _pace(trial).usual


def window_of(trial: Trial) -> Window:
    """The delays that are remembered."""
    return _window(_estimate(trial), _pace(trial))


def chunks_of(trial: Trial) -> int:
    """How many delays there were."""
    return _pace(trial).accepted


def alike(window: Window, chunks: int) -> int | None:
    """The delay of the last so many chunks; None if they differ, or if that can't be told."""
    recent, ranked, audited = window
    found = set(recent[-chunks:]) if 0 < chunks <= len(recent) else set()
    as_it_seems = audited == recent and list(ranked) == sorted(recent)
    return found.pop() if as_it_seems and len(found) == 1 else None


def lasts(trial: Trial, window: Window, delay: int, chunks: int) -> bool:
    """Whether estimates that are made of `window` stay as they are while more chunks come with a delay."""
    own, pace = _estimate(trial), Pace(trial.auditor.plan.control, _pace(trial).initial)
    if own is None or own._skip:
        return False
    estimate = DelayEstimate(own._initial, own._recent.maxlen or 0, own._quantile, 0)
    for known in window[0]:
        estimate.add(known)
        pace.delays.append(known)
    return _window(estimate, pace) == window and _added(estimate, pace, delay, chunks)


def remember(trial: Trial, delay: int, chunks: int) -> None:
    """So many chunks have come with a delay."""
    estimate = _estimate(trial)
    assert estimate is not None and _added(estimate, _pace(trial), delay, chunks)


def _added(estimate: DelayEstimate, pace: Pace, delay: int, chunks: int) -> bool:
    """Whether no estimate became another one."""
    usual, window = (estimate.ticks, pace.usual), _window(estimate, pace)
    for _ in range(chunks):
        before = window
        estimate.add(delay)
        pace.delays.append(delay)
        window = _window(estimate, pace)
        if window == before:
            break  # and no more will change anything
        if (estimate.ticks, pace.usual) != usual:
            return False
    return True


def _window(estimate: DelayEstimate | None, pace: Pace) -> Window:
    recent, ranked = ((), ()) if estimate is None else (estimate._recent, estimate._ranked)
    return tuple(recent), tuple(ranked), tuple(pace.delays)


def _estimate(trial: Trial) -> DelayEstimate | None:
    """None where chunks are played to their end."""
    control = trial.harness.scheduler.control
    player = None if control is None else control._playback
    return player._delay if isinstance(player, ChunkPlayer) else None


def _pace(trial: Trial) -> Pace:
    return trial.auditor.chunks._pace
