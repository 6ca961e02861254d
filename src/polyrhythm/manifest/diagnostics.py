"""Diagnostics: an error is data, and says everything that is needed to mend it.

A `Diagnostic` carries a code, the place, the value found there, what would be allowed and how to mend it. It
is the same class for every room that judges a bundle; a room brings its own code prefix (``PM`` is the
manifest's) and its own table of codes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Literal

Path = tuple[str | int, ...]
"""Where a value hangs in the manifest: ``("orchestration", "modules", 1, "rate_hz")``."""

Severity = Literal["error", "note"]

#: Control characters, the other ends of a line that YAML knows, and what turns the direction of text.
_UNPRINTABLE = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_LINE_WIDTH = 100
_VALUE_WIDTH = 60
#: Of a message, of what is allowed, of a mend: they may name what is in the file, however long that is.
_TEXT_WIDTH = 1000


def path_text(path: Path, start: str = "") -> str:
    """The path as prose, going on from `start`: ``orchestration.modules[1].rate_hz``; empty for the root."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{printable(part)[:80]}" for part in path]
    return (start + "".join(parts)).removeprefix(".")


def printable(text: str) -> str:
    """`text` with everything that could disturb a terminal replaced, character by character."""
    return _UNPRINTABLE.sub("�", text.replace("\t", "→"))


def value_text(value: object) -> str:
    """A value as it would stand in the manifest, cut to a readable length."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(value_text(item) for item in value[:9]) + (", ..." if value[9:] else "") + "]"
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{key}: ..." for key in list(value)[:9]) + "}"
    else:
        text = str(value)
    return _cut(printable(text), _VALUE_WIDTH)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be, or None."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    match = get_close_matches(name[:100].lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[match[0]] if match else None


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a text. `line` and `column` count from 1; line 0 means the file as a whole.

    `path` is the manifest path as prose, `text` the source line and `span` the number of characters meant.
    """

    file: str
    line: int = 0
    column: int = 0
    path: str = ""
    text: str = field(default="", repr=False, compare=False)
    span: int = field(default=1, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def excerpt(self) -> list[str]:
        """The source line with its number, and carets below the characters meant."""
        if not self.line:
            return []
        start = self.column - 1
        left = max(0, start - _LINE_WIDTH + 30)
        shown = self.text[left : left + _LINE_WIDTH]
        width = max(1, min(self.span, left + len(shown) - start))
        gutter = f"{self.line:>6}"
        carets = " " * (start - left) + "^" * width
        return [f"{gutter} | {printable(shown)}".rstrip(), f"{' ' * len(gutter)} | {carets}"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to know about a bundle, with all that is needed to act on it.

    An ``error`` stops the bundle from being used, a ``note`` does not. `value` is what was found, `allowed`
    what may stand there, `mend` what to do; `also` names other places that take part.
    """

    code: str
    severity: Severity
    message: str
    where: Location
    value: Any = None
    allowed: str = ""
    mend: str = ""
    also: tuple[Location, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether the bundle cannot be used because of this."""
        return self.severity == "error"

    def render(self) -> str:
        """The diagnostic as plain text for a terminal; several lines, no trailing newline."""
        lines = [f"{self.where}: {self.severity} {self.code}: {_cut(self.message)}", *self.where.excerpt()]
        for place in self.also:
            lines += [f"  also:    {place}", *place.excerpt()]
        lines += [f"  path:    {self.where.path}"] if self.where.path else []
        lines += [f"  allowed: {_cut(self.allowed)}"] if self.allowed else []
        lines += [f"  mend:    {_cut(self.mend)}"] if self.mend else []
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The diagnostic for machines; every value is representable in JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": self.where.file,
            "line": self.where.line,
            "column": self.where.column,
            "path": self.where.path,
            "value": _json_value(self.value),
            "allowed": self.allowed,
            "mend": self.mend,
            "also": [
                {"file": place.file, "line": place.line, "column": place.column, "path": place.path}
                for place in self.also
            ],
        }


def render_all(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics as one text, with an empty line between two."""
    return "\n\n".join(diagnostic.render() for diagnostic in diagnostics)


def _cut(text: str, width: int = _TEXT_WIDTH) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _json_value(value: object) -> Any:
    """`value` with exact numbers turned into JSON's; collections stay what they are."""
    if isinstance(value, Decimal | Fraction):
        return float(value)
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json_value(item) for key, item in value.items()}
    return value if value is None or isinstance(value, str | int | float) else str(value)
