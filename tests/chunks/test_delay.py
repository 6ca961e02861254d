"""`DelayEstimate`: a quantile that forgets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.chunks import DelayEstimate
from tests.effort import examples

always = examples(100)


def test_until_there_is_a_measurement_the_plan_counts() -> None:
    delay = DelayEstimate(initial=4)
    assert delay.ticks == 4
    delay.add(90)  # the warm-up
    assert delay.ticks == 4
    delay.add(2)
    assert delay.ticks == 2


def test_case_1_a_slow_one_is_believed_until_it_is_one_in_twenty() -> None:
    delay = DelayEstimate()
    for ticks in (90, 3, 90, *[3] * 18):
        delay.add(ticks)
        if ticks == 90 and delay.ticks:
            assert delay.ticks == 90
    assert delay.ticks == 3, "twenty counted, one of them slow"
    for _ in range(5):
        delay.add(90)
    assert delay.ticks == 90, "more than one in twenty"
    for _ in range(50):
        delay.add(3)
    assert delay.ticks == 3


@always
@given(
    st.lists(st.integers(0, 300), max_size=80), st.integers(1, 30), st.floats(0, 1), st.integers(0, 3)
)  # fmt: skip
def test_it_is_the_smallest_that_covers_the_quantile_of_the_window(
    ticks: list[int], window: int, quantile: float, warm_up: int
) -> None:
    delay = DelayEstimate(7, window, quantile, warm_up)
    for each in ticks:
        delay.add(each)
    known = ticks[warm_up:][-window:]
    if not known:
        assert delay.ticks == 7
        return
    covers = [d for d in known if sum(k <= d for k in known) >= quantile * len(known) - 1e-6]
    assert delay.ticks == min(covers)
