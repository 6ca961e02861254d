"""Fixing what a model leaves open: every axis becomes a number, every name one that links can carry."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle import DTYPE_BYTES, Tensor
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.gate import TOLERANCE as FLOATS
from polyrhythm.compile.imports.onnx_model import Dims, Model, Port
from polyrhythm.compile.weights import numpy_dtype
from polyrhythm.manifest import Diagnostic, nearest
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.manifest.values import MAX_NAME_LENGTH

MAX_TENSOR_BYTES = 4 << 30
Shapes = Mapping[str, Sequence[int]]
_ALLOWED = "NAME=1,3,224,224 with numbers above 0"


@dataclass(frozen=True)
class Fixed:
    """A model all of whose inputs have a fixed shape.

    Attributes:
        model: the model with that written into it; its outputs may still be open.
        inputs: what a call takes, under names that links can carry.
        changed: what was done, a line each.
    """

    model: Model
    inputs: tuple[Tensor, ...]
    changed: tuple[str, ...]


def parse(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The shapes of ``NAME=1,3,224,224`` texts; ``NAME=`` is a scalar.

    Raises:
        BuildError: PI012.
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, equals, numbers = text.rpartition("=")
        parts = [part.strip() for part in numbers.split(",")] if numbers.strip() else []
        sound = all(
            part.isascii() and part.isdecimal() and len(part) < 19 and int(part) > 0 for part in parts
        )
        if not equals or not name or not sound:
            message = f"{printable(text)!r} is not a shape"
            raise BuildError(problem("PI012", "--shape", message, printable(text), _ALLOWED, "write it so"))
        found[name] = tuple(map(int, parts))
    return found


def parse_numbers(texts: Iterable[str], option: str) -> dict[str, float]:
    """The numbers of ``NAME=16000`` texts, given with an option.

    Raises:
        BuildError: PI012.
    """
    found: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            name = ""
        if not name:
            message, allowed = f"{printable(text)!r} is not a number for an input", "NAME=16000"
            raise BuildError(
                problem("PI012", f"--{option}", message, printable(text), allowed, "write it so")
            )
    return found


def fix(model: Model, given: Shapes) -> Fixed:
    """Give every axis of every input a number: the one given, the one that the same name has elsewhere, or 1
    for a first axis that nobody speaks of (the batch).

    Raises:
        BuildError: PI012, PI013, PI004; all that there are.
    """
    problems = unknown(model, given, "shape")
    symbols: dict[str, int] = {}
    for port in model.inputs:
        problems += _learn(model.path, port, given.get(port.name), symbols)
    if problems:
        raise BuildError(*problems)
    for port in model.inputs:
        if port.name not in given and port.dims and isinstance(port.dims[0], str):
            symbols.setdefault(port.dims[0], 1)
    changed: list[str] = []
    tensors, names = [], _Names()
    for port in model.inputs:
        shape = _resolved(port, given.get(port.name), symbols)
        if any(map(_unset, shape)):
            problems.append(_open(model.path, port, shape))
        elif (nbytes := DTYPE_BYTES[port.dtype] * math.prod(map(int, shape))) > MAX_TENSOR_BYTES:  # type: ignore[arg-type]
            message, allowed = (
                f"input {port.name!r} would have {nbytes} bytes",
                f"at most {MAX_TENSOR_BYTES} bytes",
            )
            problems.append(problem("PI004", model.path, message, nbytes, allowed, "give a smaller --shape"))
        else:
            tensor = Tensor(names.of(port.name), port.dtype, tuple(map(int, shape)))  # type: ignore[arg-type]
            tensors.append(tensor)
            if tensor.shape != port.dims:
                changed.append(f"input {printable(port.name)} is {tensor}, was {_text(port)}")
            changed += _renamed("input", port.name, tensor.name)
    if problems:
        raise BuildError(*problems)
    shapes = {port.name: tensor.shape for port, tensor in zip(model.inputs, tensors, strict=True)}
    same = all(shapes[port.name] == port.dims for port in model.inputs)
    return Fixed(model if same else _written(model, shapes, symbols), tuple(tensors), tuple(changed))


def outputs(fixed: Fixed, shapes: Sequence[Sequence[int]]) -> tuple[tuple[Tensor, ...], tuple[str, ...]]:
    """What a call gives, with the shapes that calls gave, and what was renamed."""
    names, changed, tensors = _Names(tensor.name for tensor in fixed.inputs), [], []
    for port, shape in zip(fixed.model.outputs, shapes, strict=True):
        tensor = Tensor(names.of(port.name), port.dtype, tuple(shape))
        changed += _renamed("output", port.name, tensor.name)
        tensors.append(tensor)
    return tuple(tensors), tuple(changed)


class _Names:
    """Names that links can carry, each once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def of(self, name: str) -> str:
        """The name, with what links cannot carry replaced."""
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).lstrip(".-")[: MAX_NAME_LENGTH - 4] or "tensor"
        found, count = plain, 1
        while found in self._taken:
            count += 1
            found = f"{plain}_{count}"
        self._taken.add(found)
        return found


def _renamed(kind: str, old: str, new: str) -> list[str]:
    return [] if old == new else [f"{kind} {printable(old)} is called {new}"]


def unknown(model: Model, given: Iterable[str], option: str) -> list[Diagnostic]:
    """Names given with an option that no input has."""
    known = [port.name for port in model.inputs]
    found = []
    for name in given:
        if name not in known:
            message, near = f"the model has no input {printable(name)!r}", nearest(name, known)
            mend = f"did you mean `--{option} {near}=...`?" if near else "name one of its inputs"
            allowed = ", ".join(map(printable, known)) or "none"
            found.append(problem("PI012", model.path, message, printable(name), allowed, mend))
    return found


