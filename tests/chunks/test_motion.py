"""`Motion`: the step limit at and inside chunks, slowing down, and the account of both."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.chunks import Motion
from tests.effort import examples

always = examples(200)


def row(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_the_limit_holds_inside_and_at_boundaries_and_each_is_counted() -> None:
    motion = Motion(2, max_step=[0.1, 1.0])
    assert motion.act(row(5, 5), 0, 0).tolist() == [5, 5], "nothing comes before the first action"
    np.testing.assert_allclose(motion.act(row(6, 5.5), 0, 0), [5.1, 5.5])
    np.testing.assert_allclose(motion.act(row(4, 9), 1, 2), [5.0, 6.5], rtol=1e-6)
    np.testing.assert_allclose(motion.act(row(5.05, 6), 1, 2), [5.05, 6], rtol=1e-6)
    account = motion.account
    assert (account.count, account.limited_inside, account.limited) == (1, [1, 0], [1, 1])
    np.testing.assert_allclose(account.largest_step, [0.1, 1.0])


def test_other_rules_hold_from_the_next_action_on() -> None:
    motion = Motion(1, max_step=[1])
    assert [motion.act(row(v), 0, 0).item() for v in (0, 5, 5)] == [0, 1, 2]
    motion.follow([0.25], "position", 2)
    assert [motion.act(row(v), 0, 0).item() for v in (5, 5)] == [2.25, 2.5]
    faded = [motion.decelerate() for _ in range(3)]
    assert [None if v is None else v.item() for v in faded] == [2.625, 2.625, None]
    motion.follow(None, "velocity", 2)
    assert motion.act(row(9), 0, 0).item() == 9
    assert motion.decelerate() == 4.5
    assert motion.account.limited_inside == [4]


def test_without_a_limit_the_largest_step_is_only_measured() -> None:
    motion = Motion(1)
    for slot, value in ((0, 0.0), (0, 7.0), (1, 4.0), (2, 4.5)):
        assert motion.act(row(value), slot, slot) == row(value)
    assert motion.account.largest_step == [3.0], "boundaries alone"
    assert motion.account.count == 2
    assert motion.account.limited == motion.account.limited_inside == [0]


def test_the_same_slot_with_another_chunk_is_a_boundary() -> None:
    motion = Motion(1)
    motion.act(row(0), 0, 0)
    motion.act(row(1), 0, 10)
    assert motion.account.count == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.uint8, np.bool_])
def test_an_action_keeps_its_dtype(dtype: type) -> None:
    motion = Motion(1, max_step=[0.1], dtype=dtype)
    for value in (0.0, 1.0, 2.0):
        assert motion.act(np.array([value], dtype), 0, 0).dtype == dtype
    slowed = motion.decelerate()
    assert slowed is not None and slowed.dtype == dtype


def test_whole_numbers_are_those_toward_the_last_action() -> None:
    """What was really sent is what the next one is limited from."""
    motion = Motion(1, max_step=[2.5], dtype=np.int32)
    assert [motion.act(np.array([v], np.int32), 0, 0).item() for v in (0, 100, 100, 100)] == [0, 2, 4, 6]
    assert [motion.act(np.array([v], np.int32), 1, 9).item() for v in (-9, -9)] == [4, 2]
    assert motion.account.largest_step == [2]


@pytest.mark.parametrize(
    ("values", "slowed"),
    [
        ((61, 48, 35), [25, 18, 14, 12, 12, None]),
        ((48, 35, 9), [0, 0, 0, 0, 0, None]),
        ((200, 250), [255, 255, 255, 255, 255, None]),
    ],
)
def test_a_fade_ends_where_the_type_does(values: tuple[int, ...], slowed: list[int | None]) -> None:
    motion = Motion(1, fade_ticks=5, dtype=np.uint8)
    for value in values:
        motion.act(np.array([value], np.uint8), 0, 0)
    found = [motion.decelerate() for _ in slowed]
    assert [None if action is None else action.item() for action in found] == slowed


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_the_largest_numbers_do_not_wrap_around(dtype: type) -> None:
    motion, largest = Motion(1, dtype=dtype), np.iinfo(dtype).max
    for value in (largest // 2, largest):
        assert motion.act(np.array([value], dtype), 0, 0).item() == pytest.approx(value)
    slowed = motion.decelerate()
    assert slowed is not None and slowed.item() == pytest.approx(largest)


def test_nothing_slows_down_or_stalls_before_the_first_action() -> None:
    motion = Motion(1)
    assert motion.decelerate() is None
    motion.hold()
    assert (motion.account.stalls, motion.account.stalled_ticks) == (0, 0)
    motion.act(row(1), 0, 0)
    motion.reset()
    motion.hold()
    assert motion.decelerate() is None
    assert (motion.account.stalls, motion.account.stalled_ticks) == (0, 0)


def test_a_velocity_falls_in_a_line_to_zero_and_then_the_robot_holds() -> None:
    motion = Motion(2, kind="velocity", fade_ticks=4)
    motion.act(row(8, -4), 0, 0)
    slowed = [motion.decelerate() for _ in range(6)]
    np.testing.assert_allclose(slowed[:4], [[6, -3], [4, -2], [2, -1], [0, 0]])
    assert slowed[4:] == [None, None]


def test_a_position_goes_on_ever_slower_and_stays() -> None:
    motion = Motion(1, kind="position", fade_ticks=4)
    motion.act(row(0), 0, 0)
    motion.act(row(4), 0, 0)
    slowed = [motion.decelerate() for _ in range(5)]
    np.testing.assert_allclose(slowed[:4], [[7], [9], [10], [10]])  # steps of 3, 2, 1, 0
    assert slowed[4] is None


def test_a_single_position_stays_where_it_is() -> None:
    motion = Motion(1, kind="position", fade_ticks=3)
    motion.act(row(4), 0, 0)
    assert [motion.decelerate() for _ in range(4)] == [4, 4, 4, None]


def test_after_slowing_down_the_next_action_is_limited_from_where_that_led() -> None:
    motion = Motion(1, [1.0], kind="position", fade_ticks=2)
    motion.act(row(0), 0, 0)
    motion.act(row(1), 0, 0)
    motion.decelerate()  # 1.5
    np.testing.assert_allclose(motion.act(row(9), 1, 5), [2.5])
    assert motion.account.limited == [1]


def test_who_was_made_to_stand_has_no_motion_to_fade() -> None:
    """A link was stale, and is fresh again when the chunk has run out."""
    motion = Motion(1, kind="velocity", fade_ticks=4)
    motion.act(row(8), 0, 0)
    motion.stand()
    assert [motion.decelerate() for _ in range(3)] == [None] * 3
    assert motion.account.stalled_ticks == 3
    motion.act(row(8), 1, 9)
    assert motion.decelerate() == [6]


def test_a_velocity_fades_within_the_limit_however_long_that_takes() -> None:
    motion = Motion(2, [2.0, 100.0], kind="velocity", fade_ticks=2)
    motion.act(row(9, 4), 0, 0)
    slowed = [motion.decelerate() for _ in range(7)]
    np.testing.assert_allclose(slowed[:5], [[7, 2], [5, 0], [3, 0], [1, 0], [0, 0]])
    assert slowed[5:] == [None, None]
    assert motion.account.limited_inside == [4, 0]


def test_a_motion_fades_within_the_limit_of_the_context_that_plays() -> None:
    motion = Motion(1, [1.0], fade_ticks=4)
    for value in (0, 1, 2):
        motion.act(row(value), 0, 0)
    motion.follow([0.25], "position", 4)
    assert [motion.decelerate() for _ in range(2)] == [2.25, pytest.approx(2.25 + 0.25 * 2 / 3)]


def test_a_fade_that_the_limit_does_not_let_go_on_is_over() -> None:
    """Of whole numbers none lies within half a step of the last one."""
    motion = Motion(1, [0.5], kind="velocity", fade_ticks=2, dtype=np.int16)
    motion.act(np.array([7], np.int16), 0, 0)
    assert [motion.decelerate() for _ in range(4)] == [7, 7, None, None]


@pytest.mark.parametrize("kind", ["position", "velocity"])
def test_who_holds_is_not_set_in_motion_by_other_rules(kind: Literal["position", "velocity"]) -> None:
    """Another context takes over, with `late: decelerate` and longer fades."""
    motion = Motion(1, kind=kind, fade_ticks=2)
    for value in (0, 4):
        motion.act(row(value), 0, 0)
    motion.hold()
    motion.follow(None, kind, 9)
    assert [motion.decelerate() for _ in range(3)] == [None] * 3
    assert motion.account.stalled_ticks == 4


@pytest.mark.parametrize("stop", ["hold", "stand", "decelerate"])
def test_who_holds_has_no_speed(stop: str) -> None:
    """The next velocity is limited from zero, also if the limit did not let the last one fade."""
    motion = Motion(1, [3], kind="velocity", fade_ticks=1)
    assert [motion.act(row(v), 0, 0).item() for v in (5, 8)] == [5, 8]
    motion.follow([1e-9], "velocity", 1)
    while getattr(motion, stop)() is not None:
        pass
    motion.follow([3], "velocity", 1)
    assert [motion.act(row(-9), 1, 9).item() for _ in range(2)] == [-3, -6]


def test_who_holds_before_the_first_action_has_no_speed_either_but_may_be_anywhere() -> None:
    for kind, sent in (("velocity", 3), ("position", 8)):
        motion = Motion(1, [3], kind=kind)
        motion.hold()
        assert motion.act(row(8), 0, 0) == [sent]


@pytest.mark.parametrize("kind", ["position", "velocity"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_is_not_sent_for_ever(kind: Literal["position", "velocity"], value: float) -> None:
    motion = Motion(1, kind=kind, fade_ticks=3)
    motion.act(row(value), 0, 0)
    with np.errstate(invalid="ignore"):
        assert None in [motion.decelerate() for _ in range(6)]


def test_an_interrupted_fade_starts_over() -> None:
    motion = Motion(1, kind="velocity", fade_ticks=2)
    motion.act(row(4), 0, 0)
    assert motion.decelerate() == [2]
    motion.act(row(4), 0, 0)
    assert [motion.decelerate() for _ in range(3)] == [2, 0, None]
    account = motion.account
    assert (account.stalls, account.stalled_ticks, account.longest_stall_ticks) == (2, 4, 3)


def test_a_new_episode_starts_anywhere_but_the_account_goes_on() -> None:
    motion = Motion(1, [0.5])
    motion.act(row(0), 0, 0)
    motion.act(row(9), 1, 1)
    motion.reset()
    assert motion.act(row(50), 0, 0) == [50]
    assert (motion.account.count, motion.account.limited) == (1, [1])


@always
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.floats(-10, 10), st.sampled_from(["act", "act", "slow", "hold", "follow"])
        ),
        min_size=10, max_size=60,
    ),
    st.floats(0.1, 10), st.sampled_from(["position", "velocity"]), st.integers(1, 6),
    st.sampled_from([np.float64, np.float16, np.int32, np.uint8]),
)  # fmt: skip
def test_whatever_comes_actions_never_jump(
    told: list[tuple[int, float, str]],
    limit: float,
    kind: Literal["position", "velocity"],
    fade_ticks: int,
    dtype: type[np.generic],
) -> None:
    """At boundaries, inside, while slowing down and after it: no step beyond the limit that is in force, but
    for the rounding of a type with fractions; every fade ends, and who holds stands."""
    motion, last, largest = Motion(1, [limit], kind, fade_ticks, dtype), None, limit
    acted, stands, stalled = False, False, 0
    for chunk, value, what in told:
        if what == "follow":
            limit = 0.1 + abs(value)
            largest = max(largest, limit)
            motion.follow([limit], kind, fade_ticks)
            continue
        if what == "act":
            wanted = value % 10 if dtype is np.uint8 else value
            action, acted = motion.act(np.array([wanted], np.float64).astype(dtype), chunk, chunk), True
        else:
            stalled += acted
            action = motion.decelerate() if what == "slow" else motion.hold()
            assert action is None or not stands
        stands = action is None
        if action is not None:
            assert action.dtype == dtype
            sent = float(action.item())
            rounding = float(np.spacing(np.abs(action)).item()) if action.dtype.kind == "f" else 0.0
            assert last is None or abs(sent - last) <= limit * (1 + 1e-6) + rounding
            last = sent
        elif kind == "velocity":
            last = 0.0
    account = motion.account
    assert account.stalled_ticks == stalled
    assert account.longest_stall_ticks <= stalled and account.stalls <= stalled
    assert account.largest_step[0] <= largest * (1 + 1e-6)
    assert None in (motion.decelerate() for _ in range(200))
