"""The raw stream, told as things with a beginning and an end: stages, jobs, answers, episodes.

Traces and reports are drawn from these. A stream may begin in the middle (a full `Recorder` forgets the
oldest): what is told is what can be told from what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from polyrhythm.observe.recorder import Record, is_step
from polyrhythm.observe.stages import PerContext, stage_labels, stage_name
from polyrhythm.observe.stats import ROBOT_INPUT, link_name
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Grown, Moved, Note
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Admit,
    Decelerate,
    Defer,
    Drop,
    Finish,
    Halt,
    Hold,
    Isolate,
    Launch,
    Observe,
    ProfileSet,
    Publish,
    Read,
    Refused,
    Renew,
    Sampled,
    SetProfile,
    StageDone,
    Switched,
)
from polyrhythm.schedule.plan import ModulePlan, SchedulePlan
from polyrhythm.schedule.playback import Splice


class StageRun(NamedTuple):
    """A stage on its device; `lane` rises when the device's queue is left behind.

    `stage` is what it counts as (``step x5``), `name` this run of it (``step.2``). A step of a loop has its
    number and how many the chunk gets, `step` = (2, 5); the first stage of a chunk has its `splice`.
    """

    device: str
    lane: int
    module: str
    stage: str
    name: str
    tick: int
    start_ns: int
    end_ns: int
    error: str | None
    ages_ns: tuple[tuple[str, int], ...]
    step: tuple[int, int] | None = None
    splice: Splice | None = None


class JobRun(NamedTuple):
    """A finished job from release to finish; `reads` and `writes` are (port, seq), counted by each `context`
    for itself, `steps` those that it took if it has a loop, `splice` what its chunk was to be joined to if it
    makes one."""

    module: str
    tick: int
    release_ns: int
    launch_ns: int
    end_ns: int
    deadline_ns: int
    reads: tuple[tuple[str, int], ...]
    writes: tuple[tuple[str, int], ...]
    context: int
    steps: int | None = None
    splice: Splice | None = None

    @property
    def late_ns(self) -> int:
        """How far behind the deadline; 0 if in time."""
        return max(0, self.end_ns - self.deadline_ns)


class Age(NamedTuple):
    """The age of a link's tensor when it was taken."""

    link: str
    at_ns: int
    age_ns: int


class Dropped(NamedTuple):
    """A counted drop; `what` is a module, a port or ``control``."""

    what: str
    at_ns: int
    reason: str
    times: int
    detail: str


class Deferred(NamedTuple):
    """A stage waits for its module's budget."""

    module: str
    at_ns: int
    name: str
    tick: int


class Answer(NamedTuple):
    """A control tick, from the answer to its execution; `held` is the reason of a hold."""

    tick: int
    start_ns: int
    end_ns: int
    row: int | None
    seq: int | None
    held: str | None


class Look(NamedTuple):
    """An observation, from asking to having."""

    port: str
    start_ns: int
    end_ns: int


class Episode(NamedTuple):
    """An episode; `over` is None if it was cut short."""

    began: EpisodeBegan
    end_ns: int
    over: EpisodeOver | None


class Mark(NamedTuple):
    """Something that happened once: a module taken out, a queue renewed, another power profile, the halt."""

    what: str
    at_ns: int
    text: str


Item = StageRun | JobRun | Age | Dropped | Deferred | Answer | Look | Episode | Mark | Note


def tell(plan: SchedulePlan, records: Iterable[Record]) -> Iterator[Item]:
    """The items of a stream, in the order in which they ended."""
    return _Teller(plan).tell(records)


class _Flying(NamedTuple):
    launch: Launch  # of the first stage
    at_ns: int
    skipped: int
    first: int  # stage


class _Part(NamedTuple):
    """A module of one context: its plan, how its stages and its links are called."""

    plan: ModulePlan
    labels: tuple[str, ...]
    links: dict[str, str]


