"""`Runtime.retune`: guidance changes between two chunks, and nothing else."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.chunks.guidance import weights
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime import RunError, Runtime, Tuning
from polyrhythm.schedule import Loop
from polyrhythm.schedule.events import Command, Event, Launch, LimitSteps
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, module, plan_of, reads
from tests.runtime.flow import Flown, compiled, opened


@pytest.fixture(scope="module")
def flow(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.getbasetemp() / "flow")


GUIDED = (
    ("[start, step, finish]", "[start, step_identity, finish]"),
    ("to: head.dt }\n", "to: head.dt }\n  - { from: runtime.beta, to: head.beta }\n"),
)


def test_only_plans_with_real_time_chunking_have_knobs(runtime):
    with pytest.raises(RunError, match="not one with real-time chunking"):
        runtime.retune(beta=2)


def test_what_does_not_fit_is_refused_and_changes_nothing(flow, tmp_path):
    with opened(flow, tmp_path, *GUIDED) as runtime:
        rtc = runtime.retune().rtc
        with pytest.raises(
            RunError, match="'late' can't be changed in a run; steps, schedule, beta, overlap_end, delay can"
        ):
            runtime.retune(late="stop")
        with pytest.raises(RunError, match="beta: the number is outside its range"):
            runtime.retune(beta=-1)
        assert runtime.retune() == Tuning(rtc)
        knobs = {"beta": 2.0, "schedule": "ones", "overlap_end": 3, "delay": 1}
        assert runtime.retune(**knobs) == Tuning(rtc.model_copy(update=knobs))


def test_threads_that_turn_knobs_at_once_undo_nothing_of_each_other(flow, tmp_path):
    """Each turns its own, and looks whether it stays; switches of threads are as frequent as they can be."""
    knobs, together = {"beta": range(1, 400), "delay": range(1, 400)}, threading.Barrier(2)
    undone: list[tuple[str, int, object]] = []
    interval_s = sys.getswitchinterval()
    with opened(flow, tmp_path, *GUIDED) as runtime:

        def turn(knob: str) -> None:
            together.wait()
            for value in knobs[knob]:
                runtime.retune(**{knob: value})
                if (found := getattr(runtime.retune().rtc, knob)) != value:
                    undone.append((knob, value, found))

        threads = [threading.Thread(target=turn, args=(knob,)) for knob in knobs]
        try:
            sys.setswitchinterval(1e-6)
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval_s)
    assert undone == []


def test_knobs_without_effect_are_refused_in_the_words_of_check(plan, flow, tmp_path):
    with Runtime(replace(plan, rtc=Rtc(beta=4))) as runtime:
        with pytest.raises(RunError, match=r"^these chunks are not guided: `beta: 2.0` has no effect$"):
            runtime.retune(beta=2)
        assert runtime.retune() == Tuning(Rtc(beta=4))
    boundary = ("cost_ms: [1, 2, 1]", "cost_ms: [1, 2, 1]\n    rtc: { swap: boundary }")
    with opened(flow, tmp_path, *GUIDED, boundary) as runtime:
        with pytest.raises(RunError, match="plays every chunk to its end: `delay: 3` has no effect"):
            runtime.retune(delay=3)
        assert runtime.retune(steps=2).steps == 2


class Fed:
    """What every chunk was fed, when its first stage had been launched; turns knobs when so many were."""

    def __init__(self, runtime: Runtime, **at: dict[str, object]) -> None:
        self.runtime, self.at = runtime, {int(n.removeprefix("after_")): knobs for n, knobs in at.items()}
        self.weights, self.beta, self.dt, self.delays, self.steps = [], [], [], [], []
        self.was: list[Launch] = []

    def step(self, event: Event, commands: list[Command]) -> None:
        own = self.runtime.storage.own
        for launch in self.was:  # its inputs have been written since
            if launch.stage == 0:
                self.weights.append(own["head", "weights"].copy())
                self.beta.append(float(own["head", "beta"]))
                if (knobs := self.at.get(len(self.beta))) is not None:
                    self.runtime.retune(**knobs)
            elif launch.stage == 6:
                self.dt.append(float(own["head", "dt"]))
        self.was = [c for c in commands if type(c) is Launch]
        self.steps += [5 - launch.skipped for launch in self.was if launch.stage == 6]
        self.delays += [launch.splice.delay for launch in self.was if launch.stage == 0]

    def note(self, note: object) -> None:
        pass


def fed(flow: Path, root: Path, *changes: tuple[str, str], **at) -> Fed:
    with opened(flow, root, *GUIDED, *changes) as runtime:
        found = Fed(runtime, **at)
        runtime.run(Flown(length=200), episodes=1, lockstep=True, listeners=[found])
        assert runtime.run(Flown(length=40), episodes=1, lockstep=True).reason == "complete"
    return found


def test_the_next_chunk_is_fed_what_was_asked_for(flow, tmp_path):
    """And no chunk before it; 20 chunks a second, each of them with 12 actions, at 100 Hz."""
    found = fed(
        flow, tmp_path,
        after_5={"schedule": "ones", "overlap_end": 9, "beta": 2},
        after_10={"delay": 6, "schedule": "zeros"},
        after_15={"steps": 2, "delay": 0},
    )  # fmt: skip
    assert len(found.beta) > 20
    assert found.beta[:5] == [5.0] * 5 and set(found.beta[5:]) == {2.0}
    delays, horizon = found.delays, len(found.weights[0])
    assert max(delays) < 6
    for i, made in enumerate(found.weights[2:], 2):
        settings = ("exp", 7) if i < 5 else ("ones", 9) if i < 10 else ("zeros", 9)
        delay = max(delays[i], 6) if 10 <= i < 15 else delays[i]
        expected = weights(settings[0], delay, settings[1], horizon)
        assert made[made != 0] == pytest.approx(expected[made != 0]), i
        assert np.count_nonzero(made) == np.count_nonzero(expected[: np.count_nonzero(made)]), i
    assert found.steps[:15] == [5] * 15 and set(found.steps[15:]) == {2}
    assert found.dt == pytest.approx([1 / n for n in found.steps])


def test_steps_that_were_not_proven_are_refused(flow, tmp_path):
    with opened(flow, tmp_path, *GUIDED) as runtime:
        for steps in (0, 6, 2.5, True, "all"):
            with pytest.raises(
                RunError, match="was not proven; `steps` of head in the manifest allows 1 to 5"
            ):
                runtime.retune(steps=steps)
        assert runtime.retune(steps=1).steps == 1 and runtime.retune(beta=3).steps == 1
        assert runtime.retune(steps=None).steps is None
    fixed = ("steps: { full: 5, fast: 1 }", "steps: 3")
    with (
        opened(flow, tmp_path, *GUIDED, fixed) as runtime,
        pytest.raises(RunError, match="manifest allows 3"),
    ):
        runtime.retune(steps=2)


def test_a_module_without_steps_has_no_such_knob(plan):
    with Runtime(replace(plan, rtc=Rtc())) as runtime, pytest.raises(RunError, match="mover has none"):
        runtime.retune(steps=1)


def test_what_was_asked_of_contexts_that_have_gone_is_forgotten(flow, tmp_path):
    with opened(flow, tmp_path, *GUIDED) as runtime:
        asked = []
        for beta in (2.0, 3.0, 4.0):
            before = runtime.live
            asked.append(before.number)
            assert runtime.retune(beta=beta).rtc.beta == beta
            assert runtime.swap(runtime.plan).wait("live", timeout_s=30) == "live"
            assert before.wait_freed(30)
        assert len(set(asked)) == 3 and set(runtime._tuned) == {asked[-1]}
        assert runtime.retune().rtc.beta == 5.0, "a bundle comes with its own"
        assert set(runtime._tuned) == {runtime.live.number}


def test_the_scheduler_takes_no_more_steps_than_asked_for():
    """Nor fewer than the plan's; another context is left alone, and the auditor agrees."""
    loop = Loop(1, 5, 2)
    head = module("head", 20, stages=tuple("abbbbbc"), costs_ns=(MS,) * 7, loop=loop,
                  outputs=("head.out",), chunk=("head.out", 12), inputs=reads("robot.state"))  # fmt: skip
    plan = plan_of(head, control_hz=100, observations={"robot.state": 100})
    harness = Harness(plan, watch=(Auditor(plan).audit,)).start()
    for at_ms, most in ((210, 3), (410, 1), (610, None)):
        harness.at(at_ms * MS, lambda now_ns, most=most: LimitSteps(now_ns, most))
    harness.give(LimitSteps(0, 2, 9))
    harness.run(800 * MS)
    skipped = [c.skipped for _, c in harness.all(Launch) if c.stage == 6]
    assert [5 - n for n in skipped[:16]] == [5] * 5 + [3] * 4 + [2] * 4 + [5] * 3


def test_a_loop_without_a_beginning_is_limited_too():
    head = module("head", 20, stages=tuple("bbbc"), costs_ns=(MS,) * 4, loop=Loop(0, 3, 1),
                  outputs=("head.out",), chunk=("head.out", 12), inputs=reads("robot.state"))  # fmt: skip
    plan = plan_of(head, control_hz=100, observations={"robot.state": 100})
    harness = Harness(plan, watch=(Auditor(plan).audit,)).start()
    harness.at(210 * MS, lambda now_ns: LimitSteps(now_ns, 1))
    harness.run(400 * MS)
    assert [3 - c.skipped for _, c in harness.all(Launch) if c.stage == 3] == [3] * 5 + [1] * 3
