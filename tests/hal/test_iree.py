"""The IREE driver: the conformance suite on both local devices, and what is IREE's own."""

from __future__ import annotations

import gc
import os
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Device, DeviceConfig, HalError, driver
from polyrhythm.hal.binding import STORAGE
from polyrhythm.hal.conformance import ADD, ENTRIES, F64, Bench, DriverConformance, Kit
from polyrhythm.hal.drivers.iree_native import Core
from polyrhythm.memory import Arena

URIS = ["local-sync", "local-task"]
SHIFT = Entry(
    "shift",
    (Tensor("x", "f32", F64), Tensor("by", "f32", ()), Tensor("k", "i32", ()), Tensor("i", "i32", ())),
    (Tensor("y", "f32", F64), Tensor("t", "i32", F64), Tensor("c", "bool", F64)),
)
HALF = Entry("half", (Tensor("x", "bf16", F64),), (Tensor("sum", "bf16", F64), Tensor("square", "bf16", F64)))
COUNT = Entry("count", (), (Tensor("n", "i32", ()),))
CARELESS = Entry(
    "careless",
    (Tensor("cache", "f32", (256, 64)), Tensor("row", "f32", (1, 64))),
    (Tensor("next", "f32", (256, 64)),),
)


def listed(what: str) -> set[str]:
    """Names in ``/proc/self``: ``task`` for threads, ``fd`` for files."""
    return {path.name for path in Path("/proc/self", what).iterdir()}


@pytest.fixture(params=URIS)
def uri(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def device(uri: str) -> Iterator[Device]:
    opened = driver("iree").open(DeviceConfig("cpu", uri))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def kit(compiled: Callable[[str], Path], gain: Path) -> Kit:
    return Kit(
        compiled("stages"), [gain], ENTRIES, lambda device: device.statistics()["device_bytes_allocated"]
    )


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self, uri: str) -> Callable[[str], Device]:
        return lambda name: driver("iree").open(DeviceConfig(name, uri))


class TestForeignModules:
    """Modules that were not compiled for us: no output storage, plain scalars."""

    def test_results_are_copied_into_the_callers_memory(
        self, device: Device, compiled: Callable[[str], Path]
    ) -> None:
        executable = device.load(compiled("foreign"), [SHIFT])
        arena = Arena(1 << 14)
        inputs = [arena.take("t", "input", tensor) for tensor in SHIFT.inputs]
        outputs = [arena.take("t", "output", tensor) for tensor in SHIFT.outputs]
        call = executable.bind(
            "shift", list(map(device.buffer, inputs)), list(map(device.buffer, outputs)), None
        )
        queue = device.queue()
        for step in range(3):
            for array, value in zip(inputs, (1.0, 0.25 * step, 10 * step, 5), strict=True):
                array[...] = value
            assert queue.submit(call).wait()
            assert (outputs[0] == 1.0 + 0.25 * step).all() and (outputs[1] == 5 + 10 * step).all()
            assert outputs[2].dtype == bool and outputs[2].all()
        assert not executable.zero_copy("shift")

    def test_bare_storage_bfloat16_and_no_inputs(
        self, device: Device, compiled: Callable[[str], Path]
    ) -> None:
        executable = device.load(compiled("foreign"), [HALF, COUNT])
        arena = Arena(1 << 14)
        x, total, square = (arena.take("t", "x", tensor) for tensor in (*HALF.inputs, *HALF.outputs))
        number = arena.take("t", "n", COUNT.outputs[0])
        assert STORAGE["bf16"] == x.dtype
        x[:] = np.full(64, 3.0, np.float32).view(np.uint32) >> 16
        queue = device.queue()
        half = executable.bind(
            "half", [device.buffer(x)], [device.buffer(total), device.buffer(square)], None
        )
        assert queue.submit(half).wait()
        assert queue.submit(executable.bind("count", [], [device.buffer(number)], None)).wait()
        as_f32 = [(bits.astype(np.uint32) << 16).view(np.float32) for bits in (total, square)]
        assert (as_f32[0] == 6.0).all() and (as_f32[1] == 9.0).all() and number == 7

    def test_ml_dtypes_bfloat16_is_taken_as_such(
        self, device: Device, compiled: Callable[[str], Path]
    ) -> None:
        ml_dtypes = pytest.importorskip("ml_dtypes")
        executable = device.load(compiled("foreign"), [HALF])
        arena = Arena(1 << 14)
        x, total, square = (
            arena.take("t", "x", tensor).view(ml_dtypes.bfloat16) for tensor in (*HALF.inputs, *HALF.outputs)
        )
        x[:] = 2.0
        call = executable.bind(
            "half", [device.buffer(x)], [device.buffer(total), device.buffer(square)], None
        )
        assert device.queue().submit(call).wait() and (total == 4.0).all()

    def test_footgun_the_compiler_may_overwrite_an_input(
        self, device: Device, compiled: Callable[[str], Path]
    ) -> None:
        """iree#16168: a function that reads its input for the last time may update it in place, although the
        output has storage of its own. A driver can't see that; the gate at build time compares the inputs.
        """
        executable = device.load(compiled("foreign"), [CARELESS])
        arena = Arena(1 << 18)
        cache, row, out = (arena.take("t", "x", tensor) for tensor in (*CARELESS.inputs, *CARELESS.outputs))
        cache[...], row[...] = 9.0, 1.0
        call = executable.bind(
            "careless", [device.buffer(cache), device.buffer(row)], [device.buffer(out)], None
        )
        assert device.queue().submit(call).wait()
        assert (out[3] == 1.0).all() and (out[4] == 9.0).all()
        assert (cache[3] == 1.0).all(), "mended in IREE? then tell docs and the compile room"


