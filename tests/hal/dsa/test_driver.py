"""The driver: the conformance suite, and what is its own."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.hal import Completion, Device, DeviceConfig, HalError, modelled, private_buffer
from polyrhythm.hal.conformance import Bench, DriverConformance, Kit, f32
from polyrhythm.hal.drivers import dsa

FAST = "launch_ns=0,dma_ns=0,dram_gbps=100000,gflops=10000000,sram_gbps=1000000"


def opened(name: str = "npu", uri: str = FAST) -> dsa.DsaDevice:
    return dsa.driver.open(DeviceConfig(name, uri))


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self) -> Callable[[str], Device]:
        return opened


@pytest.fixture
def kit(planned: Kit) -> Kit:
    return replace(planned, can=dsa.driver.capabilities)


@pytest.fixture
def bench(kit: Kit) -> Bench:
    return Bench(opened(uri="dram_gbps=1,cores=1"), kit)


def test_what_is_offered_opens() -> None:
    (uri,) = dsa.driver.available()
    assert opened(uri=uri).machine == opened(uri="").machine


def test_a_uri_that_describes_none_says_what_may_stand_there() -> None:
    with pytest.raises(HalError, match=r"'npu': a dsa device knows no 'corse'.*did you mean `cores`"):
        opened(uri="corse=2")


def test_a_call_takes_what_the_model_says(bench: Bench) -> None:
    call, out = bench.add(1.0, 2.0)
    known = modelled(call)
    assert known is not None
    # Two tensors of 256 bytes in, one out; a launch, and three transfers that are begun.
    assert known.modelled_ns == 200 + 256 + 256 + 500 + 200 + 256 + 4
    seen: list[Completion] = []
    queue = bench.device.queue()
    queue.submit(call, done=seen.append)
    queue.submit(known.unpaced, done=seen.append)
    assert queue.close() and (out == 3.0).all()
    assert seen[0].ended_ns - seen[0].started_ns >= known.modelled_ns
    assert bench.device.account()["add"] == dsa.Moved(
        2, 2 * known.modelled_ns, {"input.a": 512, "input.b": 512, "output.sum": 512}
    )


def kept() -> int:
    """How many programs there are."""
    gc.collect()
    return sum(type(found) is dsa.Timed for found in gc.get_objects())


def test_what_has_run_is_accounted_for_and_not_kept(kit: Kit) -> None:
    before, device, took_ns = kept(), opened(uri="dram_gbps=1"), 0
    for _ in range(2):
        call, _out = Bench(device, kit).add(1.0, 2.0)
        device.queue().submit(call.unpaced).wait()
        took_ns += call.modelled_ns
    del call
    assert kept() <= before
    account = device.account()["add"]
    assert (account.calls, account.took_ns, account.dram_bytes) == (2, took_ns, 2 * 768)


def test_only_a_model_knows(kit: Kit) -> None:
    from polyrhythm.hal.drivers import static

    call, _ = Bench(static.driver.open(DeviceConfig("cpu", "local-sync")), kit).add()
    assert modelled(call) is None


def chain(bench: Bench) -> tuple[list[dsa.DsaCall], np.ndarray]:
    """``two``, and an ``add`` of its outputs, which nobody else looks at."""
    device, executable = bench.device, bench.executable
    x, y, out = (device.buffer(bench.array(f32(name), 1.0)) for name in "xyo")
    first, second = (private_buffer(device, bench.array(f32(name))) for name in "ab")
    scratch = bench.scratch(executable.entries["two"].scratch_bytes)
    calls = [
        executable.bind("two", [x, y], [first, second], scratch),
        executable.bind("add", [first, second], [out], None),
    ]
    return calls, out.array


def test_what_only_calls_touch_stays_in_sram(bench: Bench) -> None:
    calls, out = chain(bench)
    held = bench.device.placement().held
    assert sorted(name.partition("@")[0] for name in held) == ["first", "second", "weight.gain"]
    queue = bench.device.queue()
    for call in calls:
        queue.submit(call)
    assert queue.close() and (out == 14.0).all()
    account = bench.device.account()
    assert account["two"].traffic == {"input.x": 256, "input.y": 256}
    assert account["add"].traffic == {"output.sum": 256}


def test_what_does_not_fit_is_spilled_and_told(kit: Kit) -> None:
    bench = Bench(opened(uri="sram_kib=4,work_kib=4"), kit)
    calls, _ = chain(bench)
    placement = bench.device.placement()
    assert placement.held == {}
    assert {item.memory.partition("@")[0]: item.moved_bytes for item in placement.spilled} == {
        "first": 512,
        "second": 512,
        "weight.gain": 256,
    }
    assert calls[1].timed.run.traffic == {"input.a": 256, "input.b": 256, "output.sum": 256}


def test_a_place_is_free_again_when_nobody_can_use_it(kit: Kit) -> None:
    bench = Bench(opened(uri="sram_kib=5,work_kib=4"), kit)
    calls, _ = chain(bench)
    assert len(bench.device.placement().held) == 3
    later, _ = chain(bench)
    placement = bench.device.placement()
    assert len(placement.held) == 4 and len(placement.spilled) == 1  # there was room for one more
    del calls
    gc.collect()
    again, _ = chain(bench)
    assert len(bench.device.placement().held) == 4 and later and again


def copied(kit: Kit, folder: Path, work: str) -> Path:
    """The plan of the kit with other work beside it."""
    plan = folder / "copied.plan"
    plan.write_bytes(kit.artefact.read_bytes())
    plan.with_suffix(".so").write_bytes(kit.artefact.with_suffix(".so").read_bytes())
    if work:
        plan.with_suffix(".work.json").write_text(work)
    return plan


def test_a_stage_that_needs_more_sram_is_refused_when_it_is_bound(
    kit: Kit, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    work = json.loads(kit.artefact.with_suffix(".work.json").read_text())
    work["entries"]["add"] = {
        "memories": [["weight.table", 65536], ["output.sum", 256]],
        "steps": [
            {"name": "look_up", "flops": 0, "reads": [[0, 0, 65536]], "writes": [[1, 0, 4], [1, 128, 132]]}
        ],
    }
    plan = copied(kit, tmp_path, json.dumps(work))
    bench = Bench(opened(uri="sram_kib=64,work_kib=32"), replace(kit, artefact=plan))
    with pytest.raises(HalError) as caught:
        bench.add()
    assert str(caught.value) == snapshot


@pytest.mark.parametrize(
    ("work", "says"),
    [
        ("", r"copied.work.json: No such file.*beside the plan"),
        ("{", "does not say what kernels work on"),
        ('{"format": "polyrhythm.work", "version": 2}', "is not polyrhythm.work 1"),
        (
            '{"format": "polyrhythm.work", "version": 1, "entries": {}}',
            "nothing says what the kernels of add",
        ),
        (
            '{"format": "polyrhythm.work", "version": 1, "entries": {"add": {"memories": [["arena", 64]], '
            '"steps": [{"name": "k", "flops": 1, "reads": [[0, 0, 65]], "writes": []}]}}}',
            r"arena\[0:65\] is not within 64 bytes",
        ),
    ],
    ids=["none", "no JSON", "version", "entry", "range"],
)
def test_a_plan_without_its_work_is_refused(kit: Kit, tmp_path: Path, work: str, says: str) -> None:
    plan = copied(kit, tmp_path, work)
    with pytest.raises(HalError, match=says):
        opened().load(plan, kit.entries, kit.parameters)
