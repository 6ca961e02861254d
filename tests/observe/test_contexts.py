"""What watches a run keeps up when contexts come, play and go."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from polyrhythm.chunks import PlayerPlan
from polyrhythm.observe.eventlog import Header, LogWriter
from polyrhythm.observe.figures import latencies, timeline
from polyrhythm.observe.recorder import Recorder, is_step
from polyrhythm.observe.replay import diff, replay
from polyrhythm.observe.score import compose
from polyrhythm.observe.stats import Stats
from polyrhythm.observe.story import JobRun, Mark, StageRun, tell
from polyrhythm.schedule import Profile, SchedulePlan
from polyrhythm.schedule.events import Admit, Drained, Retire, SetProfile, Switch, Wake
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def bundle(name: str) -> SchedulePlan:
    """One module that makes chunks."""
    maker = module(
        name, 20, 5, outputs=(f"{name}.chunk",), chunk=(f"{name}.chunk", 20), inputs=reads("robot.state")
    )
    return plan_of(maker, control_hz=100, observations={"robot.state": 100})


def cut() -> tuple[SchedulePlan, SchedulePlan]:
    """The same module in one stage at 20 Hz, and in four, two of them alike, at 10 Hz; the second has
    another module, with an input of the same name from elsewhere."""
    chunk = {"chunk": ("dit.chunk", 20), "outputs": ("dit.chunk",)}
    whole = module("dit", 20, 5, inputs=reads("robot.state"), **chunk)
    parts = module(
        "dit", 10, stages=("start", "step", "step", "end"), costs_ns=(2 * MS,) * 4, inputs=reads("eye.seen"),
        **chunk,
    )  # fmt: skip
    eye = module("eye", 10, 5, inputs=reads("robot.state"), outputs=("eye.seen",))
    one, two = plan_of(whole, control_hz=100, observations={"robot.state": 100}), plan_of(
        parts, eye, control_hz=100, observations={"robot.state": 100}
    )  # fmt: skip
    return one, two


def swapped(old: SchedulePlan | None = None, new: SchedulePlan | None = None) -> Harness:
    """Another bundle is admitted at 0.1 s, plays from 0.3 s on, the first goes at 0.5 s."""
    harness = Harness(old or bundle("old"), lambda launch: 5 * MS).start()
    harness.at(100 * MS, lambda t: Admit(t, 1, new or bundle("new")))
    harness.at(300 * MS, lambda t: Switch(t, 1))
    harness.at(500 * MS, lambda t: Retire(t, 0))
    return harness.run(S)


def test_a_swap_is_counted_and_told() -> None:
    harness = swapped()
    stats = Stats(bundle("old"))
    for step in harness.log:
        stats.step(step.event, step.commands)
    snapshot = stats.snapshot()
    assert snapshot.modules["old"].finished == 6 and snapshot.modules["new"].finished >= 13
    assert snapshot.modules["new"].launched <= snapshot.modules["new"].finished + 1, "without the warm-up"
    assert snapshot.ages["new.chunk -> robot.action"] is not None
    assert not any(at[0] == 0 for port in stats.ports.values() for at in port.stamps), (
        "what goes is forgotten"
    )
    items = list(tell(bundle("old"), [(step.event, step.commands) for step in harness.log]))
    assert [i.text for i in items if isinstance(i, Mark)] == ["context 1 plays"]
    assert {i.module for i in items if isinstance(i, JobRun)} == {"old", "new"}
    assert all(i.tick >= 0 for i in items if isinstance(i, StageRun))


def test_a_module_that_does_not_play_misses_no_rate() -> None:
    stats, got_hz = Stats(bundle("old")), {}
    for step in swapped().log:
        stats.step(step.event, step.commands)
        modules = stats.snapshot().modules.items()
        got_hz[step.event.now_ns] = {name: module.got_hz for name, module in modules}
    assert got_hz[290 * MS] == {"old": pytest.approx(20), "new": None}
    assert got_hz[S] == {"old": pytest.approx(20), "new": pytest.approx(20)}


@pytest.mark.parametrize("to", ["saver", "full"])
def test_a_module_that_a_profile_drops_misses_no_rate(to: str) -> None:
    """It is dropped from 0.5 s on, or till then."""
    _, two = cut()
    profiles = {"saver": Profile({"eye": None}), "full": Profile({})}
    plan = replace(two, profiles=profiles, profile="full" if to == "saver" else "saver")
    harness = Harness(plan, lambda launch: 5 * MS).start()
    harness.at(500 * MS, lambda t: SetProfile(t, to))
    stats, dropped_hz = Stats(plan), set()
    for step in harness.run(S).log:
        stats.step(step.event, step.commands)
        if (eye := stats.snapshot().modules["eye"]).asked_hz == 0:
            dropped_hz.add(eye.got_hz)
    assert dropped_hz == {10.0 if to == "saver" else None}
    assert stats.snapshot().modules["eye"].got_hz == pytest.approx(10)


@pytest.mark.parametrize("turned", [False, True])
def test_a_module_of_one_name_has_other_stages_in_the_other_bundle(turned: bool) -> None:
    old, new = cut()[::-1] if turned else cut()
    stats = Stats(old)
    for step in swapped(old, new).log:
        stats.step(step.event, step.commands)
    view = stats.snapshot()
    dit = view.modules["dit"]
    assert set(dit.stages) == {"main", "start", "step x2", "end"}
    assert all(found is not None for found in dit.stages.values())
    assert dit.asked_hz == (20 if turned else 10)
    assert view.ages["robot.state -> dit.in0"] is not None and view.ages["eye.seen -> dit.in0"] is not None


def test_a_power_profile_is_asked_of_modules_that_came_later() -> None:
    old, new = cut()
    stats = Stats(old)
    stats.step(Admit(1, 1, replace(new, profiles={"saver": Profile({"eye": None})})), [])
    assert stats.snapshot().modules["eye"].asked_hz == 10
    stats.step(SetProfile(2, "saver"), [])
    assert stats.snapshot().modules["eye"].asked_hz == 0


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("forgotten", [False, True])
def test_a_swap_is_told_and_drawn(turned: bool, forgotten: bool) -> None:
    """Also when it came so early that the recorder has forgotten it."""
    old, new = cut()[::-1] if turned else cut()
    log = swapped(old, new).log
    admitted = next(number for number, step in enumerate(log) if isinstance(step.event, Admit))
    lost = admitted + 1 if forgotten else 0
    stats, recorder = Stats(old), Recorder(len(log) - lost)
    for step in log:
        stats.step(step.event, step.commands)
        recorder.step(step.event, step.commands)
    assert recorder.lost == (admitted if forgotten else 0)
    told = {f"{run.module}.{run.name}" for run in tell(old, recorder) if isinstance(run, StageRun)}
    after = {"dit.main"} if turned else {"dit.start", "dit.step.1", "dit.step.2", "dit.end", "eye.main"}
    assert after <= told
    score = compose(old, recorder, recorder.lost)
    rows = {bar["name"]: bar for bar in timeline(score, stats.modules)["data"]}
    assert ({"dit.main"} if turned else {"dit.step x2", "eye.main"}) <= rows.keys()
    assert latencies(stats)["data"][0]["name"] == "dit"


def test_a_recorder_keeps_the_contexts_that_are_there() -> None:
    recorder = Recorder(2)
    admits = [Admit(number, number, bundle("new")) for number in (1, 2)]
    for admit in admits:
        recorder.step(admit, [])
    recorder.step(Wake(3), [Drained(1)])
    recorder.step(Wake(4), [])
    assert [record[0] for record in recorder if is_step(record)] == [*admits, Wake(3), Wake(4)]
    recorder.step(Wake(5), [])
    assert [record[0] for record in recorder if is_step(record)] == [admits[1], Wake(4), Wake(5)]


def test_a_log_of_a_swap_can_be_played_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    header = Header("test", "old", bundle("old"), replace(PlayerPlan(), planned_ticks=0))
    with LogWriter(path, header) as log:
        for step in swapped().log:
            log.step(step.event, step.commands)
    found = replay(path)
    assert found.difference is None and found.events == len(swapped().log)


def test_logs_may_part_where_a_context_comes(tmp_path: Path) -> None:
    header = Header("test", "old", bundle("old"), replace(PlayerPlan(), planned_ticks=0))
    steps = swapped().log
    for name, kept in (("a", steps), ("b", [step for step in steps if not isinstance(step.event, Admit)])):
        with LogWriter(tmp_path / name, header) as log:
            for step in kept:
                log.step(step.event, step.commands)
    found = diff(tmp_path / "a", tmp_path / "b").difference
    assert found is not None and found.before == ['Admit(100000000, 1, "a SchedulePlan", false)']
