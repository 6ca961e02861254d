"""The driver of static plans: the conformance suite, and what is its own."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import Call, Device, DeviceConfig, Fence, HalError, StageError, driver
from polyrhythm.hal.conformance import GRIND, SQUARE, Bench, DriverConformance, Kit
from polyrhythm.hal.drivers import static
from polyrhythm.hal.priority import Priority, Ranks

URIS = ["local-sync", "local-pair"]


def opened(name: str = "cpu", uri: str = "local-sync") -> Device:
    return static.driver.open(DeviceConfig(name, uri))


@pytest.fixture
def kit(planned: Kit) -> Kit:
    return planned


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self) -> Callable[[str], Device]:
        return opened


def test_the_driver_is_registered() -> None:
    assert driver("static") is static.driver
    assert static.driver.available() == ("local-sync", "local-pair")


@pytest.fixture
def bench(kit: Kit) -> Bench:
    return Bench(opened(), kit)


def test_unknown_uris_list_those_there_are() -> None:
    with pytest.raises(HalError, match="local-sync, local-pair"):
        opened(uri="local-task")


def test_two_threads_give_the_same_bits(kit: Kit) -> None:
    results = []
    for uri in URIS:
        bench = Bench(opened(uri=uri), kit)
        x, out = bench.array(GRIND.inputs[0]), bench.array(GRIND.outputs[0])
        x[...] = np.random.default_rng(0).standard_normal(SQUARE) * 0.05
        call = bench.bind(GRIND, [x, bench.array(GRIND.inputs[1])], [out])
        queue = bench.device.queue()
        for _ in range(5):
            assert queue.submit(call).wait()
        results.append(out.tobytes())
        bench.device.close()
    assert results[0] == results[1]


def nice_values() -> dict[int, int]:
    return {
        int(task.name): os.getpriority(os.PRIO_PROCESS, int(task.name))
        for task in Path("/proc/self/task").iterdir()
    }


@pytest.mark.parametrize(("uri", "lowered"), [("local-sync", 1), ("local-pair", 2)])
def test_its_threads_compute_with_the_rank_of_their_device(uri: str, lowered: int, kit: Kit) -> None:
    ranks = Ranks(Priority(False, 4), Priority(False, 4))
    bench, before = Bench(static.driver.open(DeviceConfig("cpu", uri, (), ranks)), kit), nice_values()
    try:
        call, _ = bench.add()
        queue, until_s = bench.device.queue(), monotonic() + 10
        assert queue.submit(call).wait()
        made: list[int] = []
        while made != [4] * lowered and monotonic() < until_s:  # a second thread ranks itself when it starts
            made = [value for task, value in nice_values().items() if task not in before]
        assert made == [4] * lowered
    finally:
        bench.device.close()


def test_the_second_thread_is_never_above_those_that_share_its_core() -> None:
    ranks = Ranks(Priority(True, 1), Priority(True, 2))
    with pytest.raises(HalError, match="name two `cores`, or ask for a nice value"):
        static.driver.open(DeviceConfig("cpu", "local-pair", (0,), ranks))


def long_call(bench: Bench) -> tuple[Call, np.ndarray]:
    x, out = bench.array(GRIND.inputs[0], 0.007), bench.array(GRIND.outputs[0])
    return bench.bind(GRIND, [x, bench.array(GRIND.inputs[1])], [out]), out


@pytest.mark.parametrize("kind", [HalError, SystemExit])
def test_what_fails_while_it_has_cut_in_harms_nobody_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException]
) -> None:
    queue = bench.device.queue()
    long, out = long_call(bench)
    assert queue.submit(long).wait()
    alone = out.tobytes()
    short, _ = bench.add()

    def fails(flag: object = None) -> bool:
        raise kind("a kernel failed with 7")

    monkeypatch.setattr(short.plan, "run", fails)
    out[...] = 0
    first = queue.submit(long)
    with pytest.raises(StageError, match="failed with 7"):
        queue.cut_in(short).wait(60_000_000_000)
    assert first.wait(60_000_000_000) and out.tobytes() == alone


def test_what_cuts_in_just_as_the_queue_closes_is_told_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread finds it waiting when it ends."""
    queue, seen = bench.device.queue(), []
    call, out = bench.add()
    submit = queue.submit

    def closes_before(call: static._Turn) -> Fence:
        queue.close()
        return submit(call)

    monkeypatch.setattr(queue, "submit", closes_before)
    fence = queue.cut_in(call, token="late", done=seen.append)
    with pytest.raises(StageError, match="the queue is closed"):
        fence.wait()
    assert [(c.token, c.error) for c in seen] == [("late", "the queue is closed")] and (out == -1.0).all()


def test_a_queue_that_can_not_be_pinned_stops_its_second_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    stop = static.Team.stop
    monkeypatch.setattr(static.Team, "stop", lambda team: (stop(team), stopped.set()))
    with suppress(OSError):
        static.StaticQueue("q", [os.sysconf("SC_NPROCESSORS_CONF") + 100], object(), static.Team())
    gc.collect()
    assert stopped.wait(60)


class Hangs:
    """A call that does not come back before it may."""

    def __init__(self, owner: object) -> None:
        self.owner, self.entry = owner, Entry("hangs", (), ())
        self.began, self.may = threading.Event(), threading.Event()

    def run(self, key: int) -> None:
        self.began.set()
        self.may.wait(60)


def threads() -> set[int]:
    return {int(task.name) for task in Path("/proc/self/task").iterdir()}


LEAVE = {"abandoned": lambda queue: queue.abandon("left behind"), "closed": lambda queue: queue.close(1)}


@pytest.mark.parametrize("how", LEAVE)
def test_the_second_thread_of_a_queue_that_is_left_behind_ends(how: str) -> None:
    """Its core is that of the next queue's; the stage that hangs does not keep it."""
    device = opened(uri="local-pair")
    before = threads()
    queue = device.queue()
    hangs = Hangs(device.token)
    (second,) = threads() - before - {queue._thread.native_id}
    queue.submit(hangs)
    assert hangs.began.wait(60)
    assert not LEAVE[how](queue)
    deadline = monotonic() + 20
    while second in threads():
        assert monotonic() < deadline, "it spins"
    hangs.may.set()
    assert queue.close()
