"""How a module makes action chunks: real-time chunking and the steps of its flow."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictInt

from polyrhythm.manifest.part import Part, one_or_many_schema
from polyrhythm.manifest.values import ABOVE_ZERO, AboveZero, Milliseconds, Share, one_or_many

MAX_STEPS = 1000


class Rtc(Part):
    """Real-time chunking of a module that gives action chunks, in the modes `rtc` and `pipelined_rtc`."""

    buffer_depth: Annotated[StrictInt, Field(ge=1, le=64)] = Field(
        default=2, description="How many chunks are held: one plays while the next is made.", examples=[2]
    )
    swap: Literal["ready", "boundary"] = Field(
        default="ready",
        description=(
            "When a new chunk takes over: as soon as it is `ready`, at the tick that it is for; or at the "
            "`boundary`, when the last one has been played to its end, which then makes the next one due."
        ),
        examples=["ready"],
    )
    inpaint: Literal["guided", "hard", "trained", "ramp", "none"] | None = Field(
        default=None,
        description="How the new chunk is joined to the one being played; what its steps do if absent.",
        examples=["guided"],
    )
    jacobian: Literal["identity", "vjp"] | None = Field(
        default=None, description="With `guided`: the Jacobian left out, or computed.", examples=["identity"]
    )
    schedule: Literal["exp", "linear", "ones", "zeros"] = Field(
        default="exp", description="How the weight falls from the delay to `overlap_end`.", examples=["exp"]
    )
    beta: AboveZero = Field(default=5.0, description="Largest factor of the guidance.", examples=[5])
    overlap_end: Annotated[StrictInt, Field(ge=0, le=1_000_000)] | None = Field(
        default=None,
        description="First tick of a chunk that is not guided; the horizon less the stride if absent.",
        examples=[12],
    )
    delay: Annotated[StrictInt, Field(ge=0, le=1_000_000)] = Field(
        default=0,
        description="Ticks that guidance takes to pass at least while a chunk is made, whatever is measured.",
        examples=[3],
    )
    delay_window: Annotated[StrictInt, Field(ge=1, le=10_000)] = Field(
        default=50, description="How many chunks the estimate of the delay looks back on.", examples=[50]
    )
    delay_quantile: Share = Field(
        default=0.95, description="The share of them that it has to cover.", examples=[0.95]
    )
    late: Literal["hold", "decelerate", "stop"] = Field(
        default="hold",
        description="When the chunks run out: the robot's safe thing, the last motion fading, or the end.",
        examples=["decelerate"],
    )
    decelerate_ms: Milliseconds = Field(
        default=Fraction(100),
        description="How long the last motion takes to fade; a velocity takes longer if `max_step` says so.",
        examples=[100],
    )
    max_step: (
        Annotated[
            tuple[AboveZero, ...],
            Field(min_length=1, max_length=4096),
            BeforeValidator(one_or_many),
            one_or_many_schema(ABOVE_ZERO),
        ]
        | None
    ) = Field(
        default=None,
        description="Largest change of an action from tick to tick: one number, or one for each dimension.",
        examples=[0.2],
    )


class Steps(Part):
    """How often the step of a flow is taken: as often as there is time for, within limits."""

    full: Annotated[StrictInt, Field(ge=1, le=MAX_STEPS)] = Field(
        description="Steps of a chunk when there is time.", examples=[5]
    )
    fast: Annotated[StrictInt, Field(ge=1, le=MAX_STEPS)] | None = Field(
        default=None, description="Steps that a chunk gets at least; `full` if absent.", examples=[1]
    )


def as_steps(value: Any) -> Any:
    """A number is `full`; a range is `[fast, full]`."""
    if isinstance(value, int) and not isinstance(value, bool):
        return {"full": value}
    if isinstance(value, list | tuple) and len(value) == 2:
        return {"fast": value[0], "full": value[1]}
    return value


_COUNT: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": MAX_STEPS}
STEPS_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "object"},
        _COUNT,
        {"type": "array", "items": _COUNT, "minItems": 2, "maxItems": 2},
    ],
    "properties": {
        "full": {**_COUNT, "description": "Steps of a chunk when there is time.", "examples": [5]},
        "fast": {**_COUNT, "description": "Steps that a chunk gets at least.", "examples": [1]},
    },
    "required": ["full"],
    "additionalProperties": False,
}
"""What `as_steps` takes, in words that editors know."""
