"""What goes on at once: several threads submit, others load and bind, a call leaves other threads alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from time import monotonic_ns

import numpy as np
import pytest

from polyrhythm.hal.api import Call, Completion, Fence, Queue, StageError
from polyrhythm.hal.conformance.kit import Bench, Kit

#: So many products has a call that others are to go on beside; one that was too short is tried again.
_PRODUCTS = (40,) * 20 + (1000,) * 5
#: How long such another thread waits at a time.
_TICK_NS = 20_000


class Concurrency:
    """Part of `polyrhythm.hal.conformance.DriverConformance`."""

    def test_several_threads_may_submit(self, bench: Bench) -> None:
        """To one queue: each submission has a fence of its own, which is reached, and is told once."""
        queue, call, together = bench.device.queue(), bench.add()[0], threading.Barrier(2)
        fences, told = list[Fence](), list[object]()

        def submits(name: str) -> None:
            together.wait(60)
            for number in range(200):
                fence = queue.submit(call, token=(name, number), done=lambda c: told.append(c.token))
                fences.append(fence)

        threads = [threading.Thread(target=submits, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        points = [point for fence in fences for point in fence.points]
        assert sorted(value for _, value in points) == list(range(1, 401)), "each has a point of its own"
        assert {id(timeline) for timeline, _ in points} == {id(queue.timeline)}
        assert queue.close() and all(fence.reached() for fence in fences)
        for name in "ab":
            assert [token for token in told if token[0] == name] == [(name, n) for n in range(200)]  # type: ignore[index]
        assert len(told) == 400

    def test_a_fence_is_that_of_its_submission_also_if_done_submits(self, bench: Bench) -> None:
        queue, gate, submitted = bench.device.queue(), bench.device.timeline(), threading.Event()
        call, inner = bench.add()[0], list[Fence]()

        def done(_: Completion) -> None:
            inner.append(queue.submit(call, wait=Fence(((gate, 1),))))
            submitted.set()

        outer = queue.submit(call, done=done)
        assert submitted.wait(60)
        assert [fence.points for fence in (outer, *inner)] == [((queue.timeline, n),) for n in (1, 2)]
        assert outer.reached() and not inner[0].reached()
        gate.signal(1)
        assert inner[0].wait() and queue.close()

    def test_other_threads_go_on_while_a_call_runs(self, bench: Bench, kit: Kit) -> None:
        """This one does: it looks at a clock in the middle of a call."""
        if not kit.can.non_blocking:
            pytest.skip("other threads wait while a call of this driver runs")
        queue = bench.device.queue()
        for count in _PRODUCTS:
            seen, ticks_ns = list[Completion](), list[int]()
            fence = queue.submit(bench.grind(count), done=seen.append)
            while not fence.wait(timeout_ns=_TICK_NS):
                ticks_ns.append(monotonic_ns())
            bench.told(queue)
            (ran,) = seen
            quarter_ns = (ran.ended_ns - ran.started_ns) // 4
            if any(ran.started_ns + quarter_ns < at_ns < ran.ended_ns - quarter_ns for at_ns in ticks_ns):
                return
        pytest.fail("no other thread went on in the middle of a call: declare `non_blocking=False`")

    def test_another_thread_may_load_and_bind_while_a_queue_runs(self, bench: Bench, kit: Kit) -> None:
        """As a bundle is loaded that is to take over: by one thread at a time, and not always the same."""
        queue, call = bench.device.queue(), bench.add()[0]
        enough, ended = threading.Event(), threading.Event()

        def goes_on(completion: Completion) -> None:
            assert completion.error is None
            if enough.is_set():
                ended.set()
            else:
                queue.submit(call, done=goes_on)

        def loads(value: float) -> tuple[Call, np.ndarray]:
            return Bench(bench.device, kit).add(value, value)

        queue.submit(call, done=goes_on)
        try:
            for value in (2.0, 3.0):
                with ThreadPoolExecutor(1, "loads") as other:
                    made, out = other.submit(loads, value).result(60)
                assert queue.submit(made).wait() and (out == 2 * value).all()
        finally:
            enough.set()
        assert ended.wait(60) and queue.close()

    def test_a_queue_is_made_and_left_behind_by_whichever_thread_there_is(self, bench: Bench) -> None:
        """That which brings the end of a call, of another queue."""
        calls, made = bench.device.queue(), SimpleQueue[Queue | Exception]()
        call, gate = bench.add()[0], bench.device.timeline()
        hung = bench.device.queue()
        never = hung.submit(call, wait=Fence(((gate, 1),)))

        def renews(_: Completion) -> None:
            try:
                hung.abandon("left behind")
                made.put(bench.device.queue())
            except Exception as problem:
                made.put(problem)

        calls.submit(call, done=renews)
        new = made.get(timeout=60)
        assert not isinstance(new, Exception), new
        assert new.submit(call).wait() and new.close() and calls.close()
        gate.signal(1)
        with pytest.raises(StageError, match="left behind"):
            never.wait()
        assert hung.close()
