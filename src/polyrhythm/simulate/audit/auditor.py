"""An independent account of what a scheduler may answer: a slow, plain model of every rule, kept beside it.

It sees events and commands (of the scheduler's inside it reads the phase, and compares the accounts), keeps
releases, slots, devices and control ticks in its own books, and raises `AssertionError` at the first command
that breaks a rule.
"""

from __future__ import annotations

from collections import Counter

from polyrhythm.schedule import (
    CATCH_UP_LIMIT,
    Budget,
    Late,
    Mode,
    OnStale,
    Overrun,
    Policy,
    SchedulePlan,
    Scheduler,
)
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Admit,
    Command,
    Decelerate,
    Defer,
    Drained,
    Drop,
    EpisodeEnd,
    Event,
    Finish,
    Halt,
    Hold,
    Isolate,
    Launch,
    Observe,
    ProfileSet,
    Publish,
    Ready,
    Refused,
    Renew,
    Retire,
    Sampled,
    SetProfile,
    StageDone,
    Stop,
    Switch,
    Switched,
)
from polyrhythm.simulate.audit.books import ContextBook, JobBook, ModuleBook
from polyrhythm.simulate.audit.budgets import BudgetBook
from polyrhythm.simulate.audit.chunks import ChunkBook, planned_ticks
from polyrhythm.simulate.harness import Step

#: Why a context's waiting and unlaunched ticks are given up all at once.
CLOSES = {"old_epoch", "stopped", "switched", "retired"}
ENDS_ACTIVE = {"failed", "hung", "device_renewed", "absent", "stale"} | CLOSES


