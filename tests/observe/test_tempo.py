from __future__ import annotations

import pytest

from polyrhythm.observe.tempo import NS_PER_S, Tempo

THIRD = NS_PER_S // 3


def test_short_episodes_do_not_bias_the_rate() -> None:
    tempo = Tempo(patience_ns=NS_PER_S)
    for episode in range(20):
        start = episode * 10 * NS_PER_S
        tempo.begin(start)
        for k in range(4):
            tempo.beat(start + k * THIRD)
        tempo.end(start + 4 * THIRD - 1)  # counting ticks over time would give 3.0 +- 10 %
    assert tempo.hz(10**12) == pytest.approx(3.0, rel=1e-8)


def test_a_dropped_tick_lowers_the_rate() -> None:
    tempo = Tempo(patience_ns=10 * NS_PER_S)
    tempo.begin(0)
    for k in (0, 1, 3, 4):
        tempo.beat(k * NS_PER_S)
    assert tempo.hz(4 * NS_PER_S) == pytest.approx(3 / 4)


def test_silence_at_the_end_counts_once_it_is_longer_than_patience() -> None:
    tempo = Tempo(patience_ns=2 * NS_PER_S)
    tempo.begin(0)
    for k in range(5):
        tempo.beat(k * NS_PER_S)
    assert tempo.hz(5 * NS_PER_S) == pytest.approx(1.0)
    assert tempo.hz(12 * NS_PER_S) == pytest.approx(4 / 12)
    tempo.end(12 * NS_PER_S)
    assert tempo.hz(99 * NS_PER_S) == pytest.approx(4 / 12)


def test_a_module_that_never_served_has_rate_zero_and_one_that_just_began_none() -> None:
    tempo = Tempo(patience_ns=NS_PER_S)
    assert tempo.hz(0) is None
    tempo.begin(0)
    assert tempo.hz(NS_PER_S) is None
    assert tempo.hz(3 * NS_PER_S) == 0.0
