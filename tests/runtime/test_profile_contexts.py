"""A power profile allows so many contexts, whatever was under way when it came."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.runtime import Plan, RunError, Runtime, check
from polyrhythm.runtime.contexts import Contexts
from polyrhythm.schedule.events import Admit
from tests.cli.bundles import make_bundle
from tests.runtime.test_power import Conductor, powered

WAIT_S = 20.0


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    found = check(make_bundle(tmp_path / "bundle", powered("{ normal: {}, saver: { contexts: 1 } }"))).plan
    assert found is not None
    return found


def test_what_is_being_loaded_is_not_bound(plan: Plan, snapshot) -> None:
    with Runtime(plan) as runtime:
        before = runtime.budgets.account()
        with runtime._contexts._memory:  # it takes long
            context = runtime.swap(plan)
            runtime.set_profile("saver")
            with pytest.raises(RunError, match="allows contexts: 1, there are 2: retire one first"):
                runtime.switch(context)
        assert context.wait("live", timeout_s=WAIT_S) == "failed"
        assert context.reason == snapshot
        assert context.wait_freed(WAIT_S) and list(runtime.contexts) == [0]
        assert runtime.budgets.account() == before


def test_what_is_loaded_is_not_swapped_in(plan: Plan, monkeypatch: pytest.MonkeyPatch, snapshot) -> None:
    play = Contexts._play

    def late(contexts, context) -> None:
        runtime.set_profile("saver")
        play(contexts, context)

    monkeypatch.setattr(Contexts, "_play", late)
    with Runtime(plan) as runtime:
        context = runtime.swap(plan)
        assert context.wait_freed(WAIT_S) and context.state == "retired"
        assert context.reason == snapshot
        assert runtime.live.number == 0 and list(runtime.contexts) == [0]


def test_what_warms_up_is_not_switched_to_any_more(plan: Plan) -> None:
    with Runtime(plan) as runtime:
        context = runtime.load(plan)
        assert context.wait("loaded", timeout_s=WAIT_S) == "loaded"

        def act(event, jobs: int) -> None:
            if isinstance(event, Admit):
                runtime.switch(context)
                runtime.set_profile("saver")

        assert runtime.run(seconds=1, lockstep=True, listeners=[Conductor(act)]).profile == "saver"
        assert runtime.live.number == 0 and context.warm
        assert "power profile saver allows contexts: 1" in context.reason
        runtime.set_profile("normal")
        runtime.run(seconds=1, lockstep=True)
        assert runtime.live.number == 0, "it would have to be asked for again"


def test_of_two_at_once_the_first_has_the_room_that_there_is(tmp_path: Path) -> None:
    text = powered("{ normal: { contexts: 2 } }").replace("power:", "contexts: 2\npower:")
    plan = check(make_bundle(tmp_path / "bundle", text)).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        assert runtime.retire(1).wait_freed(WAIT_S)
        with runtime._contexts._memory:
            first, second = runtime.load(plan), runtime.load(plan)
        assert first.wait("loaded", timeout_s=WAIT_S) == "loaded"
        assert second.wait("loaded", timeout_s=WAIT_S) == "failed" and "this makes 3" in second.reason
