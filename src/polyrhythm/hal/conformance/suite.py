"""The conformance suite: what is refused, then results, order, fences, failures and ends."""

from __future__ import annotations

import gc
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic_ns

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import Completion, Device, Fence, HalError, StageError, Timeline
from polyrhythm.hal.conformance.binding import Binding
from polyrhythm.hal.conformance.concurrency import Concurrency
from polyrhythm.hal.conformance.giving import Giving
from polyrhythm.hal.conformance.kit import ADD, F64, GAIN, NEGATIVE, STEP, TWO, Bench, Kit, f32


class DriverConformance(Binding, Concurrency, Giving):
    """Inherit, and give the fixtures `device_factory` and `kit`."""

    # -- results -------------------------------------------------------------------------------------------

    def test_the_precision_that_is_told_is_the_one_that_is_executed(self, bench: Bench, kit: Kit) -> None:
        """Case 7: what a signature calls f32 has 24 bits of it, and a device that would take fewer has to be
        asked for that; what an artefact does not have is an error."""
        told = bench.executable.entries["add"]
        assert {tensor.dtype for tensor in (*told.inputs, *told.outputs)} == {"f32"}
        call, out = bench.add(1.0, 2.0**-20)
        assert bench.device.queue().submit(call).wait()
        assert (out == np.float32(1.0 + 2.0**-20)).all(), "bf16, f16 and tf32 would all make 1 of it"
        halves = [Tensor(tensor.name, "bf16", F64) for tensor in (*ADD.inputs, *ADD.outputs)]
        asked = Entry("add", tuple(halves[:2]), tuple(halves[2:]))
        with pytest.raises(HalError, match="'a'"):
            bench.device.load(kit.file("add"), [asked], kit.parameters)

    def test_what_is_told_of_a_call_is_around_all_of_it(self, bench: Bench) -> None:
        """Case 9: its outputs are there when it has ended, though nobody has waited for the device; and it
        lies between two looks at a clock that is synchronised with it. Not a launch is told, but the work."""
        queue, seen, there = bench.device.queue(), list[Completion](), list[bool]()
        out = bench.array(ADD.outputs[0])
        inputs = [bench.array(ADD.inputs[0], 1.0), bench.array(ADD.inputs[1], 2.0)]
        call, long = bench.bind(ADD, inputs, [out]), bench.grind(40)

        def done(completion: Completion) -> None:
            seen.append(completion)
            there.append(bool((out == 3.0).all()))

        for _ in range(10):
            out[...] = -1.0
            since_ns = monotonic_ns()
            first = queue.submit(long, token="long", done=seen.append)
            second = queue.submit(call, token="add", done=done)
            assert first.wait() and second.wait()
            until_ns = monotonic_ns()
            bench.told(queue)
            ground, added = seen[-2:]
            assert (ground.token, added.token, there[-1]) == ("long", "add", True)
            assert since_ns <= ground.started_ns <= ground.ended_ns <= added.started_ns <= added.ended_ns
            assert added.ended_ns <= until_ns

    def test_outputs_land_in_the_given_buffers_and_inputs_stay(self, bench: Bench) -> None:
        """Case 25, for entries that consume nothing."""
        queue = bench.device.queue()
        rng = np.random.default_rng(0)
        x, y, first, second = (bench.array(f32(name)) for name in "xyab")
        call = bench.bind(TWO, [x, y], [first, second])
        for _ in range(20):
            x[:], y[:] = rng.normal(size=(2, 64))
            kept = x.copy(), y.copy()
            assert queue.submit(call).wait()
            common = np.float32(GAIN) * (x + 1)
            np.testing.assert_allclose(first, common + x, rtol=1e-6)
            np.testing.assert_allclose(second, common + y, rtol=1e-6)
            assert x.tobytes() == kept[0].tobytes() and y.tobytes() == kept[1].tobytes()

    def test_a_consumed_input_is_replaced_where_it_lies(self, bench: Bench, kit: Kit) -> None:
        if not kit.can.in_place:
            pytest.skip("calls of this driver write nothing where an input lies")
        queue = bench.device.queue()
        cache, row = bench.array(STEP.inputs[0], 9.0), bench.array(STEP.inputs[1], 1.0)
        assert queue.submit(bench.bind(STEP, [cache, row], [cache])).wait()
        assert (cache[3] == 1.0).all() and (np.delete(cache, 3, axis=0) == 9.0).all()
        with pytest.raises(HalError, match="same memory"):
            bench.bind(STEP, [cache, row], [bench.array(STEP.outputs[0])])

    def test_what_one_device_wrote_another_reads(
        self, bench: Bench, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        other = Bench(device_factory("b"), kit)
        call, between = bench.add(1.0, 2.0)
        out = other.array(ADD.outputs[0])
        follow = other.bind(ADD, [between, other.array(ADD.inputs[1], 4.0)], [out])
        ready = bench.device.queue().submit(call)
        assert other.device.queue().submit(follow, wait=ready).wait()
        assert (out == 7.0).all()
        other.device.close()

    def test_steady_state_allocates_nothing(self, bench: Bench, kit: Kit) -> None:
        if kit.allocated is None:
            pytest.skip("this driver keeps no account of allocations")
        queue = bench.device.queue()
        x, y, first, second = (bench.array(f32(name)) for name in "xyab")
        call = bench.bind(TWO, [x, y], [first, second])
        assert queue.submit(call).wait()
        before = kit.allocated(bench.device)
        for _ in range(1000):
            fence = queue.submit(call)
        assert fence.wait()
        assert kit.allocated(bench.device) == before

    # -- order, fences, failures ----------------------------------------------------------------------------

    def test_submissions_rise_and_run_in_order(self, bench: Bench) -> None:
        queue, seen = bench.device.queue(), list[Completion]()
        call, _ = bench.add()
        fences = [queue.submit(call, token=index, done=seen.append) for index in range(50)]
        assert [fence.points for fence in fences] == [((queue.timeline, index + 1),) for index in range(50)]
        assert queue.close()
        assert [completion.token for completion in seen] == list(range(50))
        assert all(completion.error is None for completion in seen)
        ends = [edge for completion in seen for edge in (completion.started_ns, completion.ended_ns)]
        assert ends == sorted(ends)
        assert queue.timeline.query() == 50

    def test_submit_returns_while_its_gate_is_closed(self, bench: Bench) -> None:
        queue, gate = bench.device.queue(), bench.device.timeline()
        call, out = bench.add()
        fence = queue.submit(call, wait=Fence(((gate, 1),)))
        assert not fence.reached() and not fence.wait(timeout_ns=0)
        assert (out == -1.0).all()
        gate.signal(1)
        assert fence.wait() and (out == 3.0).all()

    def test_submit_returns_while_the_device_is_busy(self, bench: Bench, kit: Kit) -> None:
        if not kit.can.non_blocking:
            pytest.skip("other threads wait while a call of this driver runs")
        queue, seen = bench.device.queue(), list[Completion]()
        busy, gate = bench.grind(1000), bench.device.timeline()
        queue.submit(busy, wait=Fence(((gate, 1),)), done=seen.append)
        gate.signal(1)
        fence = queue.submit(bench.add()[0])
        assert not fence.reached()  # a thousand products lie between
        assert fence.wait() and seen[0].error is None

    def test_a_failure_reaches_its_dependents_with_its_message(
        self, bench: Bench, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        if not kit.can.failures:
            pytest.skip("calls of this driver don't look at their inputs")
        other = Bench(device_factory("b"), kit)
        queue, far, seen = bench.device.queue(), other.device.queue(), list[Completion]()
        failing, source, _ = bench.twice(-4)
        dependent, untouched = other.add()
        bad = queue.submit(failing, token="bad", done=seen.append)
        after = far.submit(dependent, wait=bad, token="after", done=seen.append)
        last = far.submit(dependent, wait=after, token="last", done=seen.append)
        independent, fine = bench.add()
        good = queue.submit(independent, token="good", done=seen.append)
        for fence in (bad, after, last):
            with pytest.raises(StageError, match=NEGATIVE):
                fence.wait()
            assert fence.reached()
        assert good.wait() and (fine == 3.0).all() and (untouched == -1.0).all()
        assert queue.close() and far.close()
        errors = {completion.token: completion.error for completion in seen}
        assert errors.pop("good") is None
        assert len(seen) == 4 and all(error and NEGATIVE in error for error in errors.values())
        source[...] = 4  # the same call works again once its input is valid
        again = bench.device.queue()
        assert again.submit(failing).wait()
        other.device.close()

    def test_a_failed_gate_fails_what_waits_and_nothing_else(self, bench: Bench) -> None:
        queue, gate = bench.device.queue(), bench.device.timeline()
        call, out = bench.add()
        first = queue.submit(call, wait=Fence(((gate, 1),)))
        second = queue.submit(call, wait=Fence(((gate, 2),)))
        gate.fail(1, "the sensor died")
        with pytest.raises(StageError, match="the sensor died"):
            first.wait()
        assert (out == -1.0).all() and not second.reached()
        gate.signal(2)
        assert second.wait() and (out == 3.0).all()

    def test_a_point_is_reached_once(self, bench: Bench) -> None:
        gate, queue = bench.device.timeline(), bench.device.queue()
        gate.signal(2)
        with pytest.raises(HalError, match="reached again"):
            gate.signal(2)
        with pytest.raises(HalError, match="reached again"):
            gate.fail(1, "late")
        with pytest.raises(HalError):
            queue.timeline.signal(1)
        with pytest.raises(HalError):
            queue.timeline.fail(1, "not the host's")

    def test_a_timeline_tells_when_a_point_is_reached(self, bench: Bench) -> None:
        """Once, at once if it is already; well or not, of the host's timelines and of queues'."""
        gate, queue, told = bench.device.timeline(), bench.device.queue(), list[str]()
        gate.when(1, lambda: told.append("first"))
        gate.when(3, lambda: told.append("third"))
        assert told == []
        gate.signal(2)
        assert told == ["first"]
        gate.when(2, lambda: told.append("second"))
        gate.fail(3, "the sensor died")
        assert told == ["first", "second", "third"]
        ended = threading.Event()
        queue.timeline.when(1, ended.set)
        assert not ended.is_set()
        assert queue.submit(bench.add()[0]).wait() and ended.wait(60)

    def test_done_is_called_in_a_thread_of_the_hal(self, bench: Bench) -> None:
        """Whoever submits may hold a lock that `done` takes, even if the call's fence has failed already."""
        queue, gate, where = bench.device.queue(), bench.device.timeline(), list[int]()
        gate.fail(1, "the sensor died")
        call, _ = bench.add()
        for wait in (Fence(), Fence(((gate, 1),))):
            queue.submit(call, wait=wait, done=lambda _: where.append(threading.get_ident()))
        assert queue.close() and len(where) == 2
        assert threading.get_ident() not in where

    def test_done_may_submit(self, bench: Bench) -> None:
        queue, finished = bench.device.queue(), threading.Event()
        call, _ = bench.add()
        seen: list[Completion] = []

        def done(completion: Completion) -> None:
            seen.append(completion)
            if len(seen) < 100:
                queue.submit(call, token=len(seen), done=done)
            else:
                finished.set()

        queue.submit(call, token=0, done=done)
        assert finished.wait(60)
        assert [completion.token for completion in seen] == list(range(100))

    def test_chains_across_devices_in_every_release_order(
        self, bench: Bench, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        """Case 26: a -> b, many times; gates open before, between and after the submissions, in any order."""
        self._chains(bench, Bench(device_factory("b"), kit), kit.chains)

    def _chains(self, near: Bench, far: Bench, total: int) -> None:
        rng = random.Random(26)
        window = 16
        lanes = []
        for _ in range(window):
            first, source, between = near.twice(0)
            second, out = far.again(between)
            lanes.append((first, second, source, out))
        producers = [near.device.queue(), near.device.queue()]
        consumers = [far.device.queue(), far.device.queue()]
        gates = [near.device.timeline() for _ in range(window)]
        told, errors = Counter[tuple[str, int]](), dict[tuple[str, int], str | None]()

        def done(completion: Completion) -> None:
            told[completion.token] += 1
            errors[completion.token] = completion.error

        turns = [0] * window
        for start in range(0, total, window):
            closed, fences, doomed = list[int](), dict[int, Fence](), set[int]()
            for lane in range(window):
                first, second, source, _ = lanes[lane]
                chain = start + lane
                source[...] = chain
                turns[lane] += 1
                when = rng.randrange(4)
                if when == 0:
                    gates[lane].signal(turns[lane])
                produced = rng.choice(producers).submit(
                    first, wait=Fence(((gates[lane], turns[lane]),)), token=("a", chain), done=done
                )
                if when == 1:
                    gates[lane].signal(turns[lane])
                fences[chain] = rng.choice(consumers).submit(
                    second, wait=produced, token=("b", chain), done=done
                )
                if when > 1:
                    closed.append(lane)
                while closed and rng.random() < 0.3:
                    self._open(rng, gates, turns, closed, doomed, start)
            while closed:
                self._open(rng, gates, turns, closed, doomed, start)
            for chain, fence in fences.items():
                if chain in doomed:
                    with pytest.raises(StageError, match=f"gate {chain}"):
                        fence.wait()
                else:
                    assert fence.wait() and lanes[chain - start][3] == 4 * chain
        for queue in (*producers, *consumers):
            assert queue.close()
        assert len(told) == 2 * (start + window) and set(told.values()) == {1}
        assert all(error is None or "gate" in error for error in errors.values())
        far.device.close()

    @staticmethod
    def _open(
        rng: random.Random,
        gates: Sequence[Timeline],
        turns: Sequence[int],
        closed: list[int],
        doomed: set[int],
        start: int,
    ) -> None:
        lane = closed.pop(rng.randrange(len(closed)))
        if rng.random() < 0.05:
            doomed.add(start + lane)
            gates[lane].fail(turns[lane], f"gate {start + lane}")
        else:
            gates[lane].signal(turns[lane])

    # -- ends ----------------------------------------------------------------------------------------------

    def test_a_hung_queue_is_left_behind(self, bench: Bench) -> None:
        hung, gate = bench.device.queue(), bench.device.timeline()
        call, out = bench.add()
        fence = hung.submit(call, wait=Fence(((gate, 1),)))
        assert not hung.close(timeout_ns=0)
        with pytest.raises(HalError, match="closed"):
            hung.submit(call)
        other, fine = bench.add(5.0, 6.0)
        assert bench.device.queue().submit(other).wait() and (fine == 11.0).all()
        assert (out == -1.0).all()
        gate.signal(1)
        assert fence.wait() and hung.close()

    def test_what_waits_does_not_begin_after_abandon(self, bench: Bench) -> None:
        queue, gate, seen = bench.device.queue(), bench.device.timeline(), list[Completion]()
        call, out = bench.add()
        fence = queue.submit(call, wait=Fence(((gate, 1),)), token="waits", done=seen.append)
        assert queue.abandon("left behind") is None
        gate.signal(1)
        with pytest.raises(StageError, match="left behind"):
            fence.wait()
        assert queue.close() and [completion.token for completion in seen] == ["waits"]
        assert (out == -1.0).all()
        with pytest.raises(HalError, match="closed"):
            queue.submit(call)

    def test_abandon_names_the_only_call_that_may_still_run(self, bench: Bench) -> None:
        """Whenever it comes: no other call runs any more, and with none named all had ended by then."""
        calls = [bench.grind(1), bench.add()[0]]
        for round_ in range(24):
            queue, seen = bench.device.queue(), list[Completion]()
            fences = [queue.submit(calls[i % 2], token=i, done=seen.append) for i in range(8)]
            if round_ % 8:
                fences[round_ % 8 - 1].wait()
            begun, after_ns = queue.abandon("left behind"), monotonic_ns()
            assert queue.close()
            ran = [completion for completion in seen if completion.error is None]
            assert [completion.token for completion in seen] == list(range(8))
            assert [completion.token for completion in ran] == list(range(len(ran)))
            if begun is None:
                assert all(completion.ended_ns <= after_ns for completion in ran)
            else:
                assert begun in (len(ran) - 1, len(ran))  # the last to run, or the first that did not

    def test_close_lets_what_was_submitted_end(self, bench: Bench) -> None:
        queue = bench.device.queue()
        call, _ = bench.add()
        fences = [queue.submit(call) for _ in range(100)]
        assert queue.close() and all(fence.reached() for fence in fences)
        assert queue.close()

    def test_a_device_that_was_closed_takes_no_more(
        self, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        bench = Bench(device_factory("a"), kit)
        queue, (call, out) = bench.device.queue(), bench.add()
        bench.device.close()
        with pytest.raises(HalError, match="closed"):
            queue.submit(call)
        assert queue.close() and (out == -1.0).all()

    def test_buffers_and_calls_outlive_their_device(
        self, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        bench = Bench(device_factory("a"), kit)
        call, out = bench.add()
        fence = bench.device.queue().submit(call)
        bench.device.close()
        del bench
        gc.collect()
        assert fence.wait() and (out == 3.0).all()
        del call
        gc.collect()
