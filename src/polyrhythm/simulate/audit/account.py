"""What the rules share: contexts, jobs, devices and the robot, as events and commands tell of them."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Budget, SchedulePlan
from polyrhythm.schedule.lanes import NEVER_NS
from polyrhythm.simulate.audit.books import ContextBook, JobBook, ModuleBook
from polyrhythm.simulate.audit.budgets import BudgetBook
from polyrhythm.simulate.audit.chunks import ChunkBook, planned_ticks


class Made(NamedTuple):
    """A chunk that came."""

    stamp_ns: int  #: when its inputs were taken
    cursor: int  #: the control tick that was next when it came
    until: int  #: the tick at which none of its actions is left, whatever is played before it
    came_ns: int
    slowed_ns: int  #: what the loop had been slowed by then


class Account:
    """What the rules share: contexts, jobs, devices and the robot, as events and commands tell of them."""

    def __init__(self, plan: SchedulePlan, player: PlayerPlan) -> None:
        self.live = ContextBook(0, plan)
        self.contexts = {0: self.live}
        self.profile = plan.profile
        self.changing = False  #: the profile was asked for, and is not wholly in force
        self._run_under(self.live)
        self.budgets: dict[tuple[str, Budget], BudgetBook] = {}
        self.wanted: int | None = None  #: the context that goes live at the next control instant
        self.refuses: int | None = None  #: the context of which the step in hand has to refuse something
        self.k = dict(plan.devices)
        self.gives_way = set(plan.gives_way)
        self.flying: dict[str, list[JobBook]] = {d: [] for d in plan.devices}
        self.jobs: dict[int, JobBook] = {}
        self.asked: dict[tuple[int, str], tuple[int, int]] = {}
        self.acting: int | None = None
        self.cursor = 0
        self.answered = 0  # control instants
        self.origin_ns = 0
        self.phase = "idle"
        self.chunks = ChunkBook(plan, player)
        self.instants_seen = self.due_before = 0  # control instants up to now
        self.halted = self.ran_out = False
        self.drops: Counter[tuple[str, str]] = Counter()
        self.ready_to_publish: JobBook | None = None
        self.ended_job: JobBook | None = None
        self.renewed: list[JobBook] = []  # what stood in the queue left behind in this step, in order
        self.hung: list[JobBook] = []  # of those, what stood in front
        self.unclear: list[JobBook] = []  # the same, where any of them may be what hangs
        self.went_stale = False  # an input, and its link says to stop then
        self.starts = self.playing = False  # an episode is to begin, or is under way
        # Of the step in hand: whether grids, demands and the episode's begin have been accounted for.
        self.released_now = self.demanded_now = self.begun_now = False
        self.made: dict[tuple[int, int], Made] = {}  #: by context and slot
        self.acting_ns = 0  # since when the robot executes the answer to `acting`
        self.slowed_ns = 0  # so much longer than declared the world has made the control loop take, in all
        self.oldest_ns = 0  # the age of an action, at most
        #: Links that hold the robot; where inputs are taken on the grid, those too that may have ceased to.
        self.waits: set[str] = set()
        #: Observations that were taken, or dropped, since `looks_ns`; before an episode: since the last one.
        self.looked: dict[str, int] = {}
        self.looks_ns = 0
        self.answered_now = False
        #: Device -> the stage at the head of its queue (its job, and the position in it), and since when.
        self.heads: dict[str, tuple[tuple[JobBook, int], int]] = {}
        #: On devices that give way, what may have been left there: since when it ran, and since when not.
        self.left: dict[tuple[str, JobBook, int], tuple[int, int]] = {}
        self.wakes_ns = NEVER_NS  # by when there has to be another step
        self.now_ns = 0
        self.phase_now = "idle"
        self.stops = False  # it halts, or has halted

    @property
    def plan(self) -> SchedulePlan:
        return self.live.plan

    @property
    def modules(self) -> list[ModuleBook]:
        return self.live.modules

    def _due(self) -> int:
        """Control instants of this episode up to now."""
        ticks = self.live.ticks
        assert ticks is not None
        return ticks.instants(self.origin_ns, self.now_ns)

    def _look_from(self, origin_ns: int, taken: int) -> None:
        """Observations are due from an instant on; so many were taken then."""
        control = self.plan.control
        self.looks_ns = origin_ns
        self.looked = {} if control is None else dict.fromkeys(control.observations, taken)

    @property
    def _devices_rest(self) -> bool:
        """No device holds a stage of a tick."""
        return not any(job.tick >= 0 for jobs in self.flying.values() for job in jobs)

    def _try_open(self, context: ContextBook) -> None:
        """Who was switched to goes on once it has seen everything, and finds the devices free."""
        if context.opening and not context.awaits and self._devices_rest:
            context.open, context.opening, context.resumed_ns = True, False, self.now_ns
            for m in context.modules:
                m.begin(self.now_ns, m.next)

    def _run_under(self, context: ContextBook) -> None:
        for i, m in enumerate(context.modules):
            m.switch(context.plan.module_under(self.profile, context.plan.modules[i]))

    def _chunk_ticks(self, context: ContextBook) -> int:
        return planned_ticks((m.plan for m in context.modules), context.plan)
