from __future__ import annotations

import pytest

from polyrhythm.observe import Recorder
from polyrhythm.observe.recorder import is_step
from polyrhythm.runtime import EpisodeBegan
from polyrhythm.schedule.events import Wake


def test_keeps_the_newest_and_counts_what_fell_out() -> None:
    recorder = Recorder(capacity=3)
    for now_ns in range(5):
        recorder.step(Wake(now_ns), [])
    assert [record[0].now_ns for record in recorder if is_step(record)] == [2, 3, 4]
    assert (len(recorder), recorder.lost) == (3, 2)


def test_events_and_notes_stay_in_order() -> None:
    recorder, began = Recorder(), EpisodeBegan(1, 0, "push", 7)
    recorder.step(Wake(1), [])
    recorder.note(began)
    recorder.step(Wake(2), [])
    assert list(recorder) == [(Wake(1), []), began, (Wake(2), [])]
    assert [is_step(record) for record in recorder] == [True, False, True]


def test_a_recorder_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one record, got a capacity of 0"):
        Recorder(capacity=0)
