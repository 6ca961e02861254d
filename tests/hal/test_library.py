"""Drivers for libraries: the conformance suite with NumPy as the library, and what they have in common."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Capabilities, Device, DeviceConfig, HalError
from polyrhythm.hal.conformance import ADD, ENTRIES, GAIN, NEGATIVE, Bench, DriverConformance, Kit
from polyrhythm.hal.library import LibraryDriver, Run, no_greetings, threads
from polyrhythm.hal.local import PerQueue
from polyrhythm.hal.ports import Port, Signature, copy_out, matched, one_entry

MATHS: Mapping[str, Callable[..., Sequence[np.ndarray]]] = {
    "add": lambda a, b: [a + b],
    "two": lambda x, y: [GAIN * (x + 1) + x, GAIN * (x + 1) + y],
    "twice": lambda x: [_valid(x) * 2],
    "grind": lambda x, count: [np.linalg.matrix_power(x, 2) for _ in range(max(1, int(count)))][-1:],
}


def _valid(angle: np.ndarray) -> np.ndarray:
    if angle < 0:
        raise ValueError(NEGATIVE)
    return angle


class NumpyProgram:
    """Entries by name; the artefact lists their signatures as JSON."""

    def __init__(
        self, artefact: Path, parameters: Sequence[Path], entries: Sequence[Entry], config: DeviceConfig
    ) -> None:
        self.signatures = {
            name: Signature(*(tuple(Port(n, d, tuple(s)) for n, d, s in ports) for ports in found))
            for name, found in json.loads(artefact.read_text()).items()
        }
        self.ended: list[int] = []

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        def run(key: int) -> None:
            for array, value in zip(outputs, MATHS[entry](*inputs), strict=True):
                np.copyto(array, value)

        return run

    def forget(self, key: int) -> None:
        self.ended.append(key)


DRIVER = LibraryDriver(
    "numpy",
    module="numpy",
    package="numpy",
    formats=("json",),
    load=NumpyProgram,
    capabilities=Capabilities(caller_owned_outputs=False, allocation_free=False, in_place=False),
)


def write(path: Path, entries: Sequence[Entry]) -> Path:
    found = {
        entry.name: [[(t.name, t.dtype, t.shape) for t in group] for group in (entry.inputs, entry.outputs)]
        for entry in entries
    }
    path.write_text(json.dumps(found))
    return path


@pytest.fixture(scope="session")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    entries = [Entry(e.name, e.inputs, e.outputs) for e in ENTRIES if e.name in MATHS]
    file = write(tmp_path_factory.mktemp("numpy") / "kit.json", entries)
    return Kit(file, entries=entries, can=DRIVER.capabilities)


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self) -> Callable[[str], Device]:
        return lambda name: DRIVER.open(DeviceConfig(name, "cpu"))


@pytest.fixture
def device() -> Device:
    return DRIVER.open(DeviceConfig("cpu", "cpu"))


def test_an_unknown_uri_lists_those_there_are() -> None:
    with pytest.raises(HalError, match="'gpu' does not open here; there are: cpu"):
        DRIVER.open(DeviceConfig("cpu", "gpu"))


def test_a_library_that_is_not_installed_is_told_with_its_extra() -> None:
    absent = LibraryDriver("npu", "absent_vendor", "vendor-npu", (), Capabilities(), NumpyProgram)
    with pytest.raises(
        HalError, match=r"needs vendor-npu: .*absent_vendor.* pip install 'polyrhythm\[npu\]'"
    ):
        absent.available()
    with pytest.raises(HalError, match="vendor-npu"):
        absent.open(DeviceConfig("npu", "cpu"))


def test_a_library_that_does_not_start_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_vendor.py").write_text("raise RuntimeError('no such instruction')")
    monkeypatch.syspath_prepend(tmp_path)

    def devices() -> tuple[str, ...]:
        raise RuntimeError("no bus")

    broken = LibraryDriver("npu", "broken_vendor", "vendor-npu", (), Capabilities(), NumpyProgram)
    with pytest.raises(HalError, match="'npu' needs vendor-npu, which does not start here: no such instr"):
        broken.available()
    with pytest.raises(HalError, match="does not start here: no bus"):
        replace(broken, module="numpy", more_uris=devices).open(DeviceConfig("npu", "cpu"))


def test_standard_output_is_back_after_uses_that_overlap() -> None:
    def where(fd: int) -> tuple[int, int]:
        found = os.fstat(fd)
        return found.st_dev, found.st_ino

    read, write = os.pipe()
    kept = os.dup(1)
    try:
        os.dup2(write, 1)
        first, second = no_greetings(), no_greetings()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert where(1) == where(2) != where(write)
        second.__exit__(None, None, None)
        assert where(1) == where(write)
    finally:
        os.dup2(kept, 1)
        for fd in (read, write, kept):
            os.close(fd)


def test_without_standard_output_there_is_nothing_to_keep_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with no_greetings():
        assert DRIVER.available() == ("cpu",)


def test_what_the_library_says_of_a_bad_file_is_told(device: Device, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    with pytest.raises(HalError, match="no such file"):
        device.load(bad, [ADD])
    bad.write_text("{")
    with pytest.raises(HalError, match=r"bad\.json does not load as json with the driver 'numpy': Expecting"):
        device.load(bad, [ADD])


def test_tensors_are_found_by_name_and_else_by_place(device: Device, tmp_path: Path) -> None:
    a, b, y = (Tensor(name, "f32", (4,)) for name in "aby")
    swapped = write(tmp_path / "swapped.json", [Entry("add", (b, a), (y,))])
    executable = device.load(swapped, [Entry("add", (a, b), (y,))])
    assert executable._orders["add"] == ((1, 0), (0,))  # type: ignore[attr-defined]
    renamed = [Tensor(name, "f32", (4,)) for name in ("left", "right", "out")]
    other = device.load(swapped, [Entry("add", (renamed[0], renamed[1]), (renamed[2],))])
    assert other._orders["add"] == ((0, 1), (0,))  # type: ignore[attr-defined]


def test_a_tensor_whose_port_is_in_another_place_is_refused(device: Device, tmp_path: Path) -> None:
    y = Tensor("y", "f32", (4,))
    file = write(
        tmp_path / "add.json", [Entry("add", (Tensor("a", "f32", (4,)), Tensor("b", "f32", (4,))), (y,))]
    )

    def load(*names: str) -> None:
        device.load(file, [Entry("add", tuple(Tensor(name, "f32", (4,)) for name in names), (y,))])

    load("a", "other")
    with pytest.raises(HalError, match=(
        r"add\.json: inputs of entry 'add' are declared as b, other, "
        r"the artefact has a f32\[4\], b f32\[4\]: 'b' is in another place; declare them by these names"
    )):  # fmt: skip
        load("b", "other")


def test_ports_in_no_order_are_told_apart_by_their_names_only(device: Device, tmp_path: Path) -> None:
    a, b, c, y, z = (Tensor(name, "f32", (4,)) for name in "abcyz")
    file = write(tmp_path / "add.json", [Entry("add", (a, b), (y,))])

    class Unordered(NumpyProgram):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            self.signatures = {name: replace(s, ordered=False) for name, s in self.signatures.items()}

    device = replace(DRIVER, load=Unordered).open(DeviceConfig("cpu", "cpu"))
    executable = device.load(file, [Entry("add", (b, a), (z,))])
    assert executable._orders["add"] == ((1, 0), (0,))  # type: ignore[attr-defined]
    with pytest.raises(HalError, match=(
        r"inputs of entry 'add' are declared as a, c, the artefact has a f32\[4\], b f32\[4\]: "
        "only names tell which is which; declare them by these names"
    )):  # fmt: skip
        device.load(file, [Entry("add", (a, c), (y,))])


def test_ports_go_by_every_name_that_they_have() -> None:
    a, b = (Tensor(name, "f32", (4,)) for name in "ab")
    twice = Port("x", also=("a", "b"))
    assert matched((a, b), (Port("x", also=("b",)), Port("y", also=("a",)))) == (1, 0)
    assert matched((a, b), (Port("b", also=("a",)), Port("a", also=("b",)))) == (1, 0)
    assert matched((a, b), (twice, twice)) == (0, 1)


def test_what_a_call_makes_has_the_shape_that_is_declared() -> None:
    array = np.zeros(4, np.float32)
    with pytest.raises(HalError, match=r"^output 'y' came out as \[1\], declared is \[4\]$"):
        copy_out("y", np.ones(1, np.float32), array)
    assert not array.any()
    copy_out("y", np.ones(4, np.float32), array)
    assert array.all()


def test_ports_without_a_shape_fit_any() -> None:
    tensor = Tensor("x", "f32", (4, 4))
    assert Port("x").fits(tensor) and Port("x", "f32").fits(tensor) and Port("x", None, (4, 4)).fits(tensor)
    assert not Port("x", "i32").fits(tensor) and not Port("x", "f32", (16,)).fits(tensor)
    assert str(Port("x")) == "?[?]" and str(Port("x", "f32", (4, 4))) == "f32[4, 4]"


def test_a_single_graph_is_called_what_is_asked_for() -> None:
    found = Signature((), ())
    assert one_entry("graph", [ADD], found) == {"add": found}
    assert one_entry("graph", [ADD, ADD], found) == {"graph": found}


def test_queues_have_each_their_own_and_the_first_is_made_at_once() -> None:
    made = iter(range(10))
    kept = PerQueue(lambda: next(made))
    assert next(made) == 1
    assert [kept.get(7), kept.get(8), kept.get(7)] == [0, 2, 0]
    kept.forget(7)
    kept.forget(8)
    assert [kept.get(9), kept.get(10)] == [0, 3]


def test_ended_queues_are_forgotten(device: Device, kit: Kit) -> None:
    bench = Bench(device, kit)
    queue = device.queue()  # type: ignore[var-annotated]
    assert queue.submit(bench.add()[0]).wait() and queue.close()
    assert bench.executable._program.ended == [queue.key]  # type: ignore[attr-defined]


def test_threads_that_a_library_makes_are_where_the_device_is(tmp_path: Path) -> None:
    core = max(os.sched_getaffinity(0))
    seen = []

    class Spy(NumpyProgram):
        def __init__(self, *given: object) -> None:
            seen.append(os.sched_getaffinity(0))
            super().__init__(*given)  # type: ignore[arg-type]

    spy = LibraryDriver("spy", "numpy", "numpy", ("json",), Capabilities(), Spy)
    before = os.sched_getaffinity(0)
    spy.open(DeviceConfig("cpu", "cpu", (core,))).load(write(tmp_path / "a.json", [ADD]), [ADD])
    assert seen == [{core}] and os.sched_getaffinity(0) == before


def test_a_device_computes_with_a_thread_for_each_core() -> None:
    assert threads(DeviceConfig("a", "cpu")) == 1
    assert threads(DeviceConfig("a", "cpu", (1,))) == 1
    assert threads(DeviceConfig("a", "cpu", (0, 1))) == 2
