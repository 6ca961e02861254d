"""Waits of the thread that keeps the time: over by the instant that was asked for, early for news."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import ClassVar

import pytest

from polyrhythm.runtime import punctual
from polyrhythm.runtime.punctual import LEAD_MOST_NS, Punctual


class Host:
    """A clock, and a queue whose waits end late by what the system takes."""

    late_ns = 0
    now_ns = 0
    news: ClassVar[list[str]] = []
    waits = 0

    def clock(self) -> int:
        """Looking takes a while."""
        self.now_ns += 100
        return self.now_ns

    def get(self, timeout: float) -> str:
        """Nothing comes."""
        self.now_ns += round(timeout * 1e9) + self.late_ns
        self.waits += 1
        raise Empty

    def get_nowait(self) -> str:
        """What has come."""
        if not self.news:
            raise Empty
        return self.news.pop(0)

    def empty(self) -> bool:
        """Whether nothing has."""
        return not self.news


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    host = Host()
    monkeypatch.setattr(punctual, "monotonic_ns", host.clock)
    return host


def lateness_ns(host: Host, alarms: Punctual[str], times: int) -> int:
    """How late the last of so many waits was over, a millisecond each."""
    for _ in range(times):
        until_ns = host.now_ns + 1_000_000
        with pytest.raises(Empty):
            alarms.get(until_ns)
    return host.now_ns - until_ns


def test_waits_are_over_when_they_should_though_the_system_ends_them_late(host: Host) -> None:
    alarms: Punctual[str] = Punctual(host)  # type: ignore[arg-type]
    host.late_ns = 30_000
    assert lateness_ns(host, alarms, 1) > 30_000
    assert 0 <= lateness_ns(host, alarms, 50) <= 1_000
    host.late_ns = 5_000
    assert 0 <= lateness_ns(host, alarms, 1) <= 1_000, "what is left is looked at the clock"
    lateness_ns(host, alarms, 50)
    assert alarms.lead_ns <= 6_000, "and not for longer than need be"


def test_the_clock_is_not_looked_at_for_long_whatever_the_system_did(host: Host) -> None:
    alarms: Punctual[str] = Punctual(host)  # type: ignore[arg-type]
    host.late_ns = 7_000_000
    lateness_ns(host, alarms, 100)
    assert alarms.lead_ns <= LEAD_MOST_NS


def test_an_instant_that_is_near_is_not_slept_for(host: Host) -> None:
    alarms: Punctual[str] = Punctual(host)  # type: ignore[arg-type]
    host.late_ns = 30_000
    lateness_ns(host, alarms, 50)
    host.waits, until_ns = 0, host.now_ns + 10_000
    with pytest.raises(Empty):
        alarms.get(until_ns)
    assert host.waits == 0 and 0 <= host.now_ns - until_ns <= 1_000


def test_news_is_not_kept_waiting() -> None:
    news: SimpleQueue[str] = SimpleQueue()
    alarms = Punctual(news)
    news.put("first")
    news.put("second")
    assert alarms.get(punctual.monotonic_ns() + 10**12) == "first"
    assert alarms.get(0) == "second", "nor is it lost if the instant has come"
    with pytest.raises(Empty):
        alarms.get(0)
