"""The raw stream in bounded memory, for traces, reports and replays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeGuard

from polyrhythm.runtime.listener import Note
from polyrhythm.schedule.events import Admit, Command, Drained, Event

#: Records kept: some minutes of a real-time run, in about 100 MB.
CAPACITY = 200_000

Step = tuple[Event, list[Command]]
Record = Step | Note


def is_step(record: Record) -> TypeGuard[Step]:
    """Whether a record is an event with its commands; else it is a note."""
    return type(record) is tuple


class Recorder:
    """A flight recorder: keeps the newest `capacity` records; what falls out is counted in `lost`.

    The newest, because a run that ends badly is explained by its end. How contexts were admitted that had not
    drained by then is kept as well, and comes first: what they did could not be told without it.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"a recorder keeps at least one record, got a capacity of {capacity}")
        self._records: deque[Record] = deque(maxlen=capacity)
        self._admitted: dict[int, Admit] = {}  # what fell out
        self._seen = 0

    def step(self, event: Event, commands: list[Command]) -> None:
        """Keep an event and its commands."""
        self._keep((event, commands))

    def note(self, note: Note) -> None:
        """Keep a note."""
        self._keep(note)

    def _keep(self, record: Record) -> None:
        self._seen += 1
        if len(self._records) == self._records.maxlen and is_step(oldest := self._records[0]):
            event, commands = oldest
            if type(event) is Admit:
                self._admitted[event.context] = event
            for command in commands:
                if type(command) is Drained:
                    self._admitted.pop(command.context, None)
        self._records.append(record)

    @property
    def lost(self) -> int:
        """Records that fell out, the oldest first."""
        return self._seen - len(self)

    def __len__(self) -> int:
        return len(self._admitted) + len(self._records)

    def __iter__(self) -> Iterator[Record]:
        yield from ((event, []) for event in self._admitted.values())
        yield from self._records
