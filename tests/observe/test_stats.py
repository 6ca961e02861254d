from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest

from polyrhythm.observe import Recorder, Stats
from polyrhythm.observe.recorder import is_step
from polyrhythm.observe.spread import Quantiles
from polyrhythm.observe.stages import StepsView, stage_labels, stage_name
from polyrhythm.schedule import Loop, Mode, OnStale
from polyrhythm.schedule.events import Finish, Launch
from tests.observe.harness import MS, Play, dual_plan, flow_plan, solo_plan


def nan_in_tick_3(launch: Launch) -> str | None:
    return "NaN in hidden" if launch.module == "vlm" and launch.tick == 3 and launch.stage == 1 else None


@pytest.mark.parametrize("mode", list(Mode))
def test_counts_agree_with_the_account_of_the_run(mode: Mode) -> None:
    plan = dual_plan(mode=mode)
    stats = Stats(plan)
    outcome = Play(plan, [stats], tasks=["push", "open"], ticks=130, error=nan_in_tick_3).run()
    view = stats.snapshot()
    for name, account in outcome.modules.items():
        module = view.modules[name]
        assert (module.finished, module.late, module.drops) == (account.finished, account.late, account.drops)
        assert account.released == account.finished + sum(account.drops.values()) + account.under_way
    assert view.finished_episodes == tuple(outcome.episodes)
    assert view.control is not None
    assert view.control.acts + sum(view.control.holds.values()) == 260
    assert view.running_ns == outcome.ran_ns
    assert view.modules["vlm"].drops["failed"] == 2


def test_measures_response_stages_rates_and_ages() -> None:
    plan = dual_plan()
    stats = Stats(plan)
    Play(plan, [stats], ticks=200).run()
    view = stats.snapshot()
    vlm, dit = view.modules["vlm"], view.modules["dit"]
    assert vlm.stages == {"encode": Quantiles(8, *[20 * MS] * 3), "decode": Quantiles(8, *[10 * MS] * 3)}
    assert list(dit.stages) == ["step x2"]
    assert vlm.response == Quantiles(8, *[35 * MS] * 3)  # 30 of its own, 5 behind the head
    assert vlm.got_hz == pytest.approx(3.0)
    assert dit.got_hz == pytest.approx(20.0)
    assert view.ages["vlm.hidden -> dit.condition"] is not None
    assert view.ages["robot.proprio -> dit.proprio"] == Quantiles(49, 12_500_000, 12_500_000, 12_500_000)
    assert view.ages["dit.actions -> robot.action"] == Quantiles(195, 25 * MS, 50 * MS, 50 * MS)
    assert view.published["robot.depth"] == 13


def test_the_robots_side() -> None:
    plan = dual_plan()
    stats = Stats(plan)
    outcome = Play(plan, [stats], ticks=100, act_ns=30 * MS, look_ns=4 * MS).run()
    control = stats.snapshot().control
    assert control is not None
    assert control.drops == outcome.drops["control"]
    assert control.drops["robot_busy"] > 0
    assert control.robot == Quantiles(100, *[30 * MS] * 3)
    assert control.got_hz == pytest.approx(1000 / 30, rel=0.02)  # as fast as it can
    assert control.jitter is not None
    assert 0 < control.jitter.max_ns <= 12.5 * MS  # answers leave when the robot is free, not on the grid
    assert stats.snapshot().sampling["robot.depth"] is not None


def test_without_a_robot_the_clock_runs_from_the_start() -> None:
    plan = solo_plan()
    stats = Stats(plan)
    Play(plan, [stats], until_ms=1000).run()
    view = stats.snapshot()
    assert view.control is None
    assert view.running_ns == 1000 * MS
    assert view.modules["pulse"].got_hz == pytest.approx(100.0)
    assert view.halted == "complete"


def test_a_module_that_fails_is_told_isolated_and_its_rate_falls() -> None:
    plan = dual_plan()
    stats = Stats(plan)
    Play(plan, [stats], ticks=400, error=lambda launch: "boom" if launch.module == "vlm" else None).run()
    vlm = stats.snapshot().modules["vlm"]
    assert vlm.isolated == "3 failures in a row, the last: boom"
    assert vlm.got_hz == 0.0
    assert vlm.response is None


