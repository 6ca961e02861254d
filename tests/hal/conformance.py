"""What any driver must do, as a class of tests to inherit from.

A third-party driver's suite is::

    from .conformance import DriverConformance
    from .kit import Kit

    class TestMine(DriverConformance):
        @pytest.fixture
        def device_factory(self):           # Callable[[str], Device]: an open device of that name
            ...
        @pytest.fixture(scope="session")
        def kit(self):                      # the entries of `kit.ENTRIES`, compiled for it
            ...

``modules/stages.mlir`` says what each entry computes. Nothing here sleeps or looks at how long a thing took.
"""

from __future__ import annotations

import gc
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic_ns

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Completion, Device, Fence, HalError, StageError

from .kit import ADD, F64, GAIN, NEGATIVE, STEP, TWO, Bench, Kit, f32


class DriverConformance:
    """Inherit, and give the fixtures `device_factory` and `kit`."""

    @pytest.fixture
    def bench(self, device_factory: Callable[[str], Device], kit: Kit) -> Iterator[Bench]:
        bench = Bench(device_factory("a"), kit)
        yield bench
        bench.device.close()

    # -- signatures, before anything is launched ------------------------------------------------------------

    def test_entries_are_those_that_were_asked_for(self, bench: Bench, kit: Kit) -> None:
        assert dict(bench.executable.entries) == {entry.name: entry for entry in kit.entries}

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            (Entry("ad", ADD.inputs, ADD.outputs), "'ad'"),
            (Entry("add", ADD.inputs[:1], ADD.outputs), "add"),
            (Entry("add", (*ADD.inputs, f32("c")), ADD.outputs), "add"),
            (Entry("add", (ADD.inputs[0], Tensor("b", "i32", F64)), ADD.outputs), "'b'"),
            (Entry("add", (ADD.inputs[0], f32("b", (65,))), ADD.outputs), "'b'"),
            (Entry("add", ADD.inputs, (f32("sum", (8, 8)),)), "'sum'"),
            (Entry("add", ADD.inputs, ()), "add"),
            (Entry("two", TWO.inputs, TWO.outputs, scratch_bytes=64), "scratch"),
            (Entry("step", STEP.inputs, STEP.outputs), "consumed"),
        ],
        ids=["name", "fewer", "more", "dtype", "shape", "output", "no output", "scratch", "consumed"],
    )
    def test_an_entry_that_differs_from_the_artefact_is_refused(
        self, bench: Bench, kit: Kit, wrong: Entry, says: str
    ) -> None:
        if wrong.name == "step" and not kit.can.in_place:
            pytest.skip("calls of this driver write nothing where an input lies")
        if wrong.name == "ad" and not kit.can.several_entries:
            pytest.skip("the only entry of an artefact is called as one likes")
        says_nothing = kit.shapeless and wrong.name == "add" and len(wrong.inputs) == 2 and wrong.outputs
        if says_nothing and wrong.inputs[1].dtype == "f32":
            pytest.skip("artefacts of this driver don't tell shapes")
        with pytest.raises(HalError, match=says):
            bench.device.load(kit.file(wrong.name), [wrong], kit.parameters)

    def test_an_unknown_entry_lists_those_there_are(self, bench: Bench, kit: Kit) -> None:
        known = "add" if kit.apart else ", ".join(entry.name for entry in kit.entries)
        with pytest.raises(HalError, match=known):
            bench.executable.bind("subtract", [], [], None)

    def test_missing_and_extra_inputs_are_named_before_launch(self, bench: Bench) -> None:
        """Case 10: an artefact for one camera is fed two."""
        a, b, out = (bench.array(f32(name)) for name in ("a", "b", "sum"))
        with pytest.raises(HalError, match=r"'b' missing"):
            bench.bind(ADD, [a], [out])
        with pytest.raises(HalError, match=r"1 too many"):
            bench.bind(ADD, [a, b, bench.array(f32("c"))], [out])
        with pytest.raises(HalError, match=r"'second' missing"):
            bench.bind(TWO, [a, b], [out])

    def test_wrong_tensors_are_named_with_both_types(self, bench: Bench) -> None:
        a, b, out = (bench.array(f32(name)) for name in ("a", "b", "sum"))
        with pytest.raises(HalError, match=r"'b'.*f32\[64\].*float32\[8, 8\]"):
            bench.bind(ADD, [a, b.reshape(8, 8)], [out])
        with pytest.raises(HalError, match=r"'b'.*f32\[64\].*int32\[64\]"):
            bench.bind(ADD, [a, b.view(np.int32)], [out])
        with pytest.raises(HalError, match=r"'sum'"):
            bench.bind(ADD, [a, b], [bench.array(f32("sum", (65,)))])

    def test_scratch_must_be_there_and_large_enough(self, bench: Bench) -> None:
        if not bench.executable.entries["two"].scratch_bytes:
            pytest.skip("the devices of this driver have scratch of their own")
        x, y, first, second = bench.views([bench.array(f32(name)) for name in "xyab"])
        small = bench.view(bench.arena.take("test", "scratch", 448))
        for scratch in (None, small):
            with pytest.raises(HalError, match="512 bytes of scratch"):
                bench.executable.bind("two", [x, y], [first, second], scratch)

    def test_memory_that_a_device_cannot_use_is_refused(self, bench: Bench) -> None:
        raw = bench.arena.take("test", "raw", 1024)
        with pytest.raises(HalError, match="64-byte aligned"):
            bench.view(raw[16:272].view(np.float32))
        with pytest.raises(HalError, match="contiguous"):
            bench.view(raw[:512].view(np.float32)[::2])
        frozen = raw[:256].view(np.float32)
        frozen.flags.writeable = False
        with pytest.raises(HalError, match="read-only"):
            bench.view(frozen)

    def test_buffers_that_overlap_are_refused(self, bench: Bench) -> None:
        a, b = bench.array(f32("a")), bench.array(f32("b"))
        with pytest.raises(HalError, match="'sum' and input 'a'"):
            bench.bind(ADD, [a, b], [a])
        with pytest.raises(HalError, match="overlap"):
            bench.bind(TWO, [a, b], [bench.array(f32("c"))] * 2)

    def test_a_buffer_or_call_of_another_device_is_refused(
        self, bench: Bench, device_factory: Callable[[str], Device], kit: Kit
    ) -> None:
        other = Bench(device_factory("b"), kit)
        a, b, out = (bench.array(f32(name)) for name in ("a", "b", "sum"))
        with pytest.raises(HalError, match="'a'"):
            bench.executable.bind("add", other.views([a, b]), other.views([out]), None)
        queue = bench.device.queue()
        with pytest.raises(HalError, match="'add'"):
            queue.submit(other.add()[0])
        assert queue.close() and queue.timeline.query() == 0
        other.device.close()

    # -- results -------------------------------------------------------------------------------------------

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

    def test_submit_returns_while_the_device_is_busy(self, bench: Bench) -> None:
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
        for again in (lambda: gate.signal(2), lambda: gate.fail(1, "late")):
            with pytest.raises(HalError, match="reached again"):
                again()
        with pytest.raises(HalError):
            queue.timeline.signal(1)
        with pytest.raises(HalError):
            queue.timeline.fail(1, "not the host's")

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
            token: tuple[str, int] = completion.token  # type: ignore[assignment]
            told[token] += 1
            errors[token] = completion.error

        turns = [0] * window
        for start in range(0, total, window):
            closed, fences, doomed = [], {}, set()
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
    def _open(rng, gates, turns, closed, doomed, start) -> None:  # type: ignore[no-untyped-def]
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
        for round_ in range(60):
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
