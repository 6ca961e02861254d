"""Why contexts are over, whatever is asked of them then."""

from __future__ import annotations

import threading

import pytest

from polyrhythm.runtime import Plan, Runtime
from polyrhythm.schedule.events import Drained, Launch, Retire, Stop
from tests.runtime.test_turns import WAIT_S, duet, play  # noqa: F401


def test_what_is_asked_of_one_that_failed_does_not_change_why(duet: Plan) -> None:  # noqa: F811
    with Runtime(duet) as runtime:
        contexts = runtime._contexts
        context = contexts.load(duet, refusal="there is no room")
        assert (context.state, context.reason) == ("failed", "there is no room")
        contexts.switch(context)
        contexts.switch(runtime.contexts[1])
        assert (context.state, context.reason) == ("failed", "there is no room")


def test_who_is_retired_twice_is_retired(duet: Plan) -> None:  # noqa: F811
    """While its first stage warms it up."""
    with Runtime(duet) as runtime:
        other, asked = runtime.contexts[1], []

        def twice(event, commands):
            if not asked and any(type(c) is Launch and c.context == other.number for c in commands):
                asked.extend((runtime.retire(other), runtime.retire(other)))
                assert other.state == "warming"
            return any(type(c) is Drained for c in commands)

        play(runtime, twice)
        assert (other.state, other.reason) == ("retired", "") and other.wait_freed(WAIT_S)


def test_who_is_retired_when_the_run_has_stopped_is_retired(
    duet: Plan,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run has given it up before it hears of that, and its first stage is under way."""
    gate, held = threading.Event(), threading.Event()
    with Runtime(duet) as runtime:
        other, asked = runtime.contexts[1], []
        monkeypatch.setattr(
            runtime.devices["cpu"], "cost_ns", lambda entry: int(held.is_set() and not gate.wait(WAIT_S))
        )

        def late(event, commands):
            if type(event) is Stop and not asked:
                asked.append(runtime.retire(other))
            if type(event) is Retire:
                gate.set()
            if any(type(c) is Launch and c.context == other.number for c in commands):
                held.set()
                return True
            return False

        play(runtime, late)
        assert gate.is_set()
        assert (other.state, other.reason) == ("retired", "") and other.wait_freed(WAIT_S)
