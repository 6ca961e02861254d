"""How stages are called, how many steps chunks get, and what belongs to one of several contexts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Generic, TypeVar

from polyrhythm.schedule.plan import Loop, ModulePlan

T = TypeVar("T")


class PerContext(Generic[T]):
    """Something of every module of every context. That which a run begins with is known by never having been
    admitted: it is put in as None, and found under any number that nothing was put in for."""

    def __init__(self) -> None:
        self._all: dict[tuple[int | None, str], T] = {}

    def put(self, context: int | None, module: str, thing: T) -> None:
        """Keep the thing, in the place of the last one."""
        self._all[context, module] = thing

    def of(self, context: int | None, module: str) -> T:
        """What was put in so."""
        return self._all[context, module]

    def get(self, context: int, module: str) -> T:
        """What is a module's in the context that an event or command names."""
        found = self._all.get((context, module))
        return self._all[None, module] if found is None else found

    def forget(self, context: int) -> None:
        """The context is gone."""
        self._all = {at: thing for at, thing in self._all.items() if at[0] != context}


def stage_labels(plan: ModulePlan) -> tuple[str, ...]:
    """What each stage counts as: an entry that runs several times is one row of a table (``step x5``)."""
    times = Counter(plan.stages)
    return tuple(name if times[name] == 1 else f"{name} x{times[name]}" for name in plan.stages)


def stage_name(plan: ModulePlan, stage: int, skipped: int = 0) -> str:
    """One run of a stage: ``encode``, or ``step.2`` for the second run of an entry that runs several times.

    Of a loop whose first `skipped` steps are left out, the first that is taken is ``step.1``.
    """
    name = plan.stages[stage]
    if plan.stages.count(name) == 1:
        return name
    number = plan.stages[: stage + 1].count(name)
    return f"{name}.{number if plan.loop is None or stage < plan.loop.first else number - skipped}"


@dataclass(frozen=True)
class StepsView:
    """Steps of a module that takes between `fast` and `full` of them, over the chunks that it has made."""

    full: int
    fast: int
    least: int
    mean: float


class Steps:
    """How many steps the chunks of a flow got."""

    def __init__(self) -> None:
        self.chunks = 0
        self.total = 0
        self.least = 0
        self._under_way = 0

    def last_step(self, steps: int) -> None:
        """The last one of the job under way is launched."""
        self._under_way = steps

    def finished(self) -> None:
        """The job has ended well."""
        self.least = min(self.least, self._under_way) if self.chunks else self._under_way
        self.chunks += 1
        self.total += self._under_way

    def view(self, loop: Loop | None) -> StepsView | None:
        """Up to now; None without a loop, or before the first chunk. From any thread."""
        if loop is None or not self.chunks:
            return None
        return StepsView(loop.full, loop.fast, self.least, self.total / self.chunks)
