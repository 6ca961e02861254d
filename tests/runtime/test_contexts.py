"""Contexts that take turns, and bundles that are swapped while the robot is played."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.analysis import Ledger, Line
from polyrhythm.bundle import LOCK_FILE, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import read_lock
from polyrhythm.hal import DeviceConfig, HalError
from polyrhythm.manifest import Island
from polyrhythm.robots import TensorSpec
from polyrhythm.runtime import RunError, Runtime, check
from polyrhythm.runtime import admission as admission_room
from polyrhythm.runtime import contexts as contexts_room
from polyrhythm.runtime.admission import misfits
from polyrhythm.runtime.ledger import ledger_of
from polyrhythm.runtime.storage import Storage
from polyrhythm.schedule.contexts import STOPPED
from polyrhythm.schedule.events import Act, Admit, Drained, Launch, Publish, Switch, Switched
from tests.runtime.robot import Diary
from tests.runtime.test_runs import BOTH, accounts_balance, acted

play_room = import_module("polyrhythm.runtime.play")


class At:
    """A listener that does something once, at a control tick with such an answer, and keeps the steps."""

    def __init__(self, *acts, answer=Act) -> None:
        self.acts, self.answer = sorted(acts, key=lambda act: act[0]), answer
        self.steps = []

    def step(self, event, commands) -> None:
        self.steps.append((event, commands))
        for command in commands:
            while self.acts and isinstance(command, self.answer) and command.tick >= self.acts[0][0]:
                self.acts.pop(0)[1]()

    def note(self, note) -> None:
        pass

    def all(self, kind):
        return [(event, c) for event, commands in self.steps for c in commands if type(c) is kind]


def edited(bundle: Path, out: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the bundle with texts of its manifest replaced."""
    shutil.copytree(bundle, out)
    text = (out / "manifest.yaml").read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    (out / "manifest.yaml").write_text(text)
    lock = read_lock(out)
    files = {**lock.files, "manifest.yaml": locked_file(out / "manifest.yaml")}
    (out / LOCK_FILE).unlink()
    write_lock(lock.model_copy(update={"files": files}), out)
    return out


def planned(path: Path):
    checked = check(path)
    assert checked.plan is not None, "\n\n".join(d.render() for d in checked.diagnostics)
    return checked.plan


@pytest.fixture(scope="module")
def three(bundle, tmp_path_factory):
    return planned(edited(bundle, tmp_path_factory.mktemp("three") / "b", ("robot:", "contexts: 3\nrobot:")))


@BOTH
def test_every_tick_gets_its_action_while_contexts_take_turns(three, lockstep):
    robot = Diary(length=200)
    with Runtime(three) as runtime:
        ready = lambda number: runtime.contexts[number].state == "ready"  # noqa: E731
        turns = [(t, lambda n=n: ready(n) and runtime.switch(n)) for t, n in ((40, 1), (80, 2), (120, 0))]
        watch = At(*turns)
        outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep, listeners=[watch])
        assert runtime.live.number == 0
        assert {c.state for c in runtime.contexts.values()} == {"live", "ready"}
    assert outcome.reason == "complete"
    assert [c.context for _, c in watch.all(Switched)] == [1, 2, 0]
    assert [tick for tick, _ in robot.entries] == list(range(200))
    assert all(action == (tick, 4.0) for tick, action in acted(robot))
    first = robot.entries.index(next(e for e in robot.entries if e[1] is not None))
    # The seer comes before the mover, also in a context that has never played: longer than a chunk lasts.
    assert sum(action is None for _, action in robot.entries[first:]) <= 3 * 8
    assert accounts_balance(outcome)


def test_what_nobody_read_is_counted_in_every_context(three):
    """With the episode all that was published is over: it was read or superseded."""
    with Runtime(three) as runtime:
        watch = At(
            (40, lambda: runtime.switch(1)), (60, lambda: runtime.retire(0)), (120, lambda: runtime.switch(2))
        )
        outcome = runtime.run(Diary(length=200), episodes=1, tasks=["left"], lockstep=True, listeners=[watch])
    assert [c.context for _, c in watch.all(Drained)] == [0]
    published = Counter(c.port for _, c in watch.all(Publish))
    launches = [c for _, c in watch.all(Launch) if c.tick >= 0]
    read = {(c.context, r.port, r.seq) for c in launches for r in c.reads}
    for port in ("robot.scene", "robot.clock", "seer.seen"):
        assert published[port] > 0
        assert outcome.superseded[port] == published[port] - sum(p == port for _, p, _ in read), port


