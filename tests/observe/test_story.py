from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from polyrhythm.observe import Recorder
from polyrhythm.observe.recorder import is_step
from polyrhythm.observe.story import (
    Age,
    Answer,
    Dropped,
    Episode,
    Item,
    JobRun,
    Look,
    Mark,
    StageRun,
    tell,
)
from polyrhythm.runtime.listener import Moved
from polyrhythm.schedule import Scheduler
from polyrhythm.schedule.events import Launch, StageDone, Start, Wake
from tests.observe.conftest import Played, play
from tests.observe.harness import MS, solo_plan

T = TypeVar("T", bound=Item)


def of(kind: type[T], items: Iterable[Item]) -> list[T]:
    return [item for item in items if isinstance(item, kind)]


def test_every_finished_job_every_stage_and_every_answer_is_told_once(played: Played) -> None:
    items = list(tell(played.info.schedule, played.recorder))
    jobs, stages, answers = of(JobRun, items), of(StageRun, items), of(Answer, items)
    for name, account in played.outcome.modules.items():
        assert sum(job.module == name for job in jobs) == account.finished
        assert sum(d.times for d in of(Dropped, items) if d.what == name) == sum(account.drops.values())
    view = played.stats.snapshot()
    for name, module in view.modules.items():
        for stage, found in module.stages.items():
            well = [s for s in stages if (s.module, s.stage) == (name, stage) and s.error is None]
            assert found is not None
            assert len(well) == found.samples
            assert max(s.end_ns - s.start_ns for s in well) == found.max_ns
    assert [answer.tick for answer in answers] == [*range(120), *range(120)]
    assert len(of(Moved, items)) == 240
    assert [e.over and e.over.success for e in of(Episode, items)] == [True, False]
    assert len(of(Look, items)) > 0


def test_ages_are_those_that_statistics_have(played: Played) -> None:
    ages = of(Age, tell(played.info.schedule, played.recorder))
    for link, found in played.stats.snapshot().ages.items():
        mine = [age.age_ns for age in ages if age.link == link]
        assert found is not None
        assert (len(mine), max(mine)) == (found.samples, found.max_ns)


def test_stages_on_one_queue_never_overlap(played: Played) -> None:
    stages = sorted(of(StageRun, tell(played.info.schedule, played.recorder)), key=lambda s: s.start_ns)
    assert all(a.end_ns <= b.start_ns for a, b in pairwise(stages))


def test_the_failed_stage_says_why(played: Played) -> None:
    failed = [s for s in of(StageRun, tell(played.info.schedule, played.recorder)) if s.error]
    assert {(s.module, s.stage, s.tick, s.error) for s in failed} == {("vlm", "decode", 3, "NaN in hidden")}


def test_what_jobs_read_was_written_by_jobs(played: Played) -> None:
    jobs = of(JobRun, tell(played.info.schedule, played.recorder))
    written = {version: job for job in jobs for version in job.writes}
    readers = [(job, written[version]) for job in jobs for version in job.reads if version[0] == "vlm.hidden"]
    assert len(readers) == sum(job.module == "dit" for job in jobs)
    assert all(writer.end_ns <= job.launch_ns for job, writer in readers)


def test_a_stream_that_begins_in_the_middle() -> None:
    whole = play()
    for kept in (1, 7, 100, 500):
        late = Recorder(capacity=kept)
        for record in whole.recorder:
            late.step(*record) if is_step(record) else late.note(record)
        told = of(JobRun, tell(whole.info.schedule, late))
        known = {
            (job.module, job.tick, job.end_ns)
            for job in of(JobRun, tell(whole.info.schedule, whole.recorder))
        }
        assert {(job.module, job.tick, job.end_ns) for job in told} <= known


def test_an_episode_cut_short_is_told_without_an_end() -> None:
    cut = play(until_ms=700)
    episodes = of(Episode, tell(cut.info.schedule, cut.recorder))
    assert [(e.end_ns, e.over) for e in episodes] == [(700 * MS, None)]


def test_a_hung_queue_is_left_behind() -> None:
    plan = solo_plan()
    plan = replace(plan, modules=(replace(plan.modules[0], max_failures=10),))
    scheduler, recorder = Scheduler(plan), Recorder()

    def feed(event: Start | Wake | StageDone) -> list[Launch]:
        commands = scheduler.handle(event)
        recorder.step(event, commands)
        return [command for command in commands if isinstance(command, Launch)]

    feed(Start(0))
    while (due_ns := scheduler.next_ns()) <= scheduler.plan.modules[0].hang_ns:
        feed(Wake(due_ns))
    marks = [mark.text for mark in of(Mark, tell(plan, recorder))]
    assert marks == ["queue left behind, pulse hangs in it", "isolated: hung"]
