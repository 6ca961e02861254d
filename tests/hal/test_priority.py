"""Thread priorities: their order, and who has which when."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import Completion, DeviceConfig, driver
from polyrhythm.hal.conformance import Bench, Kit
from polyrhythm.hal.priority import NORMAL, Priority, Ranks, ranked, refusal
from polyrhythm.hal.worker import WorkerQueue

RAISED, LOWERED = Priority(False, -3), Priority(False, 4)
#: A thread may leave a lowered priority again only with rights.
returns = pytest.mark.skipif(refusal(LOWERED, NORMAL) is not None, reason="no right to raise a priority")
raises = pytest.mark.skipif(refusal(RAISED) is not None, reason="no right to raise a priority")


def nice(thread: int = 0) -> int:
    return os.getpriority(os.PRIO_PROCESS, thread or threading.get_native_id())


def test_the_order() -> None:
    order = [Priority(True, 90), Priority(True, 2), RAISED, NORMAL, LOWERED]
    assert sorted(order, key=lambda p: p.urgency, reverse=True) == order
    assert all(p.above.urgency > p.urgency for p in order)
    assert [str(p) for p in order[1:3]] == ["SCHED_FIFO 2", "nice -3"]


def test_what_the_system_does_not_know_is_refused_with_its_words() -> None:
    assert refusal() is None
    assert refusal(Priority(False, 19)) is None, "everybody may step back"
    assert refusal(Priority(True, 1000)) == "SCHED_FIFO 1000 is refused (Invalid argument)"


@returns
def test_a_thread_gets_its_priority_back() -> None:
    before = nice()
    with ranked(LOWERED):
        assert nice() == 4
    assert nice() == before
    with ranked(None):
        assert nice() == before


class Ask:
    """A call that tells the nice value of the thread that runs it."""

    entry = Entry("ask", (), (), 0, ())
    owner = None

    def __init__(self) -> None:
        self.seen: list[int] = []

    def run(self, key: int) -> None:
        self.seen.append(nice())


@returns
@raises
@pytest.mark.parametrize(("pooled", "computing"), [(False, 4), (True, -3)])
def test_a_thread_is_lowered_only_while_it_computes(pooled: bool, computing: int) -> None:
    call, told = Ask(), SimpleQueue[int]()
    queue = WorkerQueue("ranked", ranks=Ranks(LOWERED, RAISED), pooled=pooled)

    def done(completion: Completion) -> None:
        told.put(nice())

    for _ in range(2):
        queue.submit(call, done=done)
    assert [told.get(), told.get()] == [-3, -3]
    assert call.seen == [computing, computing]
    assert queue.close(timeout_ns=None)


def test_the_workers_of_a_pool_are_ranked_and_the_others_are_not() -> None:
    def all_nice() -> dict[int, int]:
        return {int(task.name): nice(int(task.name)) for task in Path("/proc/self/task").iterdir()}

    before = all_nice()
    device = driver("iree").open(DeviceConfig("pool", "local-task", (), Ranks(LOWERED, NORMAL)))
    try:
        after = all_nice()
        assert 4 in {value for task, value in after.items() if task not in before}
        assert all(after[task] == value for task, value in before.items() if task in after)
    finally:
        device.close()


@pytest.mark.skipif(refusal(Priority(True, 2)) is not None, reason="no right to SCHED_FIFO")
def test_who_waits_for_a_pool_does_not_keep_it_from_working(
    compiled: Callable[[str], Path], gain: Path
) -> None:
    """On one core, and it is above the workers when it hands over news: it waits as urgent as they are."""
    core = min(os.sched_getaffinity(0))
    ranks = Ranks(Priority(True, 1), Priority(True, 2))
    device = driver("iree").open(DeviceConfig("pool", "local-task", (core,), ranks))
    try:
        bench, queue = Bench(device, Kit(compiled("stages"), [gain])), device.queue()
        for _ in range(3):
            assert queue.submit(bench.grind(2)).wait(timeout_ns=20_000_000_000)
    finally:
        device.close()
