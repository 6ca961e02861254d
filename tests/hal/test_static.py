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
from polyrhythm.hal import Call, Completion, Device, DeviceConfig, Fence, HalError, StageError, driver
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


def test_a_call_cuts_in_between_two_steps(bench: Bench) -> None:
    """Whatever runs is the same as if nobody had cut in; who cuts in is done before it is."""
    queue, seen = bench.device.queue(), list[Completion]()
    x, out = bench.array(GRIND.inputs[0], 0.007), bench.array(GRIND.outputs[0])
    long = bench.bind(GRIND, [x, bench.array(GRIND.inputs[1])], [out])
    assert queue.submit(long).wait()
    alone = out.tobytes()
    short, sum_ = bench.add(1.0, 2.0)
    for _ in range(20):
        out[...] = sum_[...] = 0
        first = queue.submit(long, token="long", done=seen.append)
        urgent = queue.cut_in(short, token="short", done=seen.append)
        assert urgent.wait() and (sum_ == 3.0).all()
        assert first.wait() and out.tobytes() == alone
    assert queue.close()
    longs = [completion for completion in seen if completion.token == "long"]
    shorts = [completion for completion in seen if completion.token == "short"]
    assert len(longs) == len(shorts) == 20 and all(completion.error is None for completion in seen)
    assert all(a.ended_ns <= b.ended_ns for a, b in zip(shorts, longs, strict=True))


def long_call(bench: Bench) -> tuple[Call, np.ndarray]:
    x, out = bench.array(GRIND.inputs[0], 0.007), bench.array(GRIND.outputs[0])
    return bench.bind(GRIND, [x, bench.array(GRIND.inputs[1])], [out]), out


def test_the_last_to_cut_in_goes_first_and_each_is_left_in_its_turn(bench: Bench) -> None:
    """Whenever they come: the long one ends last, and all give what they give alone."""
    queue, seen = bench.device.queue(), list[Completion]()
    long, out = long_call(bench)
    assert queue.submit(long).wait()
    alone = out.tobytes()
    middle, middles = long_call(bench)
    short, sum_ = bench.add(1.0, 2.0)
    for _ in range(20):
        seen.clear()
        out[...] = middles[...] = sum_[...] = 0
        first = queue.submit(long, token="long", done=seen.append)
        fences = [
            first,
            queue.cut_in(middle, token="middle", done=seen.append),
            queue.cut_in(short, token="short", done=seen.append),
        ]
        assert all(fence.wait() for fence in fences)
        assert queue.submit(bench.add()[0]).wait()  # the last `done` has been called
        assert [c.token for c in sorted(seen, key=lambda c: c.ended_ns)][-1] == "long"
        assert out.tobytes() == alone == middles.tobytes() and (sum_ == 3.0).all()
        assert {c.token: c.error for c in seen} == dict.fromkeys(("long", "middle", "short"))
    assert queue.close()


def test_how_long_a_call_was_left_is_told(bench: Bench) -> None:
    queue, seen = bench.device.queue(), dict[object, Completion]()
    long, _ = long_call(bench)
    other, _ = long_call(bench)
    for _ in range(50):
        first = queue.submit(long, token="long", done=lambda c: seen.update({c.token: c}))
        urgent = queue.cut_in(other, token="urgent", done=lambda c: seen.update({c.token: c}))
        assert first.wait() and urgent.wait()
        assert queue.submit(bench.add()[0]).wait()
        left, cut = seen["long"], seen["urgent"]
        assert cut.away_ns == 0 and 0 <= left.away_ns <= left.ended_ns - left.started_ns
        if left.started_ns < cut.started_ns:  # it had begun
            assert left.away_ns >= cut.ended_ns - cut.started_ns
            return
    raise AssertionError("it never cut in")


