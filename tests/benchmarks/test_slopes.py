"""The judge of the soak: it finds a leak, and no trend in noise that is alike from sample to sample."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from slopes import trend


def autoregressive(seed: int, n: int = 120, phi: float = 0.7) -> np.ndarray:
    """Noise of standard deviation 1 that remembers, with bursts."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(n) * np.sqrt(1 - phi**2)
    found = np.empty(n)
    last = rng.standard_normal()
    for index, step in enumerate(noise):
        found[index] = last = phi * last + step
    return found + 20 * (rng.random(n) < 0.02)


def test_a_slope_is_exact_where_there_is_no_noise_and_ignores_a_burst() -> None:
    line = 3.0 + 0.25 * np.arange(120)
    assert trend(line).growth == pytest.approx(30)
    line[50:53] += 1000
    assert trend(line).growth == pytest.approx(30, rel=0.05)
    assert not trend(np.full(40, 0.1)).distinguishable


def test_noise_has_no_trend() -> None:
    """Of 40 series that remember, by twenties together, at most one has one (level 5 % for twenty)."""
    found = [trend(autoregressive(seed), series=20) for seed in range(40)]
    assert sum(t.distinguishable for t in found) <= 1


def test_a_leak_is_a_trend() -> None:
    """Six standard deviations over the run, in the same noise."""
    ramp = np.linspace(0, 6, 120)
    found = [trend(100 + autoregressive(seed) + ramp, series=20) for seed in range(10)]
    assert all(t.distinguishable and 3 < t.growth < 9 for t in found)
    assert all(99 < t.median < 107 for t in found)


def test_steps_of_whole_numbers_that_stay_are_flat_and_those_that_climb_are_not() -> None:
    """Open files: 16, now and then 18 while a bundle is loaded; or one more every tenth sample."""
    busy = 16.0 + 2 * (np.arange(200) % 9 == 0)
    assert not trend(busy, series=20).distinguishable
    leaking = trend(busy + np.arange(200) // 10, series=20)
    assert leaking.distinguishable and leaking.growth > 15
