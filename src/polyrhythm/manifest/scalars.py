"""What a plain scalar means: YAML 1.2's core schema, exact and bounded.

Only ``true`` and ``false`` are booleans (``yes``, ``on`` and ``1:30`` are text), a leading zero does not make
a number octal, and a decimal stays the decimal that was written.
"""

from __future__ import annotations

import re
from decimal import Decimal

from yaml.reader import Reader

MAX_EXPONENT = 30
MAX_NUMBER_LENGTH = 64

# PyYAML counts the last three as line breaks and editors do not: refused, so that both agree on line numbers.
FORBIDDEN_CHARACTER = re.compile(Reader.NON_PRINTABLE.pattern + "|[\x85\u2028\u2029]")

_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class NotExact(ValueError):
    """The scalar is a number that cannot be held exactly within the bounds."""


def resolve(text: str) -> bool | int | Decimal | str | None:
    """The value of an unquoted scalar. Raises `NotExact` for infinities, NaN and numbers beyond all use."""
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text in _NULLS:
        return None
    is_int = _INT.fullmatch(text)
    if not is_int and not _FLOAT.fullmatch(text):
        if _NOT_FINITE.fullmatch(text):
            raise NotExact
        return text
    if len(text) > MAX_NUMBER_LENGTH:
        raise NotExact
    return _integer(text) if is_int else _decimal(text)


def _integer(text: str) -> int:
    number = int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    if abs(number) >= 1 << 63:
        raise NotExact
    return number


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if not number:
        return Decimal(0)
    if abs(number.adjusted()) > MAX_EXPONENT:
        raise NotExact
    return number
