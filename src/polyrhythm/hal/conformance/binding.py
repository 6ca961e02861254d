"""What is refused before anything is launched: signatures that differ, memory that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import Device, HalError
from polyrhythm.hal.binding import aligned_zeros
from polyrhythm.hal.conformance.kit import ADD, F64, STEP, TWO, Bench, Kit, f32


class Binding:
    """Part of `polyrhythm.hal.conformance.DriverConformance`."""

    @pytest.fixture
    def bench(self, device_factory: Callable[[str], Device], kit: Kit) -> Iterator[Bench]:
        """A device with the kit loaded."""
        bench = Bench(device_factory("a"), kit)
        yield bench
        bench.device.close()

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
        small = bench.scratch(448)
        for scratch in (None, small):
            with pytest.raises(HalError, match="512 bytes of scratch"):
                bench.executable.bind("two", [x, y], [first, second], scratch)

    def test_memory_that_a_device_cannot_use_is_refused(self, bench: Bench) -> None:
        raw = aligned_zeros(1024)
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
