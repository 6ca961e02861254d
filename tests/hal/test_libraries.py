"""The drivers for other people's libraries that are installed: the conformance suite, and what they share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import Device, DeviceConfig, HalError, driver
from polyrhythm.hal.conformance import (
    ADD,
    ENTRIES,
    GRIND,
    GRIND_LONG,
    TWICE,
    TWICE_F32,
    Bench,
    DriverConformance,
    Kit,
)


@dataclass(frozen=True)
class Library:
    """A driver, and what of the suite its artefacts can say."""

    write: Callable[[Path], Mapping[str, Path]]
    modules: tuple[str, ...]
    twice: Entry = TWICE
    grind: Entry = GRIND
    shapeless: bool = False
    #: Artefacts are shared libraries: half of one crashes whoever opens it, and only its digest can tell.
    dlopened: bool = False


def _onnx(folder: Path) -> Mapping[str, Path]:
    from polyrhythm.hal.conformance.onnx_files import write

    return write(folder)


def _openvino(folder: Path) -> Mapping[str, Path]:
    """In its own format, weights beside it; a loop over a number that is an input can't be converted."""
    import openvino as ov

    found = {}
    for name, path in _onnx(folder).items():
        found[name] = folder / f"{name}.xml"
        ov.save_model(ov.Core().read_model(path), found[name], compress_to_fp16=False)
    return found


def _litert(folder: Path) -> Mapping[str, Path]:
    from .tflite_kit import write

    return write(folder)


def _ncnn(folder: Path) -> Mapping[str, Path]:
    from .ncnn_kit import write

    return write(folder)


def _mnn(folder: Path) -> Mapping[str, Path]:
    """By MNN's own converter, but not by its program, which reports every use to its makers and hangs without
    a network. Sessions have no loops, so `grind` is written out.
    """
    from polyrhythm.hal.conformance.onnx_files import write

    found = {}
    for name, path in write(folder, loops=False).items():
        found[name] = folder / f"{name}.mnn"
        given = ["mnnconvert", "-f", "ONNX", "--modelFile", str(path), "--MNNModel", str(found[name])]
        code = f"import _tools; _tools.mnnconvert({[*given, '--bizCode', 'test']!r})"
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return found


def _tvm(folder: Path) -> Mapping[str, Path]:
    """One library with all entries; `grind` is written out."""
    import onnx
    import tvm
    from tvm.relax.frontend.onnx import from_onnx

    from polyrhythm.hal.conformance.onnx_files import write

    module = tvm.IRModule()
    found = write(folder, loops=False)
    for name, path in found.items():
        made = from_onnx(onnx.load(str(path)), keep_params_in_input=False)["main"]
        module[name] = made.with_attr("global_symbol", name)
    library = folder / "kit.so"
    tvm.compile(module, target=tvm.target.Target({"kind": "llvm", "mcpu": "x86-64-v3"})).export_library(
        library
    )
    return dict.fromkeys(found, library)


LIBRARIES = {
    "openvino": Library(_openvino, ("openvino", "onnx")),
    "litert": Library(_litert, ("ai_edge_litert", "flatbuffers"), grind=GRIND_LONG),
    "ncnn": Library(_ncnn, ("ncnn",), TWICE_F32, GRIND_LONG, shapeless=True),
    "mnn": Library(_mnn, ("MNN", "onnx"), grind=GRIND_LONG),
    "tvm": Library(_tvm, ("tvm", "onnx"), grind=GRIND_LONG, dlopened=True),
}


@pytest.fixture(scope="module", params=list(LIBRARIES))
def name(request: pytest.FixtureRequest) -> str:
    found = str(request.param)
    if absent := [module for module in LIBRARIES[found].modules if find_spec(module) is None]:
        pytest.skip(f"{', '.join(absent)} is not installed")
    return found


@pytest.fixture(scope="module")
def kit(name: str, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    library = LIBRARIES[name]
    files = library.write(tmp_path_factory.mktemp(name))
    known = {entry.name: replace(entry, scratch_bytes=0) for entry in ENTRIES}
    known |= {"twice": library.twice, "grind": library.grind}
    return Kit(
        files["add"], entries=[known[entry] for entry in files], can=driver(name).capabilities, apart=files,
        shapeless=library.shapeless, chains=1000,
    )  # fmt: skip


@pytest.fixture
def opened(name: str) -> Callable[[str], Device]:
    return lambda device: driver(name).open(DeviceConfig(device, "cpu"))


class TestConformance(DriverConformance):
    @pytest.fixture
    def device_factory(self, opened: Callable[[str], Device]) -> Callable[[str], Device]:
        return opened


def test_files_that_are_none_are_refused(
    opened: Callable[[str], Device], name: str, kit: Kit, tmp_path: Path
) -> None:
    good = kit.file("add")
    half = good.read_bytes()[: good.stat().st_size // 2]
    for content in (b"", b"some text", *([] if LIBRARIES[name].dlopened else [half])):
        bad = tmp_path / good.name
        bad.write_bytes(content)
        with pytest.raises(HalError, match=good.name):
            opened("cpu").load(bad, [ADD])


def test_what_it_cannot_do_is_refused_when_it_is_loaded(opened: Callable[[str], Device], kit: Kit) -> None:
    device = opened("cpu")
    with pytest.raises(HalError, match="512 bytes of scratch, the library has its own"):
        device.load(kit.file("two"), [next(entry for entry in ENTRIES if entry.name == "two")])
    with pytest.raises(HalError, match=r"no entry '(add|other)'|holds one entry"):
        device.load(kit.file("add"), [ADD, replace(ADD, name="other")])


def test_threads_of_a_device_give_the_same(kit: Kit, name: str) -> None:
    """A device of two cores computes what one of one core does, up to the order of sums."""
    results = []
    for cores in ((0,), (0, 1)):
        try:
            bench = Bench(driver(name).open(DeviceConfig("cpu", "cpu", cores)), kit)
        except HalError as problem:
            pytest.skip(str(problem))
        entry = bench.executable.entries["grind"]
        inputs, out = [bench.array(tensor, 3) for tensor in entry.inputs], bench.array(entry.outputs[0])
        inputs[0][...] = np.linalg.qr(np.random.default_rng(0).normal(size=inputs[0].shape))[0]
        assert bench.device.queue().submit(bench.bind(entry, inputs, [out])).wait()
        results.append(out.copy())
        bench.device.close()
    np.testing.assert_allclose(results[0], results[1], atol=1e-4)


@cache
def _preload(folder: Path) -> Path:
    source, target = Path(__file__).parent / "native" / "count_allocations.c", folder / "count.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(target), str(source)], check=True)
    return target


def test_steady_state_allocates_what_is_declared(
    kit: Kit, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With every allocation counted that could hold a tensor, in a process of its own."""

    preload = _preload(tmp_path_factory.getbasetemp())
    entry = next(entry for entry in kit.entries if entry.name == "grind")
    job = {
        "driver": name, "uri": "cpu", "artefact": str(kit.file("grind")),
        "inputs": [[t.name, t.dtype, t.shape] for t in entry.inputs],
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.hal.allocations", json.dumps(job)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, cwd=Path(__file__).parents[2],
        env={**os.environ, "LD_PRELOAD": str(preload)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counted = int(done.stdout.splitlines()[-1])
    assert (counted == 0) == driver(name).capabilities.allocation_free, f"{counted} allocations"