class TestArtefacts:
    def test_what_is_not_a_module_is_refused(self, device: Device, gain: Path, tmp_path: Path) -> None:
        with pytest.raises(HalError, match="not an IREE module"):
            device.load(gain, [])
        empty = tmp_path / "empty.vmfb"
        empty.touch()
        with pytest.raises(HalError, match="not an IREE module"):
            device.load(empty, [])
        with pytest.raises(HalError, match="No such file"):
            device.load(tmp_path / "absent.vmfb", [])

    def test_missing_parameters_are_told(self, device: Device, kit: Kit, gain: Path, tmp_path: Path) -> None:
        with pytest.raises(HalError, match="needs parameter files"):
            device.load(kit.artefact, [ADD])
        with pytest.raises(HalError, match="No such file"):
            device.load(kit.artefact, [ADD], [tmp_path / "absent.irpa"])
        broken = tmp_path / "broken.irpa"
        broken.write_bytes(gain.read_bytes()[:100])
        with pytest.raises(HalError, match=r"broken\.irpa"):
            device.load(kit.artefact, [ADD], [broken])

    def test_safetensors_are_parameters_too(self, device: Device, kit: Kit, tmp_path: Path) -> None:
        numpy_format = pytest.importorskip("safetensors.numpy")
        file = tmp_path / "gain.safetensors"
        numpy_format.save_file({"gain": np.full(64, 3.0, np.float32)}, file)
        assert "two" in device.load(kit.artefact, ENTRIES, [file]).entries

    def test_parameters_are_mapped_once_for_everybody(self, device: Device, kit: Kit) -> None:
        other = driver("iree").open(DeviceConfig("other", "local-sync"))
        executables = [one.load(kit.artefact, ENTRIES, kit.parameters) for one in (device, device, other)]
        assert len({id(executable._native[1]) for executable in executables}) == 1

    def test_asynchronous_modules_are_refused_with_the_mend(self) -> None:
        from polyrhythm.hal.drivers.iree_abi import layout

        text = "async func @add(%input0: tensor<64xf32>) -> (%output0: tensor<64xf32>)"
        with pytest.raises(HalError, match="async-external"):
            layout(Entry("add", ADD.inputs[:1], ADD.outputs), {"iree.abi.declaration": text})


class TestDevices:
    def test_unknown_uris_list_those_there_are(self) -> None:
        for wrong in ("local-snyc", "local-sync://7", ""):
            with pytest.raises(HalError, match="local-sync, local-task"):
                driver("iree").open(DeviceConfig("cpu", wrong))
        assert {"local-sync", "local-task"} <= set(driver("iree").available())

    def test_unknown_cores_are_refused(self, uri: str) -> None:
        with pytest.raises(HalError, match="core 4096"):
            driver("iree").open(DeviceConfig("cpu", uri, (0, 4096)))

    def test_threads_are_pinned_to_the_devices_cores(self, uri: str) -> None:
        core = max(os.sched_getaffinity(0))
        before = listed("task")
        device = driver("iree").open(DeviceConfig("cpu", uri, (core,)))
        queue = device.queue()
        threads = [int(thread) for thread in listed("task") - before]
        assert threads and all(os.sched_getaffinity(thread) == {core} for thread in threads)
        assert queue.close()

    def test_devices_share_no_workers(self) -> None:
        before = len(listed("task"))
        devices = [driver("iree").open(DeviceConfig(name, "local-task")) for name in "ab"]
        assert len(listed("task")) >= before + 2 * 2
        for device in devices:
            device.close()

    def test_opening_and_closing_leaves_nothing_behind(self, uri: str, kit: Kit) -> None:
        def cycle() -> None:
            bench = Bench(driver("iree").open(DeviceConfig("cpu", uri)), kit)
            assert bench.device.queue().submit(bench.add()[0]).wait()
            bench.device.close()

        cycle()
        gc.collect()
        threads, files = len(listed("task")), len(listed("fd"))
        for _ in range(20):
            cycle()
        gc.collect()
        # A joined thread may take a moment to vanish from the list; what leaks would do so twenty times.
        assert len(listed("task")) <= threads + 2 and len(listed("fd")) <= files
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("hal-cpu")]

    def test_a_context_goes_with_its_queue(self, device: Device, kit: Kit) -> None:
        bench = Bench(device, kit)
        call, _ = bench.add()
        for _ in range(3):
            queue = device.queue()
            assert queue.submit(call).wait() and queue.close()
            assert not bench.executable.invokes

    def test_steady_state_grows_no_python_memory(self, device: Device, kit: Kit) -> None:
        bench, queue = Bench(device, kit), device.queue()
        call, _ = bench.add()
        for _ in range(500):
            queue.submit(call).wait()
        tracemalloc.start()
        try:
            for _ in range(100):
                queue.submit(call).wait()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(2000):
                queue.submit(call).wait()
            assert tracemalloc.get_traced_memory()[0] - before < 2000
        finally:
            tracemalloc.stop()


def test_memory_that_a_device_refuses_is_let_go_at_once(uri: str) -> None:
    array = np.zeros(64, np.uint8)
    array.flags.writeable = False
    kept, core = weakref.ref(array), Core(DeviceConfig("cpu", uri))
    gc.collect()
    gc.disable()  # as in a run
    try:
        with pytest.raises(HalError, match=r"device 'cpu' can't view host memory: .*read-only"):
            core.view(array)
        del array
        assert kept() is None
    finally:
        gc.enable()
