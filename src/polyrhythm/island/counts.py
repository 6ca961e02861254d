"""The island's counts as one JSON-able dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyrhythm.island.layout import LIMITS, REFUSALS, RIGHTS, RUNGS, bin_edges_ns

#: What the island could not have -> what that means.
LOST_WORDS = {
    "fifo": "SCHED_FIFO: any busy process may delay a period by milliseconds",
    "memory_lock": "locked memory: a page that was swapped out costs a period",
    "core": "its core: the kernel moves it about",
    "second": "its policy's second thread, whose core it cannot have: the policy takes longer",
    "second_fifo": "SCHED_FIFO for its policy's second thread: runs are given up where that is interrupted",
}

#: More than this is no count and no time in nanoseconds, but what somebody has scribbled there.
_MOST = 1 << 52


def counts_of(counts: np.ndarray) -> dict[str, Any]:
    """Everything that a record ``counts`` says. Durations, which no two runs share, lie under ``times``."""
    return {
        "periods": int(counts["rung_periods"].sum()),
        "missed": int(counts["missed"]),
        "lost": [name for bit, name in enumerate(RIGHTS) if int(counts["lost"]) >> bit & 1],
        "rung": RUNGS[min(int(counts["rung"]), len(RUNGS) - 1)],
        "entered": _named(RUNGS, counts["rung_entered"]),
        "periods_in": _named(RUNGS, counts["rung_periods"]),
        "targets": int(counts["targets"]),
        "targets_refused": _named(REFUSALS, counts["target_refused"]),
        "writers": int(counts["writers"]),
        "states": int(counts["states"]),
        "states_refused": _named(REFUSALS, counts["state_refused"]),
        "blind": {"entered": int(counts["blind_entered"]), "periods": int(counts["blind_periods"])},
        "limited": _named(LIMITS, counts["limited"]),
        "not_finite": int(counts["not_finite"]),
        "policy": {name: int(counts[f"policy_{name}"]) for name in ("runs", "late", "dropped")},
        "second": {name: int(counts[f"second_{name}"]) for name in ("taken", "left")},
        "ports_lost": bool(counts["ports_lost"]),
        "times": {
            "wake_us": quantiles_us(counts["wake"], int(counts["wake_max_ns"])),
            "execution_us": quantiles_us(counts["execution"], int(counts["execution_max_ns"])),
            "response_us": quantiles_us(counts["response"], int(counts["response_max_ns"])),
            "age_us": quantiles_us(counts["age"], int(counts["age_max_ns"])),
        },
    }


def quantiles_us(bins: np.ndarray, max_ns: int) -> dict[str, float] | None:
    """Quantiles of a histogram in microseconds, each the upper edge of its bin; None if it is empty."""
    cumulated = np.cumsum(np.minimum(bins, _MOST))
    total, max_ns = int(cumulated[-1]), min(max_ns, _MOST)
    if not total:
        return None
    upper = np.minimum(bin_edges_ns()[1:] - 1, max_ns)
    found = {
        name: float(upper[np.searchsorted(cumulated, share * total)]) / 1e3
        for name, share in (("p50", 0.5), ("p99", 0.99), ("p99_9", 0.999))
    }
    return found | {"max": max_ns / 1e3}


def _named(names: tuple[str, ...], values: np.ndarray) -> dict[str, int]:
    return {name: int(value) for name, value in zip(names, values, strict=True)}
