"""How a model gets to each driver, for `drivers.py`: what is loaded, made from the model or its ONNX file.

Converters are programs of other people; each runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from platform import machine

import numpy as np
from driver_models import Jax, Model

from polyrhythm.bundle.signature import Entry

CONVERTER_S = 300


class NoRoute(Exception):
    """This model does not get to that driver; the message says why."""


@dataclass(frozen=True)
class Subject:
    """What is measured: a model by its ONNX file, and as a function if it is one of ours."""

    name: str
    onnx: Path
    entry: Entry
    sample: Mapping[str, np.ndarray]
    wanted: Sequence[np.ndarray]
    model: Model | None = None


@dataclass(frozen=True)
class Artefact:
    """What a driver loads."""

    path: Path
    entry: Entry
    parameters: tuple[Path, ...] = ()
    more: tuple[Path, ...] = ()

    @property
    def nbytes(self) -> int:
        """Size of all its files."""
        return sum(file.stat().st_size for file in (self.path, *self.parameters, *self.more))


def iree(subject: Subject, place: Path) -> Artefact:
    """JAX to StableHLO to machine code, as `polyrhythm build` does it."""
    text, weights, entry = stablehlo(subject, place)
    from polyrhythm.compile.machine import compile_here

    made = compile_here(text, where=subject.name)
    return Artefact(
        made.path, replace(entry, scratch_bytes=made.compiled.scratch_bytes[entry.name]), (weights,)
    )


def static(subject: Subject, place: Path) -> Artefact:
    """The same, planned."""
    text, weights, entry = stablehlo(subject, place)
    from polyrhythm.compile.machine import plan_here

    made = plan_here(text, where=subject.name)
    if refusal := made.refused.get(entry.name):
        raise NoRoute(f"it can't be planned: {refusal}")
    return Artefact(
        made.path, replace(entry, scratch_bytes=made.scratch_bytes[entry.name]), (weights,), (made.library,)
    )


def stablehlo(subject: Subject, place: Path) -> tuple[str, Path, Entry]:
    """Portable source, weights, and the entry without its scratch."""
    if subject.model is None:
        raise NoRoute("an ONNX file gets to it through `polyrhythm import onnx`, which compiles few of them")
    from polyrhythm.compile.jax_frontend import lower
    from polyrhythm.compile.policy import EntrySource
    from polyrhythm.compile.source import merge
    from polyrhythm.compile.weights import write_weights

    model, operations = subject.model, Jax()

    def function(weights: Mapping[str, object], *inputs: object) -> tuple[object]:
        return (model.function(operations, weights, *map(operations.picture, inputs)),)

    source = EntrySource(
        function, inputs={name: ("f32", shape) for name, shape in model.inputs.items()}, outputs=("y",)
    )
    arrays = dict(sorted(model.weights.items()))
    lowered = {subject.entry.name: lower(source, arrays, subject.name)}
    file = place / "weights.safetensors"
    write_weights(arrays, file)
    return merge(lowered, arrays, where=subject.name).text, file, subject.entry


def onnx(subject: Subject, place: Path) -> Artefact:
    """The file as it is."""
    return Artefact(subject.onnx, subject.entry)


def openvino(subject: Subject, place: Path) -> Artefact:
    """Its own converter."""
    import openvino as ov

    path = place / "model.xml"
    ov.save_model(ov.Core().read_model(subject.onnx), path, compress_to_fp16=False)
    return Artefact(path, subject.entry, (path.with_suffix(".bin"),))


def litert(subject: Subject, place: Path) -> Artefact:
    """Written from the model: converters need TensorFlow or PyTorch."""
    if subject.model is None:
        raise NoRoute("an ONNX file gets to it through a converter of one's own (onnx2tf)")
    from driver_tflite import write_tflite

    return Artefact(write_tflite(subject.model, place / "model.tflite"), subject.entry)


def ncnn(subject: Subject, place: Path) -> Artefact:
    """pnnx: its program alone, the Python package around it wants PyTorch."""
    spec = find_spec("pnnx")
    if spec is None or spec.origin is None:
        raise NoRoute("its converter is not installed: pip install --no-deps pnnx")
    shapes = ",".join(f"{list(tensor.shape)}f32".replace(" ", "") for tensor in subject.entry.inputs)
    param, weights = place / "model.ncnn.param", place / "model.ncnn.bin"
    _convert(
        place, Path(spec.origin).with_name("pnnx"), subject.onnx, f"inputshape={shapes}", "fp16=0",
        f"ncnnparam={param}", f"ncnnbin={weights}", f"ncnnpy={place / 'ncnn.py'}",
    )  # fmt: skip
    if not param.is_file():
        raise NoRoute("pnnx wrote nothing")
    return Artefact(param, subject.entry, (weights,))


def mnn(subject: Subject, place: Path) -> Artefact:
    """Its own converter, but not by its program, which tells its makers about every use and hangs offline."""
    path = place / "model.mnn"
    given = ["mnnconvert", "-f", "ONNX", "--modelFile", str(subject.onnx), "--MNNModel", str(path)]
    code = f"import _tools; _tools.mnnconvert({[*given, '--bizCode', 'bench']!r})"
    _convert(place, sys.executable, "-c", code)
    if not path.is_file():
        raise NoRoute("mnnconvert wrote nothing")
    return Artefact(path, subject.entry)


def tvm(subject: Subject, place: Path) -> Artefact:
    """Its own converter and compiler, with its usual passes: nothing is tuned."""
    import onnx as onnx_package
    from tvm import compile as compile_module
    from tvm.relax.frontend.onnx import from_onnx
    from tvm.target import Target

    path = place / "model.so"
    module = from_onnx(onnx_package.load(str(subject.onnx)), keep_params_in_input=False)
    target = Target({"kind": "llvm", "mcpu": "x86-64-v3" if machine() == "x86_64" else "generic"})
    compile_module(module, target=target).export_library(str(path))
    return Artefact(path, subject.entry)


#: Driver -> how a model gets there.
ROUTES: Mapping[str, Callable[[Subject, Path], Artefact]] = {
    "iree": iree,
    "static": static,
    "onnxruntime": onnx,
    "openvino": openvino,
    "litert": litert,
    "ncnn": ncnn,
    "mnn": mnn,
    "tvm": tvm,
}


def _convert(place: Path, *command: object) -> None:
    """Run a converter; what it says is its own, but for how it ends."""
    with (place / "converter.log").open("w+") as log:
        try:
            done = subprocess.run(
                [str(part) for part in command], cwd=place, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                timeout=CONVERTER_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NoRoute(f"its converter took more than {CONVERTER_S} s") from None
        if done.returncode:
            log.seek(0)
            last = next((line.strip() for line in reversed(log.read().splitlines()) if line.strip()), "")
            raise NoRoute(f"its converter failed: {last[:160]}")
