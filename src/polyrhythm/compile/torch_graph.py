"""What the PyTorch front end does with PyTorch itself: export, decompose, import into MLIR, run.

Weights are arguments, not constants of the graph: an entry is a function of a dictionary of tensors, and the
dictionary's names are those of the checkpoint.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from polyrhythm.bundle import Tensor
from polyrhythm.compile.lines import frames_of, last_line
from polyrhythm.compile.torch_decompositions import backward_table, table
from polyrhythm.compile.weights import dtype_name, numpy_dtype
from polyrhythm.manifest import Location

_DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
    "u8": torch.uint8, "bool": torch.bool,
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_DEFAULTS = ("layout", "pin_memory", "device")
_OTHERS = (Path(torch.__file__).parent,)
_FRAME = re.compile(r'File "([^"]+)", line (\d+), in')


class _Function(torch.nn.Module):  # type: ignore[misc]
    """`fn` as `torch.export` wants it."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self._fn = fn

    def forward(self, parameters: dict[str, torch.Tensor], *inputs: torch.Tensor) -> Any:
        return self._fn(parameters, *inputs)


def as_tensor(array: np.ndarray) -> torch.Tensor:
    """The array as a tensor over the same memory, where it may be written."""
    if dtype_name(array.dtype) == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array if array.flags.writeable else array.copy())


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """The tensor as an array over the same memory if it lies there densely."""
    dense = tensor.detach().cpu().contiguous()
    if dense.dtype == torch.bfloat16:
        return np.asarray(dense.view(torch.int16).numpy()).view(numpy_dtype("bf16"))
    return np.asarray(dense.numpy())


def described(tensor: torch.Tensor) -> tuple[str, tuple[int, ...]]:
    """(dtype, shape) as an `EntrySource` declares it; the dtype as PyTorch says it if bundles have none."""
    return _NAMES.get(tensor.dtype, str(tensor.dtype)), tuple(tensor.shape)


def export(
    fn: Callable[..., Any], parameters: Mapping[str, np.ndarray], inputs: Sequence[Tensor]
) -> tuple[torch.export.ExportedProgram, tuple[str, ...]]:
    """The function as a graph of operations that torch-mlir knows, without state; and what was changed."""
    weights = {name: as_tensor(parameters[name]) for name in sorted(parameters)}
    examples = tuple(torch.zeros(tensor.shape, dtype=_DTYPES[tensor.dtype]) for tensor in inputs)
    module: torch.nn.Module = _Function(fn)
    if getattr(fn, "differentiates", False):
        traced = make_fx(module, decomposition_table=backward_table(), tracing_mode="fake")
        module = traced(weights, *examples)
    changes: set[str] = set()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of PyTorch, about itself
        program = torch.export.export(module, (weights, *examples), strict=False)
        program = program.run_decompositions(table(changes.add))
    for node in program.graph.nodes:
        if node.op == "call_function":
            # Tracing writes defaults down that the importer takes for wishes.
            node.kwargs = {key: value for key, value in node.kwargs.items() if key not in _DEFAULTS}
            _check_shapes(node)
    program.graph_module.recompile()
    return program, tuple(sorted(changes))


class DependsOnValuesError(ValueError):
    """An operation whose result has as many elements as its inputs' values say; `where` if that is known."""

    def __init__(self, node: Any) -> None:
        super().__init__(f"the shape of what {node.target} gives depends on values")
        self.where = _last_frame(node.meta.get("stack_trace") or "")


def _check_shapes(node: Any) -> None:
    values = [v for v in pytree.tree_leaves(node.meta.get("val")) if isinstance(v, torch.Tensor)]
    if any(not isinstance(extent, int) for value in values for extent in value.shape):
        raise DependsOnValuesError(node)


def to_mlir(program: torch.export.ExportedProgram) -> str:
    """The program in the torch dialect, its function called ``main``."""
    from torch_mlir import fx
    from torch_mlir.compiler_utils import OutputType

    module = fx.export_and_import(
        program, output_type=OutputType.RAW, func_name="main", decomposition_table={}
    )
    return str(module.operation.get_asm(enable_debug_info=False))


def run(
    fn: Callable[..., Any],
    parameters: Mapping[str, np.ndarray],
    inputs: Sequence[Tensor],
    samples: Sequence[Mapping[str, np.ndarray]],
) -> list[tuple[np.ndarray, ...]]:
    """The function's outputs for each of `samples`."""
    weights = {name: as_tensor(array) for name, array in parameters.items()}
    found = []
    with torch.no_grad():
        for sample in samples:
            # Copies: a function may write into its inputs.
            values = fn(weights, *(as_tensor(sample[tensor.name]).clone() for tensor in inputs))
            found.append(tuple(as_array(value) for value in pytree.tree_leaves(values)))
    return found


def line_of(program: torch.export.ExportedProgram, operation: str) -> Location | None:
    """Which line of the model an operation (``aten.foo.default``) comes from."""
    wanted = operation.removesuffix(".default")
    for node in program.graph.nodes:
        if str(node.target).removesuffix(".default") == wanted:
            return _last_frame(node.meta.get("stack_trace") or "")
    return None


def place_of(error: BaseException) -> Location | None:
    """The last line outside of PyTorch and this package that an error passed through."""
    return last_line(frames_of(error), _OTHERS)


def _last_frame(trace: str) -> Location | None:
    return last_line([(file, int(line)) for file, line in _FRAME.findall(trace)], _OTHERS)
