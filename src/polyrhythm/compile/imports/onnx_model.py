"""An ONNX file as it is read, looked at before anything of it runs.

Nothing is believed: the file, its tensors and its external data have to be as large as they say, and external
data has to lie in the model's folder or below.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any

from polyrhythm.bundle import DTYPE_BYTES
from polyrhythm.bundle.lock import MAX_AXES as PORT_AXES
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.manifest.diagnostics import Diagnostic, printable, value_text

#: Protocol buffers hold no more.
MAX_FILE_BYTES = 2 << 30
MAX_WEIGHT_BYTES = 64 << 30
#: Axes of a tensor: as many as NumPy knows.
MAX_AXES = 32
#: No number of a file's place or length is larger.
MAX_OFFSET = 1 << 62
#: Beginnings of files that people take for ONNX.
_OTHERS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"version https://git-lfs", "a Git LFS pointer: run `git lfs pull` to get the model itself"),
    (0, b"PK\x03\x04", "a ZIP archive (PyTorch and Keras write such): export the model to ONNX"),
    (0, b"\x89HDF", "an HDF5 file (Keras writes such): export the model to ONNX"),
    (0, b"\x80\x02", "a Python pickle (PyTorch wrote such): export the model to ONNX"),
    (4, b"TFL3", "a TensorFlow Lite model"),
    (4, b"IREE", "an IREE module: name it in a manifest under `vmfb`"),
    (8, b"{", "a safetensors file: it holds weights and no graph"),
)
#: ONNX's number of each element type -> dtype.
_DTYPES = {
    1: "f32", 2: "u8", 3: "i8", 4: "u16", 5: "i16", 6: "i32", 7: "i64", 9: "bool", 10: "f16", 11: "f64",
    12: "u32", 13: "u64", 16: "bf16",
}  # fmt: skip
#: Fields of a tensor that hold its numbers if `raw_data` does not.
_FIELDS = ("float_data", "int32_data", "int64_data", "double_data", "uint64_data", "string_data")
_EXTERNAL = 1

Dims = tuple["int | str | None", ...]


@dataclass(frozen=True)
class Port:
    """An input or output of the graph. `dims` is None without any shape; an axis is a number, the name of a
    number that is not fixed, or None."""

    name: str
    dtype: str
    dims: Dims | None


@dataclass(frozen=True)
class Model:
    """A model that was looked at.

    Attributes:
        path: the file.
        proto: onnx.ModelProto, without the bytes of external data.
        data: files of external data, relative to the file's folder.
        inputs, outputs: those of the graph; initializers are no inputs.
        operations: nodes by kind, those of subgraphs too; ``domain.Kind`` for those that are not ONNX's own.
        weights, weight_bytes: number of tensors of weights, and their bytes.
        as_it_was: whether `proto` is what the file holds.
    """

    path: Path
    proto: Any
    data: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    operations: dict[str, int]
    weights: int
    weight_bytes: int
    as_it_was: bool = True

    @property
    def content(self) -> bytes:
        """The file, to the byte if it is as it was."""
        return self.path.read_bytes() if self.as_it_was else bytes(self.proto.SerializeToString())

    @property
    def versions(self) -> dict[str, str]:
        """What made the model, and the operator sets that it is written in."""
        made = {item.domain or "opset": str(item.version) for item in self.proto.opset_import}
        if name := printable(self.proto.producer_name)[:64]:
            made["producer"] = f"{name} {printable(self.proto.producer_version)[:64]}".strip()
        return made


def read(path: Path) -> Model:
    """Read an ONNX file.

    Raises:
        BuildError: PI001 to PI004, PI010, PI011, PI014, PI016, or PK014 without the package `onnx`.
    """
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError as error:
        raise missing_extra("onnx", "onnx", "importing an ONNX file") from error
    content = _content(path)
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(content)
    except DecodeError:
        raise _no_model(path, content) from None
    if not proto.HasField("graph") or not proto.graph.output or not proto.ir_version:
        raise _no_model(path, content)
    tensors = list(_tensors(proto.graph))
    sizes = [_size(path, tensor) for tensor in tensors]
    data = _external(path, tensors, sizes)
    _check(path, proto)
    constants = {tensor.name for tensor in proto.graph.initializer}
    problems: list[Diagnostic] = []
    taken = [value for value in proto.graph.input if value.name not in constants]
    ports = [[_port(path, value, problems) for value in values] for values in (taken, proto.graph.output)]
    if problems:
        raise BuildError(*problems)
    inputs, outputs = (tuple(port for port in group if port is not None) for group in ports)
    return Model(
        path, proto, data, inputs, outputs, _operations(proto), len(proto.graph.initializer), sum(sizes)
    )


def nodes(graph: Any) -> Iterator[Any]:
    """All nodes of a graph and of the graphs in it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from nodes(inner)


