"""The leaf types of the manifest: exact numbers, names, paths and the ends of links.

Numbers stay what the text says. ``0.1`` is read as the fraction 1/10, so ``deadline_ms: 0.1`` is exactly
100000 ns, and three periods of ``rate_hz: 3`` are exactly one second.

A validator raises a pydantic error whose type is the code of the diagnostic, see `fault`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_-]*"
PORT_PATTERN = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
MAX_NAME_LENGTH = 64
MAX_HZ = 1_000_000
MAX_MS = 86_400_000
MAX_NUMBER = 1_000_000
PARAMETER_SUFFIXES = (".safetensors", ".irpa")

MAX_BYTES = 1 << 60

_RATE_TEXT = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?) *(?:/ *([0-9]{1,12}(?:\.[0-9]{1,12})?))?")

#: Units of a size; those with an i are powers of 1024.
UNITS = {
    "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}  # fmt: skip
_SIZE_TEXT = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,12})?) *([A-Za-z]*)")


def fault(code: str, reason: str, allowed: str, mend: str) -> PydanticCustomError:
    """A validation error that becomes the diagnostic `code`; `reason` goes on after "`key` is value: "."""
    return PydanticCustomError(
        code,
        "{reason}; allowed: {allowed}; {mend}",
        {"reason": reason, "allowed": allowed, "mend": mend},
    )


def kind_of(value: object) -> str:
    """What a plain value is, in words."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float | Decimal | Fraction):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list | tuple):
        return "a list"
    return "a mapping" if isinstance(value, dict) else "an empty value"


# -- numbers -----------------------------------------------------------------------------------------------


