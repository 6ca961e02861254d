"""The JAX front end: pure functions of a dictionary of arrays become StableHLO, and give reference values.

The only file that imports JAX.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.lines import frames_of, last_line
from polyrhythm.compile.policy import EntrySource
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.weights import numpy_dtype
from polyrhythm.manifest import Diagnostic

#: Custom calls that the compiler makes operations of; all others are functions that JAX has in its process.
_COMPILED = ("ApproxTopK", "ProductOfElementaryHouseholderReflectors", "shape_assertion")
_OPERATION = re.compile(r'"([^":]*)')


def _jax() -> Any:
    try:
        import jax
    except ImportError as error:
        raise missing_extra("jax", "jax", "building from JAX functions") from error
    return jax


def versions() -> dict[str, str]:
    """The framework's versions, for the lock."""
    jax = _jax()
    return {"jax": jax.__version__}


def check_parameters(parameters: Mapping[str, np.ndarray], where: str) -> None:
    """Refuse weights that JAX would change: ``float64`` becomes ``float32`` unless 64 bits are enabled.

    Raises:
        BuildError: PK006 for each.
    """
    jax = _jax()
    allowed, mend = "at most 32 bits, unless `jax_enable_x64` is set", "convert it, or enable 64 bits"
    found = [
        problem(
            "PK006",
            "policy",
            f"JAX would change parameter {name!r} from {array.dtype}",
            str(array.dtype),
            allowed,
            mend,
            path=f"{where}.{name}",
        )
        for name, array in parameters.items()
        if jax.dtypes.canonicalize_dtype(array.dtype) != array.dtype
    ]
    if found:
        raise BuildError(*found)


def lower(entry: EntrySource, parameters: Mapping[str, np.ndarray], path: str) -> Lowered:
    """The entry as StableHLO, with its weights as leading arguments in the order of their names.

    Raises:
        BuildError: PK005, it returns a mapping that `outputs` does not name; PK010 with what JAX raised, or
            with the operations that are calls of functions of this process.
    """
    jax = _jax()
    tensors = entry.tensors
    weights = {name: jax.ShapeDtypeStruct(array.shape, array.dtype) for name, array in parameters.items()}
    inputs = [jax.ShapeDtypeStruct(tensor.shape, numpy_dtype(tensor.dtype)) for tensor in tensors]
    try:
        traced = jax.jit(_function(entry, path), keep_unused=True).trace(weights, *inputs)
        lowered = traced.lower(lowering_platforms=("cpu",))
        module = lowered.compiler_ir("stablehlo").operation
        text = module.get_asm(enable_debug_info=False)
    except BuildError:
        raise
    except Exception as error:
        # JAX and what is installed beside it raise where somebody else's line is wrong.
        line = last_line(frames_of(error), [Path(jax.__file__).parents[1]], path)
        raise BuildError(
            problem(
                "PK010",
                line or "policy",
                f"JAX cannot lower it: {type(error).__name__}: {error}"[:2000],
                None,
                "a pure function `fn(parameters, *inputs)` of static shapes",
                "try it under `jax.jit`",
                path=path,
            )
        ) from error
    if calls := _calls(module):
        raise BuildError(_calls_out(calls, path))
    return Lowered(
        text, sorted(parameters), tensors, tuple(entry.outputs), frozenset(entry.consumed), entry.guidance
    )


def reference(
    entry: EntrySource, parameters: Mapping[str, np.ndarray], samples: Sequence[Mapping[str, np.ndarray]]
) -> list[tuple[np.ndarray, ...]]:
    """The entry's outputs for each of `samples` (arrays by input name), computed by JAX on the CPU."""
    jax = _jax()
    found = []
    with jax.default_device(jax.local_devices(backend="cpu")[0]):
        function = jax.jit(_function(entry))
        for sample in samples:
            values = function(dict(parameters), *(sample[tensor.name] for tensor in entry.tensors))
            found.append(tuple(np.asarray(value) for value in jax.tree_util.tree_leaves(values)))
    return found


def _calls(module: Any) -> list[str]:
    """The custom calls that the compiler does not know: the operation of JAX that each is, and its target."""
    from jaxlib.mlir.ir import WalkResult

    found: dict[str, None] = {}

    def visit(operation: Any) -> Any:
        if operation.name == "stablehlo.custom_call":
            target = operation.attributes["call_target_name"].value
            named = _OPERATION.search(str(operation.location))
            if target not in _COMPILED:
                found[f"{named[1].rpartition('/')[2]} ({target})" if named else target] = None
        return WalkResult.ADVANCE

    module.walk(visit)
    return list(found)


def _calls_out(calls: Sequence[str], path: str) -> Diagnostic:
    message = "it calls functions of JAX's own process, which cannot be compiled ahead of time: "
    mend = "leave callbacks and prints out, and write what is left with operations that are compiled"
    return problem(
        "PK010", "policy", message + ", ".join(calls), None, "operations of StableHLO", mend, path=path
    )


def _function(entry: EntrySource, path: str = "") -> Callable[..., Any]:
    """The entry's function, which returns a mapping in the order of `outputs`: JAX sorts its keys."""
    tree = _jax().tree_util

    @wraps(entry.fn)  # JAX's own errors name it
    def function(*arguments: Any) -> Any:
        result = entry.fn(*arguments)
        if isinstance(result, Mapping):
            if set(result) != set(entry.outputs):
                raise _unnamed(f"it returns {', '.join(map(repr, result))}", entry, path)
            result = tuple(result[name] for name in entry.outputs)
        keys = [key for at, _ in tree.tree_leaves_with_path(result) for key in at]
        if any(isinstance(key, tree.DictKey) for key in keys):
            raise _unnamed("it returns a mapping within something else", entry, path)
        return result

    return function


def _unnamed(message: str, entry: EntrySource, path: str) -> BuildError:
    message += f", and `outputs` names {', '.join(map(repr, entry.outputs))}"
    allowed = "an array, a tuple of arrays in the order of `outputs`, or a mapping of arrays with its names"
    mend = "name what it returns, or return what is named"
    return BuildError(problem("PK005", "policy", message, None, allowed, mend, path=path))
