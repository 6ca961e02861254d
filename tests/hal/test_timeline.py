"""Timelines: points reached once, waiters woken, failures remembered."""

from __future__ import annotations

import threading

import pytest

from polyrhythm.hal import Fence, HalError, StageError
from polyrhythm.hal.timeline import REMEMBERED_FAILURES, HostTimeline, QueueTimeline


def test_the_empty_fence_is_reached() -> None:
    assert Fence().reached() and Fence().wait()


def test_signal_reaches_all_points_below() -> None:
    timeline = HostTimeline()
    assert timeline.query() == 0 and not timeline.wait(1, timeout_ns=0)
    timeline.signal(3)
    assert timeline.query() == 3 and timeline.wait(1) and timeline.wait(3)
    assert not Fence(((timeline, 4),)).reached()


def test_failure_covers_what_was_not_reached_before_it() -> None:
    timeline = HostTimeline()
    timeline.signal(2)
    timeline.fail(4, "broke")
    timeline.signal(5)
    assert timeline.wait(2) and timeline.wait(5)
    for value in (3, 4):
        with pytest.raises(StageError, match="broke"):
            timeline.wait(value)


def test_waiters_wake_in_any_order_of_values() -> None:
    timeline = HostTimeline()
    woken: list[int] = []
    lock = threading.Lock()

    def wait(value: int) -> None:
        timeline.wait(value)
        with lock:
            woken.append(value)

    threads = [threading.Thread(target=wait, args=(value,)) for value in (3, 1, 2)]
    for thread in threads:
        thread.start()
    for value in (1, 2, 3):
        timeline.signal(value)
    for thread in threads:
        thread.join()
    assert sorted(woken) == [1, 2, 3]


def test_a_wait_that_times_out_leaves_nothing_behind() -> None:
    timeline = HostTimeline()
    for _ in range(10):
        assert not timeline.wait(1, timeout_ns=1)
    assert not timeline._waiters


def test_when_calls_once_now_or_later() -> None:
    timeline, called = HostTimeline(), list[int]()
    timeline.when(1, lambda: called.append(1))
    timeline.when(2, lambda: called.append(2))
    timeline.signal(1)
    assert called == [1]
    timeline.when(1, lambda: called.append(10))
    timeline.signal(2)
    assert called == [1, 10, 2]


def test_old_failures_are_forgotten_on_the_safe_side() -> None:
    timeline = HostTimeline("arm")
    timeline.signal(1)
    for value in range(2, REMEMBERED_FAILURES + 12):
        timeline.fail(value, f"failure {value}")
    assert len(timeline._failed) == REMEMBERED_FAILURES
    with pytest.raises(StageError, match="failure 100"):
        timeline.wait(100)
    with pytest.raises(StageError, match="'arm' failed is no longer known"):
        timeline.wait(3)


def test_only_the_queue_reaches_points_of_its_timeline() -> None:
    timeline = QueueTimeline("q")
    for host in (lambda: timeline.signal(1), lambda: timeline.fail(1, "no")):
        with pytest.raises(HalError, match="queue's timeline"):
            host()
    timeline.reach(1, None)
    assert timeline.wait(1)
