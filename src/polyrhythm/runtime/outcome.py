"""How a run ended, or why it did not begin."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyrhythm.chunks import Boundaries
from polyrhythm.runtime.listener import EpisodeOver
from polyrhythm.schedule.contexts import STOPPED

if TYPE_CHECKING:
    from polyrhythm.runtime.context import Context


class RunError(Exception):
    """The run can't begin, or can't do what is asked of it; the message says why and how to mend it."""


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
class KVOutcome:
    """What became of a module's paged KV, in all contexts that played.

    Attributes:
        pages: how many the pool can give out.
        tokens: how many were appended.
        full: how often a sequence had no room for another tick, and what `on_full` says was done.
        shared: how often a full page gave way to one that held the same.
        most_held: the most pages that were held at once.
    """

    pages: int = 0
    tokens: int = 0
    full: int = 0
    shared: int = 0
    most_held: int = 0


@dataclass(frozen=True, slots=True)
class Swapped:
    """What came of a `bundle` that was to be swapped in: whether it has `played`, and if not, why."""

    bundle: str
    played: bool
    reason: str = ""

    @classmethod
    def of(cls, bundle: Path, context: Context | None) -> Swapped:
        """Of a swap into `context`, when the run is over; None: it never began."""
        if context is None:
            reason = "the run was over before"
        elif context.played:
            return cls(str(bundle), True)
        elif context.reason not in ("", STOPPED):
            reason = context.reason
        elif context.warm:
            reason = "it was ready but had not played when the run was over"
        else:
            reason = "it was not ready when the run was over"
        return cls(str(bundle), False, reason)


@dataclass(slots=True)
class Outcome:
    """Episodes, the accounts of modules and ports, and why the run ended.

    Attributes:
        reason: ``complete`` (all episodes or seconds done), ``interrupted``, or what failed.
        ran_ns: how long the run took on the run's own clock.
        drops: drops that belong to no module: ``{"control": {"robot_busy": 2}, "robot.depth": {...}}``.
        superseded: per port, versions replaced before anybody read them, in all contexts.
        boundaries: how the action chunks were joined.
        kv: of every module with paged KV, what became of it.
        profile: the power profile asked for last, after so many `profile_changes`; empty if there are none.
        unreadable: how often the power source could not be read, or made no sense; the profile was kept then.
        notes: what the run had to do without.
        island: what the island has counted since it was started; None without one.
        swap: what came of the bundle that was to be swapped in; None if there was none.
        undriven: the module that drives the robot, if it is isolated in the context that played last.
    """

    reason: str = "complete"
    ran_ns: int = 0
    episodes: list[EpisodeOver] = field(default_factory=list)
    modules: dict[str, ModuleOutcome] = field(default_factory=dict)
    drops: dict[str, dict[str, int]] = field(default_factory=dict)
    superseded: dict[str, int] = field(default_factory=dict)
    boundaries: Boundaries = field(default_factory=Boundaries)
    kv: dict[str, KVOutcome] = field(default_factory=dict)
    profile: str = ""
    profile_changes: int = 0
    unreadable: int = 0
    notes: list[str] = field(default_factory=list)
    island: dict[str, Any] | None = None
    swap: Swapped | None = None
    undriven: str | None = None
