"""The ONNX Runtime driver: the conformance suite, and what is its own."""

# ruff: noqa: E402
from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Device, DeviceConfig, HalError, driver
from polyrhythm.hal.conformance import ADD, ENTRIES, GRIND, STEP, TWO, Bench, DriverConformance, Kit, f32
from polyrhythm.hal.conformance.onnx_files import write
from polyrhythm.hal.drivers import onnxruntime
from polyrhythm.hal.priority import Priority, Ranks


def opened(name: str = "cpu", uri: str = "cpu", **more: object) -> Device:
    return onnxruntime.driver.open(DeviceConfig(name, uri, **more))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    files = write(tmp_path_factory.mktemp("onnx"))
    entries = [replace(entry, scratch_bytes=0) for entry in ENTRIES if entry.name in files]
    return Kit(files["add"], entries=entries, can=onnxruntime.driver.capabilities, apart=files)


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self) -> Callable[[str], Device]:
        return opened


@pytest.fixture
def bench(kit: Kit) -> Bench:
    return Bench(opened(), kit)


def test_the_driver_is_registered() -> None:
    assert driver("onnxruntime") is onnxruntime.driver
    assert "cpu" in onnxruntime.driver.available()
    assert (onnxruntime.driver.formats, onnxruntime.driver.package) == (("onnx",), "onnxruntime")


def test_a_provider_that_is_not_there_is_refused_by_name() -> None:
    here = ", ".join(onnxruntime.driver.available())
    with pytest.raises(HalError, match=f"is built without 'tensorrt'; there are: {here}"):
        opened(uri="tensorrt:0?trt_fp16_enable=1")
    for uri in ("local-sync", "", "cpu:x", "azure"):
        with pytest.raises(HalError, match=f"{uri!r} does not open here; there are: {here}"):
            opened(uri=uri)


@pytest.mark.parametrize(
    ("uri", "what"),
    [("cpu:3", "number"), ("cpu:0?a=1", "number"), ("cpu?nonsense=1", "options"), ("cpu?", "options")],
)
def test_the_cpu_has_no_number_and_no_options(uri: str, what: str) -> None:
    with pytest.raises(HalError) as refused:
        opened(uri=uri)
    assert f"`cpu` takes no {what}: write `uri: cpu` in place of {uri!r}" in str(refused.value)


def test_what_it_cannot_do_is_refused_when_it_is_loaded(kit: Kit) -> None:
    device = opened()
    with pytest.raises(HalError, match="declares cache consumed, the library leaves inputs as they are"):
        device.load(kit.file("add"), [Entry("add", (STEP.inputs[0],) * 2, STEP.outputs, 0, STEP.consumed)])
    with pytest.raises(HalError, match="512 bytes of scratch, the library has its own"):
        device.load(kit.file("two"), [TWO])
    with pytest.raises(HalError, match=r"holds one entry.*asked for are: add, two"):
        device.load(kit.file("add"), [ADD, TWO])
    with pytest.raises(HalError, match=r"weights\.bin can't be read"):
        device.load(kit.file("add"), [ADD], [Path("weights.bin")])


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    for name, content in (("text", b"some text"), ("empty", b"")):
        file = tmp_path / f"{name}.onnx"
        file.write_bytes(content)
        with pytest.raises(HalError, match=f"{name}.onnx does not load on 'cpu'"):
            opened().load(file, [ADD])


def test_outputs_are_written_where_the_caller_wants_them(bench: Bench) -> None:
    """No copy: the result is at the address that the buffer had."""
    call, out = bench.add(1.0, 2.0)
    view = (ctypes.c_float * 64).from_address(out.ctypes.data)
    assert list(view) == [-1.0] * 64
    assert bench.device.queue().submit(call).wait()
    assert list(view) == [3.0] * 64


def _in_use() -> int:
    """Bytes that this process has of malloc."""

    class Mallinfo2(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
            "keepcost")]  # fmt: skip

    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        pytest.skip("this libc does not tell")
    libc.mallinfo2.restype = Mallinfo2
    found = libc.mallinfo2()
    return int(found.uordblks + found.hblkhd)


def test_memory_does_not_grow_from_call_to_call(bench: Bench) -> None:
    queue = bench.device.queue()
    call = bench.grind(3)

    def grown(calls: int) -> int:
        before = _in_use()
        for _ in range(calls):
            assert queue.submit(call).wait()
        return _in_use() - before

    grown(50)
    assert abs(grown(500)) < 64 << 10  # the product alone has 64 KiB


def _threads() -> set[int]:
    return {int(path.name) for path in Path("/proc/self/task").iterdir()}


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_threads_lie_on_the_cores_of_the_device(kit: Kit) -> None:
    first, second = sorted(os.sched_getaffinity(0))[:2]
    before = _threads()
    device = opened(cores=(first, second))
    bench_ = Bench(device, replace(kit, entries=[GRIND]))
    queue = device.queue()
    for _ in range(100):  # a thread of the pool pins itself when it first runs
        assert queue.submit(bench_.grind(1)).wait()
        made = [sorted(os.sched_getaffinity(thread)) for thread in _threads() - before]
        if sorted(made) == [[first], [second]]:
            break
    assert sorted(made) == [[first], [second]]
    device.close()


def test_a_device_without_cores_computes_on_the_thread_of_its_queue(kit: Kit) -> None:
    before = _threads()
    device = opened()
    bench_ = Bench(device, kit)
    assert _threads() == before
    assert device.queue().submit(bench_.grind(1)).wait()
    device.close()


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_its_threads_have_the_priority_of_those_that_compute(kit: Kit) -> None:
    before = _threads()
    ranks = Ranks(Priority(False, 7), Priority(False, 6))
    device = opened(cores=tuple(sorted(os.sched_getaffinity(0))[:2]), ranks=ranks)
    bench_ = Bench(device, replace(kit, entries=[GRIND]))
    assert [os.getpriority(os.PRIO_PROCESS, thread) for thread in _threads() - before] == [7]
    assert os.getpriority(os.PRIO_PROCESS, 0) < 7
    del bench_
    device.close()


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16", "i64", "i8", "u8", "u16", "bool"])
def test_every_dtype_goes_through(tmp_path: Path, dtype: str) -> None:
    from onnx import helper, save

    number = onnxruntime._TYPES[dtype][1]
    info = [helper.make_tensor_value_info(name, number, [2, 3]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "same", info[:1], info[1:])
    save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9),
        str(tmp_path / "m.onnx"),
    )
    entry = Entry("main", (Tensor("x", dtype, (2, 3)),), (Tensor("y", dtype, (2, 3)),))
    bench_ = Bench(opened(), Kit(tmp_path / "m.onnx", entries=[entry]))
    x, y = bench_.array(entry.inputs[0]), bench_.array(entry.outputs[0])
    x.reshape(-1).view(np.uint8)[:] = np.arange(x.nbytes) % 2
    assert bench_.device.queue().submit(bench_.bind(entry, [x], [y])).wait()
    assert y.tobytes() == x.tobytes()
    with pytest.raises(HalError, match=r"'x' of entry 'main' is declared f32\[2, 2\], the artefact has"):
        bench_.device.load(tmp_path / "m.onnx", [Entry("main", (f32("x", (2, 2)),), entry.outputs)])
