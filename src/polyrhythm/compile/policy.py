"""The policy description: a Python file that says what a bundle is made of.

The file defines ``policy()``, which returns a `Policy`::

    def policy():
        encode = EntrySource(model.encode, inputs={"depth": ("f32", (64, 64))}, outputs=("hidden",))
        return Policy("manifest.yaml", {"vlm": ModuleSource(weights, {"encode": encode})})

where ``model.encode(parameters, depth)`` is a pure function of the framework. The stages of a module pass
tensors by name: output ``x`` of one is input ``x`` of the next. Scalars are tensors of rank 0.
"""

from __future__ import annotations

import contextlib
import linecache
import re
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, get_args

import numpy as np

from polyrhythm.bundle import DTYPE_BYTES, Tensor
from polyrhythm.bundle.lock import Guidance
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.manifest import Diagnostic, Location, nearest

METHODS = get_args(Guidance)
#: The frameworks that a source may be written in.
FRONTENDS = ("jax", "torch")
LIMIT = "a number of milliseconds above 0"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_FUNCTION = "policy"
#: Packages that a description may lack, and the extras that they come with.
_EXTRAS = {"jax": "jax", "safetensors": "jax", "torch": "torch"}


@dataclass(frozen=True)
class EntrySource:
    """One entry function.

    Attributes:
        fn: ``fn(parameters, *inputs)``, pure; returns one array, a tuple named by `outputs`, or a mapping by
            their names. Arrays are those of the framework that the module's `frontend` names.
        inputs: name -> (dtype, shape), in the order of the arguments.
        outputs: names in the order of the results.
        consumed: inputs that a call may overwrite; every other input is kept as it was, if need be by a copy.
            An output with name, dtype and shape of a consumed input replaces it where it lies: state, such as
            a KV cache, of which a call writes only what changes. What others read, or later stages, is not to
            be consumed: `check` refuses it (PC023).
        samples: inputs for the numerical gate: a function of a `numpy.random.Generator` that gives arrays by
            name. What it leaves out (by default everything) is drawn: floats from the standard normal
            distribution, integers from 0 to 7, truth values evenly.
        tolerance: largest relative difference from the framework that the gate lets pass, for outputs of the
            dtypes of `polyrhythm.compile.gate.TOLERANCE`, which has the defaults; others have to be equal.
        guidance: the method of a step that draws a flow toward a target (`polyrhythm.compile.flow`).
        max_stage_ms: the build cuts the entry into stages that take at most so long on its machine
            (`polyrhythm.compile.stages`); by default what its module says.
    """

    fn: Callable[..., Any]
    inputs: Mapping[str, tuple[str, Sequence[int]]]
    outputs: Sequence[str]
    consumed: Sequence[str] = ()
    samples: Callable[[np.random.Generator], Mapping[str, Any]] | None = None
    tolerance: float | None = None
    guidance: str | None = None
    max_stage_ms: float | None = None

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The inputs in order."""
        return tuple(Tensor(name, dtype, tuple(shape)) for name, (dtype, shape) in self.inputs.items())


@dataclass(frozen=True)
class ModuleSource:
    """One model: its weights by name, shared by all of its entries.

    `max_stage_ms`: see `EntrySource`; for every entry that does not say another and is no step of a loop.
    `frontend`: the framework that the entries are functions of, one of `FRONTENDS`.
    """

    parameters: Mapping[str, Any]
    entries: Mapping[str, EntrySource]
    max_stage_ms: float | None = None
    frontend: str = "jax"


@dataclass(frozen=True)
class Policy:
    """What a bundle is made of.

    Attributes:
        manifest: path of the manifest, relative to the policy description.
        modules: sources by module id, or by the name of the `vmfb` without its ending. Modules of the
            manifest that name the same `vmfb` share one source.
    """

    manifest: str
    modules: Mapping[str, ModuleSource] = field(default_factory=dict)


@contextlib.contextmanager
def open_policy(file: Path) -> Iterator[Policy]:
    """Run the policy description and check what it returns; modules beside it can be imported until the end.

    Raises:
        BuildError: PK001, or PK005 for every entry that contradicts itself.
    """
    file = file.absolute()
    with _importable(file.parent):
        policy = _run(file)
        if found := list(_check(file, policy)):
            raise BuildError(*found)
        yield policy


def _run(file: Path) -> Policy:
    allowed = "a Python file that defines `policy()`, which returns a `polyrhythm.compile.Policy`"
    if not file.is_file():
        raise BuildError(problem("PK001", file, "there is no such file", None, allowed, "look at the path"))
    try:
        function = runpy.run_path(str(file)).get(_FUNCTION)
        policy = function() if callable(function) else None
    except BuildError:
        raise
    except Exception as error:
        where = _place_in(file, error)
        message = f"it raises {type(error).__name__}: {error}"
        absent = _EXTRAS.get(error.name or "") if isinstance(error, ModuleNotFoundError) else None
        mend = f"pip install 'polyrhythm[{absent}]'" if absent else "mend the description"
        raise BuildError(problem("PK001", where, message, None, allowed, mend)) from error
    if not callable(function):
        raise BuildError(
            problem("PK001", file, "it defines no function `policy`", None, allowed, "define it")
        )
    if not isinstance(policy, Policy):
        message = f"`policy()` returns {type(policy).__name__}"
        raise BuildError(problem("PK001", file, message, type(policy).__name__, allowed, "return a Policy"))
    return policy


@contextlib.contextmanager
def _importable(directory: Path) -> Iterator[None]:
    before, path = set(sys.modules), list(sys.path)
    sys.path.insert(0, str(directory))
    try:
        yield
    finally:
        sys.path[:] = path
        # The next description may have neighbours of the same names.
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin is not None and directory in Path(origin).parents:
                del sys.modules[name]


def _place_in(file: Path, error: BaseException) -> Location:
    """The last line of `file` that `error` passed through."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    text = linecache.getline(str(file), line).rstrip() if line else ""
    stripped = text.lstrip()
    return Location(str(file), line, 1 + len(text) - len(stripped), text=text, span=len(stripped) or 1)


