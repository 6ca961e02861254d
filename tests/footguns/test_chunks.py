"""What surprises in the playing of chunks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polyrhythm.chunks import Motion
from polyrhythm.chunks.guidance import weights
from polyrhythm.schedule import Loop, Mode, OnStale
from polyrhythm.schedule.events import Act, Drop, Hold, Isolate, Launch
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def head(rate_hz: int, cost_ms: float, horizon: int, **more: object):
    return module(
        "head", rate_hz, cost_ms, outputs=("head.chunk",), chunk=("head.chunk", horizon),
        inputs=reads("robot.state"), **more,
    )  # fmt: skip


@pytest.mark.parametrize("on_demand", [False, True])
def test_a_chunk_plays_on_while_the_robot_holds_for_a_stale_link(on_demand: bool) -> None:
    """A tick that is held is consumed: the rows of that time are never played, also with `swap: boundary`."""
    eye = module("eye", 10, 1, device="e", outputs=("eye.out",))
    link = reads("eye.out", max_age_ns=250 * MS, on_stale=OnStale.HOLD)
    maker = head(10, 5, 100, on_demand=on_demand)
    other = module("other", 100, 0, device="o", inputs=link)
    plan = plan_of(eye, maker, other, control_hz=100, observations={"robot.state": 100}, mode=Mode.RTC)
    harness = Harness(
        plan, lambda c: Fate(MS, "boom" if c.module == "eye" and c.tick in (3, 4) else None)
    ).start()
    harness.run(900 * MS)
    ticks = [c for s in harness.log for c in s.commands if isinstance(c, Act | Hold)]
    held = [c.tick for c in ticks if isinstance(c, Hold) and c.reason.startswith("stale")]
    assert held, "the robot held"
    after = next(c for c in ticks if isinstance(c, Act) and c.tick > held[-1])
    before = next(c for c in reversed(ticks) if isinstance(c, Act) and c.tick < held[0])
    assert after.tick == held[-1] + 1
    if on_demand:
        assert after.row - before.row == len(held) + 1


def test_a_warm_up_that_takes_seconds_is_taken_for_hung_unless_the_deadline_says_otherwise() -> None:
    """A stage is given two deadlines and a second. A first call of 3 s at 5 Hz needs more `deadline_ms`."""
    maker = head(5, 50, 40)
    for deadline_ns, isolated in ((maker.deadline_ns, True), (1 * S, False)):
        plan = plan_of(
            replace(maker, deadline_ns=deadline_ns), control_hz=30, observations={"robot.state": 30}
        )
        harness = Harness(plan, lambda c: (2900 if c.job == 0 else 50) * MS).start().run(6 * S)
        assert bool(harness.all(Isolate)) == isolated


def test_a_velocity_takes_longer_to_fade_than_it_says_where_the_step_limit_is_small() -> None:
    """`max_step` comes before `decelerate_ms`: a robot at a speed of 100 steps takes 100 ticks to stop."""
    motion = Motion(1, [0.5], kind="velocity", fade_ticks=2)
    motion.act(np.array([50.0], np.float32), 0, 0)
    slowed = [motion.decelerate() for _ in range(101)]
    assert slowed[0] == [49.5] and slowed[99] == [0.0] and slowed[100] is None


def test_a_robot_that_is_too_slow_is_observed_at_every_other_tick() -> None:
    """Its next answer leaves before the observation that it still owes has come: that one is dropped and
    counted, since an observation asked for now would be one tick older than it says."""
    plan = plan_of(head(10, 5, 40), control_hz=100, observations={"robot.state": 100})
    harness = Harness(plan, act_ns=lambda tick: 15 * MS).start().run(S)
    asked, answered = harness.scheduler.rings["robot.state"].published, harness.scheduler.control.cursor
    assert 0.4 < asked / answered < 0.6
    assert harness.scheduler.drops["robot.state", "sensor_late"] > 20


def test_a_loop_without_slack_takes_its_fewest_steps_and_is_late_all_the_same() -> None:
    """`fast` is a promise about quality, not about time: a job is never cut short of it."""
    maker = head(
        10, 0, 20, stages=("step",) * 5, costs_ns=(50 * MS,) * 5, loop=Loop(0, 5, 3), deadline_ns=60 * MS
    )
    harness = Harness(plan_of(maker, control_hz=100, observations={"robot.state": 100})).start().run(2 * S)
    jobs = {c.job: c.skipped for _, c in harness.all(Launch) if isinstance(c, Launch)}
    assert set(jobs.values()) == {2}
    assert harness.scheduler.modules[0].late == harness.scheduler.modules[0].finished > 0


def test_a_chunk_on_demand_is_wanted_again_at_every_tick_while_its_input_is_missing() -> None:
    """Each try is a release that is dropped and counted: many at 1 kHz, and none of them costs anything."""
    maker = head(1, 5, 20, on_demand=True)
    maker = replace(maker, inputs=reads("eye.out"))
    eye = module("eye", 1, 500, device="e", outputs=("eye.out",))
    harness = Harness(plan_of(eye, maker, control_hz=1000)).start().run(600 * MS)
    assert harness.scheduler.drops["head", "absent"] == 500
    launched = [at for at, c in harness.all(Launch) if isinstance(c, Launch) and c.module == "head"]
    assert launched[0] == 500 * MS
    assert all(isinstance(c, Drop) for _, c in harness.all(Drop))


def test_an_overlap_that_ends_before_the_delay_leaves_executed_ticks_unguided() -> None:
    """`overlap_end` is taken at its word: ticks from it on have weight 0, executed meanwhile or not."""
    assert weights("exp", delay=6, overlap_end=4, horizon=8).round(12).tolist() == [1, 1, 1, 1, 0, 0, 0, 0]


def test_exp_and_linear_have_no_whole_weight_without_a_delay() -> None:
    """With a delay of 0 the fall begins before tick 0."""
    assert weights("linear", 0, 4, 8)[0] == pytest.approx(0.8)
    assert weights("exp", 0, 4, 8)[0] < 0.6
