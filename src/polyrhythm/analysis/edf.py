"""Earliest deadline first with stages that can't be interrupted, one launched stage at a time (K = 1).

Source: M. Bertogna, S. Baruah, "Limited Preemption EDF Scheduling of Sporadic Task Systems", IEEE Trans.
Industrial Informatics 6(4), 2010: at every absolute deadline t, the demand until t and the longest stage of a
task with a longer deadline have to fit into t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from polyrhythm.analysis.response import MAX_STEPS, Task, Time


@dataclass(frozen=True, slots=True)
class EdfVerdict:
    """`at_ns`: the first deadline at which too much is asked for, `demand_ns`: how much; else None."""

    feasible: bool
    at_ns: Time | None = None
    demand_ns: Time | None = None
    refusal: str | None = None


def edf_test(tasks: Sequence[Task]) -> EdfVerdict:
    """Test every absolute deadline of the longest busy period; `priority` is not looked at."""
    load = sum((t.utilisation for t in tasks), Fraction(0))
    if load >= 1:
        return EdfVerdict(
            False, refusal=f"the tasks need {float(load):.1%} of the device; below 100 % is needed"
        )
    blocking = max((s for t in tasks for s in t.stages_ns), default=0)
    jitter = sum((t.jitter_ns * t.utilisation for t in tasks), Fraction(0))
    burst = sum((t.cost_ns for t in tasks), Fraction(0))
    # No deadline after this can be missed if none before is: beyond it the demand grows slower than time.
    horizon = (blocking + burst + jitter) / (1 - load) + max((t.deadline_ns for t in tasks), default=0)
    deadlines: set[Time] = set()
    for task in tasks:
        first, count = task.deadline_ns - task.jitter_ns, int(horizon // task.period_ns) + 2
        if len(deadlines) + count > MAX_STEPS:
            reason = f"more than {MAX_STEPS} deadlines to try: the load is too close to 100 %"
            return EdfVerdict(False, refusal=reason)
        deadlines.update(at for k in range(count) if (at := first + k * task.period_ns) <= horizon)
    for at in sorted(deadlines):
        demand = sum(max(0, (at - t.deadline_ns + t.jitter_ns) // t.period_ns + 1) * t.cost_ns for t in tasks)
        later = max((s for t in tasks if t.deadline_ns > at for s in t.stages_ns), default=0)
        if demand + later > at:
            return EdfVerdict(False, at, demand + later)
    return EdfVerdict(True)