def _check(file: Path, policy: Policy) -> Iterator[Diagnostic]:
    if not isinstance(policy.manifest, str | Path):
        message, mend = _not_a(policy.manifest, "manifest", "text"), 'for example `"manifest.yaml"`'
        allowed = "the path of the manifest, from the description on"
        yield problem("PK001", file, message, _kind(policy.manifest), allowed, mend)
    if not isinstance(policy.modules, Mapping):
        message, mend = (
            _not_a(policy.modules, "modules", "a dict"),
            'for example `{"eye": ModuleSource(...)}`',
        )
        yield problem("PK001", file, message, _kind(policy.modules), "a ModuleSource for every name", mend)
        return
    for key, source in policy.modules.items():
        if not isinstance(key, str):
            message, mend = f"{key!r} is not the name of a module"[:200], "write its name in quotes"
            yield problem("PK001", file, message, str(key)[:80], "the id of a module, as text", mend)
        else:
            yield from _check_source(file, key, source)


def _check_source(file: Path, key: str, source: ModuleSource) -> Iterator[Diagnostic]:
    if not isinstance(source, ModuleSource) or not source.entries:
        yield problem(
            "PK005", file, "this is not a module source with entries", type(source).__name__,
            "a ModuleSource with at least one entry", "give it an EntrySource", path=key,
        )  # fmt: skip
        return
    if not isinstance(source.entries, Mapping):
        message, mend = _not_a(source.entries, "entries", "a dict"), 'for example `{"see": EntrySource(...)}`'
        yield problem(
            "PK005", file, message, _kind(source.entries), "an EntrySource for every name", mend, path=key
        )
        return
    if not isinstance(source.parameters, Mapping):
        message, mend = _not_a(source.parameters, "parameters", "a dict"), 'for example `{"w": array}`'
        allowed = "an array for every name; `{}` for none"
        yield problem("PK006", file, message, _kind(source.parameters), allowed, mend, path=key)
    if source.frontend not in FRONTENDS:
        message, mend = f"no front end is called {source.frontend!r}", "name the framework of its entries"
        allowed = ", ".join(FRONTENDS)
        yield problem("PK005", file, message, str(source.frontend)[:80], allowed, mend, path=key)
    yield from _check_limit(file, key, source.max_stage_ms)
    for name, entry in source.entries.items():
        yield from _check_entry(file, key, name, entry)


def _not_a(value: object, field: str, wanted: str) -> str:
    return f"`{field}` is not {wanted} but {_kind(value)}"


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def _check_limit(file: Path, path: str, limit_ms: object) -> Iterator[Diagnostic]:
    if limit_ms is not None and not sound_limit(limit_ms):
        message = f"`max_stage_ms` is {repr(limit_ms)[:80]}"
        yield problem("PK005", file, message, str(limit_ms)[:80], LIMIT, "for example `4.5`", path=path)


