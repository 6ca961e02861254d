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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from math import lcm

Time = int | Fraction

#: Steps of a fixed-point iteration, and jobs tried in one busy period, before a task is refused as undecided.
MAX_STEPS = 100_000

#: Jobs x tasks beyond which equals are counted as if they always went first (sound, less exact, fast).
MAX_TIE_WORK = 20_000


@dataclass(frozen=True, slots=True)
class Task:
    """A module as the analysis sees it: one queue, stages that can't be interrupted, released every period.

    `priority` is the scheduler's: the lowest number goes first, equals go by absolute deadline. `stages_ns`
    include what it takes to dispatch them. `jitter_ns`: how late after its release a job may become known.

    With `budget_ns` it is the server of a best-effort module (`polyrhythm.schedule.budget`): of its stages,
    the one in `stages_ns` being the longest, those that start in n periods take n budgets and one stage at
    most, and one at a time is in the queue. It has no bound.
    """

    name: str
    period_ns: Time
    deadline_ns: Time
    stages_ns: tuple[Time, ...]
    priority: int = 0
    jitter_ns: Time = 0
    budget_ns: Time | None = None

    def __post_init__(self) -> None:
        if self.period_ns <= 0:
            raise ValueError(f"task {self.name}: period_ns is {self.period_ns}; it has to be above 0")
        if not self.stages_ns or min(self.stages_ns) < 0:
            raise ValueError(f"task {self.name}: stages_ns is {self.stages_ns}; give one cost >= 0 per stage")
        if self.jitter_ns < 0 or self.deadline_ns < 0:
            raise ValueError(f"task {self.name}: jitter_ns and deadline_ns must not be below 0")

    @property
    def cost_ns(self) -> Time:
        """What a whole job costs; of a server, its budget."""
        return sum(self.stages_ns) if self.budget_ns is None else self.budget_ns

    @property
    def utilisation(self) -> Fraction:
        """The share of the device that this task needs."""
        return Fraction(self.cost_ns) / Fraction(self.period_ns)


@dataclass(frozen=True, slots=True)
class Blocked:
    """Stages of one task that stand in the queue before the job can get its turn, and can't be taken back."""

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
    tried: int = 0  #: jobs of the busy period that were tried
    ties_exact: bool = True  #: equals were counted by their deadlines (False: as if they always went first)
    by_demand: bool = False  #: all deadlines were tried together: the bound is the deadline, not a sum

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
    scaled = _Scale(tasks)
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
    return _bound(tasks, _Scale(tasks), index, depth, carried, ties)


def _bound(tasks: Sequence[Task], scale: _Scale, index: int, depth: int, carried: bool, ties: bool) -> Bound:
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