def _content(path: Path) -> bytes:
    allowed = "a readable .onnx file"
    try:
        if not path.is_file():
            what = "this is a directory" if path.is_dir() else "there is no such file"
            raise BuildError(problem("PI001", path, what, str(path), allowed, "give the path of the model"))
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            message = f"the file has {size} bytes"
            mend = "keep its weights in external data (`onnx.save(..., save_as_external_data=True)`)"
            raise BuildError(problem("PI004", path, message, size, f"at most {MAX_FILE_BYTES} bytes", mend))
        with path.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES)
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise BuildError(problem("PI001", path, message, None, allowed, "look at its rights")) from None


def _no_model(path: Path, content: bytes) -> BuildError:
    """What the file is instead, as far as its beginning tells."""
    for place, magic, what in _OTHERS:
        if content[place : place + len(magic)] == magic:
            return BuildError(problem("PI002", path, f"this is {what}", None, "an ONNX model"))
    if not content:
        return BuildError(problem("PI003", path, "the file is empty", 0, "an ONNX model", "get it again"))
    if content[0] == 0x08:  # an ONNX file begins with the version of its format
        message = f"the model ends in the middle, or is damaged ({len(content)} bytes)"
        return BuildError(problem("PI003", path, message, len(content), "a whole ONNX model", "get it again"))
    message = "this is not an ONNX model"
    return BuildError(problem("PI002", path, message, None, "an ONNX model", "export the model to ONNX"))


def _tensors(graph: Any) -> Iterator[Any]:
    """All constant tensors of a graph and of the graphs in it."""
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


def _size(path: Path, tensor: Any) -> int:
    """Bytes of a tensor, by its shape; it has to have as many.

    Raises:
        BuildError: PI003, PI004.
    """
    name, shape = repr(printable(tensor.name)), value_text(tensor.dims[:10])
    sound = len(tensor.dims) <= MAX_AXES and all(0 <= extent <= MAX_WEIGHT_BYTES for extent in tensor.dims)
    if not sound or (count := prod(tensor.dims)) > MAX_WEIGHT_BYTES:
        message = f"tensor {name} says it has the shape {shape}"
        allowed = f"at most {MAX_WEIGHT_BYTES} numbers, along at most {MAX_AXES} axes"
        raise BuildError(problem("PI004", path, message, shape, allowed, "get the model again"))
    dtype = _DTYPES.get(tensor.data_type)
    if dtype is None:  # text, or numbers of less than a byte, which are packed
        return len(tensor.raw_data)
    if tensor.data_location != _EXTERNAL and tensor.HasField("raw_data"):
        found, wanted = len(tensor.raw_data), DTYPE_BYTES[dtype] * count
        if found != wanted:
            message = f"tensor {name} has {found} bytes for the shape {shape}"
            raise BuildError(problem("PI003", path, message, found, f"{wanted} bytes", "get the model again"))
    elif tensor.data_location != _EXTERNAL and max(len(getattr(tensor, f)) for f in _FIELDS) > 2 * count:
        message = f"tensor {name} has more numbers than its shape {shape}"
        raise BuildError(problem("PI003", path, message, None, f"{count} numbers", "get the model again"))
    return int(DTYPE_BYTES[dtype] * count)


