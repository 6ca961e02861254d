"""Every device has the most urgent stages that can run: K of them at most, and as budgets allow. One that
gives way has one, and those that it left for more urgent ones."""

from __future__ import annotations

from polyrhythm.schedule import Mode, Policy
from polyrhythm.schedule.events import Defer, Launch, StageDone
from polyrhythm.simulate.audit.books import ContextBook, JobBook
from polyrhythm.simulate.audit.budgets import BudgetBook
from polyrhythm.simulate.audit.slots import Slots


class Devices(Slots):
    """Every device has the most urgent stages that can run: K of them at most, and as budgets allow."""

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
        assert self._room_for(job), "more than K in flight"
        job.urgency = self._urgency(job)
        if job.launched == 0:
            job.most = m.most
        loop = m.plan.loop
        if loop is not None and job.launched == loop.first:
            held_ns = self._held_ns(launch.device)
            job.skipped = m.steps.left_out(self.now_ns, held_ns, job.deadline_ns, job.most)
        assert launch.skipped == (job.skipped or 0), "steps are chosen once, from the slack"
        assert launch.stage == job.stage(job.launched), "stages go in order"
        assert not job.error and not job.void and not m.isolated
        assert job.release_ns <= self.now_ns
        flying = self.flying[launch.device]
        assert launch.cuts_in == (len(flying) >= self.k[launch.device]), "nothing that it cuts in on"
        if job.launched == 0:
            job.id, job.first = launch.job, launch
            assert launch.job not in self.jobs
            self.jobs[launch.job] = job
            self._take_slots(launch, m)
            self._splice(launch, job)
        else:
            assert launch.splice is None
        assert job.first is not None
        assert (launch.reads, launch.writes, launch.job) == (job.first.reads, job.first.writes, job.id)
        job.launched += 1
        flying.insert(0 if launch.cuts_in else len(flying), job)

    def _room_for(self, job: JobBook) -> bool:
        """Whether a device takes the next stage of a job: behind what it holds, or before it."""
        device = job.plan.device
        flying = self.flying[device]
        if len(flying) < self.k[device] or device not in self.gives_way:
            return len(flying) < self.k[device]
        if job in flying:
            return False  # nobody cuts in on its own stages
        return flying[0].tick < 0 or self._urgency(job) < flying[0].urgency

    def _defer(self, defer: Defer) -> None:
        assert defer.context == self.live.number and self.live.open
        m = self.live.by_id[defer.module]
        job = m.active
        assert job is not None and job.tick == defer.tick and defer.stage == job.stage(job.launched)
        assert self._room_for(job), "deferred without room"
        assert job.deferred != job.launched, "told twice"
        assert not self._waits(job) and not self._affords(job), "deferred with a budget"
        job.deferred = job.launched

    def _held_ns(self, device: str) -> int:
        """How long a device may take for what it holds, or until it leaves that."""
        held_ns = 0
        flying = self.flying[device]
        if device in self.gives_way:
            for job in flying:
                leaves_ns = job.module.steps.slowest_ns(job.stage(job.done))
                if job.plan.piece_ns is not None:
                    leaves_ns = min(leaves_ns, job.plan.piece_ns)
                held_ns = max(held_ns, leaves_ns)
            return held_ns
        for place, job in enumerate(flying):
            before = sum([other is job for other in flying[:place]])
            held_ns += job.module.steps.slowest_ns(job.stage(job.done + before))
        return held_ns

    def _charge(self, job: JobBook, event: StageDone) -> None:
        if job.plan.budget is not None:
            whole = job.module.context.plan.mode is Mode.SEQUENTIAL
            piece = (event.job, 0 if whole else event.stage)
            self._book(job).charge(piece, event.started_ns, event.took_ns)

    def _book(self, job: JobBook) -> BudgetBook:
        assert job.plan.budget is not None
        key = job.plan.id, job.plan.budget
        return self.budgets.setdefault(key, BudgetBook(job.plan.budget))

    def _waits(self, job: JobBook) -> bool:
        """One stage of a module with a budget is in flight at most."""
        flying = self.flying[job.plan.device]
        return job.plan.budget is not None and any(j.plan.id == job.plan.id and j.tick >= 0 for j in flying)

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
                latest_ns = deadline_ns - sum(plan.costs_ns[i] for i in to_do)
                return plan.budget is not None, latest_ns, plan.priority, job.module.index

    def _splice(self, launch: Launch, job: JobBook) -> None:
        if job.plan.chunk is None or self.plan.control is None:
            assert launch.splice is None
            return
        assert launch.splice is not None
        self.chunks.check(launch.splice, self.cursor, self._start_tick(job))

    def _next_on(self, device: str) -> JobBook | None:
        """The oracle: which job's stage has to go next on a device, if it has room."""
        live = [m.active for m in self.modules if m.active is not None]
        if self.plan.mode is Mode.SEQUENTIAL:
            begun = [j for j in live if j.launched]
            assert len(begun) <= 1, "two jobs at once in sequential mode"
            order = [(j.release_ns, j.plan.rank, j.module.index, j) for j in live if self._affords(j)]
            if not begun and any(self.flying.values()):
                return None  # of another context
            turn = begun[0] if begun else min(order)[3] if order else None
            ready = turn is not None and turn.plan.device == device and turn.has_stage
            return turn if ready and len(self.flying[device]) < self.k[device] else None
        ready_jobs = [j for j in live if j.plan.device == device and self._could_run(j)]
        if len(ready_jobs) < 2:
            return ready_jobs[0] if ready_jobs else None
        return min(ready_jobs, key=self._urgency)

    def _could_run(self, job: JobBook) -> bool:
        return job.has_stage and self._room_for(job) and self._affords(job)

    def _work_conserving(self) -> None:
        if self.plan.mode is Mode.SEQUENTIAL:
            for device, k in self.k.items():
                if len(self.flying[device]) < k or device in self.gives_way:
                    blocked = self._next_on(device)
                    assert blocked is None, f"{blocked.plan.id} could run on {device} and does not"
            return
        for m in self.modules:
            job = m.active
            assert job is None or not self._could_run(job), f"{m.plan.id} could run and does not"

    def _renew(self, device: str, name: str) -> None:
        head = self.flying[device][0]
        assert head.plan.id == name
        known, since_ns = self.heads[device]
        assert known == (head, head.done) and self.now_ns - since_ns >= head.hang_ns, "given up too soon"
        stranded, self.flying[device] = self.flying[device], []
        if device in self.gives_way and len(stranded) > 1:
            self.unclear += [job for job in stranded if job.tick >= 0]
        else:
            self.renewed += stranded
            self.hung += [job for job in stranded[:1] if job.tick >= 0]
        for job in {id(job): job for job in stranded if job.tick < 0}.values():
            job.error = True
            self._warmed(job)

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
        assert (launch.skipped, launch.splice, launch.cuts_in) == (0, None, False)
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
        context.spoiled |= job.error and not job.void
        del self.jobs[job.id]