class _Teller:
    def __init__(self, plan: SchedulePlan) -> None:
        self._now_ns = 0
        self._parts: PerContext[_Part] = PerContext()
        self._lanes: dict[str, int] = {}
        self._add(None, plan)
        self._jobs: dict[int, _Flying] = {}  # since the launch of their first stage
        self._job_of: dict[tuple[int, str], int] = {}
        self._versions: dict[tuple[int, str, int], Publish] = {}
        self._looking: dict[str, int] = {}
        self._answer: Answer | None = None
        self._began: EpisodeBegan | None = None
        self._on: dict[type, Callable[[Any], Iterable[Item]]] = {
            StageDone: self._stage_done, Acted: self._acted, Sampled: self._sampled, Launch: self._launch,
            Publish: self._publish, Finish: self._finish, Drop: self._drop, Defer: self._defer,
            Observe: self._observe,
            Act: self._act, Hold: self._hold, Decelerate: self._hold, Isolate: self._isolate,
            Renew: self._renew, Halt: self._halt, SetProfile: self._profile, ProfileSet: self._profile,
            Admit: self._admit, Switched: self._switched, Refused: self._refused,
            EpisodeBegan: self._episode_began, EpisodeOver: self._episode_over,
            Moved: lambda moved: (moved,), Grown: lambda grown: (grown,),
        }  # fmt: skip

    def tell(self, records: Iterable[Record]) -> Iterator[Item]:
        for record in records:
            if is_step(record):
                event, commands = record
                self._now_ns = event.now_ns
                yield from self._one(event)
                for command in commands:
                    yield from self._one(command)
            else:
                yield from self._one(record)
        if self._began is not None:
            yield Episode(self._began, self._now_ns, None)

    def _admit(self, event: Admit) -> Iterable[Item]:
        self._add(event.context, event.plan)
        return ()

    def _add(self, context: int | None, plan: SchedulePlan) -> None:
        """What a plan names."""
        for m in plan.modules:
            links = {i.name: link_name(i.source, f"{m.id}.{i.name}") for i in m.inputs}
            self._parts.put(context, m.id, _Part(m, stage_labels(m), links))
        for device in plan.devices:
            self._lanes.setdefault(device, 0)

    def _one(self, thing: object) -> Iterable[Item]:
        handler = self._on.get(type(thing))
        return () if handler is None else handler(thing)

    # -- jobs and stages ----------------------------------------------------------------------------------

    def _launch(self, launch: Launch) -> Iterable[Item]:
        if launch.tick == WARM_TICK:
            return
        if (flying := self._jobs.get(launch.job)) is not None:
            # How many steps the job takes is decided when the first one is launched.
            self._jobs[launch.job] = flying._replace(skipped=launch.skipped)
            return
        part = self._parts.get(launch.context, launch.module)
        loop = part.plan.loop
        first = launch.skipped if loop is not None and loop.first == 0 else 0
        if launch.stage != first:
            return  # of its job, the beginning is missing
        # A module has one job at a time.
        self._jobs.pop(self._job_of.get((launch.context, launch.module), -1), None)
        self._jobs[launch.job] = _Flying(launch, self._now_ns, launch.skipped, first)
        self._job_of[launch.context, launch.module] = launch.job
        for read in launch.reads:
            yield Age(part.links[read.input], self._now_ns, read.age_ns)

    def _stage_done(self, event: StageDone) -> Iterable[Item]:
        if (job := self._jobs.get(event.job)) is None:
            return
        launch = job.launch
        part = self._parts.get(launch.context, launch.module)
        loop, step = part.plan.loop, None
        if loop is not None and loop.first <= event.stage < loop.first + loop.full:
            step = event.stage - loop.first - job.skipped + 1, loop.full - job.skipped
        yield StageRun(
            launch.device, self._lanes[launch.device], launch.module,
            part.labels[event.stage], stage_name(part.plan, event.stage, job.skipped), launch.tick,
            event.started_ns, event.ended_ns, event.error,
            tuple((read.input, read.age_ns) for read in launch.reads),
            step, launch.splice if event.stage == job.first else None,
        )  # fmt: skip

    def _finish(self, finish: Finish) -> Iterable[Item]:
        job = self._jobs.get(finish.job)
        reads: tuple[Read, ...] = () if job is None else job.launch.reads
        writes = () if job is None else job.launch.writes
        loop = self._parts.get(finish.context, finish.module).plan.loop
        steps = None if job is None or loop is None else loop.full - job.skipped
        yield JobRun(
            finish.module, finish.tick, finish.release_ns, finish.release_ns if job is None else job.at_ns,
            self._now_ns, finish.deadline_ns, tuple((read.port, read.seq) for read in reads),
            tuple((port, self._versions[finish.context, port, slot].seq) for port, slot in writes),
            finish.context, steps, None if job is None else job.launch.splice,
        )  # fmt: skip

    def _publish(self, publish: Publish) -> Iterable[Item]:
        self._versions[publish.context, publish.port, publish.slot] = publish
        return ()

    def _drop(self, drop: Drop) -> Iterable[Item]:
        yield Dropped(drop.what, self._now_ns, drop.reason, drop.times, drop.detail)

    def _defer(self, defer: Defer) -> Iterable[Item]:
        name = self._parts.get(defer.context, defer.module).labels[defer.stage]
        yield Deferred(defer.module, self._now_ns, name, defer.tick)

    # -- the robot ----------------------------------------------------------------------------------------

    def _act(self, act: Act) -> Iterable[Item]:
        version = self._versions.get((act.context, act.port, act.slot))
        seq = None if version is None else version.seq
        self._answer = Answer(act.tick, self._now_ns, self._now_ns, act.row, seq, None)
        if version is not None:
            link = link_name(act.port, ROBOT_INPUT)
            yield Age(link, self._now_ns, self._now_ns - version.stamp_ns)

    def _hold(self, hold: Hold | Decelerate) -> Iterable[Item]:
        self._answer = Answer(hold.tick, self._now_ns, self._now_ns, None, None, hold.reason)
        return ()

    def _acted(self, event: Acted) -> Iterable[Item]:
        answer, self._answer = self._answer, None
        if answer is not None:
            yield answer._replace(end_ns=self._now_ns)

    def _observe(self, observe: Observe) -> Iterable[Item]:
        self._looking[observe.port] = self._now_ns
        return ()

    def _sampled(self, event: Sampled) -> Iterable[Item]:
        asked_ns = self._looking.pop(event.port, None)
        if asked_ns is not None:
            yield Look(event.port, asked_ns, self._now_ns)

    # -- episodes and marks -------------------------------------------------------------------------------

    def _episode_began(self, note: EpisodeBegan) -> Iterable[Item]:
        self._began = note
        yield note

    def _episode_over(self, note: EpisodeOver) -> Iterable[Item]:
        # The grids' start is unknown when it fell out of the recorder: then the episode is not drawn.
        began, self._began = self._began, None
        if began is not None:
            yield Episode(began, note.now_ns, note)

    def _isolate(self, isolate: Isolate) -> Iterable[Item]:
        yield Mark(isolate.module, self._now_ns, f"isolated: {isolate.reason}")

    def _renew(self, renew: Renew) -> Iterable[Item]:
        self._lanes[renew.device] += 1
        yield Mark(renew.device, self._now_ns, f"queue left behind, {renew.module} hangs in it")

    def _profile(self, profile: SetProfile | ProfileSet) -> Iterable[Item]:
        what = "asked for" if type(profile) is SetProfile else "in force"
        yield Mark("profile", self._now_ns, f"{profile.name} {what}")

    def _switched(self, switched: Switched) -> Iterable[Item]:
        yield Mark("contexts", self._now_ns, f"context {switched.context} plays")

    def _refused(self, refused: Refused) -> Iterable[Item]:
        yield Mark("contexts", self._now_ns, f"context {refused.context}: {refused.reason}")

    def _halt(self, halt: Halt) -> Iterable[Item]:
        yield Mark("run", self._now_ns, f"halt: {halt.reason}")
