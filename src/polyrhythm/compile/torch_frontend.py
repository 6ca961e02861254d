"""The PyTorch front end: functions of a dictionary of tensors become StableHLO, and give reference values.

The way is `torch.export`, our decompositions (`torch_decompositions`), torch-mlir's importer, and then, in a
process of its own with limits on memory and time, torch-mlir's lowering to StableHLO (`torch_lowering`): that
part is C++, and what it cannot do it may answer with a crash.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.compile import torch_lowering
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.iree_compiler import limited
from polyrhythm.compile.policy import EntrySource
from polyrhythm.compile.source import Lowered
from polyrhythm.manifest import Location

TIMEOUT_S = 600.0
_SHOWN = 600
#: What torch-mlir adds to its words: where in its own text, and which text.
_PLACE, _CODE = re.compile(r'^"[^"]*":\d+:\d+: '), re.compile(r': (?=%|")')
_LEGALIZE = re.compile(r"failed to legalize operation '([\w.]+)'")
_OPERATION = re.compile(r"torch\.operator ?\"([\w.]+)\"|\"?torch\.(aten\.[\w.]+)|torch\.(prims?\.[\w.]+)")


def _torch() -> Any:
    try:
        import torch
        import torch_mlir  # noqa: F401
    except ImportError as error:
        package = "torch-mlir" if (error.name or "").startswith("torch_mlir") else "torch"
        raise missing_extra(package, "torch", "building from PyTorch") from error
    return torch


def versions() -> dict[str, str]:
    """The versions of what lowers, for the lock."""
    torch = _torch()
    return {"torch": torch.__version__, "torch-mlir": version("torch-mlir")}


def check_parameters(parameters: Mapping[str, np.ndarray], where: str) -> None:
    """PyTorch takes every array that can be stored as it is."""


def lower(entry: EntrySource, parameters: Mapping[str, np.ndarray], path: str) -> Lowered:
    """The entry as StableHLO, with its weights as leading arguments in the order of their names.

    Raises:
        BuildError: PI052, what PyTorch or torch-mlir cannot do; PI053, what needs too much of the machine.
    """
    _torch()
    from polyrhythm.compile import torch_graph

    try:
        program, changes = torch_graph.export(_function(entry), parameters, entry.tensors)
    except Exception as error:
        raise BuildError(_not_exported(error, path)) from error
    text = to_stablehlo(torch_graph.to_mlir(program), program, path)
    return Lowered(
        text, sorted(parameters), entry.tensors, tuple(entry.outputs), frozenset(entry.consumed),
        entry.guidance, changes,
    )  # fmt: skip


def reference(
    entry: EntrySource, parameters: Mapping[str, np.ndarray], samples: Sequence[Mapping[str, np.ndarray]]
) -> list[tuple[np.ndarray, ...]]:
    """The entry's outputs for each of `samples` (arrays by input name), computed by PyTorch on the CPU."""
    _torch()
    from polyrhythm.compile import torch_graph

    return torch_graph.run(_function(entry), parameters, entry.tensors, samples)


def _function(entry: EntrySource) -> Callable[..., Any]:
    """The entry's function, which returns a mapping with the names of `outputs` in their order.

    Other keys are renamed in their order, as `torch_source.entry` promises.
    """

    @wraps(entry.fn)
    def function(*arguments: Any) -> Any:
        result = entry.fn(*arguments)
        if isinstance(result, Mapping) and set(result) == set(entry.outputs):
            return tuple(result[name] for name in entry.outputs)
        return result

    return function


def to_stablehlo(module: str, program: Any, path: str, timeout_s: float = TIMEOUT_S) -> str:
    """The StableHLO of a module in the torch dialect, made in a process of its own.

    Raises:
        BuildError: PI052, naming the operation; PI053.
    """
    with tempfile.TemporaryDirectory(prefix="polyrhythm-") as name:
        Path(name, "torch.mlir").write_text(module, encoding="utf-8")
        # As a file, and not as a module of this package: that takes a second to import.
        command = [sys.executable, "-P", torch_lowering.__file__, "torch.mlir", "stablehlo.mlir"]
        try:
            status, _, errors = limited(command, Path(name), timeout_s)
        except subprocess.TimeoutExpired:
            message = f"its lowering to StableHLO was stopped after {timeout_s:g} s"
            allowed, mend = f"at most {timeout_s:g} s", "make the model smaller, or loop instead of unrolling"
            raise BuildError(problem("PI053", "policy", message, None, allowed, mend, path=path)) from None
        output = Path(name, "stablehlo.mlir")
        if status == 0 and output.is_file():
            return output.read_text(encoding="utf-8")
    if "bad_alloc" in errors or "MemoryError" in errors:
        message = "its lowering to StableHLO needs more memory than it may take"
        allowed, mend = "three quarters of this machine's memory", "make the model smaller"
        raise BuildError(problem("PI053", "policy", message, None, allowed, mend, path=path))
    raise BuildError(_not_lowered(status, errors, program, path))


def _not_exported(error: Exception, path: str) -> Any:
    from polyrhythm.compile import torch_graph

    words = str(error).strip().split("\n\n")[0]
    message = f"PyTorch cannot export it: {type(error).__name__}: {words}"[:_SHOWN]
    where = getattr(error, "where", None) or torch_graph.place_of(error) or Location("policy", path=path)
    return problem(
        "PI052", where, message, None, "a pure function of static shapes, without branches on values",
        "try it under `torch.export.export`",
    )  # fmt: skip


def _not_lowered(status: int, errors: str, program: Any, path: str) -> Any:
    from polyrhythm.compile import torch_graph

    name, reason = operation_of(errors)
    where = (name and torch_graph.line_of(program, name)) or Location("policy", path=path)
    if name is None:
        ended = f"signal {-status}" if status < 0 else f"status {status}"
        message = f"torch-mlir ends with {ended}: {reason or 'without a word'}"
    else:
        message = f"torch-mlir has no way from {name} to StableHLO: {reason}"
    mend = "write it with other operations, or export it to ONNX and `polyrhythm import onnx`"
    return problem("PI052", where, message[:_SHOWN], name, "operations that torch-mlir lowers", mend)


def operation_of(errors: str) -> tuple[str | None, str]:
    """Which operation torch-mlir complains of (``aten.foo.default``), and its words."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    first = next((i for i, line in enumerate(lines) if "error:" in line), None)
    if first is None:
        return None, lines[-1] if lines else ""
    reason = _PLACE.sub("", lines[first].partition("error:")[2].strip())
    reason = _CODE.split(reason, maxsplit=1)[0]
    known = _LEGALIZE.search(reason)
    if known and known[1] != "torch.operator":
        return known[1].removeprefix("torch."), reason
    found = _OPERATION.search(" ".join(lines[first:]))
    name = next((group for group in found.groups() if group), None) if found else None
    return (name.removeprefix("torch.") if name else None), reason