def _external(path: Path, tensors: list[Any], sizes: list[int]) -> tuple[str, ...]:
    """Files of external data, which lie below the model's folder and are long enough.

    Raises:
        BuildError: PI004, PI010, PI011, one for each file.
    """
    ends: dict[str, int] = {}
    for tensor, size in zip(tensors, sizes, strict=True):
        if tensor.data_location == _EXTERNAL:
            said = {item.key: item.value for item in tensor.external_data}
            try:
                begin, length = int(said.get("offset", 0)), int(said.get("length", size))
            except ValueError:
                begin, length = -1, 0
            location = said.get("location", "")
            if not (0 <= begin <= MAX_OFFSET and size <= length <= MAX_OFFSET):
                message = (
                    f"tensor {printable(tensor.name)!r} does not say where in {printable(location)} it is"
                )
                raise BuildError(
                    problem("PI003", path, message, None, f"{size} bytes", "get the model again")
                )
            ends[location] = max(ends.get(location, 0), begin + length)
    problems = [found for name, end in ends.items() if (found := _look(path, name, end)) is not None]
    if problems:
        raise BuildError(*problems)
    if (total := sum(ends.values())) > MAX_WEIGHT_BYTES:
        message, allowed = f"its external data has {total} bytes", f"at most {MAX_WEIGHT_BYTES} bytes"
        raise BuildError(problem("PI004", path, message, total, allowed))
    return tuple(sorted(ends))


def _look(path: Path, name: str, end: int) -> Diagnostic | None:
    """What is wrong with a file of external data that has to have `end` bytes."""
    pure, folder = PurePosixPath(name), path.parent.resolve()
    file = folder / name
    odd = not name or pure.is_absolute() or ".." in pure.parts or "\\" in name or not name.isprintable()
    if odd or not Path(os.path.realpath(file)).is_relative_to(folder):
        message = f"its weights are in {printable(name)!r}, which is not in the model's folder"
        allowed, mend = "a file beside the model or below", "do not use this model, or move the file there"
        return problem("PI011", path, message, printable(name), allowed, mend)
    if not file.is_file():
        message, mend = f"its weights are in {name!r}, which is missing", "put that file beside the model"
        return problem("PI010", path, message, name, "all files that the model was saved with", mend)
    if (size := file.stat().st_size) < end:
        message = f"its weights are in {name!r}, which has {size} bytes"
        return problem("PI010", path, message, size, f"{end} bytes", "get that file again")
    return None


def _check(path: Path, proto: Any) -> None:
    """Let ONNX's own checker look at it.

    Raises:
        BuildError: PI003, PI016.
    """
    import onnx

    try:
        onnx.checker.check_model(str(path))
    except (onnx.checker.ValidationError, UnicodeDecodeError, RuntimeError) as error:
        said = " ".join(str(error).split())[:300]
        if "No Op registered for" in said:
            kind = said.partition("No Op registered for ")[2].partition(" ")[0]
            message, mend = (
                f"there is no operation {kind!r} in ONNX: {said}",
                "export it with a known operator set",
            )
            raise BuildError(problem("PI016", path, message, kind, "operations of ONNX", mend)) from None
        message = f"the model contradicts itself: {said}"
        raise BuildError(
            problem("PI003", path, message, None, "a model that ONNX's checker accepts", "export it again")
        ) from None


def _port(path: Path, value: Any, problems: list[Diagnostic]) -> Port | None:
    kind = value.type.WhichOneof("value")
    dtype = _DTYPES.get(value.type.tensor_type.elem_type) if kind == "tensor_type" else None
    axes = len(value.type.tensor_type.shape.dim)
    if dtype is None or axes > PORT_AXES:
        what = (
            f"a {str(kind).removesuffix('_type')}"
            if kind != "tensor_type"
            else "of a type that bundles do not have"
            if dtype is None
            else f"a tensor of {axes} axes"
        )
        message = f"{printable(value.name)!r} is {what}"
        allowed = f"tensors of {', '.join(_DTYPES.values())}, of at most {PORT_AXES} axes"
        mend = "export the model without it"
        problems.append(problem("PI014", path, message, printable(value.name), allowed, mend))
        return None
    tensor = value.type.tensor_type
    dims: Dims | None = None
    if tensor.HasField("shape"):
        dims = tuple(
            dim.dim_value if dim.HasField("dim_value") else (dim.dim_param or None)
            for dim in tensor.shape.dim
        )
    return Port(value.name, dtype, dims)


def _operations(proto: Any) -> dict[str, int]:
    graphs = [proto.graph, *proto.functions]
    found: Counter[str] = Counter()
    for graph in graphs:
        for node in nodes(graph):
            own = node.domain in ("", "ai.onnx")
            found[node.op_type if own else f"{node.domain}.{node.op_type}"] += 1
    return dict(sorted(found.items()))
