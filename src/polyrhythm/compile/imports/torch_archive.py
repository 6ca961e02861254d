"""What an exported program may bring: tensors, and a graph of PyTorch's own operations.

PyTorch was not made for files of strangers. On the way from a ``.pt2`` file to a module that runs, it

- unpickles objects and loads libraries that lie in the archive;
- evaluates the expressions of symbolic shapes, and the guards on inputs, as Python;
- writes functions of Python with the names in the graph, and executes them;
- imports the modules that the structure of its inputs names (`collections.defaultdict`, enumerations);
- takes for an operation whatever a name leads to from `torch`: `torch.os.system` too.

So the archive is read here first, with PyTorch's own reader, and what asks for any of these is refused.
Guards are left out by who asks for the module.
"""

from __future__ import annotations

import json
import operator
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.machine_size import check_size
from polyrhythm.manifest.diagnostics import printable

#: Records that PyTorch unpickles or loads as a library, whatever `weights_only` is; it ignores case.
_RUNS = re.compile(r"custom_obj|opaque_obj|aotinductor/", re.IGNORECASE)
#: Text of programs, by the beginnings of its records; for each operation it has a few kilobytes.
_PROGRAMS, _TABLES = "models/", "data/"
MAX_TEXT_BYTES = 256 << 20
#: Nothing in a name calls, separates or quotes.
_NAME = re.compile(r"[\w.-]*")
#: Keys of text that is passed on or shown, never read as a program.
_TOLD = {
    "as_string", "as_strings", "custom", "fqn", "from_node", "guards_code", "nn_module_stack",
    "source_fn_stack", "stack_trace", "torch_fn", "torch_version",
}  # fmt: skip
_OBJECTS = {"as_custom_obj", "as_operator"}
_STRUCTURE = {"in_spec", "out_spec"}
_CONTAINERS = {
    None, "builtins.dict", "builtins.list", "builtins.tuple", "collections.OrderedDict", "collections.deque",
    "torch.fx.immutable_collections.immutable_dict", "torch.fx.immutable_collections.immutable_list",
}  # fmt: skip
#: Operations of PyTorch that read or write files.
_FILES = {"aten::from_file", "aten::save"}
#: Those that run graphs within the graph.
_RUN_GRAPHS = {
    "associative_scan", "cond", "map_impl", "scan", "while_loop", "wrap_with_autocast",
    "wrap_with_set_grad_enabled",
}  # fmt: skip
_FUNCTIONS = {
    "_operator.getitem", "torch._C._set_grad_enabled", "torch.amp.autocast_mode._enter_autocast",
    "torch.amp.autocast_mode._exit_autocast",
}  # fmt: skip
NOT_A_PROGRAM = "this is not an exported program, or only a part of one"
ALLOWED = "a file that `torch.export.save` wrote"
MEND = "export it again: torch.export.save(torch.export.export(module, inputs), 'model.pt2')"


def check_archive(file: Path) -> None:
    """Refuse an archive that asks for more than tensors and a graph.

    Raises:
        BuildError: PI050, it has objects or libraries, or is none of PyTorch's; PI054, it is too large;
            PI100, its graph has what Python would run; PI101, its shapes are symbolic.
        ValueError, RecursionError: its text is not JSON.
    """
    with zipfile.ZipFile(file) as archive:
        check_size(sum(item.file_size for item in archive.infolist()), file.name)
        for item in archive.infolist():
            _check_length(file, item.filename.partition("/")[2], item.file_size)
        records = set(archive.namelist())
    if "version" in records:  # PyTorch would read texts of other names, and with `zipfile`
        raise _no_program(file, "it is an exported program of PyTorch before 2.8")
    texts: list[str] = []
    with suppress(RuntimeError):
        reader = torch._C.PyTorchFileReader(str(file))
        names = reader.get_all_records()
        texts = list(filter(_is_text, names))
        records.update(names)  # Python and PyTorch need not agree about what is in an archive
    if found := next(filter(_RUNS.search, sorted(records)), None):
        raise _refused("PI050", file, "it brings something that runs when it is loaded", found)
    if not any(name.startswith(_PROGRAMS) for name in texts):
        raise _no_program(file, NOT_A_PROGRAM)
    for name in texts:
        text = reader.get_record(name)
        _check_length(file, name, len(text))
        _check_text(file, json.loads(text.decode()))


