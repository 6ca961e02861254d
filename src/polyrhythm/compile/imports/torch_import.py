"""`import torch`: an exported program, or a function that makes a module, becomes a bundle.

What can be named:

- ``model.pt2``, as `torch.export.save` writes it: one entry, ``forward``;
- ``package.module:function`` or ``file.py:function``: a function without arguments that returns

  - ``(module, examples)``: one entry, the module's ``forward`` on these example inputs;
  - ``(module, {name: examples, ...})``: its methods of these names, sharing parameters;
  - a `ModuleSource` (`polyrhythm.compile.torch_source`), where more is to be said.

Entries that pass tensors to each other by name become the stages of one module of the manifest, others become
modules of their own, which share the weights.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

from rich.progress import Progress

from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.imports.report import Report, report_of
from polyrhythm.compile.imports.write import check_new, module_id, rate_text
from polyrhythm.compile.pipeline import build_policy
from polyrhythm.compile.policy import ModuleSource, Policy
from polyrhythm.manifest import MANIFEST_FILE, Location
from polyrhythm.manifest.edit import name_text

_ALLOWED = "a .pt2 file, or package.module:function, or file.py:function"


def import_torch(
    source: str,
    out: str | Path,
    *,
    name: str | None = None,
    rate_hz: float = 10,
    portable: bool = False,
    target_cpu: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Make the bundle `out` of the model that `source` names.

    Args:
        name: what the bundle and its module are called; by default like the source.
        rate_hz: how often the manifest plans its modules.
        force: replace a bundle that is there.
        portable, target_cpu, progress: see `polyrhythm.compile.build`.

    Raises:
        BuildError: PI005, PI050 to PI054, PI100, PI101, or what a build raises; `out` is as it was.
    """
    check_new(Path(out).absolute(), force=force)
    module = open_source(source)
    called = module_id(name or _called(source))
    with tempfile.TemporaryDirectory(prefix="polyrhythm-") as directory:
        text = manifest_text(called, module, rate_hz, source)
        Path(directory, MANIFEST_FILE).write_text(text, encoding="utf-8")
        changed: list[str] = []
        bundle = build_policy(
            Policy(MANIFEST_FILE, {called: module}), directory, out, called=source,
            portable=portable, target_cpu=target_cpu, progress=progress, told=changed.append,
        )  # fmt: skip
    return report_of(source, bundle, "PyTorch", changed)


def open_source(source: str) -> ModuleSource:
    """The module that `source` names.

    Raises:
        BuildError: PI050, PI051, PI054, PI100 or PI101.
    """
    try:
        import torch
    except ImportError as error:
        raise missing_extra("torch", "torch", "importing from PyTorch") from error
    if source.endswith(".pt2"):
        return _program(Path(source))
    file, colon, function = source.rpartition(":")
    if not colon or not function.isidentifier():
        message, mend = "this names neither an exported program nor a function", "see `--help`"
        raise BuildError(problem("PI050", source, message, source, _ALLOWED, mend))
    made = _made(file, function, source)
    if isinstance(made, ModuleSource):
        return made
    from polyrhythm.compile import torch_source

    if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], torch.nn.Module)):
        message, mend = f"{function}() returns {_kind(made)}", "return them"
        allowed = "(module, example inputs), (module, {method: example inputs}) or a ModuleSource"
        raise BuildError(problem("PI050", source, message, _kind(made), allowed, mend))
    module, examples = made
    torch_source.check_parameters(module)
    several = isinstance(examples, Mapping) and not any(
        isinstance(value, torch.Tensor) for value in examples.values()
    )
    by_method = examples if several else {"forward": examples}
    entries = {name: torch_source.entry(module, name, given) for name, given in by_method.items()}
    if not entries:
        message, mend = f"{function}() names no entry", "name a method with example inputs"
        raise BuildError(problem("PI050", source, message, None, "at least one entry", mend))
    return torch_source.source(module, entries)


