"""Response-time bounds of one device: fixed priority between stages, at most K stages launched at a time.

Every bound is exact arithmetic on integers or fractions of nanoseconds; nothing is rounded on the way.

Sources: G. Buttazzo, M. Bertogna, G. Yao, "Limited Preemptive Scheduling for Real-Time Systems: a Survey",
IEEE Trans. Industrial Informatics 9(1), 2013 (fixed preemption points, K = 1); R. Davis, A. Burns, R. Bril,
J. Lukkien, "Controller Area Network schedulability analysis: refuted, revisited and revised", Real-Time
Systems 35, 2007 (every job of the busy period is tried); L. George, N. Rivierre, M. Spuri, "Preemptive and
non-preemptive real-time uniprocessor scheduling", INRIA RR-2966, 1996 (deadlines between equals). K > 1 and
the stages that are carried in are this project's; ``docs/concepts/proof.md`` derives them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from polyrhythm.analysis.demand import Demand, Jobs, Steps, Undecided
from polyrhythm.analysis.tasks import Scale, Task, Time

#: Steps of fixed-point iterations, and releases tried, before a task is refused as undecided.
MAX_STEPS = 100_000

#: Jobs x tasks beyond which equals are counted as if they always went first (sound, less exact, fast).
MAX_TIE_WORK = 20_000


@dataclass(frozen=True, slots=True)
class Blocked:
    """Stages of one task that stand in the queue before the job can get its turn, and can't be taken back; or
    the part of one after which the device gives way."""

    name: str
    stages_ns: tuple[Time, ...]

    @property
    def ns(self) -> Time:
        """Their sum."""
        return sum(self.stages_ns)


@dataclass(frozen=True, slots=True)
class Interference:
    """`jobs` whole jobs of another task that go first; or so many budgets, and the stage that overruns."""

    name: str
    jobs: int
    cost_ns: Time
    overrun_ns: Time = 0

    @property
    def ns(self) -> Time:
        """Their sum."""
        return self.jobs * self.cost_ns + self.overrun_ns


@dataclass(frozen=True, slots=True)
class Bound:
    """The worst response of one task and the sum it is made of.

    ``bound_ns = sum(blocked) + sum(interference) + own_jobs * cost_ns - release_ns``, where `release_ns` is
    the release of the worst job after the start of its busy period, and `own_jobs` are those up to it. If
    `refusal` is set there is no bound: it says why.
    """

    name: str
    deadline_ns: Time
    cost_ns: Time
    bound_ns: Time | None
    refusal: str | None = None
    blocked: tuple[Blocked, ...] = ()
    interference: tuple[Interference, ...] = ()
    own_jobs: int = 1
    release_ns: Time = 0
    start_ns: Time = 0  #: when the last stage starts at the latest, after the start of the busy period
    busy_ns: Time = 0  #: the length of the busy period
    tried: int = 0  #: releases in it that were tried; those left out repeat earlier ones, and are not worse
    ties_exact: bool = True  #: equals were counted by their deadlines (False: as if they always went first)
    by_demand: bool = False  #: all deadlines were tried together: the bound is the deadline, not a sum
    gives_way: bool = False  #: the device leaves stages for more urgent ones: `start_ns` is when the job ends

    @property
    def worst_job(self) -> int:
        """Which job of the busy period is the worst, from 0."""
        return self.own_jobs - 1

    @property
    def blocking_ns(self) -> Time:
        """The whole wait for stages that are already launched."""
        return sum(b.ns for b in self.blocked)

    @property
    def blocker(self) -> Blocked | None:
        """The task that blocks longest."""
        return max(self.blocked, key=lambda b: b.ns, default=None)

    @property
    def slack_ns(self) -> Time | None:
        """Deadline less bound; below 0 it does not fit."""
        return None if self.bound_ns is None else self.deadline_ns - self.bound_ns

    @property
    def feasible(self) -> bool:
        """Whether every job is done by its deadline."""
        return self.bound_ns is not None and self.bound_ns <= self.deadline_ns


def response_times(
    tasks: Sequence[Task], depth: int = 1, *, carried: bool = True, ties: bool = True
) -> list[Bound]:
    """`response_time` of every task, in order."""
    scaled = Scale(tasks)
    return [_bound(tasks, scaled, i, depth, carried, ties) for i in range(len(tasks))]


def response_time(
    tasks: Sequence[Task], index: int, depth: int = 1, *, carried: bool = True, ties: bool = True
) -> Bound:
    """Bound the response of ``tasks[index]`` on a device that holds at most `depth` launched stages.

    Args:
        tasks: all tasks of the device.
        carried: with depth > 1, count that stages of *more urgent* jobs may be queued as well when the wait
            begins. False counts stages of less urgent tasks only, as is often done; that is too little
            (``tests/analysis/test_soundness.py`` has a set that exceeds it).
        ties: go by the deadlines of equals. False counts them as if they always went first: for deadlines
            that are not the same for every job.

    With depth > 1 the bound holds while no task that goes first has two jobs at once, that is while the
    bounds of all tasks of its priority and above are at most their periods; `plan.prove` sees to that.
    """
    return _bound(tasks, Scale(tasks), index, depth, carried, ties)


def _bound(tasks: Sequence[Task], scale: Scale, index: int, depth: int, carried: bool, ties: bool) -> Bound:
    if depth < 1:
        raise ValueError(f"in_flight is {depth}; a device holds at least 1 stage")
    task = tasks[index]
    if task.budget_ns is not None:
        return Bound(
            task.name, task.deadline_ns, task.cost_ns, None, "best effort: it has to keep no deadline"
        )
    load = sum(s.share for s in scale.tasks if s.priority <= task.priority)
    if load >= scale.whole:
        reason = f"it and what goes first need {load / scale.whole:.1%} of the device; below 100 % is needed"
        return Bound(task.name, task.deadline_ns, task.cost_ns, None, reason)
    return _Sum(task, scale, index, depth, carried, ties).worst()


class _Sum:
    """The sum behind one bound, in whole time units."""

    def __init__(self, source: Task, scale: Scale, index: int, depth: int, carried: bool, ties: bool) -> None:
        task = scale.tasks[index]
        others = [t for i, t in enumerate(scale.tasks) if i != index]
        self.task, self.source, self.depth, self.scale = task, source, depth, scale
        # A deferred job has an early deadline: a server goes before its equals.
        first = task.priority
        self.above = [t for t in others if t.priority < first + (t.overrun is not None)]
        self.equals = [t for t in others if t.priority == first and t.overrun is None]
        self.overruns = sum(t.overrun or 0 for t in self.above)
        self.below = [t for t in others if t.priority > task.priority]
        self.carried = carried and depth > 1
        self.ties_exact = ties
        self.steps = Steps(MAX_STEPS)
        self.all = Demand((t.jobs for t in (task, *self.above, *self.equals)), self.steps)
        self.first = self.all  # until it is known whether ties can be exact
        self.capped: list[tuple[Jobs, int]] = []  # equals, and how much later than theirs its deadline is
        self._deadlines = sorted(t.deadline for t in self.equals)
        self._queued: dict[int, list[tuple[str, int]]] = {}

    def worst(self) -> Bound:
        """Try every release of the busy period that can be the worst; the first of the worst is kept."""
        best: tuple[int, int, int] | None = None
        tried = known = since = 0
        last = self.task.last_piece
        try:
            busy = self._busy()
            self._decide_ties(busy)
            for release in self._releases(busy):
                self.steps.take()
                tried += 1
                fixed, blocking = self._fixed(release)
                caps = self._caps(release)
                latest = self.first.latest(fixed + sum([cap * jobs.cost for jobs, cap in caps]))
                if best is not None and latest + last - release <= best[0]:
                    continue
                # While the same blocks, a later release can't start earlier.
                start = since = self._start(fixed, caps, since if blocking == known else 0)
                known = blocking
                if best is None or start + last - release > best[0]:
                    best = start + last - release, release, start
        except Undecided:
            return Bound(
                self.source.name, self.source.deadline_ns, self.source.cost_ns, None, self._undecided()
            )
        assert best is not None
        return self._told(*best, busy, tried)

    # -- the parts of the sum ---------------------------------------------------------------------------

    def _blocked(self, release: int) -> list[tuple[str, int]]:
        """The `depth` longest stages that may be queued when the wait of a job begins."""
        due = release + self.task.deadline
        later = len(self._deadlines) - bisect_right(self._deadlines, due) if self.ties_exact else 0
        if (found := self._queued.get(later)) is None:
            found = self._queued[later] = self._longest(due)
        return found

    def _longest(self, due: int) -> list[tuple[str, int]]:
        task, depth = self.task, self.depth
        stages = [(t.name, s) for t in self.below for s in t.pieces]
        for equal in self.equals if self.ties_exact else ():
            if equal.deadline > due:
                stages += [(equal.name, s) for s in equal.pieces]
        if self.carried and (self.above or self.equals):
            named = {name for name, _ in stages}
            carriers = [*self.above, task, *(t for t in self.equals if t.name not in named)]
            stages += [(t.name, s) for t in carriers for s in t.last(depth)]
        return [(name, s) for name, s in nlargest(depth, stages, key=lambda stage: stage[1]) if s]

    def _busy(self) -> int:
        """The longest time that the device is busy with this task and what may go first, without a pause."""
        blocking = sum(s for _, s in self._blocked(-self.task.jitter))
        if not self.ties_exact or self.equals:
            every = (self.task, *self.above, *self.equals, *self.below)
            blocking = max(blocking, sum(nlargest(self.depth, (s for t in every for s in t.pieces))))
        # A job that comes as the period ends is not part of it.
        return self.all.end(blocking + self.overruns - 1) + 1

    def _decide_ties(self, busy: int) -> None:
        """Equals go by their deadlines, if that is not too much work, or are as good as more urgent."""
        task = self.task
        work = sum((busy + task.deadline) // t.period + 1 for t in self.equals) - (-busy // task.period)
        self.ties_exact &= work * (1 + len(self.above) + len(self.equals)) <= MAX_TIE_WORK
        capped = self.equals if self.ties_exact else []
        self.capped = [(t.jobs, task.deadline - t.deadline) for t in capped]
        first = self.above if self.ties_exact else [*self.above, *self.equals]
        self.first = Demand((t.jobs for t in first), self.steps)

    def _releases(self, busy: int) -> Iterator[int]:
        """The releases, after the start of the busy period, that can be the worst.

        A round after a release all that goes first comes again, and less time than a round is spent on it; so
        a release is answered no later than the one a round before.
        """
        task = self.task
        own = range(-task.jitter, min(busy, self.all.round) - task.jitter, task.period)
        if not self.capped:
            return iter(own)
        releases = set(own)
        for (period, jitter, _), later in self.capped:
            first = -later - jitter
            first += max(0, -(-(own.start - first) // period)) * period
            releases.update(range(first, own.stop, period))
        return iter(sorted(releases))

    def _fixed(self, release: int) -> tuple[int, int]:
        """What stands before the last stage of the job released then, but for what may go first; and what of
        it blocks."""
        blocking = sum(s for _, s in self._blocked(release))
        own = ((release + self.task.jitter) // self.task.period + 1) * self.task.cost
        own -= self.task.last_piece
        return own + self.overruns + blocking, blocking

    def _caps(self, release: int) -> list[tuple[Jobs, int]]:
        """Equals, and how many jobs of each are not due later than a job released then."""
        return [
            (jobs, max(0, (release + later + jobs.jitter) // jobs.period + 1)) for jobs, later in self.capped
        ]

    def _start(self, fixed: int, caps: list[tuple[Jobs, int]], since: int) -> int:
        """When the last stage of a job starts at the latest; not before `since`.

        Args:
            fixed: what stands before it in any case.
            caps: of others, so many jobs at most.
        """
        start = self.first.end(fixed, since)
        if not caps:
            return start
        while True:
            known = [((start + jitter) // period + 1, cost, cap) for (period, jitter, cost), cap in caps]
            equals = sum([min(count, cap) * cost for count, cost, cap in known])
            later = self.first.end(fixed + equals, start)
            if later <= start:
                return start
            start = later

    # -- the answer -------------------------------------------------------------------------------------

    def _undecided(self) -> str:
        return (
            f"not decided in {MAX_STEPS} steps: it and what goes first need {self.all.load:.4%} of the "
            "device, which is too close to 100 % for rates that come round together so seldom: nobody can "
            "try for how long it may be busy without a pause"
        )

    def _told(self, response: int, release: int, start: int, busy: int, tried: int) -> Bound:
        ns = self.scale.ns
        by_name: dict[str, list[Time]] = {}
        for name, stage in self._blocked(release):
            by_name.setdefault(name, []).append(ns(stage))
        terms = [(t, t.released(start)) for t in (*self.above, *self.equals)]
        for place, (_, cap) in enumerate(self._caps(release), len(self.above)):
            equal, jobs = terms[place]
            terms[place] = equal, min(jobs, cap)
        return Bound(
            self.source.name,
            self.source.deadline_ns,
            self.source.cost_ns,
            ns(response),
            blocked=tuple(Blocked(name, tuple(stages)) for name, stages in by_name.items()),
            interference=tuple(
                Interference(t.name, jobs, ns(t.cost), ns(t.overrun or 0)) for t, jobs in terms if jobs
            ),
            own_jobs=(release + self.task.jitter) // self.task.period + 1,
            release_ns=ns(release),
            start_ns=ns(start),
            busy_ns=ns(busy),
            tried=tried,
            ties_exact=self.ties_exact,
            gives_way=self.task.gives_way,
        )
