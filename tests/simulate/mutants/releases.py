"""What comes when, and who goes first."""

from tests.simulate.mutants.planting import Mutant

MUTANTS = (
    # -- the grid --------------------------------------------------------------------------------------------
    Mutant(
        "an instant is rounded up",
        "schedule.grid",
        "+ self._rest) // self._parts_per_ns",
        "+ self._rest + self._parts_per_ns - 1) // self._parts_per_ns",
    ),
    Mutant(
        "the rest of a change of period is lost",
        "schedule.grid",
        "return Grid(period_ns, self.anchor_ns + whole_ns, exact_ns - whole_ns)",
        "return Grid(period_ns, self.anchor_ns + whole_ns)",
        "profiles",
    ),
    Mutant(
        "a change of period starts the grid at its anchor",
        "schedule.grid",
        "exact_ns = k * (self.period_ns - period_ns) + self.rest_ns",
        "exact_ns = self.rest_ns",
        "profiles",
    ),
    Mutant(
        "the phase is forgotten",
        "schedule.jobs",
        "origin_ns + self.plan.phase_ns)",
        "origin_ns)",
    ),
    Mutant(
        "a context that comes back begins with tick 0",
        "schedule.deck",
        "0 if afresh else module.next_tick",
        "0",
        "contexts",
    ),
    # -- overrun ---------------------------------------------------------------------------------------------
    Mutant(
        "skip keeps the older ticks",
        "schedule.jobs",
        "                self.pending.clear()\n                self.pending.append(last)",
        "                self.pending.append(last)",
    ),
    Mutant(
        "skip keeps the oldest tick",
        "schedule.jobs",
        "                self.pending.append(last)",
        "                self.pending.append(first)",
    ),
    Mutant(
        "skip does not count the tick that waited",
        "schedule.jobs",
        "dropped = last - first + len(self.pending)",
        "dropped = last - first",
    ),
    Mutant(
        "catch_up drops the newest",
        "schedule.jobs",
        "self.pending.extend(range(max(first, last + 1 - CATCH_UP_LIMIT), last + 1))",
        "self.pending.extend(range(first, min(last + 1, first + CATCH_UP_LIMIT)))",
    ),
    Mutant(
        "catch_up has no limit",
        "schedule.jobs",
        "                while len(self.pending) > CATCH_UP_LIMIT:",
        "                while False:",
    ),
    Mutant(
        "shift leaves the grid where it was",
        "schedule.jobs",
        "            self.grid = self.grid.anchored(self.next_tick, now_ns)\n"
        "            self._release_one(self.next_tick)\n"
        "        self._look_ahead()",
        "            self._release_one(self.next_tick)\n        self._look_ahead()",
    ),
    Mutant(
        "shift releases while the job is under way",
        "schedule.jobs",
        "        self.active = job\n        if self._shifts:",
        "        self.active = job\n        if False:",
    ),
    # -- who goes first --------------------------------------------------------------------------------------
    Mutant(
        "the least urgent goes first",
        "schedule.policy",
        "return job.module.plan.priority, job.deadline_ns",
        "return -job.module.plan.priority, job.deadline_ns",
    ),
    Mutant(
        "deadlines break no ties",
        "schedule.policy",
        "return job.module.plan.priority, job.deadline_ns, job.module.index",
        "return job.module.plan.priority, job.module.index",
    ),
    Mutant(
        "by deadline, best effort goes before the others",
        "schedule.policy",
        "return plan.budget is not None, job.deadline_ns, plan.priority",
        "return plan.budget is None, job.deadline_ns, plan.priority",
    ),
    Mutant(
        "laxity counts what is done already",
        "schedule.policy",
        "sum(plan.costs_ns[job.stage(job.launched) :])",
        "sum(plan.costs_ns)",
    ),
    Mutant(
        "a job whose stages are all launched hides those behind it",
        "schedule.work",
        "ready = [j for j in queue.jobs if j.ready]\n",
        "ready = list(queue.jobs)\n"
        "                ready = ready if (one := first(ready, order)) is None or one.ready else []\n"
        "                ready = [j for j in ready if j.ready]\n",
    ),
    # -- giving way ------------------------------------------------------------------------------------------
    Mutant(
        "nothing is left for a more urgent stage",
        "schedule.lanes",
        "return self.gives_way and len(self.flying) > 0",
        "return len(self.flying) > 9",
    ),
    Mutant(
        "an equal cuts in",
        "schedule.lanes",
        "urgency < self.flying[0].urgency",
        "urgency[0] <= self.flying[0].urgency[0]",
    ),
    Mutant(
        "a job cuts in on its own stage when its costs rise",
        "schedule.work",
        "if not j.in_flight and lane.gives_way_to(order(j))",
        "if lane.gives_way_to(order(j))",
        "giving way",
    ),
    Mutant(
        "who cuts in goes behind what was left before",
        "schedule.lanes",
        "self.flying.insert(0, flight)",
        "self.flying.append(flight)",
    ),
    Mutant(
        "a stage is charged with what others took meanwhile",
        "schedule.work",
        "self._budgets.charge(job, event.started_ns, event.took_ns)",
        "self._budgets.charge(job, event.started_ns, event.ended_ns - event.started_ns)",
    ),
    Mutant(
        "who cut in is taken for hung, whoever does not give way",
        "schedule.work",
        "unclear = lane.gives_way and len(stranded) > 1",
        "unclear = False",
    ),
    Mutant(
        "consumers before producers",
        "schedule.policy",
        "return job.release_ns, job.module.plan.rank",
        "return job.release_ns, -job.module.plan.rank",
    ),
    # -- in flight -------------------------------------------------------------------------------------------
    Mutant(
        "one stage too many is in flight",
        "schedule.lanes",
        "return len(self.flying) < self.depth",
        "return len(self.flying) <= self.depth",
    ),
    Mutant(
        "one place of a device is never used",
        "schedule.lanes",
        "return len(self.flying) < self.depth",
        "return len(self.flying) < max(1, self.depth - 1)",
    ),
    Mutant(
        "a completion that is told twice counts twice",
        "schedule.work",
        "if job is None or event.stage != job.stage(job.done) or not job.in_flight:",
        "if job is None or not job.in_flight:",
    ),
    Mutant(
        "a stage is taken for hung from its launch on, not from the head of the queue",
        "schedule.lanes",
        "                flying[0].since_ns = now_ns",
        "                pass",
    ),
    Mutant(
        "a failed stage is taken for done",
        "schedule.work",
        "job.error = job.error or event.error",
        "job.error = job.error",
    ),
    Mutant(
        "a failure goes on to the next stage",
        "schedule.jobs",
        "return left > 0 and self.error is None and self.void is None",
        "return left > 0 and self.void is None",
    ),
    Mutant(
        "failures in a row are never forgotten",
        "schedule.work",
        "        module.consecutive_failures = 0\n",
        "",
    ),
    Mutant(
        "a module is isolated one failure too late",
        "schedule.work",
        "module.consecutive_failures >= module.plan.max_failures",
        "module.consecutive_failures > module.plan.max_failures",
    ),
    Mutant(
        "what stood behind a hung stage is forgotten",
        "schedule.work",
        "for job in stranded.values():",
        "for job in list(stranded.values())[:1]:",
    ),
)