def test_contexts_share_code_and_nothing_else(three):
    with Runtime(three) as runtime:
        first, *others = runtime.contexts.values()
        assert len(others) == 2
        for other in others:
            assert other.storage._executables == first.storage._executables
            assert other.storage.arena is not first.storage.arena
            for port, link in other.storage.links.items():
                assert not np.shares_memory(link.array(0), first.storage.links[port].array(0))


@BOTH
def test_a_bundle_is_swapped_in_while_the_robot_is_played(bundle, plan, tmp_path, lockstep):
    """The other bundle makes chunks half as often; the robot never goes without."""
    other = planned(edited(bundle, tmp_path / "other", ("rate_hz: 25", "rate_hz: 20")))
    robot = Diary(length=400)
    with Runtime(plan) as runtime:
        loaded = []
        watch = At((30, lambda: loaded.append(runtime.swap(other))))
        outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep, listeners=[watch])
        (context,) = loaded
        assert context.wait("live", timeout_s=20) == "live"
        assert runtime.live is context and runtime.plan is other
        assert list(runtime.contexts) == [context.number]
    assert outcome.reason == "complete"
    assert all(action == (tick, 4.0) for tick, action in acted(robot))
    assert accounts_balance(outcome)
    if not lockstep:  # in virtual time the run may be over first
        assert [c.context for _, c in watch.all(Drained)] == [0]
        warm = [c for _, c in watch.all(Launch) if c.context == 1 and c.tick < 0]
        assert [(c.module, c.stage) for c in warm] == [
            ("seer", 0),
            ("grinder", 0),
            ("mover", 0),
            ("mover", 1),
        ]
        assert not [c for e, c in watch.all(Publish) if c.context == 1 and e.now_ns < switched_ns(watch)]


def switched_ns(watch: At) -> int:
    return watch.all(Switched)[0][0].now_ns


def test_between_runs_a_swap_is_done_at_once(bundle, plan, tmp_path):
    other = planned(edited(bundle, tmp_path / "other", ("rate_hz: 25", "rate_hz: 20")))
    with Runtime(plan) as runtime:
        first = runtime.live
        context = runtime.swap(other)
        assert context.wait("live", timeout_s=20) == "live"
        assert first.wait_freed(timeout_s=20) and first.state == "retired"
        robot = Diary(length=60)
        runtime.run(robot, episodes=1, tasks=["left"], lockstep=True)
        assert all(action == (tick, 4.0) for tick, action in acted(robot))


def test_what_is_asked_of_nobody_is_refused(plan):
    with Runtime(plan) as runtime:
        with pytest.raises(RunError, match="there is no context 7; there are 0"):
            runtime.switch(7)
        with pytest.raises(RunError, match="context 0 plays: switch to another one first"):
            runtime.retire(0)