class Auditor:
    """Pass `audit` to a harness as a watcher; call `drained` when all is over."""

    def __init__(self, plan: SchedulePlan) -> None:
        self.live = ContextBook(0, plan)
        self.contexts = {0: self.live}
        self.profile, self.profile_due_ns = plan.profile, None
        self._run_under(self.live)
        self.budgets: dict[tuple[str, Budget], BudgetBook] = {}
        self.wanted: int | None = None  #: the context that goes live at the next control instant
        self.k = dict(plan.devices)
        self.flying: dict[str, list[JobBook]] = {d: [] for d in plan.devices}
        self.jobs: dict[int, JobBook] = {}
        self.asked: dict[tuple[int, str], tuple[int, int]] = {}
        self.acting: int | None = None
        self.cursor = 0
        self.instants = 0
        self.answered: Counter[str] = Counter()
        self.origin_ns = 0
        self.phase = "idle"
        self.chunks = ChunkBook(plan)
        self.instants_seen = self.due_before = 0  # control instants up to now
        self.halted = self.ran_out = False
        self.drops: Counter[tuple[str, str]] = Counter()
        self.ready_to_publish: JobBook | None = None
        self.ended_job: JobBook | None = None

    @property
    def plan(self) -> SchedulePlan:
        return self.live.plan

    @property
    def modules(self) -> list[ModuleBook]:
        return self.live.modules

    # -- one step -----------------------------------------------------------------------------------------

    def audit(self, scheduler: Scheduler, step: Step) -> None:
        now_ns, self.now_ns = step.event.now_ns, step.event.now_ns
        self.released_now = self.demanded_now = self.begun_now = False
        self.phase_now = step.phase
        self._stops = self.halted or any(isinstance(c, Halt) for c in step.commands)
        self._event(step)
        begins = self.phase != "running" and step.phase == "running"
        for command in step.commands:
            self._command(command, begins, step)
        if step.phase == "running":
            self._grids(begins)
            self._demands()
        self._waits_for_an_instant(step)
        self.phase = step.phase
        for context in self.contexts.values():
            assert all(not m.pending or m.active for m in context.modules)
            assert not context.open or (context is self.live and step.phase == "running")
            held = not context.empty() or context.number in self.chunks.contexts
            assert held or not context.leaving, "an empty context stays"
            assert not any(m.forgone for m in context.modules), "a drop by the profile was not counted"
        assert step.phase == "stopped" or self.live.ready
        self._profile_account()
        if step.phase == "running":
            self._work_conserving()
            self._control_account()
        self._compare(scheduler)
        assert scheduler.now_ns == now_ns

    def _event(self, step: Step) -> None:
        self.ready_to_publish = self.ended_job = None
        event = step.event
        self._profile_event(event)
        match event:
            case StageDone(_, id_, stage, started_ns, ended_ns, error):
                job = self.jobs.get(id_)
                if job is None or stage != job.stage(job.done) or job.launched == job.done:
                    return
                if job.tick >= 0:
                    job.module.steps.add(stage, ended_ns - started_ns)
                    self._charge(job, event)
                job.done += 1
                job.error |= error is not None
                self.flying[job.plan.device].remove(job)
                if job.done == job.launched:
                    self.ended_job = job
                if job.tick < 0:
                    if job.error or job.void or job.done == job.length:
                        self._warmed(job)
                elif not job.error and job.done == job.length:
                    self.ready_to_publish = job
            case Acted(_, tick):
                self.acting = None if tick == self.acting else self.acting
            case EpisodeEnd() if self.phase == "running":
                self.chunks.forget()
                self.cursor = 0
                for context in self.contexts.values():
                    context.newest = dict.fromkeys(context.newest)
                    context.close()
                    for m in context.modules:
                        m.next = 0
            case Stop():
                self.chunks.forget()
                for context in self.contexts.values():
                    context.close()
            case Admit(context=number) if not any(
                isinstance(c, Refused) and c.context == number for c in step.commands
            ):
                self._admitted(event)
            case Retire(context=number) if self._may_go(number):
                self._leave(self.contexts[number])

    def _command(self, command: Command, begins: bool, step: Step) -> None:
        match command:
            case Launch() | Defer():
                assert not self.halted
                self._grids(begins)
                self._demands()
                if isinstance(command, Launch):
                    self._launch(command)
                else:
                    self._defer(command)
            case Publish():
                self._publish(command, step.event)
            case Finish():
                self._finish(command)
            case Drop():
                self._drop(command, begins)
            case Observe(port, slot, context):
                assert context == self.live.number and (context, port) not in self.asked
                self._writable(self.live, port, slot)
                self.live.slots[port][slot].writer = "robot"
                self.asked[context, port] = (slot, self.cursor)
            case Act() | Hold() | Decelerate():
                self._answer(command, begins)
            case Isolate(name, reason, context):
                module = self.contexts[context].by_id[name]
                assert not module.isolated
                assert reason == "hung" or module.failures + 1 == module.plan.max_failures
                module.isolated = True
            case Renew(device, name):
                self._renew(device, name)
            case Ready() | Refused() | Switched() | Drained():
                self._begin(begins and isinstance(command, Switched))
                self._context(command, step.event)
            case ProfileSet(name):
                self._begin(begins)
                self._profile_set(name)
            case Halt():
                self._halt(step.event)

    def _renew(self, device: str, name: str) -> None:
        assert self.flying[device][0].plan.id == name
        stranded, self.flying[device] = self.flying[device], []
        for job in {id(job): job for job in stranded if job.tick < 0}.values():
            job.error = True
            self._warmed(job)

    def _halt(self, event: Event) -> None:
        assert not self.halted
        if self.ran_out:
            assert self.plan.control is not None and self.plan.control.late is Late.STOP
        else:
            assert isinstance(event, Stop)
        self.halted = True
        self.chunks.forget()
        for book in self.contexts.values():
            book.close()

    # -- profiles -----------------------------------------------------------------------------------------

    def _profile_set(self, name: str) -> None:
        assert name == self.profile and self.profile_due_ns is not None
        assert not self.live.open or self.now_ns >= self.profile_due_ns, "not in force yet"
        self.profile_due_ns = None

    def _profile_event(self, event: Event) -> None:
        """Before these nothing stays uncounted of what a profile drops."""
        asks = isinstance(event, SetProfile) and event.name != self.profile
        if asks or isinstance(event, EpisodeEnd | Stop):
            for m in self.modules:
                m.forgone += m.forgo(self.now_ns)
        if asks:
            self._set_profile(event.name)

    def _set_profile(self, name: str) -> None:
        """In force when the last module that goes on has come to its next release: after one tick at most of
        the slowest of them."""
        self.profile, self.profile_due_ns, slowest_ns = name, self.now_ns, 0
        for m, planned in zip(self.modules, self.plan.modules, strict=True):
            before, after = None if m.suspended else m.plan, self.plan.module_under(name, planned)
            ticks = self.live.open and m.spacing_ns is not None and not m.isolated and not m.plan.on_demand
            if after not in (None, before) and ticks:
                self.profile_due_ns = max(self.profile_due_ns, m.at(m.next))
                slowest_ns = max(slowest_ns, m.paced_ns)
        assert self.profile_due_ns <= self.now_ns + slowest_ns + 1
        for context in self.contexts.values():
            before = self._chunk_ticks(context)
            self._run_under(context)
            if (after := self._chunk_ticks(context)) != before:
                self.chunks.repace(context.number, after)

    def _run_under(self, context: ContextBook) -> None:
        for m, planned in zip(context.modules, context.plan.modules, strict=True):
            m.switch(context.plan.module_under(self.profile, planned))

    def _chunk_ticks(self, context: ContextBook) -> int:
        return planned_ticks((m.plan for m in context.modules), context.plan)

    def _profile_account(self) -> None:
        due_ns = self.profile_due_ns
        overdue = due_ns is not None and (not self.live.open or due_ns <= self.now_ns)
        assert not overdue, "a profile is in force, and nobody says so"

    # -- contexts -----------------------------------------------------------------------------------------

    def _context(self, command: Ready | Refused | Switched | Drained, event: Event) -> None:
        number = command.context
        match command:
            case Ready():
                context = self.contexts[number]
                assert not context.cold and context.warming is None and not context.leaving
                context.ready = True
            case Refused():
                self._refused(command, event)
            case Switched():
                context = self.contexts[number]
                assert context.ready and not context.leaving
                asked = isinstance(event, Switch) and event.context == number
                assert self.wanted == number or asked
                self.wanted = None
                if context is not self.live:
                    assert not any(m.forgo(self.now_ns) for m in self.modules), "not counted any more"
                    self.live.close()
                    self.live = context
                    if context.plan.control is not None:
                        self.chunks.switch(number, self._chunk_ticks(context))
                    if self.phase_now == "running":
                        control = context.plan.control
                        context.awaits = set(control.observations if control is not None else ())
                        self._try_open(context)
            case Drained():
                context = self.contexts.pop(number)
                assert context.leaving
                assert context.empty()
                assert context is not self.live
                assert not any(c == number for c, _ in self.asked)
                assert number not in self.chunks.contexts, "a chunk of it plays or waits"
                self.chunks.gone(number)

    def _waits_for_an_instant(self, step: Step) -> None:
        """A switch that is granted happens at once or waits for the robot's next control instant."""
        event = step.event
        told = {c.context for c in step.commands if isinstance(c, Refused | Switched)}
        if isinstance(event, Switch) and event.context not in told:
            assert self.plan.control is not None and step.phase in {"priming", "running"}
            assert self.contexts[event.context].ready
            self.wanted = event.context
        due = self._due() if step.phase == "running" and self.plan.control is not None else 0
        if self.wanted is not None:
            assert step.phase == "priming" or due == self.due_before, "the instant has passed"
        self.due_before = due

    def _due(self) -> int:
        """Control instants of this episode up to now."""
        assert self.plan.control is not None
        p = self.plan.control.period_ns
        return -(-(self.now_ns - self.origin_ns + 1) * p.denominator // p.numerator)

    def _admitted(self, event: Admit) -> None:
        context = self.contexts[event.context] = ContextBook(event.context, event.plan, event.warm)
        self._run_under(context)
        for device, k in context.plan.devices.items():
            assert self.k.setdefault(device, k) == k
            self.flying.setdefault(device, [])

    def _refused(self, refused: Refused, event: Event) -> None:
        """What an event asks for is refused, or a switch that waits, or a context that can't be warmed."""
        number, reason = refused
        asks = isinstance(event, Admit | Switch | Retire) and event.context == number
        if isinstance(event, Admit) and asks:
            control, new = self.plan.control, event.plan.control
            same = control is new is None or (control and new and control.period_ns == new.period_ns)
            same = same and self.plan.buffers == event.plan.buffers
            ks = all(self.k.get(d, k) == k for d, k in event.plan.devices.items())
            assert self.halted or number in self.contexts or not same or not ks
        elif isinstance(event, Retire) and number == self.live.number:
            assert asks
        elif self.wanted == number:
            assert isinstance(event, Switch | Retire) or self._stops
            self.wanted = None
        elif isinstance(event, Switch) and asks:
            assert self.halted or number not in self.contexts or not self.contexts[number].ready
        elif asks:
            assert not self._may_go(number)
        else:
            assert self._stops or "can't be warmed up" in reason
            self._leave(self.contexts[number])

    def _may_go(self, number: int) -> bool:
        context = self.contexts.get(number)
        return context is not None and context is not self.live and not context.leaving

    def _leave(self, context: ContextBook) -> None:
        assert not context.leaving and context is not self.live
        context.leaving, context.ready, context.cold = True, False, []
        context.newest = dict.fromkeys(context.newest)
        context.close()
        if context.warming is not None:
            context.warming.void = True
            if context.warming.launched == context.warming.done:
                self._warmed(context.warming)

    def _try_open(self, context: ContextBook) -> None:
        if not context.awaits:
            context.open = True
            for m in context.modules:
                m.begin(self.now_ns, m.next)

    def _warm(self, launch: Launch, context: ContextBook) -> None:
        """One stage after the other, one module after the other, and only where nothing else can run."""
        others = [job for flying in self.flying.values() for job in flying if job.tick < 0 and not job.void]
        assert not others, "one at a time"
        assert context is next(c for c in self.contexts.values() if not c.ready and not c.leaving)
        job = context.warming
        if job is None:
            module = context.cold.pop(0)
            job = context.warming = JobBook(launch.tick, self.now_ns, 0, module, launch.job)
            job.first, self.jobs[launch.job] = launch, job
            for port, slot in launch.writes:
                self._writable(context, port, slot)
                context.slots[port][slot].writer = launch.job
            for read in launch.reads:
                assert context.slots[read.port][read.slot].writer is None
        assert (launch.module, launch.stage) == (job.plan.id, job.launched) and job.first is not None
        assert (launch.reads, launch.writes, launch.job) == (job.first.reads, job.first.writes, job.id)
        assert (launch.skipped, launch.splice) == (0, None)
        assert len(self.flying[launch.device]) < self.k[launch.device], "more than K in flight"
        if self.phase_now == "running":
            assert self._next_on(launch.device) is None, "it is less urgent than anything else"
            if self.plan.mode is Mode.SEQUENTIAL:
                assert not any(self.flying.values())
        job.launched += 1
        self.flying[launch.device].append(job)

    def _warmed(self, job: JobBook) -> None:
        assert job.first is not None and job.id is not None
        context = job.module.context
        for port, slot in job.first.writes:
            context.slots[port][slot].writer = None
        context.warming = None
        del self.jobs[job.id]

    # -- releases -----------------------------------------------------------------------------------------

    def _grids(self, begins: bool) -> None:
        """Let every grid instant up to now happen, once per step."""
        if self.released_now:
            return
        self.released_now = True
        self._begin(begins)
        for m in self.modules if self.live.open else ():
            if m.plan.on_demand or m.suspended:
                continue
            shifts = m.shifts
            while not m.isolated and not (shifts and m.active) and m.at(m.next) <= self.now_ns:
                m.pending.append(m.next)
                m.release()
                if shifts:
                    m.activate()
                    if self.plan.mode.latches_at_release and not self._could_latch(m):
                        m.active = None  # its drop has been seen or will be
                        m.since_ns += max(0, self.now_ns - m.at(m.next))
            self._trim(m)
            m.activate()

    def _begin(self, begins: bool) -> None:
        """An episode begins, with the context that is live then, once per step."""
        if not begins or self.begun_now:
            return
        self.begun_now = True
        self.origin_ns, self.instants_seen = self.now_ns, 0
        self.answered.clear()
        for context in self.contexts.values():
            assert not any(m.active for m in context.modules), "an episode begins with nothing under way"
        for m in self.modules:
            m.begin(self.now_ns, 0)
        self.live.open = True

    def _demands(self) -> None:
        """Release what is made on demand: at a control instant, after its answer, if a buffer is free."""
        if self.demanded_now or self.plan.control is None:
            return
        self.demanded_now = True
        due = self._due()
        came, self.instants_seen = due > self.instants_seen, due
        for m in self.modules if came and self.live.open else ():
            wants = m.plan.on_demand and not m.isolated and not m.suspended and m.active is None
            if wants and self.chunks.has_room(self.cursor):
                assert not m.pending
                m.released += 1
                m.active = m.job(m.next, self.now_ns)
                m.next += 1

    def _could_latch(self, m: ModuleBook) -> bool:
        return all(
            m.context.newest[link.source] is not None
            and (
                link.on_stale is OnStale.USE
                or link.max_age_ns is None
                or self.now_ns - m.context.newest_slot(link.source).stamp_ns <= link.max_age_ns
            )
            for link in m.plan.inputs
        )

    def _trim(self, m: ModuleBook) -> None:
        limit = {Overrun.SKIP: 1, Overrun.CATCH_UP: CATCH_UP_LIMIT}.get(m.plan.on_overrun)
        m.pending = m.pending[-limit:] if limit else m.pending

    def _ended(self, m: ModuleBook, running: bool) -> None:
        job, m.active = m.active, None
        assert job is not None
        if job.id is not None:
            del self.jobs[job.id]
            assert job.first is not None
            for read in job.first.reads:
                m.context.slots[read.port][read.slot].readers[job.id] -= 1
            for port, slot in job.first.writes:
                if m.context.slots[port][slot].writer == job.id:
                    m.context.slots[port][slot].writer = None
        late_ns = self.now_ns - m.at(m.next)
        if running and m.shifts and not m.isolated and not m.suspended and late_ns >= 0:
            m.since_ns += late_ns
            m.pending.append(m.next)
            m.release()
        if running:
            m.activate()

    # -- devices ------------------------------------------------------------------------------------------

    def _launch(self, launch: Launch) -> None:
        if launch.tick < 0:
            self._warm(launch, self.contexts[launch.context])
            return
        assert launch.context == self.live.number and self.live.open
        m = self.live.by_id[launch.module]
        job = m.active
        assert job is not None and job.tick == launch.tick
        # How many steps are left out is decided once it is chosen, and its laxity counts them all until then.
        assert job is self._next_on(launch.device), "a less urgent stage was launched"
        loop = m.plan.loop
        if loop is not None and job.launched == loop.first:
            job.skipped = m.steps.left_out(self.now_ns, job.done, job.deadline_ns)
        assert launch.skipped == (job.skipped or 0), "steps are chosen once, from the slack"
        assert launch.stage == job.stage(job.launched), "stages go in order"
        assert not job.error and not job.void and not m.isolated
        assert job.release_ns <= self.now_ns
        flying = self.flying[launch.device]
        assert len(flying) < self.k[launch.device], "more than K in flight"
        if job.launched == 0:
            job.id, job.first = launch.job, launch
            assert launch.job not in self.jobs
            self.jobs[launch.job] = job
            self._take_slots(launch, m)
            self._splice(launch, m)
        else:
            assert launch.splice is None
        assert job.first is not None
        assert (launch.reads, launch.writes, launch.job) == (job.first.reads, job.first.writes, job.id)
        job.launched += 1
        flying.append(job)

    def _defer(self, defer: Defer) -> None:
        assert defer.context == self.live.number and self.live.open
        m = self.live.by_id[defer.module]
        job, device = m.active, m.plan.device
        assert job is not None and job.tick == defer.tick and defer.stage == job.stage(job.launched)
        assert len(self.flying[device]) < self.k[device], "deferred without room"
        assert job.deferred != job.launched, "told twice"
        assert not self._waits(job) and not self._affords(job), "deferred with a budget"
        job.deferred = job.launched

    def _charge(self, job: JobBook, event: StageDone) -> None:
        if job.plan.budget is not None:
            whole = job.module.context.plan.mode is Mode.SEQUENTIAL
            piece = (event.job, 0 if whole else event.stage)
            self._book(job).charge(piece, event.started_ns, event.ended_ns - event.started_ns)

    def _book(self, job: JobBook) -> BudgetBook:
        assert job.plan.budget is not None
        key = job.plan.id, job.plan.budget
        return self.budgets.setdefault(key, BudgetBook(job.plan.budget))

    def _waits(self, job: JobBook) -> bool:
        """One stage of a module with a budget is in flight at most."""
        flying = self.flying[job.plan.device]
        return job.plan.budget is not None and any(j.plan.id == job.plan.id for j in flying)

    def _affords(self, job: JobBook) -> bool:
        return job.plan.budget is None or (not self._waits(job) and self._book(job).left_ns(self.now_ns) > 0)

    def _urgency(self, job: JobBook) -> tuple[int, ...]:
        plan = job.plan
        deadline_ns = job.deadline_ns
        match self.plan.policies.get(plan.device, Policy.FIXED):
            case Policy.FIXED:
                return plan.priority, deadline_ns, job.module.index
            case Policy.EDF:
                return plan.budget is not None, deadline_ns, plan.priority, job.module.index
            case Policy.LAXITY:
                to_do = [job.stage(i) for i in range(job.launched, job.length)]
                laxity_ns = deadline_ns - self.now_ns - sum(plan.costs_ns[i] for i in to_do)
                return plan.budget is not None, laxity_ns, plan.priority, job.module.index

    def _splice(self, launch: Launch, m: ModuleBook) -> None:
        if m.plan.chunk is None or self.plan.control is None:
            assert launch.splice is None
            return
        assert launch.splice is not None
        slots = m.context.slots
        seen = [slots[r.port][r.slot].tick for r in launch.reads if r.port.startswith("robot.")]
        made = [slots[r.port][r.slot].tick for r in launch.reads if not r.port.startswith("robot.")]
        self.chunks.check(launch.splice, self.cursor, seen or made)

    def _next_on(self, device: str) -> JobBook | None:
        """The oracle: which job's stage has to go next on a device with room."""
        live = [m.active for m in self.modules if m.active is not None]
        if self.plan.mode is Mode.SEQUENTIAL:
            begun = [j for j in live if j.launched]
            assert len(begun) <= 1, "two jobs at once in sequential mode"
            order = [(j.release_ns, j.plan.rank, j.module.index, j) for j in live if self._affords(j)]
            if not begun and any(self.flying.values()):
                return None  # of another context
            turn = begun[0] if begun else min(order)[3] if order else None
            ready = turn is not None and turn.plan.device == device and turn.has_stage
            return turn if ready else None
        ready_jobs = [j for j in live if j.plan.device == device and j.has_stage and self._affords(j)]
        return min(ready_jobs, key=self._urgency, default=None)

    def _work_conserving(self) -> None:
        for device, k in self.k.items():
            if len(self.flying[device]) < k:
                blocked = self._next_on(device)
                assert blocked is None, f"{blocked.plan.id} could run on {device} and does not"

    # -- slots --------------------------------------------------------------------------------------------

    def _writable(self, context: ContextBook, port: str, slot: int) -> None:
        held = context.slots[port][slot]
        assert held.writer is None, f"two writers of {port}[{slot}]"
        assert not +held.readers, f"{port}[{slot}] is written while read"
        assert context.newest[port] != slot, f"the newest of {port} is overwritten"
        holds = self.chunks.holds((context.number, port), slot)
        assert not holds, "a chunk that plays or waits is overwritten"

    def _take_slots(self, launch: Launch, m: ModuleBook) -> None:
        assert [(r.input, r.port) for r in launch.reads] == [(i.name, i.source) for i in m.plan.inputs]
        for read, link in zip(launch.reads, m.plan.inputs, strict=True):
            slot = m.context.slots[read.port][read.slot]
            assert slot.seq == read.seq and slot.writer is None, "the content read is not what was latched"
            slot.readers[launch.job] += 1
            if not self.plan.mode.latches_at_release:
                assert m.context.newest[read.port] == read.slot, "not the newest"
                assert read.age_ns == self.now_ns - slot.stamp_ns
            assert read.age_ns >= 0
            if link.max_age_ns is not None and read.age_ns > link.max_age_ns:
                assert link.on_stale is OnStale.USE
        assert [port for port, _ in launch.writes] == list(m.plan.outputs)
        for port, index in launch.writes:
            self._writable(m.context, port, index)
            m.context.slots[port][index].writer = launch.job

    def _publish(self, publish: Publish, event: Event) -> None:
        port, index, seq, stamp_ns, tick, number = publish
        assert number == self.live.number, "only the context that is live is heard"
        context = self.live
        slot = context.slots[port][index]
        assert seq == context.seqs[port]
        context.seqs[port] += 1
        if (number, port) in self.asked:
            assert isinstance(event, Sampled) and self.asked.pop((number, port)) == (index, tick)
            assert slot.writer == "robot" and stamp_ns == event.stamp_ns
        else:
            job = self.ready_to_publish
            assert job is not None and slot.writer == job.id and job.first is not None and not job.void
            assert all(stamp_ns >= context.slots[r.port][r.slot].stamp_ns for r in job.first.reads)
        slot.seq, slot.stamp_ns, slot.tick, slot.writer = seq, stamp_ns, tick, None
        context.newest[port] = index
        if port in context.awaits:
            context.awaits.remove(port)
            self._try_open(context)
        if port in context.horizons and self.plan.control is not None:
            self.chunks.published((number, port), index, tick, context.horizons[port], self.cursor)

    # -- ends ---------------------------------------------------------------------------------------------

    def _finish(self, finish: Finish) -> None:
        m = self.contexts[finish.context].by_id[finish.module]
        job = m.active
        assert job is not None and job is self.ready_to_publish and job.id == finish.job and not job.void
        assert (finish.tick, finish.release_ns) == (job.tick, job.release_ns)
        assert finish.deadline_ns == job.deadline_ns
        m.fates["finished"] += 1
        m.failures = 0
        self._ended(m, running=True)

    def _drop(self, drop: Drop, begins: bool) -> None:
        assert drop.times > 0 and drop.reason
        self.drops[drop.what, drop.reason] += drop.times
        if drop.what == "control":
            self._grids(begins)
            self.answered[drop.reason] += drop.times
            return
        context = self.contexts[drop.context]
        m = context.by_id.get(drop.what)
        if m is None:
            if drop.reason in CLOSES:
                slot, _ = self.asked.pop((drop.context, drop.what))
                context.slots[drop.what][slot].writer = None
            return
        if drop.reason == "profile":
            if not m.forgone:
                self._begin(begins)
                m.forgone = m.forgo(self.now_ns)
            assert drop.times <= m.forgone
            m.forgone -= drop.times
        if drop.reason == "overrun" or (
            drop.reason in {"absent", "stale"} and (m.active is None or not self.plan.mode.latches_at_release)
        ):
            self._grids(begins)
            self._demands()
        if drop.reason == "stopped" and self.ran_out and not self.halted:
            self._grids(begins)
            self._demands()
        m.fates[drop.reason] += drop.times
        m.failures += drop.reason == "failed"
        ends = m.active is not None and m.active is self.ended_job
        if drop.reason == "isolated" or (
            drop.reason in CLOSES and not ends and m.pending and len(m.pending) == drop.times
        ):
            assert len(m.pending) == drop.times
            m.pending = []
        elif drop.reason in ENDS_ACTIVE and m.active is not None:
            closes = drop.reason in CLOSES and not m.active.void
            self._ended(m, running=context.open and not closes)

    # -- control ------------------------------------------------------------------------------------------

    def _answer(self, answer: Act | Hold | Decelerate, begins: bool) -> None:
        self._grids(begins)
        assert not self.halted and self.acting is None, "an answer while the robot executes one"
        assert answer.tick == self.cursor, "control ticks are consecutive"
        assert self.plan.control is not None
        self.chunks.turn_over(answer.tick)
        if isinstance(answer, Act):
            assert self.chunks.playing is not None
            where, slot, first, horizon = self.chunks.playing
            assert where == (answer.context, answer.port)
            assert (answer.slot, first + answer.row) == (slot, answer.tick)
            assert 0 <= answer.row < horizon
            self.chunks.played = True
        elif isinstance(answer, Decelerate) or answer.reason == "no_action":
            assert not self.chunks.reaches(answer.tick)
            slows = self.chunks.played and self.plan.control.late is Late.DECELERATE
            assert slows == isinstance(answer, Decelerate)
            self.ran_out = self.chunks.played and self.plan.control.late is Late.STOP
        self.acting = answer.tick
        self.cursor += 1
        self.answered["answered"] += 1

    def _control_account(self) -> None:
        if self.plan.control is not None:
            waiting = self._due() - self.answered.total()
            assert waiting in (0, 1), "every control instant is answered or counted, but for one that waits"
            assert not waiting or self.acting is not None, "an answer waits for nothing but the robot"

    # -- accounts -----------------------------------------------------------------------------------------

    def _compare(self, scheduler: Scheduler) -> None:
        assert scheduler.drops == self.drops
        assert scheduler.contexts.decks.keys() == self.contexts.keys()
        assert scheduler.contexts.live.context == self.live.number
        for number, context in self.contexts.items():
            states = scheduler.contexts.decks[number].modules
            for m, state in zip(context.modules, states, strict=True):
                waiting = len(m.pending) + (m.active is not None)
                assert m.released == m.fates.total() + waiting, f"{m.plan.id}: the account does not balance"
                assert state.unexplained == 0
                assert (state.released, state.finished) == (m.released, m.fates["finished"])
                assert list(state.pending) == m.pending
                assert m.plan.on_overrun is not Overrun.SKIP or len(m.pending) <= 1

    def drained(self, scheduler: Scheduler) -> None:
        """After a stop and time enough: nothing is held by anybody."""
        assert scheduler.drained and self.halted
        assert not any(context.leaving for context in self.contexts.values())
        for book in self.budgets.values():
            book.check_windows()
        for number, context in self.contexts.items():
            assert context.empty()
            for port, ring in scheduler.contexts.decks[number].rings.items():
                assert ring.writing is None
                assert not any(ring.pinned(slot) for slot in range(ring.depth)), port
