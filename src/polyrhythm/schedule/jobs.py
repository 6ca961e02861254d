"""One module's releases and jobs: the rational grid and the three overrun policies."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from polyrhythm.schedule.events import Read
from polyrhythm.schedule.grid import Grid
from polyrhythm.schedule.lanes import NEVER_NS, Queue
from polyrhythm.schedule.plan import CATCH_UP_LIMIT, InputPlan, Loop, ModulePlan, Overrun
from polyrhythm.schedule.slots import SlotRing

if TYPE_CHECKING:
    from polyrhythm.schedule.deck import Deck

#: How many of its last runs tell what a stage takes.
COSTS_KEPT: Final = 16


@dataclass(slots=True, eq=False)
class Input:
    """An input of a module and the slots behind it. `observed`: what it reads is from the robot itself.
    `grace_ns`: so long after its context has come back it may be stale for that reason alone."""

    plan: InputPlan
    ring: SlotRing
    label: str  #: the link, as it is told
    observed: bool
    grace_ns: int


@dataclass(slots=True, eq=False)
class Job:
    """One released tick of a module, from its release to the end of its last stage.

    `void` says why it was given up while a device still had a stage of it: that one ends, no other begins.
    """

    id: int
    module: ModuleState
    tick: int
    release_ns: int
    deadline_ns: int
    deck: Deck
    launched: int = 0  # stages, those skipped not counted
    done: int = 0
    most: int | None = None  # steps, as it was asked for when it began
    skipped: int | None = None  # steps left out; None: not decided yet, or no loop
    reads: tuple[Read, ...] | None = None  # None: inputs not taken yet
    writes: tuple[tuple[str, int], ...] = ()
    stamp_ns: int = 0
    robot_tick: int = 0
    error: str | None = None
    void: str | None = None
    deferred: int = -1  # the position at which it was last told that its budget is used up
    hang_ns: int = field(init=False)

    def __post_init__(self) -> None:
        self.hang_ns = self.module.plan.hang_ns  # its own: the module may run under another plan meanwhile

    @property
    def in_flight(self) -> int:
        """Stages launched and not ended."""
        return self.launched - self.done

    @property
    def ready(self) -> bool:
        """Whether a stage is left to launch (a queue is first-in first-out: no need to wait for the last)."""
        left = len(self.module.plan.stages) - (self.skipped or 0) - self.launched
        return left > 0 and self.error is None and self.void is None

    @property
    def length(self) -> int:
        """How many stages the job has."""
        return len(self.module.plan.stages) - (self.skipped or 0)

    def stage(self, position: int) -> int:
        """The stage that comes at `position` of the job."""
        loop = self.module.plan.loop
        return position if loop is None or position < loop.first else position + (self.skipped or 0)


@dataclass(slots=True)
class Tally:
    """What modules of one name did, in all contexts: ``released == finished + dropped + under_way``."""

    released: int = 0
    finished: int = 0
    dropped: int = 0
    late: int = 0
    shifted: int = 0
    stale_used: int = 0
    deferred: int = 0
    under_way: int = 0
    isolated: bool = False

    def add(self, module: ModuleState) -> None:
        """Add a module's account."""
        self.released += module.released
        self.finished += module.finished
        self.dropped += module.dropped
        self.late += module.late
        self.shifted += module.shifted
        self.stale_used += module.stale_used
        self.deferred += module.deferred
        self.under_way += len(module.pending) + (module.active is not None)
        self.isolated |= module.isolated


