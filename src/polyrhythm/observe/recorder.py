"""The raw stream in bounded memory, for traces, reports and replays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeGuard

from polyrhythm.runtime.listener import Note
from polyrhythm.schedule.events import Command, Event

#: Records kept: some minutes of a real-time run, in about 100 MB.
CAPACITY = 200_000

Step = tuple[Event, list[Command]]
Record = Step | Note


def is_step(record: Record) -> TypeGuard[Step]:
    """Whether a record is an event with its commands; else it is a note."""
    return type(record) is tuple


class Recorder:
    """A flight recorder: keeps the newest `capacity` records; what falls out is counted in `lost`.

    The newest, because a run that ends badly is explained by its end.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"a recorder keeps at least one record, got a capacity of {capacity}")
        self._records: deque[Record] = deque(maxlen=capacity)
        self._seen = 0

    def step(self, event: Event, commands: list[Command]) -> None:
        """Keep an event and its commands."""
        self._seen += 1
        self._records.append((event, commands))

    def note(self, note: Note) -> None:
        """Keep a note."""
        self._seen += 1
        self._records.append(note)

    @property
    def lost(self) -> int:
        """Records that fell out, the oldest first."""
        return self._seen - len(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)