def misfits(model: Model, given: Mapping[str, float], option: str) -> list[Diagnostic]:
    """Numbers given with an option for inputs that there are not, or that do not hold them."""
    found = unknown(model, given, option)
    for port in model.inputs:
        if port.name in given and not _holds(port.dtype, number := given[port.name]):
            message = f"input {printable(port.name)!r} is {port.dtype}, and {number!r} was given"
            mend = f"`--{option} {printable(port.name)}=...` with such a number"
            found.append(problem("PI012", model.path, message, repr(number), _numbers(port.dtype), mend))
    return found


def _holds(dtype: str, number: float) -> bool:
    """Whether a tensor can be full of a number, which is then neither cut off nor infinite."""
    if dtype in FLOATS:
        with np.errstate(over="ignore"):
            kept = np.isfinite(np.float64(number).astype(numpy_dtype(dtype)))
        return bool(kept) or math.isinf(number)
    low, high = _range(dtype)
    return low <= number <= high and number == int(number)


def _numbers(dtype: str) -> str:
    if dtype in FLOATS:
        return f"a number that {dtype} holds"
    return "a whole number from {} to {}".format(*_range(dtype))


def _range(dtype: str) -> tuple[int, int]:
    if dtype == "bool":
        return 0, 1
    known = np.iinfo(numpy_dtype(dtype))
    return int(known.min), int(known.max)


def _learn(path: Path, port: Port, given: Sequence[int] | None, symbols: dict[str, int]) -> list[Diagnostic]:
    """Compare a shape that was given with the model's, and take note of what its named axes are."""
    if given is None or port.dims is None:
        return []
    if len(given) != len(port.dims):
        message = f"input {port.name!r} has {len(port.dims)} axes, and {len(given)} were given"
        return [problem("PI012", path, message, list(given), _text(port), f"give {len(port.dims)} numbers")]
    found = []
    for axis, (dim, number) in enumerate(zip(port.dims, given, strict=True)):
        if isinstance(dim, int) and not _unset(dim) and dim != number:
            message = f"axis {axis} of input {port.name!r} is {dim} in the model, and {number} was given"
            found.append(problem("PI012", path, message, list(given), _text(port), f"give {dim} there"))
        elif isinstance(dim, str) and symbols.setdefault(dim, number) != number:
            other, mend = symbols[dim], "give the same number twice"
            message = f"axis {axis} of input {port.name!r} is {dim!r}, given as {other} and as {number}"
            found.append(problem("PI012", path, message, number, str(other), mend))
    return found


def _resolved(port: Port, given: Sequence[int] | None, symbols: Mapping[str, int]) -> tuple[int | None, ...]:
    if given is not None:
        return tuple(given)
    if port.dims is None:
        return (None,)
    return tuple(
        dim if isinstance(dim, int) else symbols.get(dim or "", 1 if axis == 0 else None)
        for axis, dim in enumerate(port.dims)
    )


def _unset(extent: int | None) -> bool:
    """Whether an axis has no length; some exporters write 0 or -1 for one that is open."""
    return extent is None or extent < 1


def _open(path: Path, port: Port, shape: tuple[int | None, ...]) -> Diagnostic:
    name, known = printable(port.name), ",".join("?" if _unset(extent) else str(extent) for extent in shape)
    return problem(
        "PI013", path, f"input {port.name!r} has no fixed shape: it is {_text(port)}", _text(port),
        "a number for every axis", f"give it: `--shape {name}={known}` with numbers for the `?`",
    )  # fmt: skip


def _text(port: Port) -> str:
    if port.dims is None:
        return f"{port.dtype} of any shape"
    dims = ", ".join("?" if dim is None else str(dim) for dim in port.dims)
    return printable(f"{port.dtype}[{dims}]")


def _written(model: Model, shapes: Mapping[str, tuple[int, ...]], symbols: Mapping[str, int]) -> Model:
    """The model with these shapes in it."""
    import onnx

    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    numbers = dict(symbols)
    for port in model.inputs:
        for dim, number in zip(port.dims or (), shapes[port.name], strict=False):
            if isinstance(dim, str):
                numbers.setdefault(dim, number)
    for value in proto.graph.input:
        if value.name in shapes:
            set_shape(value, shapes[value.name])
    for value in (*proto.graph.output, *proto.graph.value_info):
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in numbers:
                dim.dim_value = numbers[dim.dim_param]
    inputs = tuple(replace(port, dims=shapes[port.name]) for port in model.inputs)
    return replace(model, proto=proto, inputs=inputs, as_it_was=False)


def set_shape(value: Any, shape: Sequence[int]) -> None:
    """Write a fixed shape into an onnx.ValueInfoProto."""
    dims = value.type.tensor_type.shape
    dims.ClearField("dim")
    for extent in shape:
        dims.dim.add().dim_value = extent


def with_outputs(model: Model, shapes: Sequence[Sequence[int]]) -> Model:
    """The model with the shapes of its outputs written into it; itself if they stand there."""
    import onnx

    if all(port.dims == tuple(shape) for port, shape in zip(model.outputs, shapes, strict=True)):
        return model

    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    for value, shape in zip(proto.graph.output, shapes, strict=True):
        set_shape(value, shape)
    dims: list[Dims] = [tuple(shape) for shape in shapes]
    changed = tuple(replace(port, dims=d) for port, d in zip(model.outputs, dims, strict=True))
    return replace(model, proto=proto, outputs=changed, as_it_was=False)
