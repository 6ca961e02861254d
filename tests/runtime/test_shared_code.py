"""Code is loaded once for all who call it in the same way, and apart for those who do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import BundleError, Lock, LockedEntry, LockedModule, LockedParameters, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.compile import lock_existing
from polyrhythm.runtime import Runtime
from tests.runtime.test_contexts import planned

DEVICE = "devices:\n  cpu: { driver: %s }\norchestration:\n  modules:\n"
MODULE = "  - { id: %s, artefact: %s.onnx, rate_hz: 10, cost_ms: 1 }\n"


def bundle(root: Path, **entries: str) -> Path:
    """Modules of the same content for a null device, by the name of their one entry."""
    root.mkdir()
    manifest = DEVICE % '"null", uri: immediate' + "".join(MODULE % (name, name) for name in entries)
    (root / "manifest.yaml").write_text(manifest)
    tensor, modules = LockedTensor(name="x", dtype="f32", shape=[4]), {}
    for name, entry in entries.items():
        (root / f"{name}.onnx").write_bytes(b"a graph")
        modules[f"{name}.onnx"] = LockedModule(
            format="onnx",
            parameters=LockedParameters(count=0, size=0),
            signatures={entry: LockedEntry(inputs=[], outputs=[tensor])},
        )
    write_lock(Lock(files={p.name: locked_file(p) for p in root.iterdir()}, modules=modules), root)
    return root


def test_the_same_code_is_loaded_once_for_the_same_entries(tmp_path: Path) -> None:
    plan = planned(bundle(tmp_path / "b", eye="main", ear="main", hand="act"))
    with Runtime(plan) as runtime:
        loaded = runtime.storage._executables
        assert loaded["eye"] is loaded["ear"]
        assert [list(loaded[name].entries) for name in ("eye", "hand")] == [["main"], ["act"]]


def test_a_bundle_that_calls_the_same_code_by_another_name_is_loaded_beside(tmp_path: Path) -> None:
    with Runtime(planned(bundle(tmp_path / "a", eye="main"))) as runtime:
        context = runtime.load(planned(bundle(tmp_path / "b", eye="act")))
        assert (context.wait("loaded"), context.reason) == ("loaded", "")


def test_code_that_has_changed_since_the_check_is_not_loaded(tmp_path: Path) -> None:
    good = planned(bundle(tmp_path / "good", eye="main"))
    changed = planned(bundle(tmp_path / "changed", eye="main"))
    file = changed.bundle.root / "eye.onnx"
    file.write_bytes(b"a trap!")  # as many bytes
    with pytest.raises(BundleError, match=f"{file}: error PB007: the file has changed"):
        Runtime(changed)
    with Runtime(good) as runtime:
        context = runtime.load(changed)
        assert context.wait("loaded") == "failed"
        assert f"{file}: error PB007" in context.reason


def times(root: Path, factor: float) -> Path:
    """A graph that multiplies by what lies in a file beside it."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    root.mkdir()
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "xy")
    weights = onnx.numpy_helper.from_array(np.full(4, factor, np.float32), "w")
    node = onnx.helper.make_node("Mul", ["x", "w"], ["y"])
    graph = onnx.helper.make_graph([node], "g", [x], [y], [weights])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    options = {"save_as_external_data": True, "location": "eye.data", "size_threshold": 0}
    onnx.save(model, str(root / "eye.onnx"), **options)
    (root / "manifest.yaml").write_text(DEVICE % "onnxruntime, uri: cpu" + MODULE % ("eye", "eye"))
    tensors = [Tensor(name, "f32", (4,)) for name in "xy"]
    lock_existing(root, entries={"eye.onnx": [Entry("main", tuple(tensors[:1]), tuple(tensors[1:]))]})
    return root


def test_what_a_library_reads_beside_its_file_is_part_of_the_code(tmp_path: Path) -> None:
    one, two = (planned(times(tmp_path / str(factor), factor)) for factor in (1, 2))
    with Runtime(one) as runtime:
        context = runtime.load(two)
        assert (context.wait("loaded"), context.reason) == ("loaded", "")
        runtime.switch(context)
        own = runtime.storage.own
        own["eye", "x"][:] = 3
        runtime.run(seconds=0.15, lockstep=True)
        assert own["eye", "0:y"].tolist() == [6.0] * 4
    (file := two.bundle.root / "eye.data").write_bytes(bytes(16))
    with pytest.raises(BundleError, match=f"{file}: error PB007: the file has changed"):
        Runtime(two)


def test_each_module_has_the_order_of_its_own_entry(tmp_path: Path) -> None:
    """Two modules of one graph, a - b, the inputs of which they list in another order."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    a, b, c = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "abc")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Sub", ["a", "b"], ["c"])], "g", [a, b], [c])
    opset = onnx.helper.make_opsetid("", 17)
    model = onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8)
    names = ("left", "right")
    for name in names:
        onnx.save(model, tmp_path / f"{name}.onnx")
    modules = "".join(MODULE % (name, name) for name in names)
    (tmp_path / "manifest.yaml").write_text(DEVICE % "onnxruntime, uri: cpu" + modules)
    x, y, z = (Tensor(name, "f32", (4,)) for name in "abc")
    entries = {"left.onnx": [Entry("main", (x, y), (z,))], "right.onnx": [Entry("main", (y, x), (z,))]}
    lock_existing(tmp_path, entries=entries)
    with Runtime(planned(tmp_path)) as runtime:
        own = runtime.storage.own
        for name in names:
            own[name, "a"][:], own[name, "b"][:] = 5, 2
        runtime.run(seconds=0.15, lockstep=True)
        assert [own[name, "0:c"].tolist() for name in names] == [[3.0] * 4] * 2