#: name -> (what to replace in the manifest, by what).
MISFITS = {
    "control rate": ("control_hz: 100", "control_hz: 50"),
    "no robot option": ("use: gymnasium", "use: metaworld"),
    "mode": ("mode: parallel", "mode: split"),
    "action kind": ("shape: [2] }", "shape: [2], kind: velocity }"),
    "device": ("  slow: {}", "  slow: { in_flight: 2 }"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_bundle_that_does_not_fit_beside_the_other_is_refused_with_the_line(
    name, bundle, plan, tmp_path, snapshot
):
    other = planned(edited(bundle, tmp_path / "other", MISFITS[name]))
    found = misfits(plan, other, plan.devices, spec=Diary.spec)
    said = "\n".join(d.render() for d in found).replace(f"{tmp_path.resolve()}/", "")
    assert said == snapshot


class Colourless(Diary):
    """It has no scene, and another clock."""

    spec = replace(Diary.spec, observations={"clock": TensorSpec("f32", (2,))})


def test_what_the_robot_that_is_played_does_not_have_is_refused(plan, snapshot):
    root = f"{plan.bundle.root}/"
    assert [
        d.render().replace(root, "") for d in misfits(plan, plan, plan.devices, spec=Colourless.spec)
    ] == snapshot


def test_another_island_is_refused(plan, snapshot):
    joint = {"velocity": 40, "torque": 1, "torque_rate": 200, "kp": 1, "kd": 0}
    island = Island.model_validate({"joints": {"left": joint}})
    bundle = replace(plan.bundle, manifest=plan.manifest.model_copy(update={"island": island}))
    with_island = replace(plan, bundle=bundle)
    found = [*misfits(plan, with_island, plan.devices), *misfits(with_island, plan, plan.devices)]
    assert [d.render().replace(f"{plan.bundle.root}/", "") for d in found] == snapshot


def test_a_context_that_was_loaded_before_there_was_a_robot_is_held_against_it(bundle, plan, tmp_path):
    """It looks at something that the robot of the run does not have, and what plays does not want."""
    more = ("    clock: {", "    smell: { dtype: f32, shape: [4] }\n    clock: {")
    link = ("robot.scene, to: grinder.scene", "robot.smell, to: grinder.scene")
    other = planned(edited(bundle, tmp_path / "other", more, link))
    with Runtime(plan) as runtime:
        context = runtime.load(other)
        assert context.wait("loaded", timeout_s=20) == "loaded"
        outcome = runtime.run(Diary(length=60), episodes=1, tasks=["left"], lockstep=True)
        assert context.state == "failed" and "observation smell: the robot has scene, clock" in context.reason
        assert context.wait_freed(20)
    assert outcome.reason == "complete"


def test_memory_that_is_not_there_is_refused(plan, monkeypatch, snapshot):
    """Weights that are there are not counted again; all that a device makes of them anew is."""
    account = {"weights": 9_000_000, "packed": 4_000_000, "transient": 750_000, "slot": 250_000}
    lines = [
        Line("bundle", ("seer",), kind, kind, nbytes, None if kind == "slot" else kind)
        for kind, nbytes in account.items()
    ]
    monkeypatch.setattr(admission_room, "ledger_of", lambda plan: Ledger(tuple(lines)))
    monkeypatch.setattr(admission_room, "_free_bytes", lambda: 4_500_000)
    found = misfits(plan, plan, plan.devices)
    root = f"{plan.bundle.root}/"
    assert [d.render().replace(root, "") for d in found] == snapshot
    monkeypatch.setattr(admission_room, "_free_bytes", lambda: 5_000_000)
    assert misfits(plan, plan, plan.devices) == []


def test_what_any_context_holds_is_resident(plan, bundle, tmp_path, monkeypatch):
    """Not only what plays: here another context has the weights that the new bundle shares."""
    playing = planned(edited(bundle, tmp_path / "playing"))  # a copy: its files are others
    new = ledger_of(plan).with_contexts(1)
    once = sum(line.total for line in new.lines if line.kind == "weights")
    assert once
    monkeypatch.setattr(admission_room, "_free_bytes", lambda: new.total - once)
    assert [d.code for d in misfits(playing, plan, plan.devices)] == ["PC033"]
    assert misfits(playing, plan, plan.devices, [ledger_of(playing), ledger_of(plan)]) == []


def test_a_load_looks_at_all_that_is_resident(plan, monkeypatch):
    seen = []
    monkeypatch.setattr(
        contexts_room, "misfits", lambda live, new, devices, resident, spec: seen.append(resident) or []
    )
    with Runtime(plan) as runtime:
        assert runtime.load(plan).wait("loaded") == "loaded"
        assert runtime.load(plan).wait("loaded") == "loaded"
    assert [len(resident) for resident in seen] == [1, 2]


def test_what_is_retired_while_it_loads_holds_nothing(plan, monkeypatch):
    with Runtime(plan) as runtime:
        before = runtime.budgets.account()

        def retire_it(*args, **more):
            runtime.retire(max(runtime.contexts))
            return []

        monkeypatch.setattr(contexts_room, "misfits", retire_it)
        context = runtime.load(plan)
        assert context.wait("retired") == "retired"
        for thread in [t for t in threading.enumerate() if t.name.startswith("load-")]:
            thread.join()
        assert context.wait_freed(60) and runtime.budgets.account() == before


def test_a_load_that_can_not_be_bound_holds_nothing(plan, monkeypatch):
    bind = Storage._bind

    def fails(storage, module, *at):
        if module == "mover":
            raise HalError("no such luck")
        return bind(storage, module, *at)

    with Runtime(plan) as runtime:
        before = runtime.budgets.account()
        monkeypatch.setattr(Storage, "_bind", fails)
        context = runtime.load(plan)
        assert context.wait("loaded") == "failed" and context.reason == "no such luck"
        assert context.freed and runtime.budgets.account() == before


def test_chunks_buffered_in_another_way_are_refused(plan, snapshot):
    mover = plan.module("mover")
    on_demand = tuple(replace(m, on_demand=True) if m.id == mover.id else m for m in plan.schedule.modules)
    other = replace(plan, schedule=replace(plan.schedule, modules=on_demand))
    root = f"{plan.bundle.root}/"
    assert [d.render().replace(root, "") for d in misfits(plan, other, plan.devices)] == snapshot


@BOTH
def test_a_bundle_whose_stage_fails_is_rolled_back(bundle, plan, tmp_path, lockstep):
    """Its modules run on a null device that fails: the bundle that plays goes on."""
    other = planned(edited(bundle, tmp_path / "other"))
    broken = {name: ("null", DeviceConfig(f"{name}2", "immediate")) for name in other.devices}
    renamed = {name: f"{name}2" for name in other.devices}
    modules = tuple(replace(m, device=renamed[m.device]) for m in other.schedule.modules)
    schedule = replace(other.schedule, modules=modules, devices={f"{n}2": 1 for n in other.devices})
    other = replace(other, schedule=schedule, devices={f"{n}2": d for n, d in broken.items()})
    robot = Diary(length=200)
    with Runtime(plan) as runtime:
        spare = runtime.load(other)
        assert spare.wait("loaded", timeout_s=20) == "loaded"
        runtime._contexts.devices["fast2"].failures["finish"] = "no such luck"
        outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep)
        assert (spare.state, spare.freed) == ("failed", True)
        assert spare.reason == "mover can't be warmed up: no such luck"
        assert list(runtime.contexts) == [0] and runtime.live.state == "live"
    assert outcome.reason == "complete"
    assert all(action == (tick, 4.0) for tick, action in acted(robot))


# -- what is asked while a run begins or is about to ---------------------------------------------------------


def test_what_plays_is_not_swapped_out_while_its_engine_is_made(three, monkeypatch):
    """Another thread comes in between, if it may."""
    make = play_room.Engine

    def slow(*args, **options):
        def swap() -> None:
            if contexts._lock.acquire(blocking=False):
                contexts.switch(contexts.by_number[1])
                contexts.retire(first)
                contexts._lock.release()

        engine, thread = make(*args, **options), threading.Thread(target=swap)
        thread.start()
        thread.join()
        return engine

    monkeypatch.setattr(play_room, "Engine", slow)
    robot = Diary(length=60)
    with Runtime(three) as runtime:
        contexts, first = runtime._contexts, runtime.live
        outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=True)
        assert runtime.live is first and first.state == "live"
    assert outcome.reason == "complete"
    assert all(action == (tick, 4.0) for tick, action in acted(robot))


