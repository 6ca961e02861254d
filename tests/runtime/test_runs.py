"""Real compiled modules, a robot that keeps a diary, both kinds of time."""

from __future__ import annotations

import gc
import threading
from dataclasses import replace
from fractions import Fraction

import psutil
import pytest

from polyrhythm.hal import DeviceConfig
from polyrhythm.runtime import RunError, Runtime
from polyrhythm.schedule import Overrun
from tests.runtime.robot import Diary

BOTH = pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "real time"])


def acted(robot: Diary) -> list[tuple[int, tuple[float, ...]]]:
    return [(tick, action) for tick, action in robot.entries if action is not None]


def accounts_balance(outcome) -> bool:
    return all(
        m.released == m.finished + sum(m.drops.values()) + m.under_way for m in outcome.modules.values()
    )


@BOTH
def test_every_tick_gets_the_row_that_was_made_for_it(runtime, lockstep):
    robot = Diary(length=120)
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep)
    assert outcome.reason == "complete"
    assert [tick for tick, _ in robot.entries] == list(range(120))
    moves = acted(robot)
    assert len(moves) > 80
    assert all(action == (tick, 4.0) for tick, action in moves)
    assert accounts_balance(outcome)


@BOTH
def test_tasks_take_turns_and_every_round_has_its_seed(runtime, lockstep):
    robot = Diary(length=20)
    outcome = runtime.run(robot, episodes=2, seed=7, lockstep=lockstep)
    assert robot.episodes == [("left", 7), ("right", 7), ("left", 8), ("right", 8)]
    assert [(e.task, e.seed, e.success, e.ticks) for e in outcome.episodes] == [
        ("left", 7, True, 20), ("right", 7, True, 20), ("left", 8, True, 20), ("right", 8, True, 20),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "success"),
    [({}, None), ({10: False}, False), ({10: True, 11: False}, True), ({10: False, 60: True}, True)],
)
def test_an_episode_ends_with_done_alone_and_succeeds_with_any_tick(runtime, said, success):
    """What is said at the ticks that are not named: nothing."""

    class Teller(Diary):
        def _tick(self, action):
            return replace(super()._tick(action), success=said.get(len(self.entries)))

    robot = Teller(length=60)
    outcome = runtime.run(robot, episodes=1, lockstep=True)
    assert [(e.success, e.ticks) for e in outcome.episodes] == [(success, 60)] * 2


def test_lockstep_is_the_same_every_time(runtime):
    diaries, outcomes = [], []
    for _ in range(2):
        robot = Diary(length=90)
        outcomes.append(runtime.run(robot, episodes=2, lockstep=True, seed=3))
        diaries.append(robot.entries)
    assert outcomes[0] == outcomes[1]
    assert diaries[0] == diaries[1]


def test_seconds_end_a_run_in_the_middle(runtime):
    outcome = runtime.run(Diary(length=10_000), seconds=1.5, lockstep=True)
    assert outcome.reason == "complete"
    assert outcome.ran_ns == 1_500_000_000
    assert outcome.episodes == []


@BOTH
def test_a_module_that_gives_nan_is_taken_out_and_the_robot_holds(runtime, lockstep):
    robot = Diary(length=250, scene=lambda tick: (4, 1, 9, 16) if tick < 50 else (-1, 1, 1, 1))
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep)
    seer = outcome.modules["seer"]
    assert seer.isolated
    assert seer.drops["failed"] == 3
    assert not outcome.modules["mover"].isolated
    assert all(action == (tick, 4.0) for tick, action in acted(robot)), "no NaN ever reached the robot"
    assert robot.entries[-1][1] is None, "its last good result is stale, so the robot holds"
    assert accounts_balance(outcome)


def test_a_hung_module_loses_its_queue_and_the_others_go_on(runtime):
    """The grinder works for seconds; the seer shares its device and gets a new queue."""
    robot = Diary(length=600, scene=lambda tick: (4, 1, 9, 16) if tick < 30 else (300_000, 1, 9, 16))
    outcome = runtime.run(robot, episodes=1, tasks=["left"])
    assert outcome.reason == "complete"
    assert outcome.modules["grinder"].drops["hung"] == 1
    assert outcome.modules["grinder"].isolated
    assert not outcome.modules["seer"].isolated
    assert outcome.modules["seer"].finished > 5
    assert robot.entries[-1][1] is not None
    assert accounts_balance(outcome)


