"""What may be spent, and what changes under way."""

from tests.simulate.mutants.planting import Mutant

MUTANTS = (
    # -- budgets ---------------------------------------------------------------------------------------------
    Mutant(
        "a budget comes back at once",
        "schedule.budget",
        "self._back.append((started_ns + self.budget.period_ns, spent_ns))",
        "self._back.append((started_ns, spent_ns))",
    ),
    Mutant(
        "a debt is forgiven",
        "schedule.budget",
        "        if took_ns > spent_ns:",
        "        if False:",
    ),
    Mutant(
        "a debt is paid from what comes back only once",
        "schedule.budget",
        "            self._back.append((at_ns + self.budget.period_ns, paid_ns))",
        "            pass",
    ),
    Mutant(
        "two stages spend the same budget",
        "schedule.budget",
        "        if job.module.queue.lane.flies(plan.id):",
        "        if False:",
    ),
    Mutant(
        "a module waits for its budget, and the one behind it too",
        "schedule.scheduler",
        "            jobs.remove(job)\n            job = first(jobs, order)",
        "            job = None",
    ),
    # -- profiles --------------------------------------------------------------------------------------------
    Mutant(
        "what a profile drops is not counted",
        "schedule.scheduler",
        "                self._drop_ticks(module, PROFILE, module.release(self.now_ns))",
        "                module.release(self.now_ns)",
        "profiles",
    ),
    Mutant(
        "a profile is in force before the last has come to its release",
        "schedule.profiles",
        "self.due_ns = max(self.due_ns, module.due_ns)",
        "self.due_ns = min(self.due_ns, module.due_ns) or self.due_ns",
        "profiles",
    ),
    Mutant(
        "a tick that waits is taken for one of the new rate",
        "schedule.jobs",
        "self._came_ns = {tick: self.instant(tick) for tick in self.pending}",
        "self._came_ns = {}",
        "profiles",
    ),
    Mutant(
        "costs of the last profile are remembered",
        "schedule.jobs",
        "            if plan.costs_ns != before.costs_ns:",
        "            if False:",
        "steps",
    ),
    Mutant(
        "a module that was dropped keeps its waiting tick",
        "schedule.scheduler",
        "                    self._drop_pending(module, PROFILE)",
        "                    pass",
        "profiles",
    ),
    Mutant(
        "nobody is told that a profile is in force",
        "schedule.scheduler",
        "            self._out.append(ProfileSet(self.profiles.name))",
        "            pass",
        "profiles",
    ),
    # -- contexts --------------------------------------------------------------------------------------------
    Mutant(
        "a switch does not wait for the control instant",
        "schedule.scheduler",
        'if deck is not None and (self.control is None or self.phase in ("idle", "ended", "draining")):',
        "if deck is not None:",
        "contexts",
    ),
    Mutant(
        "the last context goes on",
        "schedule.scheduler",
        '            self._close(contexts.live, "switched")\n',
        "",
        "contexts",
    ),
    Mutant(
        "a context plays before its own observations are there",
        "schedule.scheduler",
        "        if not deck.awaits:\n",
        "        if True:\n",
        "contexts",
    ),
    Mutant(
        "a context goes while something of it is in flight",
        "schedule.contexts",
        "[deck for deck in self.leaving if not deck.busy]",
        "list(self.leaving)",
        "contexts",
    ),
    Mutant(
        "a switch to a context that is retired stands",
        "schedule.contexts",
        '                self._supersede("it was retired", out)',
        "                pass",
        "contexts",
    ),
    Mutant(
        "a cold context may play",
        "schedule.deck",
        "return not (self.cold or self.warming or self.leaving)",
        "return not (self.cold or self.leaving)",
        "contexts",
    ),
    Mutant(
        "warming up does not wait for a place",
        "schedule.scheduler",
        "if job.in_flight or others or not job.module.queue.lane.has_room:",
        "if job.in_flight or others:",
        "contexts",
    ),
    Mutant(
        "warming up leaves its slots taken",
        "schedule.deck",
        "            self.rings[port].abandon(slot)\n        self.warming = None",
        "            pass\n        self.warming = None",
        "contexts",
    ),
    Mutant(
        "a context that could not be warmed stays",
        "schedule.scheduler",
        '            self.contexts.discard(job.deck, "failed")',
        "            pass",
        "contexts",
    ),
    Mutant(
        "what a context has seen outlives the episode",
        "schedule.deck",
        "            ring.clear()",
        "            pass",
        "contexts",
    ),
    # -- the ledger ------------------------------------------------------------------------------------------
    Mutant(
        "who holds what is shared is counted once",
        "memory.budget",
        "self._held[key] = count + 1, *self._held[key][1:]",
        "self._held[key] = count, *self._held[key][1:]",
        "ledger",
    ),
    Mutant(
        "the last but one gives back what is shared",
        "memory.budget",
        "            if count > 1:\n",
        "            if count > 2:\n",
        "ledger",
    ),
    Mutant(
        "a budget has no end",
        "memory.budget",
        "full.used + nbytes <= full.nbytes",
        "full.used >= 0",
        "ledger",
    ),
    Mutant(
        "what was reserved stays when the rest does not fit",
        "runtime.ledger",
        "        for key in held:\n",
        "        for key in ():\n",
        "ledger",
    ),
    Mutant(
        "code is never given back",
        "runtime.ledger",
        "        if (key := _held_as(budgets, line)) is not None:\n            budgets.machine.drop(key)",
        "        if (key := _held_as(budgets, line)) is not None and line.kind in SHARED:\n"
        "            budgets.machine.drop(key)",
        "ledger",
    ),
    Mutant(
        "bundles share their code",
        "runtime.ledger",
        'return f"{line.kind} {line.key}" if line.kind in SHARED else f"{id(budgets)} {line.kind} '
        '{line.key}"',
        'return f"{line.kind} {line.key}"',
        "ledger",
    ),
    Mutant(
        "the ledger counts shared weights for every bundle",
        "analysis.ledger",
        "shared = line.key is not None and line.kind in SHARED\n            place",
        "shared = False\n            place",
        "ledger",
    ),
)
