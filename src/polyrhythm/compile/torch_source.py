"""Modules of PyTorch as sources of a bundle: parameters by the names of the checkpoint, methods as entries.

source(net, {"encode": entry(net, "encode", {"image": torch.zeros(3, 64, 64)}),
             "act": entry(net, "act", {"hidden": ..., "proprio": ...}, outputs=("chunk",))})
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.machine_size import check_size
from polyrhythm.compile.policy import EntrySource, ModuleSource
from polyrhythm.compile.torch_graph import as_array, described, place_of
from polyrhythm.manifest import Diagnostic, Location

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


def parameters(module: torch.nn.Module) -> dict[str, np.ndarray]:
    """All parameters and buffers that have elements, tied ones once; over the memory of the module."""
    return {name: as_array(tensor) for name, tensor in _state(module).items() if tensor.numel()}


def source(module: torch.nn.Module, entries: Mapping[str, EntrySource]) -> ModuleSource:
    """One module of a bundle, in which all `entries` share the parameters of `module`."""
    check_parameters(module)
    return ModuleSource(parameters(module), entries, frontend="torch")


def function(module: torch.nn.Module, call: Callable[..., Any]) -> Callable[..., Any]:
    """``fn(parameters, *inputs)``: what ``call(module, *inputs)`` gives with other parameters.

    Parameters are by their names in the module; those that are left out are the module's own, and names that
    it does not have are nothing to it.
    """
    caller, known = _Caller(module, call), frozenset(_state(module))

    def fn(weights: Mapping[str, torch.Tensor], *inputs: Any) -> Any:
        named = {f"module.{name}": tensor for name, tensor in weights.items() if name in known}
        return torch.func.functional_call(caller, named, inputs)

    return fn


def entry(
    module: torch.nn.Module,
    name: str,
    examples: Any,
    outputs: Sequence[str] | None = None,
    **options: Any,
) -> EntrySource:
    """The method `name` of `module`, in evaluation mode, as an entry.

    Args:
        examples: a tensor for every argument, by name or in order; or the tensor.
        outputs: names of what it returns, in its order (a dictionary with just these keys may have another);
            by default the keys of a dictionary or the fields of a named tuple that it returns, else
            ``output``, or ``output0`` and so on.
        options: further arguments of `EntrySource`.

    Raises:
        BuildError: PI051, it does not run on its examples, or these or its results are not tensors.
    """
    called = getattr(module, name, None)
    if not callable(called):
        methods = [key for key, value in vars(type(module)).items() if callable(value) and key[0] != "_"]
        message = f"{type(module).__name__} has no method {name!r}"
        raise _unusable(message, name, ", ".join(methods), "name a method of the module", name)
    named = _named(called, examples, name)
    fn = function(module.eval(), lambda module, *inputs: getattr(module, name)(*inputs))
    return entry_of(fn, module, named, name, outputs, **options)


def entry_of(
    fn: Callable[..., Any],
    module: torch.nn.Module,
    examples: Mapping[str, Any],
    path: str,
    outputs: Sequence[str] | None = None,
    **options: Any,
) -> EntrySource:
    """An entry that is `fn` on inputs like `examples`; see `entry`.

    Raises:
        BuildError: PI051.
    """
    for key, value in examples.items():
        if not isinstance(value, torch.Tensor):
            message = f"its example input {key!r} is {type(value).__name__}"
            raise _unusable(message, None, "a tensor for every argument", "give a tensor", path)
    check_size(sum(value.nbytes for value in examples.values()), f"the example inputs of {path}")
    if outputs is None:
        outputs = _output_names(fn, _state(module), examples, path)
    inputs = {key: described(value) for key, value in examples.items()}
    return EntrySource(fn, inputs, tuple(outputs), **options)


def check_parameters(module: torch.nn.Module) -> None:
    """Refuse a module that cannot be in this machine's memory, before anything touches its parameters.

    Raises:
        BuildError: PI054.
    """
    check_size(sum(tensor.nbytes for tensor in _state(module).values()), "its parameters")


class _Caller(torch.nn.Module):  # type: ignore[misc]
    """`functional_call` calls modules, not functions of modules."""

    def __init__(self, module: torch.nn.Module, call: Callable[..., Any]) -> None:
        super().__init__()
        self.module, self._call = module, call

    def forward(self, *inputs: Any) -> Any:
        return self._call(self.module, *inputs)


def _state(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def _named(called: Callable[..., Any], examples: Any, path: str) -> dict[str, Any]:
    """The examples by the names of the arguments, in their order."""
    kind = inspect.Parameter
    arguments = [
        p
        for p in inspect.signature(called).parameters.values()
        if p.kind in (kind.POSITIONAL_ONLY, kind.POSITIONAL_OR_KEYWORD)
    ]
    names = [p.name for p in arguments]
    needed = sum(p.default is p.empty for p in arguments)
    given: dict[str, Any]
    if isinstance(examples, Mapping):
        given = dict(examples)
        fit = list(given) == names[: len(given)]
    else:
        values = (examples,) if isinstance(examples, torch.Tensor) else tuple(examples)
        given, fit = dict(zip(names, values, strict=False)), len(values) <= len(names)
    if not fit or len(given) < needed or not given:
        message = f"it takes {', '.join(names) or 'nothing'}, not {', '.join(given) or 'nothing'}"
        mend = "give an example for every argument, in their order"
        raise _unusable(message, list(given), ", ".join(names), mend, path)
    return given


def _output_names(
    fn: Callable[..., Any], state: Mapping[str, Any], examples: Mapping[str, torch.Tensor], path: str
) -> tuple[str, ...]:
    try:
        with torch.no_grad():
            result = fn(state, *(value.clone() for value in examples.values()))
    except Exception as error:
        raise BuildError(_does_not_run(error, examples, path)) from error
    leaves = pytree.tree_leaves(result)
    if not leaves or not all(isinstance(leaf, torch.Tensor) for leaf in leaves):
        kinds = ", ".join(type(leaf).__name__ for leaf in leaves) or "nothing"
        raise _unusable(f"it returns {kinds}", None, "tensors", "return tensors", path)
    keys: Sequence[Any] = ()
    if isinstance(result, Mapping):
        keys = list(result)
    elif hasattr(result, "_fields"):
        keys = result._fields
    if len(keys) != len(leaves):
        keys = [f"output{i}" for i in range(len(leaves))] if len(leaves) > 1 else ["output"]
    return tuple(_NOT_IN_NAMES.sub("_", str(key)) for key in keys)


def _does_not_run(error: Exception, examples: Mapping[str, torch.Tensor], path: str) -> Diagnostic:
    words = str(error).strip().split("\n")[0][:300]
    shapes = ", ".join(f"{name} {_shown(*described(value))}" for name, value in examples.items())
    message = f"{path} does not run on its example inputs ({shapes}): {type(error).__name__}: {words}"
    where = place_of(error) or Location("model", path=path)
    mend = "give inputs of the shapes that the model takes"
    return problem("PI051", where, message, shapes, "inputs that it runs on", mend)


def _shown(dtype: str, shape: Sequence[int]) -> str:
    return f"{dtype}[{', '.join(map(str, shape))}]"


def _unusable(message: str, value: object, allowed: str, mend: str, path: str) -> BuildError:
    return BuildError(problem("PI051", "model", message, value, allowed, mend, path=path))
