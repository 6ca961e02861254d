from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.observe.spread import EXACT, Spread

durations = st.integers(min_value=0, max_value=10**13)


def spread_of(values: list[int]) -> Spread:
    spread = Spread()
    for value in values:
        spread.add(value)
    return spread


def nearest_rank(values: list[int], q: float) -> int:
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


@given(st.lists(durations, min_size=1, max_size=200))
def test_quantiles_of_few_samples_are_exact(values: list[int]) -> None:
    found = spread_of(values).quantiles()
    assert found == (len(values), nearest_rank(values, 0.5), nearest_rank(values, 0.99), max(values))


@given(st.lists(durations, min_size=1, max_size=20))
def test_quantiles_of_many_samples_are_at_most_a_bucket_too_high(values: list[int]) -> None:
    many = values * (EXACT // len(values) + 2)
    found = spread_of(many).quantiles()
    assert found is not None
    for got, q in ((found.p50_ns, 0.5), (found.p99_ns, 0.99)):
        true = nearest_rank(many, q)
        assert true <= got <= min(true * (1 + 1 / 128), max(values))
    assert found.max_ns == max(values)


@given(st.lists(durations, min_size=1, max_size=200))
def test_bins_hold_every_sample_once(values: list[int]) -> None:
    bins = spread_of(values).bins()
    assert sum(count for _, _, count in bins) == len(values)
    for low, high, count in bins:
        assert sum(low <= value < high for value in values) == count
    assert all(left[1] <= right[0] for left, right in pairwise(bins))


def test_memory_does_not_grow_with_the_number_of_samples() -> None:
    spread = spread_of([k * 1000 % 50_000_000 for k in range(20_000)])
    assert len(spread._first) == EXACT
    assert len(spread.bins()) < 5000


def test_nothing_to_tell_without_samples() -> None:
    assert Spread().quantiles() is None
    assert Spread().bins() == []


def test_a_clock_that_steps_back_a_little_counts_as_zero() -> None:
    assert spread_of([-5]).quantiles() == (1, 0, 0, 0)
