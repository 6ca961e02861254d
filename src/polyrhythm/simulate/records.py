"""Source made fit for mypyc: named tuples and data classes get methods that can be compiled.

mypyc compiles what it sees. The constructor of a named tuple or of a data class is not seen: the standard
library makes it at run time, and calling it costs ten times what allocating a compiled class costs. So,
before they are compiled, such classes are written out: a named tuple becomes a class with the same fields
that can be compared, unpacked, printed and matched like the tuple, a data class gets its `__init__`.
Exceptions stay what they are: mypyc does not compile heirs of built-in classes.

Machine code tells of errors by lines of what was written out; `line_of` finds the line of the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from traceback import FrameSummary
from typing import NamedTuple

_FUTURE = "from __future__ import annotations\n"
_IMPORTS = """from collections.abc import Iterator as _Iterator
from typing import Any as _Any, Final as _Final
from mypy_extensions import mypyc_attr as _mypyc_attr
"""


class _Field(NamedTuple):
    name: str
    annotation: str
    default: str | None
    factory: str | None = None
    passed: bool = True  #: it is an argument of the constructor


def written_out(source: str) -> str:
    """A module's source with its records written out."""
    return "".join(_written_out(source))


def line_of(frame: FrameSummary) -> str:
    """The line that a frame of a traceback is at, as the source has it; empty if it can't be told."""
    if frame.lineno is None or Path(frame.filename).is_absolute():
        return frame.line or ""
    # mypyc tells the path that it was given: that from the folder around the package.
    try:
        source = (Path(__file__).parents[2] / frame.filename).read_text()
    except OSError:
        return ""
    left = frame.lineno
    for line, written in zip(source.splitlines(), _written_out(source), strict=True):
        left -= written.count("\n")
        if left <= 0:
            return line.strip()
    return ""


def _written_out(source: str) -> list[str]:
    """What becomes of each line: itself, and what is written out before or behind it."""
    lines = source.splitlines(keepends=True)
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    for node in reversed(classes):  # what is in a class comes before the end of the class
        assert node.end_lineno is not None
        methods = _named_tuple(node, lines) or _data_class(node, lines)
        lines[node.end_lineno - 1] += indent(methods, " " * (node.col_offset + 4))
        if any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases):
            before = " " * node.col_offset + "@_mypyc_attr(native_class=False)\n"
            lines[node.lineno - 1] = before + lines[node.lineno - 1]
    lines[lines.index(_FUTURE)] += _IMPORTS
    return lines


def _named_tuple(node: ast.ClassDef, lines: list[str]) -> str:
    if [ast.unparse(base) for base in node.bases] != ["NamedTuple"]:
        return ""
    # It holds nothing that leads back to it, so the collector of garbage need not look at it.
    said = lines[node.lineno - 1].replace("(NamedTuple)", "")
    lines[node.lineno - 1] = " " * node.col_offset + "@_mypyc_attr(acyclic=True)\n" + said
    fields, name = list(_fields(node)), node.name
    names = tuple(field.name for field in fields)
    items = ", ".join(f"self.{field}" for field in names)
    same = "".join(f" and self.{field} == other.{field}" for field in names)
    shown = ", ".join(f"{field}={{self.{field}!r}}" for field in names)
    return f"""
__match_args__: _Final = {names!r}
_fields: _Final = {names!r}
{_constructor(fields)}
def __iter__(self) -> _Iterator[_Any]:
    return iter(({items},))
def __eq__(self, other: object) -> bool:
    return isinstance(other, {name}){same}
def __hash__(self) -> int:
    return hash(({items},))
def __repr__(self) -> str:
    return f"{name}({shown})"
def _replace(self, **changes: _Any) -> {name}:
    return {name}(**dict(zip({names!r}, self), **changes))
"""


def _data_class(node: ast.ClassDef, lines: list[str]) -> str:
    """It keeps its decorator, for all but the constructor; one that compares nothing needs none.
    Fields that can't be set are no use to compiled code, which sets them in place, and it has slots anyway.
    """
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if ast.unparse(decorator if call is None else call.func) != "dataclass":
            continue
        assert decorator.lineno == decorator.end_lineno
        options = {} if call is None else {str(k.arg): ast.unparse(k.value) for k in call.keywords}
        options.pop("slots", None)
        if options.pop("frozen", None):
            options["unsafe_hash"] = "True"
        said = ", ".join(f"{option}={value}" for option, value in options.items())
        plain = options.get("eq") == "False"
        lines[decorator.lineno - 1] = (
            "\n" if plain else " " * node.col_offset + f"@dataclass(init=False, {said})\n"
        )
        for statement in node.body if plain else ():
            if isinstance(statement, ast.AnnAssign) and statement.value is not None:
                assert statement.lineno == statement.end_lineno
                at = statement.annotation.end_col_offset
                lines[statement.lineno - 1] = lines[statement.lineno - 1][:at] + "\n"
        methods = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
        return "\n" + _constructor(list(_fields(node)), "__post_init__" in methods) + "\n"
    return ""


def _fields(node: ast.ClassDef) -> Iterator[_Field]:
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name, annotation, value = statement.target.id, ast.unparse(statement.annotation), statement.value
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
            said = {str(k.arg): ast.unparse(k.value) for k in value.keywords}
            passed = said.get("init") != "False"
            yield _Field(name, annotation, said.get("default"), said.get("default_factory"), passed)
        else:
            yield _Field(name, annotation, None if value is None else ast.unparse(value))


def _constructor(fields: list[_Field], post: bool = False) -> str:
    arguments, body = ["self"], []
    for field in fields:
        name, annotation, default, factory, passed = field
        value = name if passed else default
        if factory is not None:
            default, annotation = "None", f"{annotation} | None"
            value = f"{factory}() if {name} is None else {name}" if passed else f"{factory}()"
        if passed:
            arguments.append(f"{name}: {annotation}" + ("" if default is None else f" = {default}"))
        if value is not None:
            body.append(f"self.{name} = {value}")
    body += ["self.__post_init__()"] if post else []
    return f"def __init__({', '.join(arguments)}) -> None:\n    " + "\n    ".join(body or ["pass"])
