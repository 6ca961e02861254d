"""What a device and a best-effort module may take of the machine: thread priorities and budgets."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from polyrhythm.manifest.part import Part
from polyrhythm.manifest.values import Milliseconds, to_ns


class Threads(Part):
    """How the system ranks the threads that compute for a device, where that is permitted."""

    policy: Literal["fifo", "other"] = Field(
        default="other",
        description="`fifo`: before every ordinary thread, until they wait; `other`: shares by `nice`.",
        examples=["fifo"],
    )
    priority: Annotated[StrictInt, Field(ge=1, le=98)] | None = Field(
        default=None, description="With `fifo`: 98 is the most urgent.", examples=[20]
    )
    nice: Annotated[StrictInt, Field(ge=-19, le=19)] | None = Field(
        default=None, description="With `other`: 19 is the least urgent.", examples=[10]
    )


class Budget(Part):
    """What a best-effort module may spend of its device."""

    ms: Milliseconds = Field(
        description="How much it may compute; a stage starts while some of it is left.", examples=[5]
    )
    period_ms: Milliseconds = Field(
        description="In every span of so long; what a stage takes too much is paid back.", examples=[50]
    )

    @property
    def ns(self) -> int:
        """How much, at least a nanosecond."""
        return max(1, to_ns(self.ms))

    @property
    def period_ns(self) -> int:
        """In which time, at least a nanosecond."""
        return max(1, to_ns(self.period_ms))
