"""From pydantic's errors to diagnostics: one cause, one diagnostic, in the words of the manifest."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from polyrhythm.manifest.codes import CODES
from polyrhythm.manifest.diagnostics import Diagnostic, Path, nearest, path_text, value_text
from polyrhythm.manifest.draft import counted
from polyrhythm.manifest.jsonschema import example_text, fragment_at, type_text
from polyrhythm.manifest.source import Source
from polyrhythm.manifest.values import kind_of

_RANGE = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
_LENGTH = ("too_short", "too_long")


def explain(error: ValidationError, source: Source) -> bool:
    """Add the diagnostics of a failed validation to `source`; False if there are too many of them."""
    # A misspelt key first: what it was meant to be is then neither missing nor contradicted.
    for item in sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden"):
        path = _manifest_path(item["loc"], source)
        if source.is_reported(path):
            continue
        diagnostic = _explain(item, path, source)
        if diagnostic is not None:
            source.reported.add(path)
            if not source.add(diagnostic):
                return False
    return True


def explain_empty(source: Source) -> bool:
    """Add the diagnostics of keys without a value that have none yet; False if there are too many."""
    for path in [path for path in source.values if path and source.get(path) is None]:
        if (fragment := fragment_at(path)) and not source.is_reported(path):
            source.reported.add(path)
            message, mend = f"{label(path, source)} has no value", "write a value, or remove the key"
            where = source.locate(path)
            if not source.add(Diagnostic("PM022", "error", message, where, None, type_text(fragment), mend)):
                return False
    return True


def label(path: Path, source: Source) -> str:
    """The last key of a path in its own file with the indices behind it, ``cores[1]``; "the manifest" for the
    root."""
    path = source.origins.get(path, path)
    start = max((index for index, part in enumerate(path) if isinstance(part, str)), default=0)
    return f"`{path_text(path[start:])}`" if path else "the manifest"


def _manifest_path(loc: Path, source: Source) -> Path:
    """Where a pydantic error points, in terms of the text."""
    path = loc[:-1] if _is_key(loc) else loc
    if path and isinstance(path[-1], int) and not isinstance(source.get(path[:-1]), list):
        return path[:-1]  # a single value that stands for a list of one
    return path


def _is_key(loc: Path) -> bool:
    return loc[-1:] == ("[key]",)


def _explain(item: Any, path: Path, source: Source) -> Diagnostic | None:
    if item["type"] == "missing":
        return _missing(path, source)
    if item["type"] == "extra_forbidden":
        return _unknown_key(path, source)
    if item["type"] in _LENGTH:
        return _length(item["ctx"], path, source)
    value = item["input"]
    code, reason, allowed, mend = _value_problem(item, path)
    is_key = _is_key(item["loc"])
    subject = f"the key {value_text(value)}" if is_key else f"{label(path, source)} is {value_text(value)}"
    where = source.locate(path, key=is_key)
    return Diagnostic(code, "error", f"{subject}: {reason}", where, value, allowed, mend)


def _value_problem(item: Any, path: Path) -> tuple[str, str, str, str]:
    """Code, reason, allowed and mend of a value that does not fit."""
    kind, value, context = item["type"], item["input"], item.get("ctx", {})
    if kind in CODES:
        return kind, context["reason"], context["allowed"], context["mend"]
    fragment = fragment_at(path)
    allowed, example = type_text(fragment), f"for example `{example_text(path)}`"
    if kind == "literal_error" and isinstance(value, str):
        guess = nearest(value, fragment.get("enum", []))
        return "PM023", "this is none of the choices", allowed, f"write `{guess}`" if guess else example
    if kind in _RANGE:
        return "PM024", "the number is outside its range", allowed, example
    return "PM022", f"{kind_of(value)} does not fit", allowed, example


def _missing(path: Path, source: Source) -> Diagnostic:
    return Diagnostic(
        "PM021",
        "error",
        f"`{path[-1]}` is missing in {label(path[:-1], source)}",
        source.locate(path),
        allowed=type_text(fragment_at(path)),
        mend=f"add `{example_text(path)}`",
    )


def _unknown_key(path: Path, source: Source) -> Diagnostic:
    name, present = str(path[-1]), source.get(path[:-1])
    known = list(fragment_at(path[:-1]).get("properties", {}))
    guess = nearest(name, [key for key in known if key not in present])
    if guess:
        source.reported.add((*path[:-1], guess))
    return Diagnostic(
        "PM020",
        "error",
        f"{value_text(name)} is not a key of {label(path[:-1], source)}",
        source.locate(path, key=True),
        value=name,
        allowed=", ".join(f"`{key}`" for key in known),
        mend=f"write `{guess}`" if guess else "remove it",
    )


def _length(context: Any, path: Path, source: Source) -> Diagnostic | None:
    value = source.get(path)
    size = len(value) if isinstance(value, list | dict) else 1
    least, most = context.get("min_length"), context.get("max_length")
    # Pydantic counts only the items that passed; those that did not have their own diagnostics.
    if least is not None and size >= least:
        return None
    limit = f"at least {least}" if least is not None else f"at most {most}"
    return Diagnostic(
        "PM029",
        "error",
        f"{label(path, source)} has {counted(size, 'item')}, it has to have {limit}",
        source.locate(path),
        value=value,
        allowed=f"{type_text(fragment_at(path))}; {limit} in all",
        mend=f"for example `{example_text(path)}`",
    )