def _is_operation(target: str) -> bool:
    """Whether it names an operation that computes, and nothing else that can be reached from `torch`."""
    space, _, name = target.removeprefix("torch.ops.").partition(".")
    if target in _FUNCTIONS or (space == "higher_order" and name in _RUN_GRAPHS):
        return True
    if not target.startswith(("torch.ops.aten.", "torch.ops.prims.")):
        return False
    try:
        found = operator.attrgetter(name)(getattr(torch.ops, space))
    except AttributeError:
        return False
    return isinstance(found, torch._ops.OpOverload) and found._schema.name not in _FILES


def _is_text(name: str) -> bool:
    return name.startswith(_PROGRAMS) or (name.startswith(_TABLES) and name.endswith(".json"))


def _check_length(file: Path, name: str, nbytes: int) -> None:
    """Refuse text that no model has: as Python sees it, before it is unpacked, and as PyTorch does, after."""
    if _is_text(name) and nbytes > MAX_TEXT_BYTES:
        message = f"{printable(name)} has {nbytes} bytes"
        allowed, mend = f"at most {MAX_TEXT_BYTES} bytes", "export a smaller model"
        raise BuildError(problem("PI100", file, message, nbytes, allowed, mend))


def _check_text(file: Path, document: Any) -> None:
    """A graph, or a table of weights."""
    for key, value in _values(document):
        if key == "as_expr" or (key == "range_constraints" and value):
            message = "its shapes are symbolic: PyTorch reads them as Python"
            mend = "export it without `dynamic_shapes`: shapes are fixed in a bundle"
            raise BuildError(problem("PI101", file, message, _shown(value), "numbers as shapes", mend))
        if key in _OBJECTS:
            raise _refused("PI100", file, "its graph takes an object or a function", _shown(value))
        if not isinstance(value, str) or key in _TOLD:
            continue
        if key in _STRUCTURE:
            _check_structure(file, json.loads(value))
        elif key == "target" and not _is_operation(value):
            raise _refused("PI100", file, "its graph calls what is no operation that computes", value)
        elif not _NAME.fullmatch(value):
            raise _refused("PI100", file, "its graph has a name that is more than a name", value)


def _check_structure(file: Path, document: Any) -> None:
    """What inputs and outputs are made of: only containers, whose keys are names or numbers."""
    for key, value in _values(document):
        if key == "type" and value not in _CONTAINERS:
            raise _refused("PI100", file, "its inputs or outputs are of a type of their own", _shown(value))
        if key == "context" and isinstance(value, str):
            keys = json.loads(value)
            for name in keys if isinstance(keys, list) else [keys]:
                if not isinstance(name, int | None) and not (isinstance(name, str) and _NAME.fullmatch(name)):
                    raise _refused("PI100", file, "its inputs or outputs have an odd key", _shown(name))


def _values(document: Any) -> Iterator[tuple[str, Any]]:
    """Everything in a document of JSON with the key that it is under; keys themselves are under none."""
    pending: list[tuple[str, Any]] = [("", document)]
    while pending:
        key, value = pending.pop()
        yield key, value
        if isinstance(value, dict):
            pending.extend(("", name) for name in value)
            pending.extend(value.items())
        elif isinstance(value, list):
            pending.extend((key, item) for item in value)


def _shown(value: Any) -> str:
    return printable(value if isinstance(value, str) else json.dumps(value))[:100]


def _no_program(file: Path, message: str) -> BuildError:
    return BuildError(problem("PI050", file, message, None, ALLOWED, MEND))


def _refused(code: str, file: Path, message: str, found: Any) -> BuildError:
    allowed = "tensors and a graph of PyTorch's operations, nothing else"
    return BuildError(problem(code, file, f"{message}: {_shown(str(found))!r}", None, allowed, MEND))
