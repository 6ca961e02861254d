"""What the auditor keeps of jobs, modules, slots and contexts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from polyrhythm.schedule import ModulePlan, Overrun, SchedulePlan
from polyrhythm.schedule.events import Launch
from tests.schedule.chunk_auditor import StepBook


@dataclass
class JobBook:
    """A job from its release to its end."""

    tick: int
    release_ns: int
    module: ModuleBook
    id: int | None = None
    launched: int = 0
    done: int = 0
    skipped: int | None = None  #: steps left out; None: no step has been launched
    error: bool = False
    void: bool = False  #: given up with a stage in flight
    first: Launch | None = None

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


@dataclass
class ModuleBook:
    """A module of a context."""

    plan: ModulePlan
    index: int
    context: ContextBook
    origin_ns: int = 0
    next: int = 0
    shift_ns: int = 0
    active: JobBook | None = None
    pending: list[int] = field(default_factory=list)
    isolated: bool = False
    failures: int = 0
    released: int = 0
    fates: Counter[str] = field(default_factory=Counter)
    steps: StepBook = field(init=False)

    def __post_init__(self) -> None:
        self.steps = StepBook(self.plan)

    @property
    def shifts(self) -> bool:
        return self.plan.on_overrun is Overrun.SHIFT and not self.plan.on_demand

    def at(self, k: int) -> int:
        p = self.plan.period_ns
        return self.origin_ns + self.plan.phase_ns + self.shift_ns + k * p.numerator // p.denominator

    def begin(self, now_ns: int, first: int) -> None:
        """Tick `first` comes a phase from now."""
        self.origin_ns, self.next, self.shift_ns, self.pending = 0, first, 0, []
        self.origin_ns = now_ns + self.plan.phase_ns - self.at(first)

    def activate(self) -> None:
        if self.active is None and self.pending:
            tick = self.pending.pop(0)
            self.active = JobBook(tick, self.at(tick), self)


@dataclass
class SlotBook:
    """Who writes and reads a slot, and what is in it."""

    seq: int | None = None
    stamp_ns: int = 0
    tick: int = 0
    writer: int | str | None = None
    readers: Counter[object] = field(default_factory=Counter)


class ContextBook:
    """One context. `cold` modules have to be warmed, in this order; None: it never needed that."""

    def __init__(self, number: int, plan: SchedulePlan, warm: bool = True) -> None:
        self.number, self.plan = number, plan
        self.modules = [ModuleBook(m, i, self) for i, m in enumerate(plan.modules)]
        self.by_id = {m.plan.id: m for m in self.modules}
        self.slots = {port: [SlotBook() for _ in range(depth)] for port, depth in plan.ports.items()}
        self.newest: dict[str, int | None] = dict.fromkeys(plan.ports)
        self.seqs = dict.fromkeys(plan.ports, 0)
        self.horizons = dict(m.chunk for m in plan.modules if m.chunk is not None)
        self.awaits: set[str] = set()
        self.open = False  #: modules are released
        self.leaving = False
        self.cold = [] if warm else sorted(self.modules, key=lambda m: m.plan.rank)
        self.ready = warm
        self.warming: JobBook | None = None

    def newest_slot(self, port: str) -> SlotBook:
        slot = self.newest[port]
        assert slot is not None
        return self.slots[port][slot]

    def close(self) -> None:
        """Nothing more is begun."""
        self.open = False
        self.awaits.clear()
        for m in self.modules:
            if m.active is not None:
                m.active.void = True

    def empty(self) -> bool:
        """Nothing of it is held by anybody."""
        held = [slot for slots in self.slots.values() for slot in slots if slot.writer or +slot.readers]
        return not held and self.warming is None and not any(m.active or m.pending for m in self.modules)