def test_what_done_lets_cut_in_comes_before_what_was_left(bench: Bench) -> None:
    """The stages of an urgent job follow one another."""
    queue, order = bench.device.queue(), list[object]()
    long, _ = long_call(bench)
    short, _ = bench.add()

    def next_stage(completion: Completion) -> None:
        order.append(completion.token)
        if completion.token < 5:
            queue.cut_in(short, token=completion.token + 1, done=next_stage)

    for _ in range(10):
        order.clear()
        first = queue.submit(long, token="long", done=lambda c: order.append(c.token))
        queue.cut_in(short, token=1, done=next_stage)
        assert first.wait() and queue.submit(short).wait()
        assert order == [1, 2, 3, 4, 5, "long"] or order[0] == "long"
        assert order[0] != "long" or order == ["long", 1, 2, 3, 4, 5]
    assert queue.close()


def test_what_was_left_does_not_go_on_after_abandon(bench: Bench) -> None:
    """Only the call that is named may still touch its memory: here the one that cut in."""
    queue, seen = bench.device.queue(), dict[object, Completion]()
    long, out = long_call(bench)
    short, _ = bench.add()

    def abandoned(completion: Completion) -> None:
        seen[completion.token] = completion
        named.append(queue.abandon("left behind"))
        out[...] = 7.0

    for _ in range(50):
        queue, named = bench.device.queue(), []
        out[...] = 0.0
        first = queue.submit(long, token="long", done=lambda c: seen.update({c.token: c}))
        queue.cut_in(short, token="short", done=abandoned)
        with suppress(StageError):
            first.wait()
        assert queue.close()
        assert named == [None], "nothing runs while that is told"
        if seen["long"].error is not None:
            assert seen["long"].error == "left behind"
            assert (out == 7.0).all() and seen["short"].error is None
            assert bench.device.queue().submit(long).wait() and not (out == 7.0).any(), "it begins anew"
            return
    raise AssertionError("it never cut in")


def test_a_call_that_was_left_on_an_abandoned_queue_runs_on_another_one(bench: Bench) -> None:
    """From its beginning, and whatever becomes of the old queue meanwhile."""
    long, out = long_call(bench)
    assert bench.device.queue().submit(long).wait()
    alone = out.tobytes()
    for _ in range(50):
        old, cut, go_on, seen = bench.device.queue(), threading.Event(), threading.Event(), list[Completion]()
        short, _ = bench.add()

        def holds(completion: Completion, cut=cut, go_on=go_on) -> None:
            cut.set()
            go_on.wait()

        old.submit(long, token="long", done=seen.append)
        old.cut_in(short, token="short", done=holds)
        assert cut.wait(60)
        was_left = long.left
        old.abandon("left behind")
        out[...] = 0.0
        if was_left:
            new = bench.device.queue()
            first = new.submit(long)
            go_on.set()
            assert old.close() and first.wait() and new.close()
            assert out.tobytes() == alone
            assert [c.error for c in seen] == ["left behind"]
            return
        go_on.set()
        assert old.close()
    raise AssertionError("it never cut in")


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


def test_cutting_in_runs_on_an_idle_queue_and_not_on_a_closed_one(bench: Bench, kit: Kit) -> None:
    queue = bench.device.queue()
    call, out = bench.add(2.0, 3.0)
    assert queue.cut_in(call).wait() and (out == 5.0).all()
    foreign = Bench(opened("other"), kit)
    with pytest.raises(HalError, match="'add' was not bound"):
        queue.cut_in(foreign.add()[0])
    assert queue.close()
    with pytest.raises(HalError, match="closed"):
        queue.cut_in(call)


def test_what_cuts_in_after_abandon_fails_with_its_message(bench: Bench) -> None:
    queue, gate = bench.device.queue(), bench.device.timeline()
    call, out = bench.add()
    queue.submit(call, wait=Fence(((gate, 1),)))
    urgent = queue.cut_in(call)
    queue.abandon("left behind")
    gate.signal(1)
    assert queue.close()
    with pytest.raises(StageError, match="left behind"):
        urgent.wait()
    assert (out == -1.0).all()


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
