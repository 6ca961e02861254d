"""Guidance of a flow toward the chunk being played: the numbers that a compiled step is fed.

Real-time chunking (Black, Galliker, Levine, arXiv 2506.07339), with flow time t from 0 (noise) to 1 (data):
the part of the new chunk that overlaps the one being played is drawn toward it, whole where it will be
executed anyway (the first `delay` ticks), less and less up to `overlap_end`, not at all after that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Schedule = Literal["linear", "exp", "ones", "zeros"]

#: Methods that know a tick as given or free, nothing between: always with the schedule ``zeros``.
ALL_OR_NOTHING: frozenset[str] = frozenset({"hard", "trained"})


def weights(schedule: Schedule, delay: int, overlap_end: int, horizon: int) -> F64:
    """How much each tick of the new chunk is drawn toward the old one, f64 ``[horizon]`` within 0..1.

    Args:
        schedule: ``ones`` up to `overlap_end`; ``zeros`` after `delay`; ``linear`` and ``exp`` fall between.
        delay: ticks that are executed while the chunk is made.
        overlap_end: the first tick with weight 0.
        horizon: ticks of a chunk.
    """
    index = np.arange(horizon, dtype=np.float64)
    end = min(overlap_end, horizon)
    start = min(delay, end)
    if schedule == "ones":
        found = np.ones(horizon)
    elif schedule == "zeros":
        found = (index < start).astype(np.float64)
    else:
        found = np.clip((start - 1 - index) / (end - start + 1) + 1, 0.0, 1.0)
        if schedule == "exp":
            found = found * np.expm1(found) / (np.e - 1)
    found[index >= end] = 0.0
    return found


def strength(t: float, beta: float) -> float:
    """The factor of the guidance at flow time `t`: ``(t^2 + (1-t)^2) / (t (1-t))``, at most `beta`."""
    if not 0.0 < t < 1.0:
        return beta
    return min(beta, (t * t + (1 - t) ** 2) / (t * (1 - t)))


def euler(
    velocity: Callable[[F64, float], F64],
    x: F64,
    target: F64,
    mask: F64,
    *,
    steps: int,
    beta: float,
    pullback: Callable[[F64, float, F64], F64] | None = None,
) -> F64:
    """`steps` guided Euler steps in float64: the reference for every compiled step.

    Args:
        velocity: ``v(x, t)``.
        x: noise f64 ``[H, A]``; `target` likewise; `mask` f64 ``[H]`` from `weights`.
        pullback: ``(x, t, e) -> (d x1 / d x)^T e`` with ``x1 = x + (1-t) v(x, t)``; None: identity.
    """
    for i in range(steps):
        t = i / steps
        v = velocity(x, t)
        error = (target - (x + (1 - t) * v)) * mask[:, None]
        pulled = error if pullback is None else pullback(x, t, error)
        x = x + (v + strength(t, beta) * pulled) / steps
    return x
