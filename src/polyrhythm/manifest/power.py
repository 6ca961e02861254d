"""Power profiles: how a bundle runs while it may spend less, and what switches between them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, PlainValidator, StrictInt, WithJsonSchema

from polyrhythm.manifest.chunking import MAX_STEPS
from polyrhythm.manifest.part import Part, one_or_many_schema
from polyrhythm.manifest.values import (
    MAX_NAME_LENGTH,
    NAME_PATTERN,
    Factor,
    Hertz,
    Name,
    Number,
    PollMs,
    fault,
    kind_of,
    one_or_many,
    to_ns,
)

MAX_PROFILES, MAX_LEVELS = 32, 32
FAST = "fast"

_NAME: dict[str, Any] = {"type": "string", "pattern": f"^{NAME_PATTERN}$", "maxLength": MAX_NAME_LENGTH}
_STEPS: dict[str, Any] = {
    "anyOf": [
        {"enum": [FAST]},
        {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MAX_STEPS},
        },
    ]
}
_T = TypeVar("_T")


def _steps(value: object) -> str | dict[str, int]:
    allowed, mend = f"`{FAST}`, or for each module a whole number from 1 to {MAX_STEPS}", f"write `{FAST}`"
    if value == FAST:
        return FAST
    if not isinstance(value, dict):
        raise fault("PM022", f"{kind_of(value)} does not fit", allowed, mend)
    for name, count in value.items():
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_STEPS:
            raise fault("PM024", f"`{name}` cannot take so many steps", allowed, f"write `{{ {name}: 1 }}`")
    return value


def _path(value: object) -> str:
    allowed, mend = "the path of a file, from the root on", "write for example `/sys/class/thermal/...`"
    if not isinstance(value, str):
        raise fault("PM022", f"{kind_of(value)} does not fit", allowed, mend)
    if not value.startswith("/") or not value.isprintable():
        raise fault("PM089", "this is not the path of a file outside the bundle", allowed, mend)
    return value


class PowerProfile(Part):
    """What a power profile changes; what it does not name runs as the rest of the manifest says."""

    rate_hz: dict[Name, Hertz] = Field(
        default={}, description="Other rates, by module id or class.", examples=[{"vlm": 1.5}]
    )
    rate_scale: dict[Name, Factor] = Field(
        default={},
        description="What rates are multiplied by, by module id or class.",
        examples=[{"background": 0.5}],
    )
    drop: Annotated[tuple[Name, ...], BeforeValidator(one_or_many), one_or_many_schema(_NAME)] = Field(
        default=(), description="Modules that do not run, by id or class.", examples=["background"]
    )
    steps: Annotated[Literal["fast"] | dict[str, int], PlainValidator(_steps), WithJsonSchema(_STEPS)] = (
        Field(
            default={},
            description="Steps of a flow at most: `fast`, the fewest of every module; or by module id.",
            examples=["fast"],
        )
    )
    contexts: Annotated[StrictInt, Field(ge=1, le=64)] | None = Field(
        default=None, description="How many contexts may be live; all if absent.", examples=[1]
    )
    cost_scale: dict[Name, Factor] = Field(
        default={},
        description="What the costs of all stages of a device are multiplied by, by device.",
        examples=[{"cpu": 1.6}],
    )

    def drops(self, *names: str | None) -> bool:
        """Whether the module of that id or class does not run."""
        return any(name in self.drop for name in names)


def named(table: Mapping[str, _T], *names: str | None) -> _T | None:
    """What a table says of a module: by its id, else by its class."""
    return next((table[name] for name in names if name is not None and name in table), None)


class Level(Part):
    """From which reading on a profile is in force, and back to which it stays so."""

    profile: Name = Field(description="The profile.", examples=["saver"])
    at: Number = Field(description="It comes into force at this reading.", examples=[80])
    back: Number = Field(description="It stays until the reading has come back past this one.", examples=[75])


class PowerSource(Part):
    """What is read while a bundle runs, to switch between profiles."""

    kind: Literal["thermal", "battery", "file"] = Field(
        description=(
            "`thermal`: millidegrees, levels in degrees Celsius; `battery`: per cent, levels are reached "
            "from above; `file`: the name of a profile, or a number."
        ),
        examples=["thermal"],
    )
    path: Annotated[str, PlainValidator(_path), WithJsonSchema({"type": "string", "pattern": "^/"})] = Field(
        description="The file.", examples=["/sys/class/thermal/thermal_zone0/temp"]
    )
    levels: tuple[Level, ...] = Field(
        default=(),
        description="Profiles by reading; the farthest that is reached is in force, without one the first.",
        max_length=MAX_LEVELS,
        examples=[[{"profile": "saver", "at": 80, "back": 75}]],
    )
    every_ms: PollMs = Field(default=Fraction(1000), description="How often it is read.", examples=[1000])

    @property
    def falls(self) -> bool:
        """Whether levels are reached from above."""
        return self.kind == "battery"

    @property
    def every_ns(self) -> int:
        """How often it is read."""
        return to_ns(self.every_ms)


class Power(Part):
    """Power profiles: which there are, and what switches between them."""

    profiles: dict[Name, PowerProfile] = Field(
        description="Profiles by name, each a mapping of what is different in it.",
        min_length=1,
        max_length=MAX_PROFILES,
        examples=[{"normal": {}, "saver": {"drop": "background"}}],
    )
    start: Name | None = Field(
        default=None, description="The profile a run begins with; the first if absent.", examples=["normal"]
    )
    source: PowerSource | None = Field(
        default=None,
        description=(
            "What switches by itself; absent: only `Runtime.set_profile`, `run --profile` and "
            "`polyrhythm power` do."
        ),
        examples=[{"kind": "file", "path": "/run/polyrhythm/profile"}],
    )

    @property
    def first(self) -> str:
        """The profile a run begins with."""
        return self.start or next(iter(self.profiles))
