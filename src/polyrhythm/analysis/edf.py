"""Earliest deadline first between stages that can't be interrupted, at most K of them launched at a time.

Two ways to the same end. `edf_bounds` bounds the response of every task: with one priority for all, the sum
of `response` is the one for earliest deadline first (George, Rivierre, Spuri, INRIA RR-2966, 1996). It tries
every release at which another deadline coincides; where those are too many, `edf_test` says whether all
deadlines are met.

Source of the test: M. Bertogna, S. Baruah, "Limited Preemption EDF Scheduling of Sporadic Task Systems", IEEE
Trans. Industrial Informatics 6(4), 2010, for K = 1: at every absolute deadline t, the demand until t and the
longest stage of a task with a longer deadline have to fit into t. For K > 1 the K longest stages count that
may stand in the queue, see ``docs/concepts/proof.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import nlargest

from polyrhythm.analysis.demand import Demand, Steps
from polyrhythm.analysis.response import MAX_STEPS, Bound, response_times
from polyrhythm.analysis.tasks import Scale, Scaled, Task, Time

#: Deadlines x tasks that are tried before a device is refused as undecided.
MAX_DEMANDS = 2_000_000


@dataclass(frozen=True, slots=True)
class EdfVerdict:
    """`at_ns`: the first deadline at which too much is asked for, `demand_ns`: how much; else None."""

    feasible: bool
    at_ns: Time | None = None
    demand_ns: Time | None = None
    refusal: str | None = None


def edf_bounds(tasks: Sequence[Task], depth: int = 1, *, ties: bool = True) -> list[Bound]:
    """Bound the response of every task of a device.

    Args:
        tasks: those that go by their deadlines have one priority, those that come after them a later one.
        ties: see `response_time`; without, no deadline is counted on.
    """
    bounds = response_times(tasks, depth, ties=ties)
    if not ties or all(bound.ties_exact for bound in bounds):
        return bounds
    first = min(task.priority for task in tasks)
    behind = [task for task in tasks if task.priority != first]
    if not edf_test([task for task in tasks if task.priority == first], depth, behind).feasible:
        return bounds
    return [
        replace(b, bound_ns=b.deadline_ns, blocked=(), interference=(), by_demand=True)
        if b.bound_ns is not None and not b.ties_exact and b.bound_ns > b.deadline_ns
        else b
        for b in bounds
    ]


def edf_test(tasks: Sequence[Task], depth: int = 1, behind: Iterable[Task] = ()) -> EdfVerdict:
    """Test every absolute deadline of the longest busy period.

    Args:
        tasks: those that go by their deadlines; `priority` is not looked at.
        behind: those that come after them whatever their deadlines.

    With depth > 1 it holds only if no deadline is longer than its period: a module must not have two jobs.
    """
    load = sum((t.utilisation for t in tasks), Fraction(0))
    if load >= 1:
        return EdfVerdict(
            False, refusal=f"the tasks need {float(load):.1%} of the device; below 100 % is needed"
        )
    if depth > 1 and (longer := [t.name for t in tasks if t.deadline_ns > t.period_ns]):
        return EdfVerdict(False, refusal=f"{longer[0]} may have two jobs at once; no proof for depth {depth}")
    scale = Scale((*tasks, *behind))
    due, late = scale.tasks[: len(tasks)], [s for t in scale.tasks[len(tasks) :] for s in t.pieces]
    blocking = sum(nlargest(depth, [*late, *(s for t in due for s in t.pieces)]))
    demand = Demand((t.jobs for t in due), Steps(0))
    # No deadline after this can be missed if none before is: beyond it the demand grows slower than time.
    horizon = demand.latest(blocking) + max((t.deadline for t in due), default=0)
    deadlines: set[int] = set()
    for task in due:
        first = task.deadline - task.jitter
        # A round later as much time has passed, and less work has come.
        count = min((horizon - first) // task.period + 1, demand.round // task.period)
        if len(deadlines) + count > min(MAX_STEPS, MAX_DEMANDS // len(due)):
            return EdfVerdict(
                False,
                refusal=f"more than {len(deadlines)} deadlines to try: at {float(load):.4%} the load is too "
                "close to 100 % for rates that so seldom come round together",
            )
        deadlines.update(range(first, first + count * task.period, task.period))
    queued: dict[int, int] = {}
    for at in sorted(deadlines):
        needed = sum(max(0, (at - t.deadline + t.jitter) // t.period + 1) * t.cost for t in due)
        past = sum(t.deadline <= at for t in due)
        if past not in queued:
            queued[past] = sum(nlargest(depth, [*late, *_queued(due, at, depth)]))
        if (needed := needed + queued[past]) > at:
            return EdfVerdict(False, scale.ns(at), scale.ns(needed))
    return EdfVerdict(True)


def _queued(due: Sequence[Scaled], at: int, depth: int) -> Iterator[int]:
    """Stages that may stand before what is due at an instant, of those that go by their deadlines."""
    for task in due:
        if task.deadline > at:
            yield from task.pieces
        elif depth > 1:  # a job all of whose stages are launched leaves room for those that have time
            yield from task.last(depth)
