"""Statistics and text of the grid; needs neither JAX nor Kinetix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

METHODS = ("sync", "naive", "hard", "identity", "vjp", "trained")
Row = dict[str, Any]


def wilson(solved: int, episodes: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % interval of a rate, after Wilson (1927): never outside 0..1, and right near the ends.

    Raises:
        ValueError: there are no episodes, or fewer than were solved.
    """
    if not 0 <= solved <= episodes or episodes == 0:
        raise ValueError(
            f"{solved} of {episodes} episodes solved: needs 0 <= solved <= episodes, episodes > 0"
        )
    rate, spread = solved / episodes, z * z / episodes
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / episodes + spread / (4 * episodes))
    return max(0.0, middle - half), min(1.0, middle + half)


def row(
    case: str, method: str, delay: int, stride: int, *, solved: np.ndarray, ticks: np.ndarray,
    jump: np.ndarray, jerk: np.ndarray,
) -> Row:  # fmt: skip
    """One cell of the grid from its episodes, each array ``[n]``."""
    low, high = wilson(int(solved.sum()), len(solved))
    return {
        "case": case, "method": method, "delay": delay, "stride": stride, "episodes": len(solved),
        "solved": int(solved.sum()), "rate": round(float(solved.mean()), 4), "low": round(low, 4),
        "high": round(high, 4), "boundary_jump": round(float(jump.mean()), 4),
        "jerk": round(float(jerk.mean()), 4), "ticks": round(float(ticks.mean()), 1),
    }  # fmt: skip


def strides(delay: int, horizon: int, *, first_only: bool) -> list[int]:
    """The strides that fit a delay: ``max(1, delay)`` to ``horizon - delay``, or only the first of them."""
    fitting = list(range(max(1, delay), horizon - delay + 1))
    return fitting[:1] if first_only else fitting


def find(rows: Iterable[Row], case: str, method: str, delay: int, stride: int) -> Row | None:
    """The row of a cell, if it was run."""
    wanted = (case, method, delay, stride)
    return next((r for r in rows if (r["case"], r["method"], r["delay"], r["stride"]) == wanted), None)


def markdown(rows: Sequence[Row]) -> str:
    """A table for each case: solve rate with its interval, then jump, jerk and length."""
    parts = []
    for case in dict.fromkeys(r["case"] for r in rows):
        mine = [r for r in rows if r["case"] == case]
        cells = sorted({(r["delay"], r["stride"]) for r in mine})
        parts += [f"### {case}, {mine[0]['episodes']} episodes a cell", ""]
        for title, show in (
            ("solved, % (95 % interval)", _rate),
            (
                "boundary jump / jerk / ticks",
                lambda r: f"{r['boundary_jump']:.2f} / {r['jerk']:.2f} / {r['ticks']:.0f}",
            ),
        ):
            parts += [f"| {title}, d, s | " + " | ".join(METHODS) + " |", "|---" * (len(METHODS) + 1) + "|"]
            for delay, stride in cells:
                found = [find(mine, case, method, delay, stride) for method in METHODS]
                shown = " | ".join("" if r is None else show(r) for r in found)
                parts.append(f"| {delay}, {stride} | {shown} |")
            parts.append("")
    return "\n".join(parts)


def _rate(r: Row) -> str:
    return f"{100 * r['rate']:.0f} ({100 * r['low']:.0f}-{100 * r['high']:.0f})"


def verdicts(rows: Sequence[Row], delays: Sequence[int] = (3, 4)) -> list[tuple[str, bool]]:
    """What the grid shows about each case at stride ``max(1, d)``: sentences, and whether each holds."""
    found = []
    for case in dict.fromkeys(r["case"] for r in rows):
        for delay in delays:
            naive = find(rows, case, "naive", delay, max(1, delay))
            guided = [find(rows, case, method, delay, max(1, delay)) for method in ("identity", "vjp")]
            known = [r for r in guided if r is not None]
            if naive is None or not known:
                continue
            best = max(known, key=lambda r: r["rate"])
            text = f"{case}, d = {delay}: {best['method']} {_rate(best)} % against naive {_rate(naive)} %"
            found.append((text, best["low"] > naive["high"]))
    return found


def sync_is_worst(rows: Sequence[Row]) -> list[tuple[str, bool]]:
    """For each case and delay from 1 at stride ``max(1, d)``: sync's solve rate is the lowest."""
    found = []
    for case, delay in dict.fromkeys((r["case"], r["delay"]) for r in rows if r["delay"] >= 1):
        cells = [r for m in METHODS if (r := find(rows, case, m, delay, max(1, delay))) is not None]
        sync = next((r for r in cells if r["method"] == "sync"), None)
        if sync is not None and len(cells) > 1:
            least = min((r for r in cells if r is not sync), key=lambda r: r["rate"])
            text = f"{case}, d = {delay}: sync {_rate(sync)} %, next {least['method']} {_rate(least)} %"
            found.append((text, sync["rate"] <= least["rate"]))
    return found