@BOTH
def test_a_robot_that_raises_ends_the_run_with_its_message(runtime, lockstep):
    outcome = runtime.run(Diary(fails_at=30), episodes=1, lockstep=lockstep)
    place = f"robot.py:{Diary._tick.__code__.co_firstlineno + 2} in _tick"
    assert outcome.reason == f"the robot failed: OSError: the motor does not answer ({place})"
    assert accounts_balance(outcome)


def test_stop_from_another_thread(runtime):
    robot = Diary(length=10_000_000)
    timer = threading.Timer(0.3, runtime.stop, ["enough"])
    timer.start()
    outcome = runtime.run(robot, episodes=1)
    timer.join()
    assert outcome.reason == "enough"
    assert accounts_balance(outcome)


def test_a_robot_unlike_the_manifest_is_refused(runtime, snapshot):
    robot = Diary()
    robot.spec = type(robot.spec)(
        control_hz=50.0,
        observations={"clock": robot.spec.observations["scene"]},
        action=robot.spec.observations["clock"],
        tasks=("left",),
    )
    with pytest.raises(RunError) as refused:
        runtime.run(robot)
    assert str(refused.value) == snapshot
    with pytest.raises(RunError) as missing:
        runtime.run(None)
    assert str(missing.value) == snapshot


def cycles(plan, times: int) -> None:
    for _ in range(times):
        with Runtime(plan) as runtime:
            outcome = runtime.run(Diary(length=3), episodes=1, tasks=["left"], lockstep=False)
            assert outcome.reason == "complete"


def footprint() -> tuple[int, int, int]:
    gc.collect()
    process = psutil.Process()
    return process.num_threads(), process.num_fds(), process.memory_info().rss


@pytest.mark.parametrize("times", [5, pytest.param(1000, marks=pytest.mark.slow)])
def test_start_and_stop_leave_nothing_behind(plan, times):
    cycles(plan, 5)
    threads, fds, rss = footprint()
    cycles(plan, times)
    after = footprint()
    assert after[0] <= threads and after[1] <= fds  # what other tests left may end meanwhile
    assert after[2] - rss < 8 << 20


def test_a_driver_that_completes_in_submit_does_not_lock_up(plan):
    """The null driver's `immediate` devices call back from inside the engine."""
    devices = {name: ("null", DeviceConfig(name, "immediate")) for name in plan.devices}
    with Runtime(replace(plan, devices=devices)) as runtime:
        outcome = runtime.run(Diary(length=40), episodes=1, tasks=["left"])
    assert outcome.reason == "complete"
    assert outcome.modules["seer"].finished > 1
    assert accounts_balance(outcome)


def test_a_driver_that_completes_in_submit_leaves_time_for_the_rest(plan):
    """There is always a next job, and its end comes before `submit` returns (the grinder has to wait)."""
    devices = {name: ("null", DeviceConfig(name, "immediate")) for name in plan.devices}
    modules = tuple(
        replace(m, period_ns=Fraction(1), on_overrun=Overrun.SHIFT) for m in plan.schedule.modules
    )
    always = replace(plan, devices=devices, schedule=replace(plan.schedule, modules=modules))
    robot = Diary(length=10_000)
    with Runtime(always) as runtime:
        outcome = runtime.run(robot, seconds=0.3)
    assert outcome.reason == "complete"
    assert robot.entries, "the control ticks have their turn"
    assert min(outcome.modules[name].finished for name in ("seer", "mover")) > 10
    assert accounts_balance(outcome)


@BOTH
def test_a_robot_without_tasks_is_refused(runtime, lockstep):
    """There would be no episode, for ever."""
    robot = Diary()
    robot.spec = replace(Diary.spec, tasks=())
    with pytest.raises(RunError, match="the robot knows no task"):
        runtime.run(robot, seconds=1, lockstep=lockstep)
