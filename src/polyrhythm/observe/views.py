"""What a run has come to at one instant: what `Stats.snapshot` gives."""

from __future__ import annotations

from dataclasses import dataclass

from polyrhythm.observe.spread import Quantiles
from polyrhythm.observe.stages import StepsView
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver


@dataclass(frozen=True)
class ModuleView:
    """One module at one instant; `response` is release to finish, `stages` the execution of each, equal ones
    together; `steps` is None without a loop, or before the first chunk. What the power profile drops is asked
    for 0 Hz."""

    asked_hz: float
    got_hz: float | None
    launched: int
    finished: int
    late: int
    deferred: int
    isolated: str | None
    drops: dict[str, int]
    response: Quantiles | None
    stages: dict[str, Quantiles | None]
    steps: StepsView | None


@dataclass(frozen=True)
class ControlView:
    """The robot's side at one instant: `jitter` is how late answers left after their grid instant, `robot`
    how long the robot took to execute them."""

    asked_hz: float
    got_hz: float | None
    acts: int
    holds: dict[str, int]
    drops: dict[str, int]
    jitter: Quantiles | None
    robot: Quantiles | None


@dataclass(frozen=True)
class Snapshot:
    """Everything at one instant; times in nanoseconds of the run's clock."""

    now_ns: int
    running_ns: int
    episode: EpisodeBegan | None
    tick: int
    finished_episodes: tuple[EpisodeOver, ...]
    profile: str
    modules: dict[str, ModuleView]
    ages: dict[str, Quantiles | None]
    published: dict[str, int]
    port_drops: dict[str, dict[str, int]]
    sampling: dict[str, Quantiles | None]
    control: ControlView | None
    halted: str | None = None
