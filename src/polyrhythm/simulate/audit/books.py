"""What the auditor keeps of jobs, modules, slots and contexts."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from polyrhythm.schedule import CATCH_UP_LIMIT, InputPlan, ModulePlan, OnStale, Overrun, SchedulePlan
from polyrhythm.schedule.events import Launch
from polyrhythm.simulate.audit.chunks import StepBook


class Rate(NamedTuple):
    """A period in whole numbers: `Fraction` is slow."""

    parts: int
    parts_per_ns: int
    least_ns: int  #: rounded down
    most_ns: int  #: rounded up

    def instants(self, origin_ns: int, now_ns: int) -> int:
        """How many instants of a grid have come; the first was at `origin_ns`."""
        return -(-(now_ns - origin_ns + 1) * self.parts_per_ns // self.parts)


def rate_of(period_ns: Fraction) -> Rate:
    """A period, as it is counted with."""
    parts, parts_per_ns = period_ns.numerator, period_ns.denominator
    return Rate(parts, parts_per_ns, parts // parts_per_ns, -(-parts // parts_per_ns))


@dataclass(eq=False)
class JobBook:
    """A job from its release to its end."""

    tick: int
    release_ns: int
    deadline_ns: int
    module: ModuleBook
    id: int | None = None
    launched: int = 0
    done: int = 0
    most: int | None = None  #: steps, as it was asked for when it began
    skipped: int | None = None  #: steps left out; None: no step has been launched
    error: bool = False
    void: str = ""  #: why it was given up with a stage in flight
    first: Launch | None = None
    deferred: int = -1  #: the position that was last told to be deferred
    taken_ns: int | None = None  #: when its inputs were taken, where that can be told
    cursor: int | None = None  #: the control tick that was next then; None: that is not settled yet
    urgency: tuple[int, ...] = ()  #: when its last stage was launched
    hang_ns: int = field(init=False)

    def __post_init__(self) -> None:
        self.hang_ns = self.plan.hang_ns  # its own: the module may run under another plan later

    @property
    def plan(self) -> ModulePlan:
        return self.module.plan

    @property
    def length(self) -> int:
        return len(self.plan.stages) - (self.skipped or 0)

    @property
    def has_stage(self) -> bool:
        """Whether another stage may be launched."""
        return not (self.error or self.void) and self.launched < self.length

    def stage(self, position: int) -> int:
        loop = self.plan.loop
        return position if loop is None or position < loop.first else position + (self.skipped or 0)


@dataclass(eq=False)
class ModuleBook:
    """A module of a context."""

    plan: ModulePlan
    index: int
    context: ContextBook = field(repr=False)
    since: int = 0  #: the first tick of the present rate, which comes at `since_ns`
    since_ns: Fraction = field(default_factory=Fraction)
    next: int = 0
    next_ns: int = 0  #: when that comes
    active: JobBook | None = None
    pending: list[int] = field(default_factory=list)
    came_ns: dict[int, int] = field(default_factory=dict)  #: when those came that wait
    last_ns: int = 0  #: when the last one came
    #: The shortest period since the last release, rounded down; None: there was none.
    spacing_ns: int | None = None
    paced: ModulePlan | None = None  #: what it ran under at the last release; None: nothing
    isolated: bool = False
    suspended: bool = False
    forgone: int = 0  #: ticks whose drop as `profile` is due in this step
    most: int | None = None  #: steps of the next jobs, as it was asked for
    failures: int = 0
    released: int = 0
    finished: int = 0
    ended: int = 0  #: finished, or dropped for a reason
    steps: StepBook = field(init=False)
    shifts: bool = field(init=False)  #: what waits for the end of a job comes then
    rate: Rate = field(init=False)
    grid: tuple[int, int, int] = field(init=False)  #: `since_ns`, the period and a nanosecond, in equal parts

    def __post_init__(self) -> None:
        self.steps = StepBook(self.plan)
        self._regrid()

    def at(self, k: int) -> int:
        since, period, parts_per_ns = self.grid
        return (since + (k - self.since) * period) // parts_per_ns

    def _regrid(self) -> None:
        """Ticks come otherwise from now on."""
        self.shifts = self.plan.on_overrun is Overrun.SHIFT and not self.plan.on_demand
        rate, since = rate_of(self.plan.period_ns), self.since_ns
        parts, parts_per_ns = since.numerator, since.denominator
        self.rate = rate
        self.grid = parts * rate.parts_per_ns, rate.parts * parts_per_ns, parts_per_ns * rate.parts_per_ns
        self.next_ns = self.at(self.next)

    def count_from(self, k: int) -> None:
        """Tick `k` is the next one."""
        self.next, self.next_ns = k, self.at(k)

    def begin(self, now_ns: int, first: int) -> None:
        """Tick `first` comes a phase from now."""
        self.since, self.since_ns, self.next = 0, Fraction(0), first
        self._regrid()
        self.shift(now_ns + self.plan.phase_ns - self.next_ns)
        self.pending, self.spacing_ns = [], None
        self.came_ns.clear()

    def shift(self, by_ns: int) -> None:
        """All ticks come so much later."""
        if by_ns:
            self.since_ns += by_ns
            self._regrid()

    def release(self) -> None:
        """The next tick of the grid."""
        now_ns = self.next_ns
        if self.spacing_ns is not None:
            assert now_ns - self.last_ns >= self.spacing_ns, "closer than any period"
        if len(self.pending) <= 1:  # none but this one
            self.came_ns.clear()
        self.came_ns[self.next] = self.last_ns = now_ns
        self.spacing_ns, self.paced = self.rate.least_ns, None if self.suspended else self.plan
        self.released += 1
        self.count_from(self.next + 1)
        self.came_ns.pop(self.next - CATCH_UP_LIMIT - 2, None)

    def forgo(self, now_ns: int) -> int:
        """Let the ticks pass that the profile drops; how many there were."""
        first = self.next
        if self.suspended and self.context.open and not self.isolated and not self.plan.on_demand:
            while self.next_ns <= now_ns:
                self.release()
        return self.next - first

    def switch(self, plan: ModulePlan | None) -> None:
        """Run under other numbers from the next tick on; None: not at all."""
        self.suspended = plan is None
        if plan is None:
            self.forgone += len(self.pending)
            self.pending, self.paced = [], None
            return
        self.since_ns += (self.next - self.since) * self.plan.period_ns
        self.since, self.plan = self.next, plan
        self._regrid()
        if self.spacing_ns is not None:
            self.spacing_ns = min(self.spacing_ns, self.rate.least_ns)
        self.steps.replan(plan)

    def job(self, tick: int, release_ns: int) -> JobBook:
        return JobBook(tick, release_ns, release_ns + self.plan.deadline_ns, self)

    def activate(self, cursor: int | None = None) -> None:
        """Begin with the oldest tick that waits; `cursor`: the control tick that is next, if it takes its
        inputs now."""
        if self.active is None and self.pending:
            tick = self.pending.pop(0)
            self.active = self.job(tick, self.came_ns[tick])
            self.active.cursor = cursor


@dataclass(eq=False)
class SlotBook:
    """Who writes and reads a slot, and what is in it."""

    seq: int | None = None
    stamp_ns: int = 0
    tick: int = 0
    writer: int | str | None = None
    readers: list[int] = field(default_factory=list)  #: jobs, once for each of their inputs


class ContextBook:
    """One context. `cold` modules have to be warmed, in this order; None: it never needed that."""

    def __init__(self, number: int, plan: SchedulePlan, warm: bool = True) -> None:
        self.number, self.plan = number, plan
        control = plan.control
        self.ticks = None if control is None else rate_of(control.period_ns)  #: of the robot
        observations = {} if control is None else control.observations
        self.looks = {port: rate_of(period_ns) for port, period_ns in observations.items()}
        self.modules = [ModuleBook(m, i, self) for i, m in enumerate(plan.modules)]
        self.latches = plan.mode.latches_at_release
        self.by_id = {m.plan.id: m for m in self.modules}
        self.slots = {port: [SlotBook() for _ in range(depth)] for port, depth in plan.ports.items()}
        self.newest: dict[str, int | None] = dict.fromkeys(plan.ports)
        self.seqs = dict.fromkeys(plan.ports, 0)
        self.makers = {m.plan.chunk[0]: m for m in self.modules if m.plan.chunk is not None}
        self.awaits: set[str] = set()
        self.opening = False  #: it has gone live, and waits until modules can be released
        self.open = False  #: modules are released
        self.resumed_ns: int | None = None  #: since when, if it was away before
        self.leaving = False
        self.cold = [] if warm else sorted(self.modules, key=lambda m: m.plan.rank)
        self.ready = warm
        self.warming: JobBook | None = None
        self.spoiled = False  #: what was to warm it has failed

    def newest_slot(self, port: str) -> SlotBook:
        slot = self.newest[port]
        assert slot is not None
        return self.slots[port][slot]

    def to_blame(self, m: ModuleBook, link: InputPlan, now_ns: int) -> bool:
        """Whether a link that is stale is at fault: not with what was made before its context was away, as
        long as no new version has to be there."""
        if self.resumed_ns is None or self.newest_slot(link.source).stamp_ns >= self.resumed_ns:
            return True
        return now_ns > self.resumed_ns + self._renewed_ns(m, link)

    def _renewed_ns(self, reader: ModuleBook, link: InputPlan) -> int:
        """When a link has a new version at the latest, after the return of its context: once its maker has
        begun and has found all that it insists on."""
        age_ns = link.max_age_ns or 0
        maker = next((m for m in self.modules if link.source in m.plan.outputs), None)
        if maker is None or (maker.plan.rank, maker.index) >= (reader.plan.rank, reader.index):
            return age_ns
        insists = [i for i in maker.plan.inputs if i.on_stale is not OnStale.USE]
        return age_ns + maker.plan.phase_ns + max((self._renewed_ns(maker, i) for i in insists), default=0)

    def close(self, reason: str) -> None:
        """Nothing more is begun."""
        self.open = self.opening = False
        self.awaits.clear()
        for m in self.modules:
            if m.active is not None:
                m.active.void = reason

    def empty(self) -> bool:
        """Nothing of it is held by anybody."""
        held = [
            slot for slots in self.slots.values() for slot in slots if slot.writer is not None or slot.readers
        ]
        return not held and self.warming is None and not any(m.active or m.pending for m in self.modules)
