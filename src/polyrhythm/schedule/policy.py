"""Who goes first on a device: for each policy a key, and the ready job with the smallest is launched.

Modules with a budget have no deadline to keep: by deadline or by laxity they come after all that have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from polyrhythm.schedule.plan import Policy

if TYPE_CHECKING:
    from polyrhythm.schedule.jobs import Job

Order = Callable[["Job"], tuple[int, ...]]


def first(jobs: Iterable[Job], order: Order) -> Job | None:
    """The one that goes first; None if there is none."""
    best: Job | None = None
    key: tuple[int, ...] | None = None  # most often there is only one, and nobody needs its key
    for job in jobs:
        if best is None:
            best = job
            continue
        if key is None:
            key = order(best)
        if (its := order(job)) < key:
            best, key = job, its
    return best


def producers_first(job: Job) -> tuple[int, ...]:
    """`sequential`: first released first; of those released together, producers before consumers."""
    return job.release_ns, job.module.plan.rank, job.module.index


def _fixed(job: Job) -> tuple[int, ...]:
    return job.module.plan.priority, job.deadline_ns, job.module.index


def _deadline(job: Job) -> tuple[int, ...]:
    plan = job.module.plan
    return plan.budget is not None, job.deadline_ns, plan.priority, job.module.index


def _laxity(job: Job) -> tuple[int, ...]:
    # The present instant is the same for all, so it makes no difference.
    plan = job.module.plan
    left_ns = sum(plan.costs_ns[job.stage(job.launched) :])
    return plan.budget is not None, job.deadline_ns - left_ns, plan.priority, job.module.index


ORDERS: Mapping[Policy, Order] = {
    Policy.FIXED: _fixed,
    Policy.EDF: _deadline,
    Policy.LAXITY: _laxity,
}
