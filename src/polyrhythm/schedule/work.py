"""What becomes of jobs: they take their inputs, go to their devices stage by stage, and end.

The part of the scheduler that does not know when: `polyrhythm.schedule.scheduler` says when ticks are
released, which context plays, and when an episode is over.
"""

from __future__ import annotations

from collections import Counter

from polyrhythm.schedule.budget import Budgets
from polyrhythm.schedule.contexts import Contexts
from polyrhythm.schedule.control import Control
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import (
    Command,
    Drop,
    Finish,
    Isolate,
    Launch,
    Publish,
    Read,
    Ready,
    Refused,
    Renew,
    StageDone,
)
from polyrhythm.schedule.jobs import Input, Job, ModuleState
from polyrhythm.schedule.lanes import LEAST_URGENT, WARM_TICK, Lane
from polyrhythm.schedule.plan import Mode, OnStale, SchedulePlan
from polyrhythm.schedule.playback import ChunkRef, Playback
from polyrhythm.schedule.policy import Order, first, producers_first
from polyrhythm.schedule.profiles import PROFILE
from polyrhythm.schedule.slots import Freshness, InvariantError, Version


class Work:
    """The jobs of all contexts, and what they do to slots and devices.

    Args: see `polyrhythm.schedule.scheduler.Scheduler`.
    """

    def __init__(self, plan: SchedulePlan, playback: Playback | None, context: int) -> None:
        self.now_ns = 0
        #: (what, reason) -> count of everything that was dropped.
        self.drops: Counter[tuple[str, str]] = Counter()
        self.control: Control | None = None
        self.contexts = Contexts(context, plan, self._cancel)
        if plan.control is not None:
            if playback is None:
                raise ValueError("a plan with a control part needs a playback")
            self.control = Control(self.contexts.live, self.contexts.decks, playback)
        self._budgets = Budgets()
        self._jobs: dict[int, Job] = {}
        self._touched: list[ModuleState] = []  # by the event in hand
        self._next_due_ns = 0  # no grid has an instant before this
        self._next_job = 0
        self._halt: str | None = None
        self._out: list[Command] = []

    # -- releases -----------------------------------------------------------------------------------------

    def _activate(self, module: ModuleState) -> None:
        """Make the oldest pending tick the active job, if the module (of the live context) is free."""
        deck = self.contexts.live
        while module.active is None and module.pending and deck.open:
            tick = module.pending.popleft()
            release_ns = module.instant(tick)
            deadline_ns = release_ns + module.plan.deadline_ns
            job = Job(self._next_job, module, tick, release_ns, deadline_ns, deck)
            module.begin(job)
            self._jobs[job.id] = job
            module.queue.jobs.append(job)
            self._next_job += 1
            if deck.latches:
                self._latch(job)

    def _forgo(self, deck: Deck) -> None:
        """Count the ticks that suspended modules would have had; nobody wakes up for them."""
        for module in deck.suspended:
            if module.next_release_ns <= self.now_ns:
                self._drop_ticks(module, PROFILE, module.release(self.now_ns))
                self._touched.append(module)

    def _close(self, deck: Deck, reason: str) -> None:
        """Give up every tick that has nothing in flight; the others end when their stages do."""
        self._forgo(deck)
        deck.open = False
        deck.awaits.clear()
        for module in deck.modules:
            module.rest()
            self._drop_pending(module, reason)
            if (job := module.active) is not None:
                job.void = reason
                if not job.in_flight:
                    self._end(job, reason)

    # -- inputs -------------------------------------------------------------------------------------------

    def _latch(self, job: Job) -> bool:
        """Take the newest version of every input; False if the job was given up instead.

        The job's `robot_tick` is the tick of its own newest observation, or else of what its inputs were
        conditioned on, or else the present one: where its action chunk starts.
        """
        reads: list[Read] = []
        seen: int | None = None
        derived: int | None = None
        for link in job.module.inputs:
            freshness, age_ns = link.ring.freshness(self.now_ns, link.plan.max_age_ns)
            refusal = self._judge(job, link, freshness)
            if refusal is not None:
                job.reads = tuple(reads)
                self._end(job, refusal, link.plan.source)
                return False
            version = link.ring.pin_latest()
            assert version is not None
            reads.append(Read(link.plan.name, link.plan.source, version.slot, version.seq, age_ns))
            if link.observed:
                seen = version.tick if seen is None else max(seen, version.tick)
            else:
                derived = version.tick if derived is None else max(derived, version.tick)
        job.reads = tuple(reads)
        job.stamp_ns = self.now_ns
        if seen is not None:
            job.robot_tick = seen
        elif derived is not None:
            job.robot_tick = derived
        else:
            job.robot_tick = 0 if self.control is None else self.control.cursor
        return True

    def _judge(self, job: Job, link: Input, freshness: Freshness) -> str | None:
        """The reason not to run on this input, or None. Applies the link's `on_stale`."""
        if freshness is Freshness.FRESH:
            if self.control is not None and self.control.waiting_links:
                self.control.waiting_links.discard(link.label)
            return None
        if freshness is Freshness.ABSENT:
            return "absent"
        on_stale = link.plan.on_stale
        if on_stale is OnStale.USE:
            job.module.stale_used += 1
            return None
        if job.deck.excuses(link, self.now_ns):
            return "stale"
        if on_stale is OnStale.HOLD and self.control is not None:
            self.control.waiting_links.add(link.label)
        elif on_stale is OnStale.STOP:
            self._halt = f"link {link.label} is stale"
        return "stale"

    # -- devices ------------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Fill every device with the most urgent stages that can run."""
        live = self.contexts.live
        if live.plan.mode is Mode.SEQUENTIAL:
            while (job := self._turn()) is not None:
                self._try_launch(job)
                if job.launched and not job.ready:
                    break  # it goes on until it ends
            return
        for queue in live.queues.values():
            lane, order = queue.lane, queue.order
            while queue.jobs and (lane.has_room or lane.gives_way):
                ready = [j for j in queue.jobs if j.ready]
                if not lane.has_room:
                    # A stage never goes before an earlier one of its job, however its costs have changed.
                    ready = [j for j in ready if not j.in_flight and lane.gives_way_to(order(j))]
                job = self._first(ready, order)
                if job is None:
                    break
                self._try_launch(job)

    def _turn(self) -> Job | None:
        """`sequential`: the job under way goes on until it ends, then the first in order begins."""
        jobs = [job for queue in self.contexts.live.queues.values() for job in queue.jobs]
        for job in jobs:
            if job.launched:
                return job if job.ready and job.module.queue.lane.has_room else None
        return None if self.contexts.flying else self._first(jobs, producers_first)

    def _first(self, jobs: list[Job], order: Order) -> Job | None:
        """The job that goes first, of those whose budget is not used up."""
        job = first(jobs, order)
        while job is not None and not self._budgets.may_spend(job, self.now_ns, self._out):
            jobs.remove(job)
            job = first(jobs, order)
        return job

    def _try_launch(self, job: Job) -> None:
        if job.reads is not None or self._latch(job):
            self._launch(job)

    def _launch(self, job: Job) -> None:
        plan, loop, splice = job.module.plan, job.module.plan.loop, None
        queue, urgency = job.module.queue, LEAST_URGENT
        if queue.lane.gives_way and job.tick != WARM_TICK:
            urgency = queue.order(job)  # what it was chosen by: before it is known which steps it leaves out
        if job.launched == 0 and job.tick != WARM_TICK:
            job.writes, job.most = job.deck.claim(plan.outputs), job.module.most
            if plan.chunk is not None and self.control is not None:
                splice = self.control.splice(job.robot_tick)
        if loop is not None and job.skipped is None and job.launched == loop.first:
            job.skipped = job.module.steps_to_skip(loop, job.deadline_ns - self.now_ns)
        stage = job.stage(job.launched)
        job.launched += 1
        cuts_in = queue.lane.take(job, stage, self.now_ns, urgency)
        self._out.append(
            Launch(
                job.id, plan.id, job.tick, stage, plan.device, job.reads or (), job.writes,
                job.skipped or 0, splice, job.deck.context, cuts_in,
            )
        )  # fmt: skip

    def _stage_done(self, event: StageDone) -> None:
        job = self._jobs.get(event.job)
        if job is None or event.stage != job.stage(job.done) or not job.in_flight:
            return  # its job was given up when the device was renewed, or it is a duplicate
        plan = job.module.plan
        if job.tick != WARM_TICK:
            if plan.loop is not None:
                job.module.took_ns[event.stage].append(event.took_ns)
            if plan.budget is not None:
                self._budgets.charge(job, event.started_ns, event.took_ns)
        job.module.queue.lane.land(job, self.now_ns)
        job.done += 1
        job.error = job.error or event.error
        if job.in_flight:
            return
        if job.tick == WARM_TICK:
            self._warmed(job)
        elif job.error is not None:
            self._fail(job, job.error)
        elif job.void is not None:
            self._end(job, job.void)
        elif job.done == job.length:
            self._finish(job)

    def _watch(self) -> None:
        """A stage that does not end takes its module out; its queue is left behind, with what stood in it."""
        for lane in self.contexts.lanes.values():
            if lane.hangs_at_ns <= self.now_ns:
                self._renew(lane)

    def _renew(self, lane: Lane) -> None:
        hung, stranded = lane.flying[0].job, {flight.job.id: flight.job for flight in lane.flying}
        # It may be that one does not give way, or that the one which cut in does not end.
        unclear = lane.gives_way and len(stranded) > 1
        lane.flying.clear()
        self._out.append(Renew(lane.device, hung.module.plan.id))
        if hung.tick != WARM_TICK and not unclear:
            self._isolate(hung.module, "hung")
        for job in stranded.values():
            if job.tick == WARM_TICK:
                job.error = f"{hung.module.plan.id} hung on {lane.device}"
                self._warmed(job)
            elif unclear:
                names = ", ".join(other.module.plan.id for other in stranded.values())
                self._fail(job, f"{lane.device} hung in one of {names}")
            else:
                self._end(job, "hung" if job is hung else "device_renewed")

    # -- ends ---------------------------------------------------------------------------------------------

    def _finish(self, job: Job) -> None:
        module, plan = job.module, job.module.plan
        for port, slot in job.writes:
            version = self._publish(job.deck, port, slot, job.stamp_ns, job.robot_tick)
            if plan.chunk is not None and port == plan.chunk[0] and self.control is not None:
                job.deck.rings[port].pin_latest()
                ref = ChunkRef(version.slot, version.seq, version.tick, plan.chunk[1], job.deck.context)
                self.control.chunk(ref, self._out)
        job.writes = ()
        module.consecutive_failures = 0
        module.late += self.now_ns > job.deadline_ns
        self._out.append(Finish(job.id, plan.id, job.tick, job.release_ns, job.deadline_ns, module.context))
        self._end(job, None)

    def _fail(self, job: Job, message: str) -> None:
        module = job.module
        module.consecutive_failures += 1
        if module.consecutive_failures >= module.plan.max_failures:
            self._isolate(module, f"{module.consecutive_failures} failures in a row, the last: {message}")
        self._end(job, "failed", message)

    def _end(self, job: Job, reason: str | None, detail: str = "") -> None:
        """Let go of everything that a job holds; `reason` is None if it ended well."""
        module, deck = job.module, job.deck
        for read in job.reads or ():
            deck.rings[read.port].unpin(read.slot)
        for port, slot in job.writes:
            deck.rings[port].abandon(slot)
        del self._jobs[job.id]
        module.queue.jobs.remove(job)
        self._touched.append(module)
        module.active = None
        if reason is None:
            module.finished += 1
        else:
            self._drop_ticks(module, reason, 1, detail)
        if deck.open:
            if module.shift(self.now_ns):
                self._next_due_ns = 0
            self._activate(module)

    def _isolate(self, module: ModuleState, reason: str) -> None:
        module.isolate()
        self._next_due_ns = 0
        self._drop_pending(module, "isolated")
        self._out.append(Isolate(module.plan.id, reason, module.context))

    def _drop_pending(self, module: ModuleState, reason: str) -> None:
        if module.pending:
            self._drop_ticks(module, reason, len(module.pending))
            module.pending.clear()

    def _drop_ticks(self, module: ModuleState, reason: str, times: int, detail: str = "") -> None:
        module.dropped += times
        self._out.append(Drop(module.plan.id, reason, times, detail, module.context))

    def _publish(self, deck: Deck, port: str, slot: int, stamp_ns: int, tick: int) -> Version:
        version = deck.rings[port].publish(slot, stamp_ns, tick)
        self._out.append(Publish(port, slot, version.seq, stamp_ns, tick, deck.context))
        return version

    def _settle(self) -> None:
        """Book the drops, then check the rules that hold after every event."""
        for command in self._out:
            if type(command) is Drop:
                self.drops[command.what, command.reason] += command.times
        for module in self._touched:
            if module.unexplained:
                raise InvariantError(f"{module.plan.id}: {module.unexplained} releases without a fate")
        self._touched.clear()

    # -- contexts that come and go ------------------------------------------------------------------------

    def _warm(self) -> None:
        """Launch what warms contexts up, if a device has nothing better to do."""
        while self.contexts.warming:
            deck = self.contexts.warming[0]
            job = deck.warming
            if job is None and not deck.cold:
                self.contexts.warming.popleft()
                self._out.append(Ready(deck.context))
                continue
            module = deck.cold[0] if job is None else job.module
            others = self.contexts.live.plan.mode is Mode.SEQUENTIAL and self.contexts.flying
            if (job is not None and job.in_flight) or others or not module.queue.lane.has_room:
                return
            if job is None:
                job = self._jobs[self._next_job] = deck.warm_job(self._next_job, self.now_ns)
                self._next_job += 1
            self._launch(job)

    def _warmed(self, job: Job) -> None:
        """A stage that warms its module up has ended, or was given up; a failure takes the context out."""
        if job.void is None and job.error is None and job.done < job.length:
            return
        del self._jobs[job.id]
        job.deck.warmed(job)
        if job.void is None and job.error is not None:
            reason = f"{job.module.plan.id} can't be warmed up: {job.error}"
            self._out.append(Refused(job.deck.context, reason))
            self.contexts.discard(job.deck, "failed")

    def _cancel(self, deck: Deck, reason: str) -> None:
        """Give up all that has been begun of a context."""
        if (job := deck.warming) is not None:
            job.void = reason
            if not job.in_flight:
                self._warmed(job)
        self._close(deck, reason)
