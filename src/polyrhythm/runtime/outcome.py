"""How a run ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from polyrhythm.chunks import Boundaries
from polyrhythm.runtime.listener import EpisodeOver


@dataclass(slots=True)
class ModuleOutcome:
    """A module's account: ``released == finished + sum(drops) + under_way``, always."""

    released: int
    finished: int
    late: int
    stale_used: int
    shifted: int
    under_way: int
    isolated: bool
    drops: dict[str, int]
    deferred: int = 0  #: stages that had to wait for the module's budget


@dataclass(slots=True)
class Outcome:
    """Episodes, the accounts of modules and ports, and why the run ended.

    Attributes:
        reason: ``complete`` (all episodes or seconds done), ``interrupted``, or what failed.
        ran_ns: how long the run took on the run's own clock.
        drops: drops that belong to no module: ``{"control": {"robot_busy": 2}, "robot.depth": {...}}``.
        superseded: per port, versions replaced before anybody read them.
        boundaries: how the action chunks were joined.
        profile: the power profile asked for last, after so many `profile_changes`; empty if there are none.
        unreadable: how often the power source could not be read, or made no sense; the profile was kept then.
        notes: what the run had to do without.
        island: what the island has counted since it was started; None without one.
    """

    reason: str = "complete"
    ran_ns: int = 0
    episodes: list[EpisodeOver] = field(default_factory=list)
    modules: dict[str, ModuleOutcome] = field(default_factory=dict)
    drops: dict[str, dict[str, int]] = field(default_factory=dict)
    superseded: dict[str, int] = field(default_factory=dict)
    boundaries: Boundaries = field(default_factory=Boundaries)
    profile: str = ""
    profile_changes: int = 0
    unreadable: int = 0
    notes: list[str] = field(default_factory=list)
    island: dict[str, Any] | None = None
