"""Who goes first on a device: for each policy a key, and the ready job with the smallest is launched.

Modules with a budget have no deadline to keep: by deadline or by laxity they come after all that have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter

from polyrhythm.schedule.jobs import Job
from polyrhythm.schedule.plan import Policy

Order = Callable[[Job], tuple[int, ...]]


def _deadline(job: Job) -> tuple[int, ...]:
    plan = job.module.plan
    return plan.budget is not None, job.deadline_ns, plan.priority, job.module.index


def _laxity(job: Job) -> tuple[int, ...]:
    # The present instant is the same for all, so it makes no difference.
    plan = job.module.plan
    left_ns = sum(plan.costs_ns[job.stage(job.launched) :])
    return plan.budget is not None, job.deadline_ns - left_ns, plan.priority, job.module.index


ORDERS: Mapping[Policy, Order] = {
    Policy.FIXED: attrgetter("urgency"),
    Policy.EDF: _deadline,
    Policy.LAXITY: _laxity,
}
