"""Action chunks: whether the next one always arrives before the last runs out."""

from __future__ import annotations

from dataclasses import dataclass

from polyrhythm.analysis.tasks import Time


@dataclass(frozen=True, slots=True)
class ChunkVerdict:
    """In control ticks: a chunk of `horizon` rows every `stride`, which arrives `delay` ticks late; its row 0
    is for a tick that is `behind` ticks older yet."""

    delay: int
    stride: int
    horizon: int
    behind: int = 0

    @property
    def feasible(self) -> bool:
        """``delay <= stride <= horizon - delay - behind``."""
        return self.delay <= self.stride <= self.horizon - self.delay - self.behind

    @property
    def spare(self) -> int:
        """Rows left when the next chunk arrives, at least; below 0 the robot has to hold."""
        return self.horizon - self.delay - self.behind - self.stride


def chunk_verdict(
    response_ns: Time, control_period_ns: Time, stride: int, horizon: int, behind_ns: Time = 0
) -> ChunkVerdict:
    """Judge chunks that are done `response_ns` after what they are made of was there.

    Args:
        behind_ns: how much older the tick is that their row 0 is for.
    """
    if control_period_ns <= 0 or stride < 1 or horizon < 1:
        numbers = f"control_period_ns is {control_period_ns}, stride {stride}, horizon {horizon}"
        raise ValueError(f"{numbers}; all must be above 0")
    delay, whole = (int(-(-ns // control_period_ns)) for ns in (response_ns, response_ns + behind_ns))
    return ChunkVerdict(delay, stride, horizon, whole - delay)


def stride_ticks(period_ns: Time, control_period_ns: Time) -> int:
    """Control ticks from one chunk of a module with this period to the next, at most."""
    return int(-(-period_ns // control_period_ns))


def boundary_stall_ns(execution_ns: Time, generation_ns: Time, buffers: int = 2) -> Time:
    """How long the robot waits between two chunks.

    A chunk plays for `execution_ns`, the next takes `generation_ns` to make. With two buffers it is made
    while the last one plays; with one, only after it.
    """
    if buffers < 1:
        raise ValueError(f"buffers is {buffers}; a chunk needs at least 1")
    return max(0, generation_ns - execution_ns) if buffers >= 2 else generation_ns
