"""Contexts that are asked for, refused and let go at awkward moments; on devices that only take time."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path

import pytest

from polyrhythm.hal import HalError
from polyrhythm.runtime import Context, Plan, Runtime, check, realtime
from polyrhythm.runtime import contexts as contexts_room
from polyrhythm.schedule import ModulePlan
from polyrhythm.schedule.events import Command, Drained, Event, Launch, Switched
from tests.cli.bundles import MANIFEST, make_bundle

#: The module; `polyrhythm.runtime.play` is the function.
play_room = sys.modules["polyrhythm.runtime.play"]
WAIT_S = 60.0


def takes_turns(root: Path, contexts: int) -> Plan:
    """So many contexts, on a device whose stages are over at once, in a thread."""
    text = MANIFEST.replace("name: duet", f"name: duet\ncontexts: {contexts}")
    plan = check(make_bundle(root, text.replace("immediate", '"sleep_ns:0"'))).plan
    assert plan is not None
    return plan


@pytest.fixture
def duet(tmp_path: Path) -> Plan:
    """Two contexts."""
    return takes_turns(tmp_path / "duet", 2)


class Does:
    """A listener that is asked `what` to do after every step; it stops the run by returning True."""

    def __init__(self, runtime: Runtime, what) -> None:
        self.runtime, self.what, self.seen = runtime, what, []

    def step(self, event: Event, commands: list[Command]) -> None:
        self.seen += [type(event), *map(type, commands)]
        if self.what(event, commands):
            self.runtime.stop("complete")

    def note(self, note: object) -> None:
        pass


def play(runtime: Runtime, what) -> Does:
    does = Does(runtime, what)
    outcome = runtime.run(seconds=WAIT_S, listeners=[does])
    assert outcome.reason == "complete" and outcome.ran_ns < WAIT_S * 1e9, "it was not to be seen"
    return does


def switched(commands: list[Command], context: Context) -> bool:
    return any(type(c) is Switched and c.context == context.number for c in commands)


# -- a lock for the table of contexts --------------------------------------------------------------------


class Guarded(dict):
    """Changed and walked through by whoever has the lock."""

    def __init__(self, lock, content) -> None:
        super().__init__(content)
        self.held = lock._is_owned

    def __setitem__(self, *item) -> None:
        assert self.held()
        super().__setitem__(*item)

    def pop(self, *key):
        assert self.held()
        return super().pop(*key)

    def popitem(self):
        assert self.held()
        return super().popitem()

    def __iter__(self):
        assert self.held()
        return super().__iter__()

    def values(self):
        assert self.held()
        return super().values()


def test_the_table_of_contexts_is_touched_under_its_lock_alone(duet: Plan) -> None:
    """Also by the engine, which has a context freed while another thread may walk through it."""
    with Runtime(duet) as runtime:
        contexts, first, swapped = runtime._contexts, runtime.live, []
        contexts.by_number = Guarded(contexts._lock, contexts.by_number)

        def until_it_is_gone(event, commands):
            if not swapped:
                swapped.append(runtime.swap(duet))
            return any(type(c) is Drained for c in commands)

        play(runtime, until_it_is_gone)
        assert first.wait_freed(WAIT_S) and swapped[0].state == "live"
        assert sorted(runtime.contexts) == [1, 2]
    assert len([t for t in threading.enumerate() if t.name == "janitor"]) == 0


# -- a run that does not begin ---------------------------------------------------------------------------


def test_a_run_that_fails_to_begin_leaves_nothing(duet: Plan, monkeypatch) -> None:
    def none() -> None:
        raise HalError("no more queues")

    with Runtime(duet) as runtime:
        before = threading.active_count()
        monkeypatch.setattr(runtime.devices["cpu"], "queue", none)
        loops = []
        monkeypatch.setattr(play_room, "RealTime", lambda *args: loops.append(Closes()) or loops[0])
        with pytest.raises(HalError, match="no more queues"):
            runtime.run(seconds=1)
        assert loops[0].closed and threading.active_count() == before
        monkeypatch.undo()
        play(runtime, lambda event, commands: any(type(c) is Launch for c in commands))


class Closes(realtime.RealTime):
    """It says whether it was closed."""

    def __init__(self) -> None:
        super().__init__(None)
        self.closed = False

    def close(self) -> bool:
        self.closed = True
        return super().close()


# -- what is asked of a context that is not ready yet ----------------------------------------------------


@pytest.fixture
def slow_load(monkeypatch) -> threading.Event:
    """Loads wait for it."""
    go = threading.Event()
    monkeypatch.setattr(contexts_room, "misfits", lambda *args: go.wait(WAIT_S) and [])
    return go


def test_what_is_loading_plays_when_it_is_loaded(duet: Plan, slow_load) -> None:
    with Runtime(duet) as runtime:
        context = runtime.load(duet)
        runtime.switch(context)
        assert (context.state, runtime.live.number) == ("loading", 0)
        slow_load.set()
        assert context.wait("live", timeout_s=WAIT_S) == "live"
        assert runtime.live is context


def test_what_is_loading_plays_in_a_run_when_it_is_warm(duet: Plan, slow_load) -> None:
    with Runtime(duet) as runtime:
        context = runtime.load(duet)

        def ask(event, commands):
            if not slow_load.is_set():
                runtime.switch(context)
                assert (context.state, context.reason) == ("loading", "")
                slow_load.set()
            return switched(commands, context)

        play(runtime, ask)
        assert runtime.live is context


def test_the_last_one_asked_for_plays(duet: Plan, slow_load) -> None:
    with Runtime(duet) as runtime:
        context = runtime.load(duet)
        runtime.switch(context)
        runtime.switch(1)
        assert context.wait("live", timeout_s=WAIT_S) == "loading"
        assert context.reason == "another switch came first"
        slow_load.set()
        assert context.reach("loaded") == "loaded"
        assert runtime.live.number == 1


def test_of_two_that_are_asked_for_when_a_run_is_over_the_first_is_told(tmp_path: Path, monkeypatch) -> None:
    with Runtime(takes_turns(tmp_path / "trio", 3)) as runtime:
        contexts, (_, first, second) = runtime._contexts, runtime.contexts.values()
        detach = contexts.detach

        def late(**how) -> None:
            for context in (first, second):
                assert context.state == "ready"
                runtime.switch(context)
            detach(**how)

        monkeypatch.setattr(contexts, "detach", late)
        play(runtime, lambda *step: second.state == "ready")
        assert (first.state, first.reason) == ("ready", "another switch came first")
        assert runtime.live is second


def test_who_is_asked_for_again_before_the_run_hears_of_it_is_not_refused(tmp_path: Path) -> None:
    with Runtime(takes_turns(tmp_path / "trio", 3)) as runtime:
        (_, first, second), asked, seen = runtime.contexts.values(), [], set()

        def ask(event, commands):
            if second.state == "ready" and not asked:
                asked.extend(map(runtime.switch, (first, second, first)))
            seen.update(c.context for c in commands if type(c) is Switched)
            return bool(seen)

        play(runtime, ask)
        assert seen == {1} and (first.state, first.reason) == ("live", "")
        assert (second.state, second.reason) == ("ready", "another switch came first")


# -- who is let go ---------------------------------------------------------------------------------------


def loaders_end() -> bool:
    threads = [t for t in threading.enumerate() if t.name.startswith("load-")]
    for thread in threads:
        thread.join(WAIT_S)
    return not any(thread.is_alive() for thread in threads)


def test_what_is_switched_to_while_it_is_swapped_in_takes_over(duet: Plan, slow_load) -> None:
    """It plays before the swap has come to that."""
    with Runtime(duet) as runtime:
        first, context = runtime.live, runtime.swap(duet)
        runtime.switch(context)
        slow_load.set()
        assert loaders_end()
        assert runtime.live is context and first.wait_freed(WAIT_S)


def test_what_was_swapped_in_and_left_again_is_not_waited_for(duet: Plan, monkeypatch) -> None:
    with Runtime(duet) as runtime:
        first, contexts = runtime.live, runtime._contexts
        switch = contexts.switch
        monkeypatch.setattr(contexts, "switch", lambda context: (switch(context), switch(first)))
        context = runtime.swap(duet)
        assert loaders_end()
        assert runtime.live is first and not first.leaving and context.state == "loaded"


def test_a_swap_finds_its_context_playing_in_a_run(duet: Plan, monkeypatch) -> None:
    with Runtime(duet) as runtime:
        first, contexts, swapped = runtime.live, runtime._contexts, []
        play_it = contexts._play

        def late(context: Context) -> None:
            assert context.reach("live") == "live"
            play_it(context)

        monkeypatch.setattr(contexts, "_play", late)

        def ask(event, commands):
            if not swapped:
                swapped.append(runtime.swap(duet))
                runtime.switch(swapped[0])
            return any(type(c) is Drained and c.context == first.number for c in commands)

        play(runtime, ask)
        assert loaders_end() and runtime.live is swapped[0] and first.wait_freed(WAIT_S)


def test_who_is_switched_back_to_is_not_let_go_by_the_swap(duet: Plan) -> None:
    with Runtime(duet) as runtime:
        first, swapped = runtime.live, []

        def back(event, commands):
            if not swapped:
                swapped.append(runtime.swap(duet))
            if switched(commands, swapped[0]):
                runtime.switch(first)
            return switched(commands, first)

        play(runtime, back)
        assert loaders_end()
        assert runtime.live is first and not first.leaving
        play(runtime, lambda event, commands: any(type(c) is Launch for c in commands))
        assert sorted(runtime.contexts) == [0, 1, 2]


def test_who_plays_is_not_leaving_because_somebody_asked(duet: Plan) -> None:
    """It is refused by the scheduler: it went live after the request was made."""
    with Runtime(duet) as runtime:
        first, asked = runtime.live, []

        def retire_it(event, commands):
            if not asked:
                asked.append(runtime._contexts.retire(first))
            return first.reason == "it is live"

        play(runtime, retire_it)
        assert not first.leaving and first.state == "live"
        runtime._contexts.retire(first)
        assert not first.leaving and first.state == "live"


# -- what something that hangs has in its hands ----------------------------------------------------------


class Stuck:
    """Once another context is ready, a stage of the one that plays does not come back before the gate is
    open; then the other one is switched to, and the first is not needed any more."""

    def __init__(self, runtime: Runtime, monkeypatch) -> None:
        self.gate, self.entered, self.armed = threading.Event(), threading.Event(), threading.Event()
        self.runtime, self.first, self.other = runtime, runtime.live, runtime.contexts[1]
        monkeypatch.setattr(runtime.devices["cpu"], "cost_ns", self._cost_ns)

    def _cost_ns(self, entry: str) -> int:
        if self.armed.is_set() and not self.entered.is_set():
            self.entered.set()
            self.gate.wait(WAIT_S)
        return 0

    def follow(self, commands: list[Command]) -> None:
        if self.other.state == "ready" and not self.armed.is_set():
            self.armed.set()
        elif self.entered.is_set() and self.runtime.live is self.first:
            self.runtime.switch(self.other)
        elif self.runtime.live is self.other and not self.first.leaving:
            self.runtime.retire(self.first)

    def __enter__(self) -> Stuck:
        return self

    def __exit__(self, *exc: object) -> None:
        self.gate.set()


def test_what_a_hung_stage_has_stays_in_the_account_after_the_run(duet: Plan, monkeypatch) -> None:
    monkeypatch.setattr(realtime, "DRAIN_NS", 0)
    monkeypatch.setattr(play_room, "CLOSE_GRACE_NS", 0)
    with Runtime(duet) as runtime, Stuck(runtime, monkeypatch) as stuck:
        first, before = runtime.live, runtime.budgets.account()

        def leave_it(event, commands):
            stuck.follow(commands)
            return first.leaving

        play(runtime, leave_it)
        assert not first.wait_freed(0.0) and first.state == "retired"
        assert runtime.budgets.account() == before
        runtime.close()
        assert runtime.budgets.account() == before


def test_what_a_hung_stage_has_is_not_given_back_between_runs(duet: Plan, monkeypatch) -> None:
    """Its context is retired when the run is over."""
    monkeypatch.setattr(realtime, "DRAIN_NS", 0)
    monkeypatch.setattr(play_room, "CLOSE_GRACE_NS", 0)
    with Runtime(duet) as runtime, Stuck(runtime, monkeypatch) as stuck:
        first, before = runtime.live, runtime.budgets.account()

        def until_it_is_left(event, commands):
            if runtime.live is not stuck.other:
                stuck.follow(commands)
            return runtime.live is stuck.other

        play(runtime, until_it_is_left)
        runtime.retire(first)
        runtime.close()
        assert first.state == "retired" and not first.freed
        assert runtime.budgets.account() == before


def test_what_a_hung_stage_has_is_freed_when_it_ends(duet: Plan, monkeypatch) -> None:
    """Its queue was left behind, and its context is not needed: but it may still write."""
    monkeypatch.setattr(ModulePlan, "hang_ns", property(lambda self: 100_000_000))
    with Runtime(duet) as runtime, Stuck(runtime, monkeypatch) as stuck:
        first, drained = runtime.live, []

        def leave_it(event, commands):
            stuck.follow(commands)
            if drained and not stuck.gate.is_set():
                assert first.state == "retired" and not first.freed
                stuck.gate.set()
            drained.extend(c for c in commands if type(c) is Drained)
            return first.freed

        play(runtime, leave_it)
        assert sorted(runtime.contexts) == [1]


# -- what the whole process has --------------------------------------------------------------------------


def test_two_runs_at_once_leave_the_interpreter_as_it_was(duet: Plan) -> None:
    """The one that began first ends first."""
    before = gc.isenabled(), sys.getswitchinterval()
    both, over = threading.Event(), threading.Event()
    with Runtime(duet) as one, Runtime(duet) as other:
        first = threading.Thread(target=lambda: (play(one, lambda *step: both.wait(WAIT_S)), over.set()))

        def outlast(event, commands):
            both.set()
            return over.wait(WAIT_S) and not gc.isenabled()

        first.start()
        play(other, outlast)
        first.join()
    assert (gc.isenabled(), sys.getswitchinterval()) == before
