"""What the runtime tells whoever listens: every event with its commands, and a few notes about the robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from polyrhythm.schedule.events import Command, Event


class EpisodeBegan(NamedTuple):
    """An episode's grids have started."""

    now_ns: int
    number: int
    task: str
    seed: int


class EpisodeOver(NamedTuple):
    """An episode is over; `ticks` control ticks were answered, `held` of them without an action.

    `success` says whether the task was fulfilled at one of them; it is None if the robot can't tell.
    """

    now_ns: int
    number: int
    task: str
    seed: int
    success: bool | None
    ticks: int
    held: int


class Moved(NamedTuple):
    """The robot has executed control tick `tick`; `action` is None if it held."""

    now_ns: int
    tick: int
    action: tuple[float, ...] | None
    telemetry: Mapping[str, float]


class Grown(NamedTuple):
    """A tick of a module with paged KV has ended well: its sequence has `tokens`, in `pages`; so far one of
    them had no room for another tick `full` times in this run."""

    now_ns: int
    module: str
    context: int
    tokens: int
    pages: int
    full: int


class RunOver(NamedTuple):
    """Nothing more is told of this run, however it ended; `failure` is the name of the exception that ended
    it, or None."""

    failure: str | None = None


Note = EpisodeBegan | EpisodeOver | Moved | Grown | RunOver


class Listener(Protocol):
    """Called in the midst of the run, by one thread at a time, not always the same: be quick, don't raise."""

    def step(self, event: Event, commands: list[Command]) -> None:
        """The scheduler was handed `event` and answered with `commands`: none if it raised, which ends the
        run."""
        ...

    def note(self, note: Note) -> None:
        """Something happened outside the scheduler; the last of all is `RunOver`."""
        ...
