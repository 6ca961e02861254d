"""Budgets of best-effort modules: a sporadic server that goes into debt.

The module starts a stage only while some of its budget is left, and what the stage really took is taken off.
What was spent at an instant comes back a period later. A stage that took more than was left puts the module
into debt, and what comes back pays that first; paying is spending, so it comes back a period after that.

So of the budget B no nanosecond is spent twice within a period, and a stage's overrun is paid before the next
one starts. Hence, for stages that take at most q: those that start in any n periods (half-open) take less
than n x B + q together, however long they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from polyrhythm.schedule.events import Command, Defer
from polyrhythm.schedule.jobs import Job
from polyrhythm.schedule.lanes import NEVER_NS, Queue
from polyrhythm.schedule.plan import Budget


class Server:
    """What one module has left to spend. At most one stage of it may be in flight."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.left_ns = budget.ns
        self._back: deque[tuple[int, int]] = deque()  # (when, how much) comes back, the earliest first

    def may_spend(self, now_ns: int) -> bool:
        """Whether a stage may start."""
        self._settle(now_ns)
        return self.left_ns > 0

    def may_spend_at_ns(self) -> int:
        """When a stage may start again; only while none may."""
        return self._back[0][0]

    def charge(self, started_ns: int, took_ns: int) -> None:
        """A stage has ended."""
        self._settle(started_ns)
        spent_ns = min(self.left_ns, took_ns)
        self.left_ns -= spent_ns
        if spent_ns:
            self._back.append((started_ns + self.budget.period_ns, spent_ns))
        if took_ns > spent_ns:
            self._owe(took_ns - spent_ns)

    def _owe(self, debt_ns: int) -> None:
        """Nothing is left, so the whole budget is on its way back. It pays as it comes, and nothing else is
        spent until then; so what of it comes back when all is paid is known now."""
        rounds, debt_ns = divmod(debt_ns, self.budget.ns)
        self._back = deque((at_ns + rounds * self.budget.period_ns, ns) for at_ns, ns in self._back)
        while debt_ns:
            at_ns, ns = self._back.popleft()
            paid_ns = min(ns, debt_ns)
            debt_ns -= paid_ns
            if paid_ns < ns:
                self._back.appendleft((at_ns, ns - paid_ns))
            self._back.append((at_ns + self.budget.period_ns, paid_ns))

    def _settle(self, now_ns: int) -> None:
        while self._back and self._back[0][0] <= now_ns:
            self.left_ns += self._back.popleft()[1]


class Budgets:
    """The servers of all modules that have a budget; contexts of one bundle share them."""

    def __init__(self) -> None:
        self._servers: dict[tuple[str, Budget], Server] = {}

    @property
    def any(self) -> bool:
        """Whether a module with a budget has run."""
        return bool(self._servers)

    def may_spend(self, job: Job, now_ns: int, out: list[Command]) -> bool:
        """Whether the next stage of a job may start beside what its device holds.

        If its budget is used up, that is counted and told, once for the stage.
        """
        plan = job.module.plan
        if plan.budget is None:
            return True
        if job.module.queue.lane.flies(plan.id):
            return False  # what is left will be known when that has ended
        if self._server(job).may_spend(now_ns):
            return True
        if job.deferred != job.launched:
            job.deferred = job.launched
            job.module.deferred += 1
            out.append(Defer(job.id, plan.id, job.tick, job.stage(job.launched), job.deck.context))
        return False

    def charge(self, job: Job, started_ns: int, took_ns: int) -> None:
        """A stage of a job whose module has a budget has ended."""
        self._server(job).charge(started_ns, took_ns)

    def due_ns(self, queues: Iterable[Queue], now_ns: int) -> int:
        """When the first of those that wait for their budgets may go on."""
        due_ns = NEVER_NS
        for queue in queues:
            for job in queue.jobs:
                plan = job.module.plan
                if plan.budget is None or not job.ready or queue.lane.flies(plan.id):
                    continue
                if not (server := self._server(job)).may_spend(now_ns):
                    due_ns = min(due_ns, server.may_spend_at_ns())
        return due_ns

    def _server(self, job: Job) -> Server:
        plan = job.module.plan
        assert plan.budget is not None
        server = self._servers.get((plan.id, plan.budget))
        if server is None:
            server = self._servers[plan.id, plan.budget] = Server(plan.budget)
        return server
