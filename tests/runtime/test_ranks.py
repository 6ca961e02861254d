"""Thread priorities in a run in real time."""

from __future__ import annotations

import os

import pytest

from polyrhythm.hal.priority import Priority, refusal
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.schedule.events import Command, Event
from tests.cli.bundles import MANIFEST, make_bundle


class Ranks:
    """With which priority the engine was told of what."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, int]] = set()

    def step(self, event: Event, commands: list[Command]) -> None:
        self.seen.add((os.sched_getscheduler(0), os.sched_getparam(0).sched_priority))

    def note(self, note: Note) -> None:
        pass


@pytest.mark.skipif(refusal(Priority(True, 21)) is not None, reason="no right to SCHED_FIFO")
def test_whoever_is_with_the_engine_is_above_whoever_computes(tmp_path) -> None:
    """Queues' threads and the one that keeps the time; afterwards it is as before."""
    device = 'driver: "null", uri: "sleep_ns:200000"'
    text = MANIFEST.replace(
        'driver: "null", uri: immediate', f"{device}, threads: {{ policy: fifo, priority: 20 }}"
    )
    plan = check(make_bundle(tmp_path / "duet", text)).plan
    assert plan is not None
    before, ranks = os.sched_getscheduler(0), Ranks()
    with Runtime(plan) as runtime:
        outcome = runtime.run(seconds=0.2, listeners=[ranks])
    assert ranks.seen == {(os.SCHED_FIFO, 21)}
    assert outcome.modules["head"].finished > 0 and not outcome.notes
    assert os.sched_getscheduler(0) == before
