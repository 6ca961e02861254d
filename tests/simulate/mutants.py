"""Deliberate faults: what the swarm has to notice, or its auditors are too weak.

A mutant is a small edit of one module's source. `planted` loads the rooms afresh with it, so that a mutant
lives in the same process as the tests and nobody else sees it. An edit whose text is not there exactly once
is an error: the mutant has died of a change of the code, and wants another text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

import polyrhythm

#: What is loaded afresh: everything that may hold a class of a mutated module. The ledger needs all rooms.
PURE = ("polyrhythm.schedule", "polyrhythm.chunks", "polyrhythm.simulate", "polyrhythm.analysis")
ALL = ("polyrhythm.",)


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in a module (under ``polyrhythm.``); `worlds` are the kind in which it shows soonest."""

    name: str
    module: str
    old: str
    new: str
    worlds: str = "plain"

    def __str__(self) -> str:
        return self.name

    def applied(self, source: str) -> str:
        """The source with the fault in it."""
        found = source.count(self.old)
        if found != 1:
            raise LookupError(f"mutant {self.name!r}: its text is {found} times in {self.module}, not once")
        return source.replace(self.old, self.new)


class _Loader(SourceFileLoader):
    """Compiles the faulty source; what is cached of the sound one is left alone."""

    def __init__(self, spec: ModuleSpec, mutant: Mutant) -> None:
        assert spec.origin is not None
        super().__init__(spec.name, spec.origin)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        return compile(self._mutant.applied(source), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self.loaded = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != f"polyrhythm.{self._mutant.module}":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        spec.loader, self.loaded = _Loader(spec, self._mutant), True
        return spec


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Within the block the rooms are imported anew, with the fault in them; afterwards they are as before."""
    rooms = ALL if mutant.worlds == "ledger" else PURE
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(rooms)}
    finder = _Finder(mutant)
    sys.meta_path.insert(0, finder)
    try:
        yield
        if not finder.loaded:
            raise LookupError(f"mutant {mutant.name!r}: nothing imports {mutant.module}")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.startswith(rooms)]:
            del sys.modules[name]
        sys.modules.update(kept)
        for name, module in kept.items():
            if name.count(".") == 1:
                setattr(polyrhythm, name.partition(".")[2], module)


MUTANTS = (
    # -- the grid -----------------------------------------------------------------------------------------
    Mutant(
        "an instant is rounded up", "schedule.grid",
        "+ self._rest) // self._parts_per_ns", "+ self._rest + self._parts_per_ns - 1) // self._parts_per_ns",
    ),
    Mutant("the rest of a change of period is lost", "schedule.grid",
        "return Grid(period_ns, self.anchor_ns + whole_ns, exact_ns - whole_ns)",
        "return Grid(period_ns, self.anchor_ns + whole_ns)", "profiles",
    ),
    Mutant(
        "a change of period starts the grid at its anchor", "schedule.grid",
        "exact_ns = k * (self.period_ns - period_ns) + self.rest_ns", "exact_ns = self.rest_ns", "profiles",
    ),
    Mutant("the phase is forgotten", "schedule.jobs", "origin_ns + self.plan.phase_ns)", "origin_ns)"),
    Mutant("a context that comes back begins with tick 0", "schedule.deck",
        "0 if afresh else module.next_tick", "0", "contexts",
    ),
    # -- overrun --------------------------------------------------------------------------------------------
    Mutant("skip keeps the older ticks", "schedule.jobs",
        "                self.pending.clear()\n                self.pending.append(last)",
        "                self.pending.append(last)",
    ),
    Mutant("skip keeps the oldest tick", "schedule.jobs",
        "                self.pending.append(last)", "                self.pending.append(first)",
    ),
    Mutant("skip does not count the tick that waited", "schedule.jobs",
        "dropped = last - first + len(self.pending)", "dropped = last - first",
    ),
    Mutant("catch_up drops the newest", "schedule.jobs",
        "self.pending.extend(range(max(first, last + 1 - CATCH_UP_LIMIT), last + 1))",
        "self.pending.extend(range(first, min(last + 1, first + CATCH_UP_LIMIT)))",
    ),
    Mutant("catch_up has no limit", "schedule.jobs",
        "                while len(self.pending) > CATCH_UP_LIMIT:", "                while False:",
    ),
    Mutant("shift leaves the grid where it was", "schedule.jobs",
        "            self.grid = self.grid.anchored(self.next_tick, now_ns)\n            self._release_one(self.next_tick)\n        self._look_ahead()",
        "            self._release_one(self.next_tick)\n        self._look_ahead()",
    ),
    Mutant("shift releases while the job is under way", "schedule.jobs",
        "        self.active = job\n        if self._shifts:", "        self.active = job\n        if False:",
    ),
    # -- who goes first -------------------------------------------------------------------------------------
    Mutant("the least urgent goes first", "schedule.policy",
        "return job.module.plan.priority, job.deadline_ns", "return -job.module.plan.priority, job.deadline_ns",
    ),
    Mutant("deadlines break no ties", "schedule.policy",
        "return job.module.plan.priority, job.deadline_ns, job.module.index",
        "return job.module.plan.priority, job.module.index",
    ),
    Mutant("by deadline, best effort goes before the others", "schedule.policy",
        "return plan.budget is not None, job.deadline_ns, plan.priority",
        "return plan.budget is None, job.deadline_ns, plan.priority",
    ),
    Mutant("laxity counts what is done already", "schedule.policy",
        "sum(plan.costs_ns[job.stage(job.launched) :])", "sum(plan.costs_ns)",
    ),
    Mutant("a job whose stages are all launched hides those behind it", "schedule.scheduler",
        "job = self._first([j for j in queue.jobs if j.ready], queue.order)",
        "job = self._first(list(queue.jobs), queue.order)\n                job = job if job is None or job.ready else None",
    ),
    Mutant("consumers before producers", "schedule.policy",
        "return job.release_ns, job.module.plan.rank", "return job.release_ns, -job.module.plan.rank",
    ),
    # -- in flight ------------------------------------------------------------------------------------------
    Mutant("one stage too many is in flight", "schedule.lanes",
        "return len(self.flying) < self.depth", "return len(self.flying) <= self.depth",
    ),
    Mutant("one place of a device is never used", "schedule.lanes",
        "return len(self.flying) < self.depth",
        "return len(self.flying) < max(1, self.depth - 1)",
    ),
    Mutant("a completion that is told twice counts twice", "schedule.scheduler",
        "if job is None or event.stage != job.stage(job.done) or not job.in_flight:", "if job is None or not job.in_flight:",
    ),
    Mutant("a stage is taken for hung from its launch on, not from the head of the queue", "schedule.lanes",
        "                flying[0].since_ns = now_ns", "                pass",
    ),
    Mutant("a failed stage is taken for done", "schedule.scheduler",
        "job.error = job.error or event.error", "job.error = job.error",
    ),
    Mutant("a failure goes on to the next stage", "schedule.jobs",
        "return self.error is None and self.void is None and self.launched < self.length",
        "return self.void is None and self.launched < self.length",
    ),
    Mutant("failures in a row are never forgotten", "schedule.scheduler",
        "        module.consecutive_failures = 0\n", "",
    ),
    Mutant("a module is isolated one failure too late", "schedule.scheduler",
        "module.consecutive_failures >= module.plan.max_failures", "module.consecutive_failures > module.plan.max_failures",
    ),
    Mutant("what stood behind a hung stage is forgotten", "schedule.scheduler",
        "for job in stranded.values():", "for job in list(stranded.values())[:1]:",
    ),
    # -- slots ----------------------------------------------------------------------------------------------
    Mutant("a slot is free while somebody reads it", "schedule.slots",
        "if not newest and not self._pins[slot]:", "if not newest:",
    ),
    Mutant("the newest slot is free once nobody reads it", "schedule.slots",
        "if not newest and not self._pins[slot]:", "if not self._pins[slot]:",
    ),
    Mutant("a job that ends keeps its inputs", "schedule.scheduler",
        "            deck.rings[read.port].unpin(read.slot)", "            pass",
    ),
    Mutant("a job that is given up keeps its outputs", "schedule.scheduler",
        "            deck.rings[port].abandon(slot)\n        del", "            pass\n        del",
    ),
    Mutant("a version is numbered like the one before", "schedule.slots",
        "        self.published += 1\n", "        self.published += previous is None\n",
    ),
    Mutant("an input is stale at twice its age", "schedule.slots",
        "age_ns > max_age_ns", "age_ns > 2 * max_age_ns",
    ),
    Mutant("inputs are always taken at the start", "schedule.scheduler",
        "            if deck.plan.mode.latches_at_release:", "            if False:",
    ),
    Mutant("an output is as new as its end, not as its inputs", "schedule.scheduler",
        "job.deck, port, slot, job.stamp_ns, job.robot_tick)", "job.deck, port, slot, self.now_ns, job.robot_tick)",
    ),
    Mutant("a late observation is asked for again", "schedule.control",
        "if (self._live.context, sight.port) in self._writing:", "if False:",
    ),
    # -- the splice -----------------------------------------------------------------------------------------
    Mutant("a chunk answers the tick after its own", "chunks.player",
        "        return chunk, tick - chunk.start_tick\n", "        return chunk, max(0, tick - chunk.start_tick - 1)\n",
        "chunks",
    ),
    Mutant("a chunk that is wholly late takes over", "chunks.player",
        "if chunk.end_tick > cursor:", "if True:", "chunks",
    ),
    Mutant("a late chunk is thrown away", "chunks.player",
        "if chunk.end_tick > cursor:", "if chunk.end_tick > cursor and chunk.start_tick >= cursor - 1:", "chunks",
    ),
    Mutant("the splice forgets what has been executed already", "chunks.player",
        "delay = max(self._delay.ticks, cursor - start_tick)", "delay = self._delay.ticks", "chunks",
    ),
    Mutant("the splice begins a tick before the cursor", "chunks.player",
        "return Splice(start_tick, cursor, delay, chunk.slot, row,", "return Splice(start_tick, cursor, delay, chunk.slot, max(0, row - 1),",
        "chunks",
    ),
    Mutant("a chunk starts at the cursor, not at its observation", "schedule.scheduler",
        "            job.robot_tick = seen if seen >= 0 else derived",
        "            job.robot_tick = 0 if self.control is None else self.control.cursor", "chunks",
    ),
    Mutant("the first chunk counts for the delay", "chunks.delay", "        self._skip = warm_up", "        self._skip = 0", "chunks"),
    Mutant("the delay is the longest there was", "chunks.delay", "return self._ranked[max(rank, 1) - 1]", "return self._ranked[-1]", "chunks"),
    Mutant("a buffered chunk begins at its observation", "chunks.player",
        "self._current = replace(self._waiting.popleft(), start_tick=tick)", "self._current = self._waiting.popleft()", "chunks",
    ),
    Mutant("one chunk too many is held", "chunks.player",
        "return playing + len(self._waiting) < self._depth", "return playing + len(self._waiting) <= self._depth", "chunks",
    ),
    Mutant("a chunk of the last episode plays on", "chunks.player",
        "        freed = [] if self._current is None else [self._current]\n        self._current = None\n",
        "        freed = [] if self._current is None else [self._current]\n", "chunks",
    ),
    Mutant("an answer is skipped while the robot is busy", "schedule.control",
        "                self._owed = False\n", "                self._owed = False\n                self.cursor += 1\n", "chunks",
    ),
    Mutant("an answer that is owed is forgotten", "schedule.control",
        "        else:\n            self._owed = True", "        else:\n            self._owed = False", "chunks",
    ),
    Mutant("the robot gets an answer while it executes one", "schedule.control",
        "        if self.acting is None:\n            self._serve", "        if True:\n            self._serve", "chunks",
    ),
    Mutant("hold outlives the stale input", "schedule.scheduler",
        "                self.control.waiting_links.discard(link.label)", "                pass",
    ),
    Mutant("the robot decelerates before its first action", "schedule.control",
        "elif self._played and self._plan.late is Late.DECELERATE:", "elif self._plan.late is Late.DECELERATE:", "chunks",
    ),
    # -- steps ------------------------------------------------------------------------------------------------
    Mutant("fewer steps than the fewest", "schedule.jobs",
        "max(loop.fast, fit))", "max(1, fit))", "chunks",
    ),
    Mutant("steps take what they are planned to take", "schedule.jobs",
        "slowest_ns = [max(took) for took in self.took_ns]", "slowest_ns = list(self.plan.costs_ns)", "chunks",
    ),
    Mutant("the stages after the loop take no time", "schedule.jobs",
        "others_ns = sum(slowest_ns[loop.first + loop.full :])", "others_ns = 0", "chunks",
    ),
    Mutant("the first steps are run, not the last", "schedule.jobs",
        "return position if loop is None or position < loop.first else position + (self.skipped or 0)",
        "return position", "chunks",
    ),
    # -- budgets ----------------------------------------------------------------------------------------------
    Mutant("a budget comes back at once", "schedule.budget",
        "self._back.append((started_ns + self.budget.period_ns, spent_ns))", "self._back.append((started_ns, spent_ns))",
    ),
    Mutant("a debt is forgiven", "schedule.budget", "        if took_ns > spent_ns:", "        if False:"),
    Mutant("a debt is paid from what comes back only once", "schedule.budget",
        "            self._back.append((at_ns + self.budget.period_ns, paid_ns))", "            pass",
    ),
    Mutant("two stages spend the same budget", "schedule.budget",
        "        if job.module.queue.lane.flies(plan.id):", "        if False:",
    ),
    Mutant("a module waits for its budget, and the one behind it too", "schedule.scheduler",
        "            jobs.remove(job)\n            job = first(jobs, order)", "            job = None",
    ),
    # -- profiles ---------------------------------------------------------------------------------------------
    Mutant("what a profile drops is not counted", "schedule.scheduler",
        "                self._drop_ticks(module, PROFILE, module.release(self.now_ns))", "                module.release(self.now_ns)", "profiles",
    ),
    Mutant("a profile is in force before the last has come to its release", "schedule.profiles",
        "self.due_ns = max(self.due_ns, module.due_ns)", "self.due_ns = min(self.due_ns, module.due_ns) or self.due_ns", "profiles",
    ),
    Mutant("a tick that waits is taken for one of the new rate", "schedule.jobs",
        "self._came_ns = {tick: self.instant(tick) for tick in self.pending}", "self._came_ns = {}", "profiles",
    ),
    Mutant("costs of the last profile are remembered", "schedule.jobs",
        "            if plan.costs_ns != before.costs_ns:", "            if False:", "profiles",
    ),
    Mutant("a module that was dropped keeps its waiting tick", "schedule.scheduler",
        "                    self._drop_pending(module, PROFILE)", "                    pass", "profiles",
    ),
    Mutant("nobody is told that a profile is in force", "schedule.scheduler",
        "            self._out.append(ProfileSet(self.profiles.name))", "            pass", "profiles",
    ),
    # -- contexts ---------------------------------------------------------------------------------------------
    Mutant("a switch does not wait for the control instant", "schedule.scheduler",
        'if deck is not None and (self.control is None or self.phase in ("idle", "ended", "draining")):',
        "if deck is not None:", "contexts",
    ),
    Mutant("the last context goes on", "schedule.scheduler",
        '            self._close(contexts.live, "switched")\n', "", "contexts",
    ),
    Mutant("a context plays before its own observations are there", "schedule.scheduler",
        "        if not deck.awaits:\n", "        if True:\n", "contexts",
    ),
    Mutant("a context goes while something of it is in flight", "schedule.contexts",
        "[deck for deck in self.leaving if not deck.busy]", "list(self.leaving)", "contexts",
    ),
    Mutant("a switch to a context that is retired stands", "schedule.contexts",
        '                self._supersede("it was retired", out)', "                pass", "contexts",
    ),
    Mutant("a cold context may play", "schedule.deck",
        "return not (self.cold or self.warming or self.leaving)", "return not (self.cold or self.leaving)", "contexts",
    ),
    Mutant("warming up does not wait for a place", "schedule.scheduler",
        "if job.in_flight or others or not job.module.queue.lane.has_room:", "if job.in_flight or others:", "contexts",
    ),
    Mutant("warming up leaves its slots taken", "schedule.deck",
        "            self.rings[port].abandon(slot)\n        self.warming = None", "            pass\n        self.warming = None", "contexts",
    ),
    Mutant("a context that could not be warmed stays", "schedule.scheduler",
        '            self.contexts.discard(job.deck, "failed")', "            pass", "contexts",
    ),
    Mutant("what a context has seen outlives the episode", "schedule.deck",
        "            ring.clear()", "            pass", "contexts",
    ),
    # -- control ------------------------------------------------------------------------------------------------
    Mutant("instants that passed unseen are not counted", "schedule.control",
        '            out.append(Drop("control", "host_late", missed))', "            pass",
    ),
    Mutant("observations that passed unseen are made up for", "schedule.control",
        "missed, self._next = last - self._next, last + 1", "missed, self._next = 0, self._next + 1",
    ),
    Mutant("an observation precedes the tick after", "schedule.control",
        "= (slot, self.cursor)", "= (slot, self.cursor + 1)",
    ),
    # -- the ledger -----------------------------------------------------------------------------------------
    Mutant("who holds what is shared is counted once", "memory.budget",
        "self._held[key] = count + 1, *self._held[key][1:]", "self._held[key] = count, *self._held[key][1:]",
        "ledger",
    ),
    Mutant("the last but one gives back what is shared", "memory.budget", "            if count > 1:\n", "            if count > 2:\n", "ledger"),
    Mutant("a budget has no end", "memory.budget",
        "full.used + nbytes <= full.nbytes", "full.used >= 0", "ledger",
    ),
    Mutant("what was reserved stays when the rest does not fit", "runtime.ledger",
        "        for key in held:\n", "        for key in ():\n", "ledger",
    ),
    Mutant("code is never given back", "runtime.ledger",
        "        if (key := _held_as(budgets, line)) is not None:\n            budgets.machine.drop(key)",
        "        if (key := _held_as(budgets, line)) is not None and line.kind in SHARED:\n            budgets.machine.drop(key)",
        "ledger",
    ),
    Mutant("bundles share their code", "runtime.ledger",
        'return f"{line.kind} {line.key}" if line.kind in SHARED else f"{id(budgets)} {line.kind} {line.key}"',
        'return f"{line.kind} {line.key}"', "ledger",
    ),
    Mutant("the ledger counts shared weights for every bundle", "analysis.ledger",
        "shared = line.key is not None and line.kind in SHARED\n            place", "shared = False\n            place", "ledger",
    ),
)  # fmt: skip
