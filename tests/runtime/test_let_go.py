"""Contexts that are over: why, whatever is asked of them, and what of a swap is left that came to nothing."""

from __future__ import annotations

import threading

import pytest

from polyrhythm.runtime import Context, Plan, Runtime
from polyrhythm.schedule.contexts import STOPPED
from polyrhythm.schedule.events import Drained, Launch, Retire, Stop, Switch
from tests.runtime.test_turns import WAIT_S, duet, loaders_end, play  # noqa: F401


def test_what_is_asked_of_one_that_failed_does_not_change_why(duet: Plan) -> None:  # noqa: F811
    with Runtime(duet) as runtime:
        contexts = runtime._contexts
        context = contexts.load("nowhere")
        assert context.wait("loaded", timeout_s=WAIT_S) == "failed"
        reason = context.reason
        contexts.switch(context)
        contexts.switch(runtime.contexts[1])
        assert (context.state, context.reason) == ("failed", reason) and "nowhere" in reason


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


def test_a_swap_that_is_superseded_is_freed(duet: Plan, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """It is ready, and before the run has switched to it another switch is asked for."""
    with Runtime(duet) as runtime:
        other, contexts, swapped = runtime.contexts[1], runtime._contexts, []
        switch = contexts.switch
        monkeypatch.setattr(contexts, "switch", lambda context: (switch(context), switch(other)))

        def swap(event, commands):
            if not swapped and other.state == "ready":
                swapped.append(runtime.swap(duet))
            return any(type(c) is Drained for c in commands)

        play(runtime, swap)
        assert loaders_end() and swapped[0].wait_freed(WAIT_S)
        assert (swapped[0].state, swapped[0].reason) == ("retired", "another switch came first")
        assert runtime.live is other and sorted(runtime.contexts) == [0, 1]


def test_a_swap_that_comes_when_the_run_has_stopped_is_freed(
    duet: Plan,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The context is ready, and something of the run is still under way."""
    entered, stopped, gate = threading.Event(), threading.Event(), threading.Event()
    with Runtime(duet) as runtime:
        contexts, swapped = runtime._contexts, []
        play_it = contexts._play

        def cost_ns(entry: str) -> int:
            if swapped and swapped[0].state == "ready" and not stopped.is_set():
                entered.set()
                gate.wait(WAIT_S)
            return 0

        def late(context: Context) -> None:
            assert context.reach("ready") == "ready" and entered.wait(WAIT_S)
            runtime.stop("complete")
            assert stopped.wait(WAIT_S)
            play_it(context)

        def swap(event, commands):
            if not swapped:
                swapped.append(runtime.swap(duet))
            if type(event) is Stop:
                stopped.set()
            if type(event) is Switch:
                gate.set()
            return False

        monkeypatch.setattr(runtime.devices["cpu"], "cost_ns", cost_ns)
        monkeypatch.setattr(contexts, "_play", late)
        play(runtime, swap)
        assert loaders_end() and gate.is_set() and swapped[0].wait_freed(WAIT_S)
        assert (swapped[0].state, swapped[0].reason) == ("retired", STOPPED)
        assert runtime.live.number == 0 and sorted(runtime.contexts) == [0, 1]


def test_a_swap_that_was_refused_is_over_though_the_next_run_warms_its_context_up() -> None:
    context = Context(1)
    context.refused("")
    context.refused(STOPPED)
    context.become("warming")
    context.goes_live()
    assert context.after is None and not context.asked


def test_who_may_not_play_any_more_leaves_the_next_one_its_turn(
    duet: Plan,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Runtime(duet) as runtime:
        contexts, ready = runtime._contexts, runtime.contexts[1]
        contexts._wanted = loading = Context(7)
        monkeypatch.setattr(contexts, "_beyond", lambda new=None: "too many")
        contexts._switch_now(ready)
        assert contexts._wanted is loading and ready.reason == "too many"