@dataclass(frozen=True, slots=True)
class _Scaled:
    """A task in whole time units."""

    name: str
    period: int
    deadline: int
    stages: tuple[int, ...]
    cost: int
    jitter: int
    priority: int
    share: int  #: of the device, in parts of `_Scale.whole`
    overrun: int | None  #: a server's longest stage; None: it is none

    def released(self, until: int) -> int:
        """Jobs that become known in a closed span of this length, at most."""
        return max(0, (until + self.jitter) // self.period + 1)


class _Scale:
    """All tasks in a time unit in which every number is whole."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        values = {
            v for t in tasks for v in (t.period_ns, t.deadline_ns, t.jitter_ns, t.cost_ns, *t.stages_ns)
        }
        self.unit = lcm(*(v.denominator for v in values))  #: units in a ns
        self.whole = lcm(*(self._units(t.period_ns) for t in tasks))
        self.tasks = [self._scaled(t) for t in tasks]

    def _units(self, value_ns: Time) -> int:
        return value_ns.numerator * (self.unit // value_ns.denominator)

    def _scaled(self, task: Task) -> _Scaled:
        stages, period = tuple(self._units(s) for s in task.stages_ns), self._units(task.period_ns)
        deadline, jitter = self._units(task.deadline_ns), self._units(task.jitter_ns)
        cost = self._units(task.cost_ns)
        share, overrun = cost * (self.whole // period), None if task.budget_ns is None else max(stages)
        return _Scaled(task.name, period, deadline, stages, cost, jitter, task.priority, share, overrun)


class _Undecided(Exception):
    """Too many steps."""


class _Sum:
    """The sum behind one bound, in whole time units."""

    def __init__(
        self, source: Task, scale: _Scale, index: int, depth: int, carried: bool, ties: bool
    ) -> None:
        task = scale.tasks[index]
        others = [t for i, t in enumerate(scale.tasks) if i != index]
        self.task, self.source, self.depth = task, source, depth
        self.unit, self.whole = scale.unit, scale.whole
        # A deferred job has an early deadline: a server goes before its equals.
        first = task.priority
        self.above = [t for t in others if t.priority < first + (t.overrun is not None)]
        self.equals = [t for t in others if t.priority == first and t.overrun is None]
        self.overruns = sum(t.overrun or 0 for t in self.above)
        self.below = [t for t in others if t.priority > task.priority]
        self.carried = carried and depth > 1
        self.ties_exact = ties

    def worst(self) -> Bound:
        """Try every job of the busy period; the first of the worst is kept."""
        best: tuple[int, int, int] | None = None
        busy = tried = 0
        try:
            busy = self._busy()
            for release in self._releases(busy):
                tried += 1
                start = self._start(release)
                response = start + self.task.stages[-1] - release
                if best is None or response > best[0]:
                    best = response, release, start
                if tried > MAX_STEPS:
                    raise _Undecided
        except _Undecided:
            reason = f"no end of the busy period in {MAX_STEPS} steps: the load is too close to 100 %"
            return Bound(self.source.name, self.source.deadline_ns, self.source.cost_ns, None, reason)
        assert best is not None
        return self._told(*best, busy, tried)

    # -- the parts of the sum ---------------------------------------------------------------------------

    def _blocked(self, release: int) -> list[tuple[str, int]]:
        """The `depth` longest stages that may be queued when the wait of a job begins."""
        task, depth = self.task, self.depth
        stages = [(t.name, s) for t in self.below for s in t.stages]
        for equal in self.equals if self.ties_exact else ():
            if equal.deadline > release + task.deadline:
                stages += [(equal.name, s) for s in equal.stages]
        if self.carried and (self.above or self.equals):
            named = {name for name, _ in stages}
            carriers = [*self.above, task, *(t for t in self.equals if t.name not in named)]
            stages += [(t.name, s) for t in carriers for s in t.stages[-depth:]]
        return [(name, s) for name, s in nlargest(depth, stages, key=lambda stage: stage[1]) if s]

    def _before(self, equal: _Scaled, release: int, until: int) -> int:
        """Jobs of an equal that go before a job released then, of those known until then."""
        if not self.ties_exact:
            return equal.released(until)
        return min(equal.released(until), equal.released(release + self.task.deadline - equal.deadline))

    def _busy(self) -> int:
        """The longest time that the device is busy with this task and what may go first, without a pause."""
        tasks = [self.task, *self.above, *self.equals]
        blocking = max(sum(s for _, s in self._blocked(-self.task.jitter)), 0)
        if not self.ties_exact or self.equals:
            most = nlargest(self.depth, (s for t in (*tasks, *self.below) for s in t.stages))
            blocking = max(blocking, sum(most))
        blocking += self.overruns
        demand = blocking * self.whole + sum(t.jitter * t.share for t in tasks)
        spare = self.whole - sum(t.share for t in tasks)
        busy = max(-(-demand // spare), blocking + sum(t.cost for t in tasks), 1)
        for _ in range(MAX_STEPS):
            longer = blocking + sum(-(-(busy + t.jitter) // t.period) * t.cost for t in tasks)
            if longer <= busy:
                return busy
            busy = longer
        raise _Undecided

    def _releases(self, busy: int) -> Iterator[int]:
        """The releases, after the start of the busy period, that can be the worst."""
        task = self.task
        own = range(-task.jitter, max(busy - task.jitter, 1 - task.jitter), task.period)
        work = sum((busy + task.deadline) // t.period + 1 for t in self.equals) + len(own)
        self.ties_exact &= work * (1 + len(self.above) + len(self.equals)) <= MAX_TIE_WORK
        if not self.equals or not self.ties_exact:
            return iter(own)
        releases = set(own)
        for equal in self.equals:
            first = equal.deadline - task.deadline - equal.jitter
            first += max(0, -(-(own.start - first) // equal.period)) * equal.period
            releases.update(range(first, own.stop, equal.period))
        return iter(sorted(releases))

    def _start(self, release: int) -> int:
        """When the last stage of the job released then starts at the latest."""
        task = self.task
        own = ((release + task.jitter) // task.period + 1) * task.cost - task.stages[-1]
        fixed = own + self.overruns + sum(s for _, s in self._blocked(release))
        demand = fixed * self.whole + sum(t.jitter * t.share for t in self.above)
        spare = self.whole - sum(t.share for t in self.above)
        start = max(demand // spare, fixed)
        for _ in range(MAX_STEPS):
            later = fixed + sum(t.released(start) * t.cost for t in self.above)
            later += sum(self._before(t, release, start) * t.cost for t in self.equals)
            if later <= start:
                return start
            start = later
        raise _Undecided

    def _told(self, response: int, release: int, start: int, busy: int, tried: int) -> Bound:
        def ns(units: int) -> Time:
            whole, rest = divmod(units, self.unit)
            return Fraction(units, self.unit) if rest else whole

        by_name: dict[str, list[Time]] = {}
        for name, stage in self._blocked(release):
            by_name.setdefault(name, []).append(ns(stage))
        terms = [(t, t.released(start)) for t in self.above]
        terms += [(t, self._before(t, release, start)) for t in self.equals]
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
        )