def exact(value: object) -> Fraction | None:
    """`value` as an exact fraction; None if it is no finite number. A float counts as its shortest text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal | Fraction):
        return Fraction(value)
    if isinstance(value, float) and value - value == 0:
        return Fraction(repr(value))
    return None


def rate(value: object) -> Fraction | None:
    """A rate as an exact fraction: a number, or text such as ``"1/3"``; None if it is neither."""
    if not isinstance(value, str):
        return exact(value)
    match = _RATE_TEXT.fullmatch(value.strip())
    if match is None:
        return None
    over, under = Fraction(match[1]), Fraction(match[2] or 1)
    return over / under if under else None


def to_ns(milliseconds: Fraction) -> int:
    """Milliseconds as the nearest integer of nanoseconds."""
    return round(milliseconds * 1_000_000)


def _hertz(value: object) -> Fraction:
    allowed = f"a number above 0 and at most {MAX_HZ}, or a fraction such as 1/3"
    mend = "write how often per second, for example `10`"
    number = rate(value)
    if number is None and isinstance(value, str):
        raise fault("PM028", "this is not a rate", allowed, mend)
    if number is None:
        raise fault("PM022", f"{kind_of(value)} does not fit", allowed, mend)
    if not Fraction(1000, MAX_MS) <= number <= MAX_HZ:
        raise fault("PM024", "the rate is outside its range", allowed, mend)
    return number


def _above_zero(high: int) -> Callable[[object], float]:
    allowed = f"a number above 0 and at most {high}"

    def validate(value: object) -> float:
        number = exact(value)
        if number is None:
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, "write a number")
        if not 0 < number <= high:
            raise fault("PM024", "the number is outside its range", allowed, "write a number within it")
        return float(number)

    return validate


def _fraction(low: int, high: int, words: str) -> Callable[[object], Fraction]:
    """A validator for an exact number from `low` to `high`; 0 is not among them if `low` is 0."""

    def validate(value: object) -> Fraction:
        number = exact(value)
        if number is None:
            raise fault("PM022", f"{kind_of(value)} does not fit", words, "write a number")
        if not low <= number <= high or (not low and not number):
            raise fault("PM024", "the number is outside its range", words, "write a number within it")
        return number

    return validate


def _milliseconds(low: Fraction, words: str) -> Callable[[object], Fraction]:
    allowed = f"a number of milliseconds, {words} and at most {MAX_MS}"
    mend = "write milliseconds without a unit, for example `2.5`"

    def validate(value: object) -> Fraction:
        number = exact(value)
        if number is None:
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, mend)
        if not low <= number <= MAX_MS:
            raise fault("PM024", "the time is outside its range", allowed, mend)
        return number

    return validate


def size(value: object) -> Fraction | None:
    """A size in bytes: a number, or text such as ``1.8 GiB``, up to the next byte; None if it is neither."""
    if not isinstance(value, str):
        return exact(value)
    match = _SIZE_TEXT.fullmatch(value.strip())
    unit = 0 if match is None else UNITS.get(match[2] or "B", 0)
    if match is None or not unit:
        return None
    return Fraction(match[1]) if unit == 1 else Fraction(ceil(Fraction(match[1]) * unit))


def _bytes(low: int) -> Callable[[object], int]:
    allowed = (
        f"{low} to 2^60 bytes: a whole number, or a number with B, kB, MB, GB, TB (powers of 1000) or KiB, "
        "MiB, GiB, TiB (powers of 1024)"
    )

    def validate(value: object) -> int:
        number = size(value)
        if number is None and isinstance(value, str):
            mend = "write a number and a unit, for example `512 MiB`"
            found = _SIZE_TEXT.fullmatch(value.strip())
            if found is not None:
                meant = next((unit for unit in UNITS if unit.lower().startswith(found[2].lower())), None)
                mend = f"write `{found[1]} {meant}`" if meant else mend
            raise fault("PM090", "this is not a size", allowed, mend)
        if number is None:
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, "write a size, such as `512 MiB`")
        if number.denominator != 1:
            raise fault("PM090", "this is not a whole number of bytes", allowed, f"write `{ceil(number)}`")
        if not low <= number <= MAX_BYTES:
            raise fault("PM024", "the size is outside its range", allowed, "write a size within it")
        return int(number)

    return validate


# -- names and paths ---------------------------------------------------------------------------------------


def _named(pattern: str, words: str) -> Callable[[object], str]:
    allowed = f"{words}, at most {MAX_NAME_LENGTH} characters"

    def validate(value: object) -> str:
        if not isinstance(value, str):
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, "write a name; quotes make text")
        if len(value) > MAX_NAME_LENGTH or not re.fullmatch(pattern, value):
            cleaned = re.sub(r"[^A-Za-z0-9_-]+", "_", value)[:MAX_NAME_LENGTH].strip("_-")
            fits = re.fullmatch(pattern, cleaned)
            mend = f"write `{cleaned}`" if fits else "choose another name"
            raise fault("PM025", "this is not a name", allowed, mend)
        return value

    return validate


def _bundle_path(*suffixes: str) -> Callable[[object], str]:
    """A validator for a file of the bundle: relative, inside the bundle, with one of `suffixes` if any."""
    ending = f", ending in {' or '.join(suffixes)}" if suffixes else ""
    allowed = f"the path of a file in the bundle, relative to the manifest, without `..`{ending}"

    def validate(value: object) -> str:
        if not isinstance(value, str):
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, "write a path")
        name = re.split(r"[/\\]", value)[-1]
        bring_in = f"copy the file into the bundle and write `{name}`"
        if value.startswith(("/", "~")) or re.match("[A-Za-z]:", value):
            raise fault("PM026", "the path is absolute", allowed, bring_in)
        if ".." in value.split("/"):
            raise fault("PM026", "the path leaves the bundle", allowed, bring_in)
        if "\\" in value or name in ("", ".") or not value.isprintable():
            raise fault("PM026", "this does not name a file", allowed, "write a file name, folders with `/`")
        if (plain := str(PurePosixPath(value))) != value:
            raise fault("PM026", "the path is not plain", allowed, f"write `{plain}`")
        if suffixes and not value.endswith(suffixes):
            raise fault("PM026", "the ending is not known", allowed, f"convert it to {suffixes[0]}")
        return value

    return validate


# -- the ends of links -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One end of a link: the `port` of `owner` (a module id, ``robot`` or ``runtime``)."""

    owner: str
    port: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.port}"

    @classmethod
    def parse(cls, text: str) -> Endpoint | None:
        """Read ``owner.port`` (the port may contain more dots); None if `text` is not of that form."""
        owner, _, port = text.partition(".")
        fits = re.fullmatch(NAME_PATTERN, owner) and re.fullmatch(PORT_PATTERN, port)
        return cls(owner, port) if fits and len(owner) <= MAX_NAME_LENGTH >= len(port) else None


def _link_end(allowed: str, ports: dict[str, str], usual: str) -> Callable[[object], Endpoint]:
    """A validator for one end of a link; `ports` and `usual` give the port to suggest, by owner."""

    def validate(value: object) -> Endpoint:
        if isinstance(value, Endpoint):
            return value
        mend = f"write `module.{usual}`"
        if not isinstance(value, str):
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, mend)
        end = Endpoint.parse(value)
        if end is None:
            owner = value.strip(".")
            if re.fullmatch(NAME_PATTERN, owner):
                raise fault(
                    "PM027", "the port is missing", allowed, f"write `{owner}.{ports.get(owner, usual)}`"
                )
            raise fault("PM027", "this is not one end of a link", allowed, mend)
        return end

    return validate


def one_or_many(value: object) -> object:
    """A single value as a list of one."""
    return value if isinstance(value, list | tuple) else (value,)