@dataclass(slots=True, eq=False)
class ModuleState:
    """What the scheduler remembers of a module.

    At most one job is active; `pending` holds ticks that were released meanwhile. `next_release_ns` is the
    next grid instant to look at, or `NEVER_NS` while the grid waits: the module is isolated, or it shifts and
    its next release waits for the active job. `plan` is what it runs under now; while the power profile drops
    it, it is `suspended`: its grid goes on, and every tick of it is dropped.
    """

    plan: ModulePlan
    index: int
    queue: Queue
    inputs: tuple[Input, ...]
    context: int = 0
    grid: Grid = field(init=False)
    next_tick: int = 0
    next_release_ns: int = NEVER_NS
    active: Job | None = None
    pending: deque[int] = field(default_factory=deque)
    isolated: bool = False
    suspended: bool = False
    most: int | None = None  # steps of the next jobs, as it was asked for in the run
    consecutive_failures: int = 0
    released: int = 0
    finished: int = 0
    dropped: int = 0
    late: int = 0
    shifted: int = 0
    stale_used: int = 0
    deferred: int = 0
    #: Of every stage, what it took the last few times, if it is of a module with a loop. The steps share one
    #: account: one that is left out is not measured, and must not be remembered for ever as slow.
    took_ns: list[deque[int]] = field(init=False)
    #: When waiting ticks were released that are not of the present grid.
    _came_ns: dict[int, int] = field(default_factory=dict)
    _first_tick: int = 0  # since the grid was anchored
    _released_as: ModulePlan | None = None  # what it ran under at its last release; None: not at all

    def __post_init__(self) -> None:
        self._expect()
        self.anchor(0)
        self.rest()

    def _expect(self) -> None:
        """Nothing is known of what stages take under these costs."""
        self.took_ns = [deque(maxlen=COSTS_KEPT) for _ in self.plan.costs_ns]
        if (loop := self.plan.loop) is not None:
            self.took_ns[loop.first : loop.first + loop.full] = [self.took_ns[loop.first]] * loop.full

    def anchor(self, origin_ns: int, tick: int = 0) -> None:
        """Start the grid over: `tick` at `origin_ns` plus the phase."""
        grid = Grid(self.plan.period_ns, origin_ns + self.plan.phase_ns)
        self.grid = grid.anchored(tick, grid.anchor_ns)
        self.next_tick = self._first_tick = tick
        self.pending.clear()
        self._came_ns.clear()
        self._look_ahead()

    def rest(self) -> None:
        """Release nothing until it is anchored again."""
        self.next_release_ns = NEVER_NS

    def isolate(self) -> None:
        """Release nothing more."""
        self.isolated = True
        self._look_ahead()

    def switch(self, plan: ModulePlan | None) -> None:
        """Run as `plan` says: at the new rate from the next release on, which comes when it was due. None:
        release nothing until there is a plan again; the grid goes on meanwhile."""
        self.suspended = plan is None
        if plan is None:
            self._released_as = None
        else:
            self._came_ns = {tick: self.instant(tick) for tick in self.pending}
            self.grid = self.grid.changed(self.next_tick, plan.period_ns)
            before, self.plan = self.plan, plan
            if plan.costs_ns != before.costs_ns:
                self._expect()
        self._look_ahead()

    @property
    def switching(self) -> bool:
        """Whether its first release under the present numbers is still to come, and it has had others."""
        waits = self.next_tick > self._first_tick and not (self.isolated or self.suspended)
        return waits and not self.plan.on_demand and self._released_as != self.plan

    def instant(self, tick: int) -> int:
        """When a tick that waits was released."""
        came_ns = self._came_ns.get(tick)
        return self.grid.at(tick) if came_ns is None else came_ns

    @property
    def unexplained(self) -> int:
        """Releases that are neither finished, dropped for a reason, waiting nor under way: always 0."""
        under_way = len(self.pending) + (self.active is not None)
        return self.released - self.finished - self.dropped - under_way

    def release(self, now_ns: int) -> int:
        """Take every grid instant up to `now_ns` into `pending`; returns how many ticks were dropped."""
        dropped = self._release(now_ns)
        self._look_ahead()
        return dropped

    def _release(self, now_ns: int) -> int:
        last = self.grid.last_at_or_before(now_ns)
        first, self.next_tick = self.next_tick, last + 1
        if self.suspended:
            self.released += last + 1 - first
            return last + 1 - first
        if self.plan.on_overrun is not Overrun.SHIFT:
            self.released += last + 1 - first
            self._released_as = self.plan
        match self.plan.on_overrun:
            case Overrun.SKIP:
                dropped = last - first + len(self.pending)
                self.pending.clear()
                self.pending.append(last)
                return dropped
            case Overrun.CATCH_UP:
                total = len(self.pending) + last + 1 - first
                dropped = max(0, total - CATCH_UP_LIMIT)
                self.pending.extend(range(max(first, last + 1 - CATCH_UP_LIMIT), last + 1))
                while len(self.pending) > CATCH_UP_LIMIT:
                    self.pending.popleft()
                return dropped
            case Overrun.SHIFT:
                self._release_one(first)
                return 0

    def demand(self, now_ns: int) -> None:
        """A chunk is wanted: release a tick now, unless one is under way."""
        if self.active is None and not self.pending and not self.isolated and not self.suspended:
            self.grid = self.grid.anchored(self.next_tick, now_ns)
            self._release_one(self.next_tick)

    def steps_to_skip(self, loop: Loop, slack_ns: int) -> int:
        """How many steps to leave out so that the rest, what comes after the loop, and what the device still
        holds (of this job and of others) take `slack_ns` at most. Never leaves fewer than `fast`.

        What is launched between them by more urgent modules is not foreseen: only a module that nobody can
        delay, or that has time for all steps anyway, is proven to be in time.
        """
        step_ns = self.slowest_ns(loop.first)
        others_ns = sum([self.slowest_ns(i) for i in range(loop.first + loop.full, len(self.plan.stages))])
        others_ns += self.queue.lane.busy_ns
        fit = (slack_ns - others_ns) // step_ns if step_ns else loop.full
        most = loop.limit
        if self.active is not None and self.active.most is not None:
            most = min(most, max(loop.fast, self.active.most))
        return loop.full - min(most, max(loop.fast, fit))

    def slowest_ns(self, stage: int) -> int:
        """How long a stage may take: what is planned, which is what proofs count on, or as long as the
        slowest of the last few, if that was longer."""
        return max((self.plan.costs_ns[stage], *self.took_ns[stage]))

    def leaves_ns(self, stage: int) -> int:
        """How long a stage may go on, on a device that gives way."""
        slowest_ns = self.slowest_ns(stage)
        return slowest_ns if self.plan.piece_ns is None else min(self.plan.piece_ns, slowest_ns)

    def begin(self, job: Job) -> None:
        """`job` is the active one now."""
        self.active = job
        if self._shifts:
            self.next_release_ns = NEVER_NS

    def shift(self, now_ns: int) -> bool:
        """The active job has ended. `shift`: if the next release came meanwhile it happens now, and the grid
        moves here. False under the other policies."""
        if not self._shifts or self.isolated or self.suspended:
            return False
        if (late_ns := now_ns - self.grid.at(self.next_tick)) >= 0:
            self.shifted += late_ns > 0
            self.grid = self.grid.anchored(self.next_tick, now_ns)
            self._release_one(self.next_tick)
        self._look_ahead()
        return True

    def _look_ahead(self) -> None:
        shifts = self.active is not None and self._shifts and not self.suspended
        waits = self.isolated or self.plan.on_demand or shifts
        self.next_release_ns = NEVER_NS if waits else self.grid.at(self.next_tick)

    @property
    def _shifts(self) -> bool:
        return self.plan.on_overrun is Overrun.SHIFT and not self.plan.on_demand

    def _release_one(self, tick: int) -> None:
        self.pending.append(tick)
        self._released_as = self.plan
        self.released += 1
        self.next_tick = tick + 1
