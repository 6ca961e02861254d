"""A scheduler that breaks one of its own rules ends the run; the log ends with the event on which it did.
Whatever else goes wrong ends it too, in any thread."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from polyrhythm.observe.eventlog import read_log, record_to
from polyrhythm.observe.replay import replay
from polyrhythm.observe.stats import Stats
from polyrhythm.runtime import Plan, Runtime
from polyrhythm.schedule.events import Event, StageDone, Switch
from polyrhythm.schedule.jobs import ModuleState
from polyrhythm.schedule.slots import InvariantError
from polyrhythm.schedule.work import Work
from tests.runtime.robot import Diary
from tests.runtime.test_contexts import edited, planned
from tests.runtime.test_formats import MANIFEST, make
from tests.runtime.test_runs import BOTH
from tests.runtime.test_turns import Does


@BOTH
def test_a_replay_finds_the_event_that_broke_it(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lockstep: bool
) -> None:
    kept = ModuleState.release

    def breaks_at_its_seventh_tick(self: ModuleState, now_ns: int) -> int:
        if self.plan.id == "mover" and self.released == 6:
            raise InvariantError("seven is too many")
        return kept(self, now_ns)

    monkeypatch.setattr(ModuleState, "release", breaks_at_its_seventh_tick)
    stats = Stats(plan.schedule)
    with (
        Runtime(plan) as runtime,
        pytest.raises(InvariantError, match="seven is too many"),
        record_to(tmp_path / "a.log", plan) as log,
    ):
        runtime.run(Diary(200), episodes=1, tasks=["left"], lockstep=lockstep, listeners=[log, stats])
    found = replay(tmp_path / "a.log")
    assert found.difference is not None and found.events == log.records - 1
    assert found.difference.before == []
    assert found.difference.after == ['InvariantError("seven is too many")']
    assert stats.now_ns == found.difference.now_ns


def test_nothing_more_is_told_to_what_is_left_of_it(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It breaks in the thread that brings the end of a stage, when there are other news already."""
    two = planned(edited(bundle, tmp_path / "two", ("robot:", "contexts: 2\nrobot:")))
    kept = Work._stage_done
    broken: list[Event] = []

    def breaks(self: Work, event: StageDone) -> None:
        other = threading.current_thread() is not threading.main_thread()
        if other and runtime.contexts[1].state == "ready":
            broken.append(event)
            runtime.switch(1)
            raise InvariantError("no such luck")
        kept(self, event)

    monkeypatch.setattr(Work, "_stage_done", breaks)
    with (
        Runtime(two) as runtime,
        pytest.raises(InvariantError, match="no such luck"),
        record_to(tmp_path / "a.log", runtime) as log,
    ):
        runtime.run(Diary(2000), episodes=1, tasks=["left"], listeners=[log])
    read = read_log(tmp_path / "a.log")
    events = list(read)
    assert read.end == "the run ended with InvariantError"
    assert [events[-1]] == [(event, b"[]") for event in broken]
    assert not any(isinstance(event, Switch) for event, _ in events)


def test_what_goes_wrong_while_the_run_is_stopped_is_raised_all_the_same(tmp_path: Path) -> None:
    """In the thread that brings the end of the last stage: nothing is left to wait for then."""
    plan = planned(make(tmp_path / "bundle", MANIFEST.replace("immediate", '"sleep_ns:0"')))

    def stop_and_fail(event: Event, _: object) -> bool:
        if type(event) is StageDone and threading.current_thread() is not threading.main_thread():
            runtime.stop()
            raise MemoryError("no room")
        return False

    with Runtime(plan) as runtime:
        for _ in range(5):
            with pytest.raises(MemoryError, match="no room"):
                runtime.run(seconds=60, listeners=[Does(runtime, stop_and_fail)])