# -- the types ---------------------------------------------------------------------------------------------


def _dump_rate(hz: Fraction) -> float | str:
    """A rate as a number where that is exact, else as ``"1/3"``."""
    return number if exact(number := float(hz)) == hz else str(hz)


def _text_schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^{pattern}$", "maxLength": MAX_NAME_LENGTH})


POSITIVE_MS: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_MS}
MS_OR_ZERO: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": MAX_MS}
PARAMETER_FILE: dict[str, Any] = {"type": "string", "pattern": r"\.(safetensors|irpa)$"}
STAGE_NAME: dict[str, Any] = {"type": "string", "pattern": f"^{PORT_PATTERN}$", "maxLength": MAX_NAME_LENGTH}
_RATE_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_HZ},
        {
            "type": "string",
            "pattern": r"^ *[0-9]+(\.[0-9]+)? *(/ *[0-9]+(\.[0-9]+)? *)?$",
            "examples": ["1/3"],
        },
    ]
}
_SIZE_TEXT_SCHEMA: dict[str, Any] = {
    "type": "string",
    "pattern": r"^ *[0-9]+(\.[0-9]+)? *([kKMGT]?B|[KMGT]iB)? *$",
    "examples": ["512 MiB"],
}
_END_SCHEMA = WithJsonSchema({"type": "string", "pattern": rf"^{NAME_PATTERN}\.{PORT_PATTERN}$"})

_number = PlainSerializer(float)

ABOVE_ZERO: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_NUMBER}
AboveZero = Annotated[float, PlainValidator(_above_zero(MAX_NUMBER)), WithJsonSchema(ABOVE_ZERO)]
Share = Annotated[float, PlainValidator(_above_zero(1)), WithJsonSchema({**ABOVE_ZERO, "maximum": 1})]
FACTOR: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0, "maximum": 1000}
Factor = Annotated[
    Fraction,
    PlainValidator(_fraction(0, 1000, "a number above 0 and at most 1000")),
    _number,
    WithJsonSchema(FACTOR),
]
Number = Annotated[
    Fraction,
    PlainValidator(_fraction(-MAX_NUMBER, MAX_NUMBER, f"a number from -{MAX_NUMBER} to {MAX_NUMBER}")),
    _number,
    WithJsonSchema({"type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER}),
]
Hertz = Annotated[Fraction, PlainValidator(_hertz), PlainSerializer(_dump_rate), WithJsonSchema(_RATE_SCHEMA)]
Milliseconds = Annotated[
    Fraction,
    PlainValidator(_milliseconds(Fraction(1, 1_000_000), "above 0")),
    _number,
    WithJsonSchema(POSITIVE_MS),
]
PollMs = Annotated[
    Fraction,
    PlainValidator(_milliseconds(Fraction(10), "10 or more")),
    _number,
    WithJsonSchema({"type": "number", "minimum": 10, "maximum": MAX_MS}),
]
MillisecondsOrZero = Annotated[
    Fraction, PlainValidator(_milliseconds(Fraction(0), "0 or more")), _number, WithJsonSchema(MS_OR_ZERO)
]
Size = Annotated[
    int,
    PlainValidator(_bytes(1)),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_BYTES}, _SIZE_TEXT_SCHEMA]}),
]
SizeOrZero = Annotated[
    int,
    PlainValidator(_bytes(0)),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0, "maximum": MAX_BYTES}, _SIZE_TEXT_SCHEMA]}),
]
Name = Annotated[
    str,
    PlainValidator(_named(NAME_PATTERN, "letters, digits, `_` and `-`, not starting with a digit")),
    _text_schema(NAME_PATTERN),
]
Port = Annotated[
    str, PlainValidator(_named(PORT_PATTERN, "letters, digits, `_`, `-` and `.`")), _text_schema(PORT_PATTERN)
]
BundlePath = Annotated[str, PlainValidator(_bundle_path()), WithJsonSchema({"type": "string"})]
ParameterPath = Annotated[
    str, PlainValidator(_bundle_path(*PARAMETER_SUFFIXES)), WithJsonSchema(PARAMETER_FILE)
]
SourceEnd = Annotated[
    Endpoint,
    PlainValidator(
        _link_end(
            "`module.output`, `robot.OBSERVATION`, or `runtime.noise` and its like",
            {"robot": "OBSERVATION", "runtime": "noise"},
            "output",
        )
    ),
    PlainSerializer(str),
    _END_SCHEMA,
]
SinkEnd = Annotated[
    Endpoint,
    PlainValidator(_link_end("`module.input` or `robot.action`", {"robot": "action"}, "input")),
    PlainSerializer(str),
    _END_SCHEMA,
]
