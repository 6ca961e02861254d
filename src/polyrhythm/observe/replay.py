"""Plays a log again: the same scheduler, the same events, and whether it gives the same commands.

The scheduler is sans-I/O, so a log needs neither the bundle nor devices nor a robot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from polyrhythm.manifest.diagnostics import printable
from polyrhythm.observe.eventlog import COMPLETE, SPOILT, LogError, dumps, encode, read_log
from polyrhythm.schedule import Scheduler
from polyrhythm.schedule.events import Event

#: The end of a log that was not read to its end.
_PARTED = "parted"


class Difference(NamedTuple):
    """The first record at which two runs part: `number` of the event, and what was answered on either side.

    `event` is None if the records' events differ; then `before` and `after` hold those.
    """

    number: int
    now_ns: int
    event: str | None
    before: list[str]
    after: list[str]


class Replay(NamedTuple):
    """What came of a log: `events` played, over `span_ns` of its clock, until its `end` (see `Log`)."""

    events: int
    commands: int
    span_ns: int
    end: str
    made_by: str
    bundle: str
    difference: Difference | None

    @property
    def well(self) -> bool:
        """Whether all that was recorded is answered the same."""
        return self.difference is None and self.end != SPOILT


class Comparison(NamedTuple):
    """How many records two logs share from their beginning, where they part (None: nowhere), and their ends
    (see `Log`)."""

    shared: int
    difference: Difference | None
    ends: tuple[str, str]

    @property
    def well(self) -> bool:
        """Whether all that was recorded is the same."""
        return self.difference is None and SPOILT not in self.ends


def replay(path: Path | str) -> Replay:
    """Play a log, up to its end or to the first event that is answered differently now.

    Raises:
        LogError: it can't be read.
    """
    log = read_log(path)
    try:
        plan, player = log.header.plan, log.header.player
        scheduler = Scheduler(plan, player.make(plan.control), log.header.context)
    except Exception as error:
        raise LogError(f"{path}: no scheduler can play its plan: {error}") from None
    events = commands = first_ns = now_ns = 0
    difference = None
    for event, before in log:
        now_ns = event.now_ns
        first_ns = first_ns if events else now_ns
        try:
            answer = [encode(command) for command in scheduler.handle(event)]
        except Exception as error:  # a broken invariant, or a log that was tampered with
            answer = [[type(error).__name__, str(error)]]
        if (after := dumps(answer)) != before:
            difference = Difference(events, now_ns, _show(encode(event)), _lines(before), _lines(after))
            break
        events += 1
        commands += len(answer)
    header, end = log.header, log.end or _PARTED
    return Replay(events, commands, now_ns - first_ns, end, header.made_by, header.bundle, difference)


def diff(a: Path | str, b: Path | str) -> Comparison:
    """Compare two logs, up to the first record that differs.

    Raises:
        LogError: one can't be read, or they are of different plans.
    """
    logs = read_log(a), read_log(b)
    for what in ("plan", "player", "context"):
        one, other = (getattr(log.header, what) for log in logs)
        if one != other:
            raise LogError(f"{a} and {b} are of different runs: their headers have another {what}")
    shared, difference = 0, None
    for one, other in zip_longest(*logs):
        event = next(record[0] for record in (one, other) if record is not None)
        # Of two kinds, events with the same fields are equal.
        alike = one is not None and other is not None and encode(one[0]) == encode(other[0])
        if alike and one[1] == other[1]:
            shared += 1
        elif alike:
            told = _show(encode(event)), _lines(one[1]), _lines(other[1])
            difference = Difference(shared, event.now_ns, *told)
            break
        else:
            difference = Difference(shared, event.now_ns, None, _event(one), _event(other))
            break
    ends = tuple(log.end or _PARTED for log in logs)
    return Comparison(shared, difference, (ends[0], ends[1]))


def describe_replay(found: Replay) -> dict[str, Any]:
    """For machines."""
    difference = found.difference
    return found._asdict() | {"difference": None if difference is None else difference._asdict()}


def describe_diff(found: Comparison) -> dict[str, Any]:
    """For machines."""
    difference = found.difference
    return found._asdict() | {"difference": None if difference is None else difference._asdict()}


def tell_replay(name: str, found: Replay) -> str:
    """What came of a replay, in words."""
    span = f"{found.events} events and {found.commands} commands over {found.span_ns / 1e9:.3f} s"
    lines = [f"{name}: {printable(found.bundle)}, recorded by polyrhythm {printable(found.made_by)}"]
    if found.difference is None:
        lines += [f"{span}: the same, byte for byte", *_early("the log", found.end)]
    else:
        lines += [f"{span} were the same; then they part", *_tell(found.difference, "recorded", "now")]
    return "\n".join(lines)


def tell_diff(a: str, b: str, found: Comparison) -> str:
    """Where two logs part, in words."""
    lines = [f"{a} and {b}: {found.shared} events, the same, byte for byte"]
    if found.difference is not None:
        lines = [f"{a} and {b}: {found.shared} events are the same; then they part"]
        lines += _tell(found.difference, a, b)
    for name, end in zip((a, b), found.ends, strict=True):
        lines += _early(name, end)
    return "\n".join(lines)


def _early(name: str, end: str) -> Iterator[str]:
    if end not in (COMPLETE, _PARTED):
        yield f"{name} ends early: {end}"


def _tell(found: Difference, before: str, after: str) -> Iterator[str]:
    at = f"event {found.number}, at {found.now_ns} ns"
    yield at if found.event is None else f"{at}: {found.event}"
    for side, lines in ((before, found.before), (after, found.after)):
        yield f"  {side}:"
        yield from (f"    {line}" for line in lines or ["(nothing)"])


def _event(record: tuple[Event, bytes] | None) -> list[str]:
    return ["(the log ends here)"] if record is None else [_show(encode(record[0]))]


def _lines(commands: bytes) -> list[str]:
    return [_show(command) for command in json.loads(commands)]


def _show(item: list[Any]) -> str:
    name, *fields = item
    return f"{printable(name)}({', '.join(json.dumps(field, default=_named) for field in fields)})"


def _named(plan: Any) -> str:
    """Plans are too long to be shown."""
    return f"a {type(plan).__name__}"