def test_what_was_loaded_just_before_a_run_is_admitted_once(plan, monkeypatch):
    with Runtime(plan) as runtime:
        contexts, came, began = runtime._contexts, threading.Event(), threading.Event()
        admit, loaders = contexts._admit, []

        def late(context, *states):
            if context.number == 1 and threading.current_thread() is not threading.main_thread():
                loaders.append(threading.current_thread())
                came.set()
                began.wait()
            admit(context, *states)

        def loaded():
            began.set()
            loaders[0].join()

        monkeypatch.setattr(contexts, "_admit", late)
        spare = runtime.load(plan)
        assert spare.wait("loaded", timeout_s=20) == "loaded"
        assert came.wait(20)
        watch = At((60, loaded))
        outcome = runtime.run(Diary(length=100), episodes=1, tasks=["left"], lockstep=True, listeners=[watch])
        assert (spare.state, spare.reason) == ("ready", "")
        assert [type(e) for e, _ in watch.steps].count(Admit) == 1
    assert outcome.reason == "complete"


@pytest.mark.parametrize("ask", ["retire", "switch"])
def test_what_is_asked_before_the_first_event_is_not_lost(three, monkeypatch, ask):
    with Runtime(three) as runtime:
        contexts, other = runtime._contexts, runtime.contexts[1]
        attach = contexts.attach

        def attached(*args):
            engine = attach(*args)
            getattr(runtime, ask)(other)
            return engine

        monkeypatch.setattr(contexts, "attach", attached)
        outcome = runtime.run(Diary(length=100), episodes=1, tasks=["left"], lockstep=True)
        if ask == "retire":
            assert other.state == "retired" and other.wait_freed(20)
        else:  # it was not warm yet: what did not come in the run comes after it
            assert runtime.live is other and other.state == "live"
    assert outcome.reason == "complete"


def test_a_switch_that_a_run_refused_is_not_made_by_the_next_one(three):
    """The run was stopped before the control instant at which it was to happen."""
    with Runtime(three) as runtime:
        other = runtime.contexts[1]

        class StopsIt(At):
            def step(self, event, commands) -> None:
                super().step(event, commands)
                if type(event) is Switch:
                    runtime.stop("enough")

        watch = StopsIt((40, lambda: runtime.switch(other)))
        outcome = runtime.run(Diary(length=100), episodes=1, tasks=["left"], lockstep=True, listeners=[watch])
        assert (outcome.reason, other.state, other.reason) == ("enough", "ready", STOPPED)
        watch = At()
        runtime.run(Diary(length=60), episodes=1, tasks=["left"], lockstep=True, listeners=[watch])
        assert other.state == "ready" and runtime.live.number == 0 and not watch.all(Switched)