def sound_limit(limit_ms: object) -> bool:
    """Whether a stage can be asked to take at most so many milliseconds."""
    return isinstance(limit_ms, int | float) and not isinstance(limit_ms, bool) and 0 < limit_ms < inf


def _types(file: Path, path: str, entry: EntrySource) -> Iterator[Diagnostic]:
    """Fields of an entry that are of another type: nothing more can be said of it."""
    if isinstance(entry.outputs, str) or isinstance(entry.consumed, str):
        yield problem(
            "PK005", file, "`outputs` and `consumed` are lists of names, not text", None, '("x",)',
            "add a comma", path=path,
        )  # fmt: skip
    for said in ("outputs", "consumed"):
        value: object = getattr(entry, said)
        if not isinstance(value, Iterable) or not all(isinstance(item, str) for item in value):
            message = f"`{said}` is not a list of names"
            yield problem("PK005", file, message, repr(value)[:80], '("x",)', "name tensors", path=path)
    if not isinstance(entry.inputs, Mapping):
        message, mend = _not_a(entry.inputs, "inputs", "a dict"), 'for example `{"x": ("f32", (64, 64))}`'
        allowed = "(dtype, shape) for every name"
        yield problem("PK005", file, message, _kind(entry.inputs), allowed, mend, path=path)
    if entry.samples is not None and not callable(entry.samples):
        message, mend = _not_a(entry.samples, "samples", "a function"), "for example `lambda rng: {...}`"
        allowed = "a function of a `numpy.random.Generator` that returns arrays by input name"
        yield problem("PK005", file, message, _kind(entry.samples), allowed, mend, path=path)
    if not _is_tolerance(entry.tolerance):
        message = f"`tolerance` is not a number from 0 on but {entry.tolerance!r}"
        allowed = "the largest relative difference from the framework"
        yield problem("PK005", file, message, None, allowed, "for example `1e-3`", path=path)


def _is_tolerance(value: object) -> bool:
    if isinstance(value, Real) and not isinstance(value, bool):
        return 0 <= float(value) < inf
    return value is None


def _check_entry(file: Path, key: str, name: str, entry: EntrySource) -> Iterator[Diagnostic]:
    path = f"{key}.{name}"
    if not isinstance(entry, EntrySource):
        yield problem(
            "PK005",
            file,
            "this is not an EntrySource",
            type(entry).__name__,
            "an EntrySource",
            "wrap it",
            path=path,
        )
        return
    if found := list(_types(file, path, entry)):
        yield from found
        return
    names = [name, *entry.inputs, *entry.outputs]
    for bad in (item for item in names if not isinstance(item, str) or not _NAME.fullmatch(item)):
        yield problem(
            "PK005", file, f"{bad!r} is not a name", bad, "letters, digits, `_`, `.` and `-`, at most 64",
            "choose another name", path=path,
        )  # fmt: skip
    if not entry.outputs or len(set(entry.outputs)) != len(entry.outputs):
        yield problem(
            "PK005", file, "outputs need names of their own", list(entry.outputs), "at least one, each once",
            "name every result", path=path,
        )  # fmt: skip
    yield from _check_limit(file, path, entry.max_stage_ms)
    if entry.guidance not in (None, *METHODS):
        yield problem(
            "PK005", file, f"no guidance is called {entry.guidance!r}", entry.guidance,
            ", ".join(METHODS), "name the method that the step was made with", path=path,
        )  # fmt: skip
    for unknown in (item for item in entry.consumed if item not in entry.inputs):
        near = nearest(str(unknown), entry.inputs)
        allowed, mend = ", ".join(entry.inputs), f"did you mean `{near}`?" if near else "name an input"
        message = f"it consumes {unknown!r}, which is no input"
        yield problem("PK005", file, message, unknown, allowed or "nothing", mend, path=path)
    for item, spec in entry.inputs.items():
        dtype, shape = spec if isinstance(spec, tuple) and len(spec) == 2 else (None, None)
        whole = isinstance(shape, list | tuple) and all(
            type(extent) is int and extent > 0 for extent in shape
        )
        if not isinstance(dtype, str) or dtype not in DTYPE_BYTES or not whole:
            yield problem(
                "PK005", file, f"input {item!r} is not declared as (dtype, shape)", str(spec)[:80],
                "a dtype (" + ", ".join(DTYPE_BYTES) + ") and a shape of whole numbers above 0",
                f'for example `{item!r}: ("f32", (64, 64))`', path=path,
            )  # fmt: skip
