"""What would make a device fit: smaller stages below, or a smaller cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyrhythm.analysis.response import response_time
from polyrhythm.analysis.tasks import Task, Time


@dataclass(frozen=True, slots=True)
class StageAdvice:
    """How finely `name` has to be cut for `protects` to meet its deadline.

    `largest_stage_ns` (dispatch included) is None if no cut helps. `limit_ns` is the bound of `protects` as
    the stages of `name` shrink to what a dispatch costs: slicing can't bring it below. None: no bound.
    """

    name: str
    protects: str
    largest_stage_ns: int | None
    limit_ns: Time | None


def largest(fits: Callable[[int], bool], low: int, high: int) -> int | None:
    """The largest whole number of ``low .. high`` that fits; what is smaller must fit too. None if none."""
    if high < low or not fits(low):
        return None
    if fits(high):  # it mostly does: nothing has to be cut
        return high
    high -= 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _within(tasks: Sequence[Task], limits_ns: Mapping[int, Time], depth: int) -> bool:
    """Whether the bounds of all tasks that have a limit are within it."""
    return all(
        (bound_ns := response_time(tasks, i, depth).bound_ns) is not None and bound_ns <= limit_ns
        for i, limit_ns in limits_ns.items()
    )


def stage_advice(
    tasks: Sequence[Task], protected: int, cut: int, depth: int = 1, dispatch_ns: int = 0
) -> StageAdvice:
    """The largest stage of the less urgent ``tasks[cut]`` with which ``tasks[protected]`` still fits.

    `dispatch_ns` is what every stage costs on top of its share; no stage is shorter. Only the wait counts
    here, so the answer does not depend on how many stages there will be; whether ``tasks[cut]`` itself fits
    with them is for `response_time` to say.
    """
    lower, task = tasks[cut], tasks[protected]
    if lower.priority <= task.priority:
        raise ValueError(f"{lower.name} is not less urgent than {task.name}: its stages do not block it")
    limits_ns = {protected: task.deadline_ns}
    if depth > 1:  # it and who goes first must not have two jobs at once
        first = (i for i, t in enumerate(tasks) if t.budget_ns is None and t.priority <= task.priority)
        limits_ns = {i: tasks[i].period_ns for i in first}
        limits_ns[protected] = min(task.deadline_ns, task.period_ns)

    def cut_into(stage_ns: int) -> list[Task]:
        changed = list(tasks)
        queued = depth if lower.budget_ns is None else 1
        piece_ns = None if lower.piece_ns is None else min(lower.piece_ns, stage_ns)
        changed[cut] = replace(lower, stages_ns=(stage_ns,) * queued, piece_ns=piece_ns)
        return changed

    def fits(stage_ns: int) -> bool:
        return _within(cut_into(stage_ns), limits_ns, depth)

    high = max(dispatch_ns, int(sum(lower.stages_ns)))
    limit_ns = response_time(cut_into(dispatch_ns), protected, depth).bound_ns
    return StageAdvice(lower.name, task.name, largest(fits, dispatch_ns, high), limit_ns)


def largest_cost_ns(tasks: Sequence[Task], index: int, depth: int = 1) -> int | None:
    """The largest cost of ``tasks[index]``, cut in the same proportions, with which the whole device fits.

    None if the device does not even fit with this cost at 0.
    """
    task = tasks[index]
    total = task.cost_ns
    limits_ns = {
        i: t.deadline_ns if depth == 1 else min(t.deadline_ns, t.period_ns)
        for i, t in enumerate(tasks)
        if t.budget_ns is None
    }

    def fits(cost_ns: int) -> bool:
        changed = list(tasks)
        parts = len(task.stages_ns)
        shares = [int(cost_ns * s // total) if total else cost_ns // parts for s in task.stages_ns]
        shares[-1] += cost_ns - sum(shares)
        changed[index] = replace(task, stages_ns=tuple(shares))
        return _within(changed, limits_ns, depth)

    return largest(fits, 0, int(min(task.deadline_ns, task.period_ns)))
