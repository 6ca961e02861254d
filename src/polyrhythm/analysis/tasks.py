"""Modules as the analysis sees them, and their numbers in a unit in which all of them are whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from polyrhythm.analysis.demand import Jobs

Time = int | Fraction


@dataclass(frozen=True, slots=True)
class Task:
    """A module as the analysis sees it: one queue, stages that can't be interrupted, released every period.

    `priority` is the scheduler's: the lowest number goes first, equals go by absolute deadline. `stages_ns`
    include what it takes to dispatch them; a job may leave out the first few of `optional` (positions).
    `jitter_ns`: how late after its release a job may become known. `piece_ns`: its device leaves a stage for
    a more urgent one after so long at most, and goes on with it afterwards; None: it does not.

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
    optional: range = range(0)
    piece_ns: Time | None = None

    def __post_init__(self) -> None:
        if self.period_ns <= 0:
            raise ValueError(f"task {self.name}: period_ns is {self.period_ns}; it has to be above 0")
        if not self.stages_ns or min(self.stages_ns) < 0:
            raise ValueError(f"task {self.name}: stages_ns is {self.stages_ns}; give one cost >= 0 per stage")
        if self.piece_ns is not None and self.piece_ns < 0:
            raise ValueError(f"task {self.name}: piece_ns is {self.piece_ns}; it must not be below 0")
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
class Scaled:
    """A task in whole time units."""

    name: str
    period: int
    deadline: int
    stages: tuple[int, ...]
    pieces: tuple[int, ...]  #: what of it can't be interrupted: stages, or the longest part of one
    cost: int
    jitter: int
    priority: int
    share: int  #: of the device, in parts of `Scale.whole`
    overrun: int | None  #: a server's longest stage; None: it is none
    optional: range
    gives_way: bool  #: for less than a whole stage it has the device

    @property
    def jobs(self) -> Jobs:
        """What comes of it again and again."""
        return Jobs(self.period, self.jitter, self.cost)

    @property
    def last_piece(self) -> int:
        """The end of a job, which nothing that comes after its beginning can delay."""
        return min(1, self.cost) if self.gives_way else self.stages[-1]

    def released(self, until: int) -> int:
        """Jobs that become known in a closed span of this length, at most."""
        return max(0, (until + self.jitter) // self.period + 1)

    def last(self, count: int) -> list[int]:
        """All that the last `count` stages of a job may be, whichever it leaves out."""
        every = range(len(self.stages))
        fewest = [i for i in every if i not in self.optional]
        return [self.stages[i] for i in every if i in every[-count:] or i in fewest[-count:]]


class Scale:
    """All tasks in a time unit in which every number is whole."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        values = {
            v
            for t in tasks
            for v in (t.period_ns, t.deadline_ns, t.jitter_ns, t.cost_ns, *t.stages_ns, t.piece_ns or 0)
        }
        self.unit = lcm(*(v.denominator for v in values))  #: units in a ns
        self.whole = lcm(*(self._units(t.period_ns) for t in tasks))
        self.tasks = [self._scaled(t) for t in tasks]

    def ns(self, units: int) -> Time:
        """Units in nanoseconds."""
        whole, rest = divmod(units, self.unit)
        return Fraction(units, self.unit) if rest else whole

    def _units(self, value_ns: Time) -> int:
        return value_ns.numerator * (self.unit // value_ns.denominator)

    def _scaled(self, task: Task) -> Scaled:
        stages, period = tuple(self._units(s) for s in task.stages_ns), self._units(task.period_ns)
        deadline, jitter = self._units(task.deadline_ns), self._units(task.jitter_ns)
        cost = self._units(task.cost_ns)
        share, overrun = cost * (self.whole // period), None if task.budget_ns is None else max(stages)
        gives_way, pieces = task.piece_ns is not None, stages
        if task.piece_ns is not None:
            pieces = (min(self._units(task.piece_ns), max(stages)),)
        return Scaled(
            task.name, period, deadline, stages, pieces, cost, jitter, task.priority, share, overrun,
            task.optional, gives_way,
        )  # fmt: skip