def _program(file: Path) -> ModuleSource:
    """An exported program as one entry."""
    import torch
    from torch.utils import _pytree as pytree

    from polyrhythm.compile import torch_source
    from polyrhythm.compile.imports import torch_archive

    allowed, mend = torch_archive.ALLOWED, torch_archive.MEND
    if not file.is_file():
        raise BuildError(problem("PI050", file, "there is no such file", None, allowed, "look at the path"))
    if not zipfile.is_zipfile(file):
        raise BuildError(problem("PI050", file, torch_archive.NOT_A_PROGRAM, None, allowed, mend))
    try:
        torch_archive.check_archive(file)
        with patch.dict(os.environ, {"TORCH_FORCE_WEIGHTS_ONLY_LOAD": "1"}), catch_warnings():
            simplefilter("ignore", UserWarning)  # its weights are read in place, and nobody writes to them
            program = torch.export.load(file)
        if program.example_inputs is None:
            message = "it was saved without the inputs that it was exported with"
            raise BuildError(problem("PI050", file, message, None, allowed, mend))
        module, spec = program.module(check_guards=False), program.call_spec.in_spec
        values, names = pytree.tree_leaves(program.example_inputs), program.graph_signature.user_inputs
        examples = dict(zip(map(_port, names), values, strict=True))
    except BuildError:
        raise
    except Exception as error:
        words = str(error).strip().split("\n")[0][:300]
        message = f"PyTorch {torch.__version__} cannot load it: {type(error).__name__}: {words}"
        raise BuildError(problem("PI050", file, message, None, allowed, mend)) from error

    def call(module: Any, *inputs: torch.Tensor) -> Any:
        arguments, keywords = pytree.tree_unflatten(list(inputs), spec)
        return module(*arguments, **keywords)

    fn = torch_source.function(module, call)
    return torch_source.source(module, {"forward": torch_source.entry_of(fn, module, examples, "forward")})


def _made(file: str, function: str, source: str) -> Any:
    """What the function returns.

    Raises:
        BuildError: PI050, it cannot be found or called.
    """
    try:
        with _importable(Path(file).parent if file.endswith(".py") else Path.cwd()):
            if file.endswith(".py"):
                spec = spec_from_file_location(Path(file).stem, file)
                assert spec is not None and spec.loader is not None
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
            else:
                module = import_module(file)
            if not callable(made := getattr(module, function, None)):
                raise AttributeError(f"it has no function {function!r}")
            return made()
    except BuildError:
        raise
    except Exception as error:
        from polyrhythm.compile.torch_graph import place_of

        where = place_of(error) or Location(source)
        message = f"it cannot be made: {type(error).__name__}: {error}"[:600]
        raise BuildError(problem("PI050", where, message, source, _ALLOWED, "mend the function")) from error


@contextmanager
def _importable(directory: Path) -> Iterator[None]:
    before = list(sys.path)
    sys.path.insert(0, str(directory.absolute()))
    try:
        yield
    finally:
        sys.path[:] = before


def _kind(made: Any) -> str:
    if isinstance(made, tuple):
        return f"({', '.join(type(item).__name__ for item in made)})"
    return type(made).__name__


def _called(source: str) -> str:
    """``arm`` of ``dir/arm.pt2``, ``dir/arm.py:make`` and ``policies.arm:make``."""
    file = source.rpartition("/")[2].partition(":")[0]
    stem, dot, ending = file.rpartition(".")
    return stem if dot and ending in ("pt2", "py") else ending


def _port(text: str) -> str:
    """`text` as the name of an input."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:64]


# -- the manifest -------------------------------------------------------------------------------------------


def manifest_text(name: str, module: ModuleSource, rate_hz: float, source: str) -> str:
    """A manifest for the module: its entries as stages if they are a chain, else each a module."""
    entries = list(module.entries)
    chain = len(entries) == 1 or _chained(module)
    modules = [(name, entries)] if chain else [(module_id(entry), [entry]) for entry in entries]
    weights = f"\n    parameters: {name}.safetensors" if module.parameters else ""
    items = "\n".join(
        f"  - id: {identity}\n    vmfb: {name}.vmfb{weights}\n"
        f"    entry: [{', '.join(map(name_text, stages))}]\n    rate_hz: {rate_text(rate_hz)}"
        for identity, stages in modules
    )
    return (
        "# Made by `polyrhythm import torch`. Its inputs wait for links, its outputs for who needs them.\n"
        f"version: 1\nname: {name}\n\norchestration:\n  modules:\n{items}\n"
    )


def _chained(module: ModuleSource) -> bool:
    """Whether every entry but the first takes an output of one before it, and names mean one thing each."""
    known: dict[str, Any] = {}
    made: set[str] = set()
    for index, entry in enumerate(module.entries.values()):
        if index and not made & set(entry.inputs):
            return False
        for name, spec in entry.inputs.items():
            if name not in made and known.setdefault(name, spec) != spec:
                return False
        made |= set(entry.outputs)
    return True
