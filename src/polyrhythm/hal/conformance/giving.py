"""What a queue promises that leaves a call for another one: of drivers whose grain is ``step``."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from polyrhythm.hal.api import (
    Call,
    Completion,
    Device,
    Fence,
    GivingQueue,
    HalError,
    StageError,
    giving_way,
    leavable,
)
from polyrhythm.hal.conformance.kit import NEGATIVE, Bench, Kit

#: What has not come by then never does.
PATIENCE_NS = 60_000_000_000
#: Where something has to come while something else runs, so often is it tried.
_TRIES = 50
#: Such calls cut in so much later each time.
_TICK_NS = 20_000


class Giving:
    """Part of `polyrhythm.hal.conformance.DriverConformance`."""

    def test_a_call_is_left_between_two_kernels(self, bench: Bench, kit: Kit) -> None:
        """And goes on where it was, with the same result."""
        queue, seen = _queue(bench, kit), list[Completion]()
        (long, out), (short, added) = _long(bench, 1000), bench.add()
        assert hasattr(long, "kernels_ns"), "the grain is said to be `step`, and calls have no `kernels_ns`"
        kernels_ns = leavable(long).kernels_ns()
        assert len(kernels_ns) > 1 and all(took_ns >= 0 for took_ns in kernels_ns)
        alone, results, gate = out.tobytes(), set[bytes](), bench.device.timeline()
        for turn in range(1, 21):
            out[...] = added[...] = -1.0
            last = queue.submit(long, wait=Fence(((gate, turn),)), token="long", done=seen.append)
            first = queue.cut_in(short, token="short", done=seen.append)
            gate.signal(turn)
            assert _ends(first) and (added == 3.0).all() and _ends(last)
            results.add(out.tobytes())
        assert queue.close()
        assert [completion.token for completion in seen] == ["short", "long"] * 20
        assert all(completion.error is None for completion in seen) and results == {alone}

    def test_cutting_in_runs_on_an_idle_queue_and_not_on_a_closed_one(
        self, bench: Bench, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        queue, (call, out) = _queue(bench, kit), bench.add(2.0, 3.0)
        assert _ends(queue.cut_in(call)) and (out == 5.0).all()
        other = Bench(device_factory("b"), kit)
        with pytest.raises(HalError, match="'add'"):
            queue.cut_in(other.add()[0])
        assert queue.close()
        with pytest.raises(HalError, match="closed"):
            queue.cut_in(call)
        other.device.close()

    def test_nothing_starts_while_the_call_in_front_waits(self, bench: Bench, kit: Kit) -> None:
        queue, gate, seen = _queue(bench, kit), bench.device.timeline(), list[Completion]()
        (long, _), (short, added) = _long(bench), bench.add()
        last = queue.submit(long, wait=Fence(((gate, 1),)), token="long", done=seen.append)
        first = queue.cut_in(short, token="short", done=seen.append)
        assert not first.wait(timeout_ns=0) and (added == -1.0).all()
        gate.signal(1)
        assert _ends(first) and _ends(last) and queue.close()
        assert [completion.token for completion in seen] == ["short", "long"]

    def test_each_that_cuts_in_is_left_in_its_turn(self, bench: Bench, kit: Kit) -> None:
        """The last to come goes first, and all give what they give alone."""
        queue, gate, seen = _queue(bench, kit), bench.device.timeline(), list[Completion]()
        (long, out), (middle, middles), (short, added) = _long(bench), _long(bench), bench.add()
        early, _ = bench.add()
        assert _ends(queue.submit(long))
        alone = out.tobytes()
        for turn in range(1, 21):
            seen.clear()
            out[...] = middles[...] = added[...] = 0.0
            fences = [queue.submit(long, wait=Fence(((gate, turn),)), token="long", done=seen.append)]
            fences.append(queue.cut_in(early, token="early", done=seen.append))
            fences.append(queue.cut_in(middle, token="middle", done=seen.append))
            if turn % 2:
                fences.append(queue.cut_in(short, token="short", done=seen.append))
            gate.signal(turn)
            if not turn % 2:  # whatever is under way
                fences[0].wait(timeout_ns=turn * _TICK_NS)
                fences.append(queue.cut_in(short, token="short", done=seen.append))
            assert all(map(_ends, fences))
            bench.told(queue)
            tokens = [completion.token for completion in seen]
            assert sorted(tokens) == ["early", "long", "middle", "short"]
            assert [token for token in tokens if token != "short"] == ["middle", "early", "long"]
            if turn % 2:
                assert tokens[0] == "short" and seen[0].ended_ns <= seen[1].started_ns
            assert all(completion.error is None for completion in seen)
            assert out.tobytes() == alone == middles.tobytes() and (added == 3.0).all()
        assert queue.close()

    def test_how_long_a_call_was_left_is_told(self, bench: Bench, kit: Kit) -> None:
        queue, seen = _queue(bench, kit), dict[object, Completion]()
        (long, _), (other, _) = _long(bench), _long(bench)
        for turn in range(_TRIES):
            first = self._left(bench, queue, long, turn % 5, partial(_keep, seen))
            urgent = queue.cut_in(other, token="urgent", done=partial(_keep, seen))
            assert _ends(first) and _ends(urgent)
            bench.told(queue)
            left, cut = seen["long"], seen["urgent"]
            assert cut.away_ns == 0 and 0 <= left.away_ns <= left.ended_ns - left.started_ns
            if left.started_ns < cut.started_ns < left.ended_ns:
                assert left.away_ns >= cut.ended_ns - cut.started_ns
                return
        pytest.fail("it never cut in")

    def test_what_done_lets_cut_in_comes_before_what_was_left(self, bench: Bench, kit: Kit) -> None:
        """The stages of an urgent job follow one another."""
        queue, gate, order = _queue(bench, kit), bench.device.timeline(), list[object]()
        (long, _), (short, _), ended = _long(bench, 8), bench.add(), threading.Semaphore(0)
        stages = len(leavable(long).kernels_ns()) + 2  # more than there are places to go on from

        def next_stage(completion: Completion) -> None:
            order.append(completion.token)
            if completion.token < stages:
                queue.cut_in(short, token=completion.token + 1, done=next_stage)
            else:
                ended.release()

        for turn in range(1, 11):
            order.clear()
            wait = Fence(((gate, turn),))
            first = queue.submit(long, wait=wait, token="long", done=lambda c: order.append(c.token))
            queue.cut_in(short, token=1, done=next_stage)
            gate.signal(turn)
            assert ended.acquire(timeout=PATIENCE_NS / 1e9), f"{order} has ended, and then nothing more"
            assert _ends(first)
            bench.told(queue)
            assert order == [*range(1, stages + 1), "long"]
        assert queue.close()

    def test_what_fails_while_it_has_cut_in_harms_nobody_else(self, bench: Bench, kit: Kit) -> None:
        queue = _queue(bench, kit)
        if not kit.can.failures:
            pytest.skip("calls of this driver don't look at their inputs")
        (long, out), (failing, _, _) = _long(bench), bench.twice(-4)
        assert _ends(queue.submit(long))
        alone = out.tobytes()
        out[...] = 0.0
        first, urgent = queue.submit(long), queue.cut_in(failing)
        with pytest.raises(StageError, match=NEGATIVE):
            _ends(urgent)
        assert _ends(first) and out.tobytes() == alone and queue.close()

    def test_what_cuts_in_fails_with_the_message_of_abandon(self, bench: Bench, kit: Kit) -> None:
        queue, gate, seen = _queue(bench, kit), bench.device.timeline(), list[Completion]()
        call, out = bench.add()
        queue.submit(call, wait=Fence(((gate, 1),)))
        urgent = queue.cut_in(call, token="urgent", done=seen.append)
        assert queue.abandon("left behind") is None
        gate.signal(1)
        with pytest.raises(StageError, match="left behind"):
            _ends(urgent)
        assert queue.close() and [(c.token, c.error) for c in seen] == [("urgent", "left behind")]
        assert (out == -1.0).all()

    def test_what_was_left_does_not_go_on_after_abandon(self, bench: Bench, kit: Kit) -> None:
        """Nothing runs while `done` of what cut in is told, so no memory is touched any more; and what was
        left runs on another queue from its beginning, whatever becomes of the old one."""
        (long, out), (short, _) = _long(bench), bench.add()
        assert _ends(bench.device.queue().submit(long))
        alone = out.tobytes()
        for turn in range(_TRIES):
            old, seen = _queue(bench, kit), dict[object, Completion]()
            told, go_on = threading.Event(), threading.Event()

            def holds(
                completion: Completion, told: threading.Event = told, go_on: threading.Event = go_on,
                seen: dict[object, Completion] = seen,
            ) -> None:  # fmt: skip
                seen[completion.token] = completion
                told.set()
                go_on.wait(PATIENCE_NS / 1e9)

            first = self._left(bench, old, long, turn % 5, partial(_keep, seen))
            old.cut_in(short, token="urgent", done=holds)
            assert told.wait(PATIENCE_NS / 1e9)
            ended = first.reached()
            assert old.abandon("left behind") is None, "nothing runs while that is told"
            out[...] = 7.0
            go_on.set()
            assert old.close()
            assert seen["urgent"].error is None and (out == 7.0).all(), "it went on"
            new = bench.device.queue()
            assert _ends(new.submit(long)) and out.tobytes() == alone and new.close(), "it did not begin anew"
            if not ended:
                assert seen["long"].error == "left behind"
                if seen["long"].started_ns < seen["urgent"].started_ns:
                    return
        pytest.fail("it never cut in")

    def test_what_was_left_on_an_abandoned_queue_runs_on_another_one(self, bench: Bench, kit: Kit) -> None:
        """From its beginning, while the old queue is still held up."""
        (long, out), (short, _) = _long(bench), bench.add()
        assert _ends(bench.device.queue().submit(long))
        alone = out.tobytes()
        for before in range(5):
            old, told, go_on = _queue(bench, kit), threading.Event(), threading.Event()

            def holds(_: Completion, told: threading.Event = told, go_on: threading.Event = go_on) -> None:
                told.set()
                go_on.wait(PATIENCE_NS / 1e9)

            self._left(bench, old, long, before)
            old.cut_in(short, done=holds)
            assert told.wait(PATIENCE_NS / 1e9)
            old.abandon("left behind")
            out[...] = 7.0
            new = bench.device.queue()
            again = new.submit(long)
            go_on.set()
            assert _ends(again) and old.close() and new.close() and out.tobytes() == alone

    @staticmethod
    def _left(
        bench: Bench,
        queue: GivingQueue,
        long: Call,
        times: int,
        done: Callable[[Completion], None] | None = None,
    ) -> Fence:
        """The fence of a long call that is under way: so often has another one cut in since."""
        fence, short = queue.submit(long, token="long", done=done), bench.add()[0]
        for _ in range(times):
            assert _ends(queue.cut_in(short))
        return fence


def _queue(bench: Bench, kit: Kit) -> GivingQueue:
    """A new queue that leaves calls, if the driver says that there are any."""
    if kit.can.grain != "step":
        pytest.skip("calls of this driver give way at their end only")
    queue = giving_way(bench.device.queue())
    assert hasattr(queue, "cut_in"), "the grain is said to be `step`, and queues have no `cut_in`"
    return queue


def _long(bench: Bench, count: int = 100) -> tuple[Call, np.ndarray]:
    """A call of many kernels, and where its result will be: one more or less of them and it is another."""
    entry = bench.executable.entries["grind"]
    x, out = bench.array(entry.inputs[0]), bench.array(entry.outputs[0])
    x[...] = np.roll(np.eye(*x.shape), 1, axis=0)
    counts = [bench.array(tensor, count) for tensor in entry.inputs[1:]]
    return bench.bind(entry, [x, *counts], [out]), out


def _keep(seen: dict[object, Completion], completion: Completion) -> None:
    seen[completion.token] = completion


def _ends(fence: Fence) -> bool:
    """Whether it is reached before patience is lost. Raises `StageError` if a point of it failed."""
    return fence.wait(PATIENCE_NS)
