"""What the drivers for libraries bind to what, and what they say of other shapes and of bad files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import DeviceConfig, HalError, StageError, driver
from polyrhythm.hal.binding import aligned_zeros

VECTOR = (4,)


def tensors(names: str, shape: tuple[int, ...] = VECTOR, dtype: str = "f32") -> tuple[Tensor, ...]:
    return tuple(Tensor(name, dtype, shape) for name in names.split())


class Loaded:
    """An entry of an artefact, bound to arrays of its own."""

    def __init__(
        self, name: str, artefact: Path, inputs: Sequence[Tensor], outputs: Sequence[Tensor]
    ) -> None:
        device = driver(name).open(DeviceConfig("cpu", "cpu"))
        executable = device.load(artefact, [Entry("main", tuple(inputs), tuple(outputs))])
        self.given, self.made = ([aligned_zeros(t) for t in group] for group in (inputs, outputs))
        given, made = ([device.buffer(array) for array in group] for group in (self.given, self.made))
        self._call, self._queue = executable.bind("main", given, made, None), device.queue()

    def __call__(self, *values: object) -> list[list[Any]]:
        """The outputs for these inputs."""
        for array, value in zip(self.given, values, strict=True):
            array[...] = value
        self._queue.submit(self._call).wait()
        return [array.tolist() for array in self.made]


def onnx_file(path: Path, nodes: Sequence[tuple[str, str, str]], **shapes: Sequence[object]) -> Path:
    """Nodes as (operation, inputs, outputs); `shapes` has the ports: outputs in capitals, `I` is of i64."""
    onnx = pytest.importorskip("onnx")
    made = [onnx.helper.make_node(kind, given.split(), out.split()) for kind, given, out in nodes]
    ports = {
        name: onnx.helper.make_tensor_value_info(
            name, onnx.TensorProto.INT64 if name == "I" else onnx.TensorProto.FLOAT, list(shape)
        )
        for name, shape in shapes.items()
    }
    inputs, outputs = ([p for n, p in ports.items() if n[0].isupper() == out] for out in (False, True))
    graph = onnx.helper.make_graph(made, "graph", inputs, outputs)
    versions = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=versions, ir_version=9), path)
    return path


def test_mnn_refuses_ports_that_only_their_order_would_tell_apart(tmp_path: Path) -> None:
    """MNN lists `current` first, whatever the graph says."""
    pytest.importorskip("MNN")
    source = onnx_file(
        tmp_path / "m.onnx", [("Sub", "target current", "Error")], target=VECTOR, current=VECTOR, Error=VECTOR
    )
    file = tmp_path / "m.mnn"
    given = [
        "mnnconvert",
        "-f",
        "ONNX",
        "--modelFile",
        str(source),
        "--MNNModel",
        str(file),
        "--bizCode",
        "test",
    ]
    subprocess.run(
        [sys.executable, "-c", f"import _tools; _tools.mnnconvert({given!r})"],
        check=True,
        capture_output=True,
    )
    assert Loaded("mnn", file, tensors("target current"), tensors("other"))(10, 1) == [[9.0] * 4]
    for names in ("target position", "goal position"):
        with pytest.raises(
            HalError, match=r"the artefact has current f32\[4\], target f32\[4\]: only names tell"
        ):
            Loaded("mnn", file, tensors(names), tensors("Error"))


class TestLiteRt:
    @pytest.fixture
    def subtraction(self, tmp_path: Path) -> Path:
        """Signatures call the outputs `q` = z - a and `b` = z + z, tensors `t2` and `t3`."""
        pytest.importorskip("ai_edge_litert")
        pytest.importorskip("flatbuffers")
        from .tflite_kit import TfliteFile

        f = TfliteFile()
        z, a = f.tensor("z", VECTOR), f.tensor("a", VECTOR)
        q, b = f.operation("SUB", [z, a], VECTOR), f.operation("ADD", [z, z], VECTOR)
        return f.write(tmp_path / "m.tflite", {"z": z, "a": a}, {"q": q, "b": b})

    @pytest.mark.parametrize("outputs", ["b q", "t3 t2"])
    def test_ports_have_the_names_of_signatures_and_of_tensors(self, subtraction: Path, outputs: str) -> None:
        run = Loaded("litert", subtraction, tensors("a z"), tensors(outputs))
        assert run(1, 10) == [[20.0] * 4, [9.0] * 4]

    def test_renamed_ports_are_found_by_place(self, subtraction: Path) -> None:
        run = Loaded("litert", subtraction, tensors("left right"), tensors("first second"))
        assert run(10, 1) == [[9.0] * 4, [20.0] * 4]

    def test_an_output_of_another_shape_is_told(self, tmp_path: Path, subtraction: Path) -> None:
        from .tflite_kit import TfliteFile

        f = TfliteFile()
        x, n = f.tensor("x", (1,)), f.tensor("n", (1,), "int32")
        y = f.operation("TILE", [x, n], VECTOR)
        file = f.write(tmp_path / "tile.tflite", {"x": x, "n": n}, {"y": y})
        run = Loaded("litert", file, tensors("x", (1,)) + tensors("n", (1,), "i32"), tensors("y"))
        assert run(7, 4) == [[7.0] * 4]
        with pytest.raises(StageError, match=r"output 'y' came out as \[1\], declared is \[4\]"):
            run(7, 1)
        assert run(8, 4) == [[8.0] * 4]


class TestOpenVino:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("openvino")

    def test_an_output_of_another_shape_is_told(self, tmp_path: Path) -> None:
        file = onnx_file(tmp_path / "m.onnx", [("NonZero", "x", "I")], x=VECTOR, I=(1, "n"))
        run = Loaded("openvino", file, tensors("x"), tensors("I", (1, 4), "i64"))
        assert run([1, 1, 1, 1]) == [[[0, 1, 2, 3]]]
        for given, made in (([0, 5, 0, 0], 1), ([0, 0, 0, 0], 0)):
            with pytest.raises(
                StageError, match=rf"output 'I' came out as \[1, {made}\], declared is \[1, 4\]"
            ):
                run(given)
        assert run([1, 1, 1, 1]) == [[[0, 1, 2, 3]]]

    def test_open_shapes_are_those_of_the_tensors_with_these_names(self, tmp_path: Path) -> None:
        file = onnx_file(
            tmp_path / "m.onnx", [("Neg", "x", "Y"), ("Abs", "a", "B")], x="n", a=("m", 2), Y="n", B=("m", 2)
        )
        run = Loaded(
            "openvino",
            file,
            tensors("a", (3, 2)) + tensors("x", (5,)),
            tensors("B", (3, 2)) + tensors("Y", (5,)),
        )
        assert run(-1, 2) == [[[1.0] * 2] * 3, [-2.0] * 5]

    def test_what_it_says_of_a_bad_file_is_told(self, tmp_path: Path) -> None:
        bad = tmp_path / "m.xml"
        bad.write_text('<net name="a"></net>')
        with pytest.raises(HalError, match="with the driver 'openvino': Unable to read the model"):
            Loaded("openvino", bad, tensors("x"), tensors("y"))


def test_tvm_tells_an_output_of_another_shape(tmp_path: Path) -> None:
    """It gives four numbers for zeros, which is when it is tried, and else as many as there are zeros."""
    pytest.importorskip("tvm")
    import onnx
    import tvm
    from tvm.relax.frontend.onnx import from_onnx

    nodes = [("Sub", "x x", "zero"), ("Equal", "x zero", "is"), ("NonZero", "is", "I")]
    source = onnx.load(onnx_file(tmp_path / "m.onnx", nodes, x=VECTOR, I=(1, "n")))
    function = from_onnx(source, keep_params_in_input=False)["main"].with_attr("global_symbol", "main")
    library = tmp_path / "m.so"
    target = tvm.target.Target({"kind": "llvm", "mcpu": "x86-64-v3"})
    tvm.compile(tvm.IRModule({"main": function}), target=target).export_library(library)
    run = Loaded("tvm", library, tensors("x"), tensors("I", (1, 4), "i64"))
    assert run(0) == [[[0, 1, 2, 3]]]
    with pytest.raises(StageError, match=r"output 0 came out as \[1, 1\], declared is \[1, 4\]"):
        run([1, 0, 1, 1])