def test_holds_are_counted_by_reason() -> None:
    plan = dual_plan()
    dit = plan.modules[1]
    stale = replace(dit.inputs[1], max_age_ns=100 * MS, on_stale=OnStale.HOLD)
    plan = replace(plan, modules=(plan.modules[0], replace(dit, inputs=(dit.inputs[0], stale))))
    stats = Stats(plan)
    Play(plan, [stats], ticks=100).run()
    control = stats.snapshot().control
    assert control is not None
    assert any(reason.startswith("stale: vlm.hidden") for reason in control.holds)


def test_jobs_are_forgotten() -> None:
    plan = dual_plan()
    stats = Stats(plan)
    Play(plan, [stats], ticks=300).run()
    assert len(stats._jobs) <= len(plan.modules)


def test_a_snapshot_may_be_taken_from_another_thread_at_any_time() -> None:
    plan = dual_plan()
    stats, over, problems = Stats(plan), threading.Event(), []

    def look() -> None:
        finished = 0
        while not over.is_set():
            try:
                seen = stats.snapshot().modules["dit"].finished
            except Exception as error:
                problems.append(error)
                return
            if seen < finished:
                problems.append(AssertionError("counts fell"))
            finished = seen

    thread = threading.Thread(target=look)
    thread.start()
    Play(plan, [stats], tasks=["push"] * 4, ticks=400, error=nan_in_tick_3).run()
    over.set()
    thread.join()
    assert problems == []


def test_equal_stages_count_together() -> None:
    plan = flow_plan()
    stats = Stats(plan)
    Play(plan, [stats], ticks=200).run()
    dit = stats.snapshot().modules["dit"]
    assert list(dit.stages) == ["start", "step x5", "finish"]
    starts, steps = dit.stages["start"], dit.stages["step x5"]
    assert starts is not None
    assert steps is not None
    assert steps[1:] == (9 * MS, 9 * MS, 9 * MS)
    assert dit.steps is not None
    # The last job was cut short: some of its steps are there, but it is not a chunk.
    assert 0 <= steps.samples - round(dit.finished * dit.steps.mean) <= 5


def test_steps_are_those_that_the_slack_left() -> None:
    """`dit` sometimes waits behind `vlm`, and has a deadline of 50 ms for 48 ms of work."""
    plan = flow_plan()
    stats, recorder, launched = Stats(plan), Recorder(), Counter[int]()
    Play(plan, [stats, recorder], ticks=200).run()
    for _, commands in filter(is_step, recorder):
        launched.update(c.job for c in commands if isinstance(c, Launch))
    finished = [
        command
        for _, commands in filter(is_step, recorder)
        for command in commands
        if isinstance(command, Finish) and command.module == "dit"
    ]
    taken = [launched[finish.job] - 2 for finish in finished]
    dit = stats.snapshot().modules["dit"]
    assert dit.steps == StepsView(full=5, fast=2, least=min(taken), mean=sum(taken) / len(taken))
    assert min(taken) < max(taken) == 5
    assert stats.snapshot().modules["vlm"].steps is None


def test_a_loop_that_comes_first_may_leave_out_its_first_steps() -> None:
    plan = flow_plan()
    vlm, dit = plan.modules
    dit = replace(dit, stages=dit.stages[1:], costs_ns=dit.costs_ns[1:], loop=Loop(0, 5, 2))
    plan = replace(plan, modules=(vlm, dit))
    stats = Stats(plan)
    Play(plan, [stats], ticks=200).run()
    view = stats.snapshot().modules["dit"]
    assert view.steps is not None
    assert view.steps.least < 5
    assert view.launched == view.finished + view.drops["stopped"]


def test_runs_of_a_stage_are_numbered() -> None:
    vlm, dit = dual_plan().modules
    assert [stage_name(vlm, i) for i in range(2)] == ["encode", "decode"]
    repeated = replace(dit, stages=("enc", "step", "step", "step"))
    assert stage_labels(repeated) == ("enc", "step x3", "step x3", "step x3")
    assert [stage_name(repeated, i) for i in range(4)] == ["enc", "step.1", "step.2", "step.3"]
    flow = flow_plan().modules[1]
    assert [stage_name(flow, i, skipped=3) for i in (0, 4, 5, 6)] == ["start", "step.1", "step.2", "finish"]
