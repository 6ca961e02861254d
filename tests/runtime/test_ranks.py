"""Thread priorities in a run in real time."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from time import monotonic_ns

import numpy as np
import pytest

from polyrhythm.hal.priority import NORMAL, Priority, current, plain, ranked, refusal
from polyrhythm.hal.worker import WorkerQueue
from polyrhythm.robots import StepResult
from polyrhythm.runtime import Note, Plan, RunError, Runtime, check
from polyrhythm.runtime import contexts as contexts_room
from polyrhythm.runtime.admission import misfits
from polyrhythm.runtime.hands import Hands, Look, Move, Reset, ThreadedHands
from polyrhythm.schedule.events import Command, Event
from tests.cli.bundles import MANIFEST, make_bundle
from tests.runtime.robot import Diary


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


class Pinned(Diary):
    """Notes on which cores it is moved."""

    def _tick(self, action):
        self.cores = os.sched_getaffinity(0)
        return super()._tick(action)


def test_the_robot_keeps_to_its_cores(plan) -> None:
    """So a slow sensor takes no time from a device elsewhere. A core that is not ours is refused by name."""
    mine = max(os.sched_getaffinity(0))

    def on(core: int) -> Plan:
        robot = plan.manifest.robot.model_copy(update={"cores": (core,)})
        manifest = plan.manifest.model_copy(update={"robot": robot})
        return replace(plan, bundle=replace(plan.bundle, manifest=manifest))

    robot = Pinned(length=3)
    with Runtime(on(mine)) as runtime:
        assert runtime.run(robot, episodes=1).reason == "complete"
    assert robot.cores == {mine}
    with Runtime(on(4096)) as runtime, pytest.raises(RunError, match=r"robot\.cores: core 4096"):
        runtime.run(robot, episodes=1)


class Resets(Diary):
    """Writes down with which priority it is begun, looked at and moved."""

    def __init__(self) -> None:
        super().__init__(length=3)
        self.seen: dict[str, set[Priority]] = {"reset": set(), "observe": set(), "act": set()}

    def reset(self, *, task: str, seed: int) -> None:
        self.seen["reset"].add(current())
        super().reset(task=task, seed=seed)

    def observe(self, name: str, out: np.ndarray) -> None:
        self.seen["observe"].add(current())
        super().observe(name, out)

    def act(self, action: np.ndarray) -> StepResult:
        self.seen["act"].add(current())
        return super().act(action)


@pytest.mark.skipif(refusal(Priority(True, 21)) is not None, reason="no right to SCHED_FIFO")
def test_the_robot_is_ranked_in_an_episode_and_not_to_begin_one() -> None:
    """A ranked thread that works for long at the start has the system take the core from the first ticks."""
    robot, done = Resets(), threading.Semaphore(0)
    hands = ThreadedHands(Hands(robot, monotonic_ns), lambda _: done.release(), Priority(True, 21))
    action, out = np.zeros(2, np.float32), np.zeros(4, np.float32)
    asked = [
        Reset("left", 0),
        Look("robot.scene", 0, out),
        Move(0, action),
        Reset("left", 1),
        Move(0, action),
    ]
    for request in asked:
        hands.do(request)
        done.acquire()
    assert hands.close()
    ranked_now = {Priority(True, 21)}
    assert robot.seen == {"reset": {NORMAL}, "observe": ranked_now, "act": ranked_now}


class Told:
    """A call that says with which priority it ran."""

    entry, owner = None, None

    def __init__(self, seen: list[Priority]) -> None:
        self.seen = seen

    def run(self, key: int) -> None:
        self.seen.append(current())
        if len(self.seen) == 1:  # a ranked thread may make a queue as well
            within = WorkerQueue("within")
            within.submit(self).wait()
            within.close()


@pytest.mark.skipif(refusal(Priority(True, 21)) is not None, reason="no right to SCHED_FIFO")
def test_a_queue_that_nobody_ranked_is_as_urgent_as_the_program() -> None:
    """Whatever the thread has that makes it."""
    seen: list[Priority] = []
    with ranked(Priority(True, 21)):
        assert current() == Priority(True, 21) and plain() == NORMAL
        queue = WorkerQueue("plain")
    queue.submit(Told(seen)).wait()
    queue.close()
    assert seen == [NORMAL, NORMAL] and current() == plain() == NORMAL


@pytest.mark.skipif(refusal(Priority(True, 21)) is not None, reason="no right to SCHED_FIFO")
def test_whoever_loads_and_frees_in_a_run_is_not_ranked(tmp_path, monkeypatch) -> None:
    text = MANIFEST.replace("immediate }", "immediate, threads: { policy: fifo, priority: 20 } }")
    plan = check(make_bundle(tmp_path / "duet", text)).plan
    assert plan is not None
    seen: list[tuple[str, Priority]] = []
    free, check_fit = contexts_room.Context.free, contexts_room.misfits

    def told_free(context, **options) -> None:
        seen.append(("free", current()))
        free(context, **options)

    def told_fit(*args):
        seen.append(("load", current()))
        return check_fit(*args)

    class Swaps(Ranks):
        def step(self, event, commands) -> None:
            super().step(event, commands)
            if not loaded:
                loaded.append(runtime.swap(plan))
            elif loaded[0].state == "live" and runtime.contexts.keys() == {1}:
                runtime.stop("seen enough")

    monkeypatch.setattr(contexts_room.Context, "free", told_free)
    monkeypatch.setattr(contexts_room, "misfits", told_fit)
    loaded: list = []
    with Runtime(plan) as runtime:
        first, watch = runtime.live, Swaps()
        assert runtime.run(seconds=30, listeners=[watch]).reason == "seen enough"
        assert first.wait_freed(20)
        assert watch.seen == {(os.SCHED_FIFO, 21)}
        assert seen == [("load", NORMAL), ("free", NORMAL)]


def test_other_threads_for_a_device_are_refused(tmp_path, snapshot) -> None:
    """The same device with other ranks, and a new one that would be above what plays."""

    def planned(name: str, device: str, threads: str):
        text = MANIFEST.replace("  cpu: {", f"  {device}: {{").replace(
            "immediate }", f"immediate{threads} }}"
        )
        plan = check(make_bundle(tmp_path / name, text)).plan
        assert plan is not None
        return plan

    plays = planned("plays", "cpu", "")
    nice = ", threads: { policy: other, nice: 5 }"
    found = [
        *misfits(plays, planned("same", "cpu", nice), plays.devices),
        *misfits(plays, planned("new", "gpu", nice), plays.devices),
        *misfits(plays, planned("fits", "gpu", ""), plays.devices),
    ]
    assert [d.render().replace(f"{tmp_path.resolve()}/", "") for d in found] == snapshot
