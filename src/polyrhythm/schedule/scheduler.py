"""The scheduler core: events in, commands out. No threads, no clocks, no sleeping, integer nanoseconds.

The runtime drives it with the monotonic clock; tests, lockstep runs and replays drive the very same object
with a virtual one. `handle` looks at one event, then at every grid instant that has come, then gives each
device the most urgent stage that can run.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from polyrhythm.schedule.budget import Budgets
from polyrhythm.schedule.contexts import STOPPED, Contexts
from polyrhythm.schedule.control import Control
from polyrhythm.schedule.deck import WARM_TICK, Deck
from polyrhythm.schedule.events import (
    Acted,
    Admit,
    Command,
    Drop,
    EpisodeEnd,
    Event,
    Finish,
    Halt,
    Isolate,
    Launch,
    LimitSteps,
    ProfileSet,
    Publish,
    Read,
    Ready,
    Refused,
    Renew,
    Sampled,
    SetProfile,
    StageDone,
    Start,
    Stop,
    Switch,
    Switched,
    Wake,
)
from polyrhythm.schedule.jobs import Input, Job, ModuleState
from polyrhythm.schedule.lanes import NEVER_NS, Lane
from polyrhythm.schedule.plan import Mode, OnStale, SchedulePlan
from polyrhythm.schedule.playback import ChunkRef, Playback
from polyrhythm.schedule.policy import Order, first, producers_first
from polyrhythm.schedule.profiles import PROFILE, Profiles
from polyrhythm.schedule.slots import Freshness, InvariantError, SlotRing, Version

#: A wake-up this late means that the host stood still, perhaps with its devices: no stage is blamed for it.
HOST_AWAY_NS: Final = 250_000_000


class Scheduler:
    """Decides, and does nothing else.

    `phase` goes ``idle -> draining -> priming -> running -> ended -> draining ...``: an episode starts once
    nothing of the last one is in flight and the first observations have come; ``stopped`` is for good.

    There may be several contexts (`Admit`), of which one is live. The others keep what they have, and what
    devices hold of them counts; nothing else happens to them until they are switched to, or retired.

    Args:
        plan: the numbers of the context that is live first.
        playback: which chunk answers a control tick; needed when the plan has a `control` part.
        context: its number.
    """

    def __init__(self, plan: SchedulePlan, playback: Playback | None = None, context: int = 0) -> None:
        self.phase = "idle"
        self.now_ns = 0
        #: (what, reason) -> count of everything that was dropped.
        self.drops: Counter[tuple[str, str]] = Counter()
        self.control: Control | None = None
        self.contexts = Contexts(context, plan, self._cancel)
        self.profiles = Profiles(plan.profile)
        self.profiles.apply(self.contexts.live)
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

    # -- the border -------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Command]:
        """Take one event; returns what is to be done, in this order."""
        if event.now_ns < self.now_ns:
            raise InvariantError(f"time ran backwards: {event} after {self.now_ns}")
        self.now_ns = event.now_ns
        self._out = []
        self._take(event)
        if self.phase in ("draining", "priming"):
            self._try_run()
        if self.phase == "running":
            if not self.contexts.live.open:
                self._try_open(self.contexts.live)
            if self.contexts.live.suspended:
                self._forgo(self.contexts.live)
            if self.now_ns >= self._next_due_ns:
                self._instants()
            self._dispatch()
        if self._halt is not None:
            self._stop(self._halt)
        if self.contexts.warming:
            self._warm()
        if self.contexts.leaving:
            self.contexts.see_off(self._out)
        if self.profiles.due_ns != NEVER_NS:
            self._profile_due()
        self._settle()
        return self._out

    def _take(self, event: Event) -> None:
        if isinstance(event, StageDone):  # what comes most often comes first
            self._stage_done(event)
        elif isinstance(event, Wake):
            self._watch()
        elif isinstance(event, Acted):
            self._acted(event)
        elif isinstance(event, Sampled):
            self._sampled(event)
        elif isinstance(event, Start):
            self._start()
        elif isinstance(event, EpisodeEnd):
            self._episode_end()
        elif isinstance(event, Stop):
            self._stop(event.reason)
        elif isinstance(event, SetProfile):
            self._set_profile(event)
        elif isinstance(event, LimitSteps):
            self._limit_steps(event)
        elif isinstance(event, Admit):
            self._admit(event)
        elif isinstance(event, Switch):
            self._switch(event)
        else:
            self.contexts.retire(event.context, self._out)

    def wakeup_ns(self) -> int | None:
        """The next instant at which `handle(Wake)` has something to do, or None."""
        due_ns = self.next_ns()
        return None if due_ns == NEVER_NS else due_ns

    def next_ns(self) -> int:
        """The same, `NEVER_NS` for None."""
        due_ns = NEVER_NS
        if self.phase == "running":
            due_ns = self._next_due_ns or self._look_ahead()
            if self._budgets.any:
                due_ns = min(due_ns, self._budgets.due_ns(self.contexts.live.queues.values(), self.now_ns))
        for lane in self.contexts.lanes.values():
            due_ns = min(due_ns, lane.hangs_at_ns)
        return due_ns

    def _look_ahead(self) -> int:
        due_ns = self.profiles.due_ns
        if self.control is not None:
            due_ns = min(due_ns, self.control.next_instant_ns)
        for module in self.contexts.live.modules:
            if not module.suspended:
                due_ns = min(due_ns, module.next_release_ns)
        self._next_due_ns = due_ns
        return due_ns

    @property
    def plan(self) -> SchedulePlan:
        """The numbers of the context that is live."""
        return self.contexts.live.plan

    @property
    def rings(self) -> dict[str, SlotRing]:
        """The slots of the context that is live."""
        return self.contexts.live.rings

    @property
    def modules(self) -> list[ModuleState]:
        """The modules of the context that is live."""
        return self.contexts.live.modules

    @property
    def drained(self) -> bool:
        """Nothing is in flight, neither a stage nor an observation nor an action."""
        return self._robot_rests and not self.contexts.flying

    @property
    def _robot_rests(self) -> bool:
        return self.control is None or not (self.control.sampling or self.control.acting is not None)

    def in_flight(self, job: int) -> bool:
        """Whether a device holds a stage of this job: not any more if its queue was left behind."""
        found = self._jobs.get(job)
        return found is not None and found.in_flight > 0

    # -- events -----------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self.phase in ("idle", "ended"):
            self.phase = "draining"

    def _try_run(self) -> None:
        if self.phase == "draining" and self._calm:
            self.phase = "priming"
            if self.control is not None:
                self.control.observe_all(self._out)
        if self.phase == "priming" and self._calm:
            self.phase = "running"
            self.contexts.live.begin(self.now_ns, afresh=True)
            if self.control is not None:
                self.control.anchor(self.now_ns)
            self._next_due_ns = 0

    @property
    def _calm(self) -> bool:
        """Nothing of an episode is in flight."""
        return self._robot_rests and self._devices_rest

    @property
    def _devices_rest(self) -> bool:
        """No device holds a stage, but for those that only warm their modules up."""
        flights = (flight for lane in self.contexts.lanes.values() for flight in lane.flying)
        return all(flight.job.tick == WARM_TICK for flight in flights)

    def _sampled(self, event: Sampled) -> None:
        assert self.control is not None
        port, slot, deck = event.port, event.slot, self.contexts.decks.get(event.context)
        tick = None if deck is None else self.control.sampled(event.context, port, slot)
        if deck is None or tick is None:
            self._out.append(Drop(port, "unasked", context=event.context))
        elif deck is self.contexts.live and self.phase in ("running", "priming"):
            self._publish(deck, port, slot, event.stamp_ns, tick)
            deck.awaits.discard(port)
        else:
            deck.rings[port].abandon(slot)
            over = self.phase != "running" or deck is self.contexts.live
            reason = self._void_reason if over else "switched"
            self._out.append(Drop(port, reason, context=event.context))

    def _stage_done(self, event: StageDone) -> None:
        job = self._jobs.get(event.job)
        if job is None or event.stage != job.stage(job.done) or not job.in_flight:
            return  # its job was given up when the device was renewed, or it is a duplicate
        if job.tick != WARM_TICK:
            if job.module.plan.loop is not None:
                job.module.took_ns[event.stage].append(event.ended_ns - event.started_ns)
            self._budgets.charge(job, event.started_ns, event.ended_ns)
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

    def _acted(self, event: Acted) -> None:
        assert self.control is not None
        self.control.acted(event.tick, self.now_ns, self._out)
        self._late()

    def _late(self) -> None:
        assert self.control is not None
        if self.control.ran_out:
            self._halt = "the action chunks ran out (late: stop)"

    def _episode_end(self) -> None:
        if self.phase == "running":
            self.phase = "ended"
            self._void()
            for deck in self.contexts.decks.values():
                deck.forget()
            if self.contexts.next is not None:
                self._flip(self.contexts.next)

    def _stop(self, reason: str) -> None:
        self._halt = None
        if self.phase != "stopped":
            self.phase = "stopped"
            self._void()
            self.contexts.stop(self._out)
            self._out.append(Halt(reason))

    def _limit_steps(self, event: LimitSteps) -> None:
        if (deck := self.contexts.decks.get(event.context)) is not None:
            for module in deck.modules:
                if module.plan.chunk is not None:
                    module.most = event.most

    def _set_profile(self, event: SetProfile) -> None:
        if self.profiles.ask(event.name, self.now_ns):
            for deck in self.contexts.decks.values():
                self._forgo(deck)
                planned = deck.chunk_ticks
                self.profiles.apply(deck)
                if self.control is not None and deck.chunk_ticks != planned:
                    self.control.repace(deck)
                for module in deck.suspended:
                    self._drop_pending(module, PROFILE)
                self._touched += deck.modules
            self._next_due_ns = 0

    def _profile_due(self) -> None:
        """Where nothing is released a profile is in force at once: the next episode starts with it."""
        if not self.contexts.live.open or self.profiles.due_ns <= self.now_ns:
            self.profiles.due_ns = NEVER_NS
            self._next_due_ns = 0
            self._out.append(ProfileSet(self.profiles.name))

    def _forgo(self, deck: Deck) -> None:
        """Count the ticks that suspended modules would have had; nobody wakes up for them."""
        for module in deck.suspended:
            if module.next_release_ns <= self.now_ns:
                self._drop_ticks(module, PROFILE, module.release(self.now_ns))
                self._touched.append(module)

    @property
    def _void_reason(self) -> str:
        return "stopped" if self.phase == "stopped" else "old_epoch"

    def _void(self) -> None:
        """The episode is over: nothing of any context goes on."""
        for deck in self.contexts.decks.values():
            self._close(deck, self._void_reason)
        if self.control is not None:
            self.control.reset()

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

    # -- instants ---------------------------------------------------------------------------------------

    def _instants(self) -> None:
        if self.control is not None and self.control.next_instant_ns <= self.now_ns:
            if self.contexts.next is not None:
                self._flip(self.contexts.next)
            self.control.instant(self.now_ns, self._out)
            self._late()
            live = self.contexts.live
            for module in live.on_demand if live.open else ():
                if self.control.has_room():
                    module.demand(self.now_ns)
                    self._activate(module)
                    self._touched.append(module)
        for module in self.contexts.live.modules:
            while module.next_release_ns <= self.now_ns:
                if dropped := module.release(self.now_ns):
                    self._drop_ticks(module, "overrun", dropped)
                self._activate(module)
                self._touched.append(module)
        self._look_ahead()

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

    # -- inputs -----------------------------------------------------------------------------------------

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
            refusal = self._judge(job.module, link, freshness)
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

    def _judge(self, module: ModuleState, link: Input, freshness: Freshness) -> str | None:
        """The reason not to run on this input, or None. Applies the link's `on_stale`."""
        if freshness is Freshness.FRESH:
            if self.control is not None and self.control.waiting_links:
                self.control.waiting_links.discard(link.label)
            return None
        if freshness is Freshness.ABSENT:
            return "absent"
        on_stale = link.plan.on_stale
        if on_stale is OnStale.USE:
            module.stale_used += 1
            return None
        if on_stale is OnStale.HOLD and self.control is not None:
            self.control.waiting_links.add(link.label)
        elif on_stale is OnStale.STOP:
            self._halt = f"link {link.label} is stale"
        return "stale"

    # -- devices ----------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Fill every device with the most urgent stages that can run."""
        live = self.contexts.live
        if live.plan.mode is Mode.SEQUENTIAL:
            while (job := self._turn()) is not None:
                self._try_launch(job)
            return
        for queue in live.queues.values():
            while queue.jobs and queue.lane.has_room:
                job = self._first([j for j in queue.jobs if j.ready], queue.order)
                if job is None:
                    break
                self._try_launch(job)

    def _turn(self) -> Job | None:
        """`sequential`: the job under way goes on until it ends, then the first in order begins."""
        jobs = [job for queue in self.contexts.live.queues.values() for job in queue.jobs]
        job = next((j for j in jobs if j.launched), None)
        if job is None and not self.contexts.flying:
            job = self._first(jobs, producers_first)
        return job if job is not None and job.ready and job.module.queue.lane.has_room else None

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
        if job.launched == 0 and job.tick != WARM_TICK:
            job.writes, job.most = job.deck.claim(plan.outputs), job.module.most
            if plan.chunk is not None and self.control is not None:
                splice = self.control.splice(job.robot_tick)
        if loop is not None and job.skipped is None and job.launched == loop.first:
            job.skipped = job.module.steps_to_skip(loop, job.deadline_ns - self.now_ns)
        stage = job.stage(job.launched)
        job.launched += 1
        job.module.queue.lane.take(job, stage, self.now_ns)
        self._out.append(
            Launch(
                job.id, plan.id, job.tick, stage, plan.device, job.reads or (), job.writes,
                job.skipped or 0, splice, job.deck.context,
            )
        )  # fmt: skip

    def _watch(self) -> None:
        """A stage that does not end takes its module out; its queue is left behind, with what stood in it."""
        for lane in self.contexts.lanes.values():
            if (over_ns := self.now_ns - lane.hangs_at_ns) < 0:
                continue
            if over_ns > HOST_AWAY_NS:
                lane.flying[0].since_ns = self.now_ns
            else:
                self._renew(lane)

    def _renew(self, lane: Lane) -> None:
        hung, stranded = lane.flying[0].job, {flight.job.id: flight.job for flight in lane.flying}
        lane.flying.clear()
        self._out.append(Renew(lane.device, hung.module.plan.id))
        if hung.tick != WARM_TICK:
            self._isolate(hung.module, "hung")
        for job in stranded.values():
            if job.tick == WARM_TICK:
                job.error = f"{hung.module.plan.id} hung on {lane.device}"
                self._warmed(job)
            else:
                self._end(job, "hung" if job is hung else "device_renewed")

    # -- ends -------------------------------------------------------------------------------------------

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

    # -- contexts ---------------------------------------------------------------------------------------

    def _admit(self, event: Admit) -> None:
        if self.phase == "stopped":
            self._out.append(Refused(event.context, STOPPED))
        elif (deck := self.contexts.admit(event, self._out)) is not None:
            self.profiles.apply(deck)

    def _switch(self, event: Switch) -> None:
        if self.phase == "stopped":
            self._out.append(Refused(event.context, STOPPED))
            return
        deck = self.contexts.choose(event.context, self._out)
        if deck is not None and (self.control is None or self.phase in ("idle", "ended", "draining")):
            self._flip(deck)

    def _flip(self, deck: Deck) -> None:
        """Another context plays from now on, as soon as its own observations are there and no device holds
        a stage of the last one. Until its first chunk comes, the playback goes on with what it has."""
        contexts = self.contexts
        contexts.next = None
        if deck is not contexts.live:
            self._close(contexts.live, "switched")
            contexts.live = deck
            if self.control is not None:
                self.control.attach(deck, self.now_ns)
            if self.phase == "running":
                deck.awaits.update(() if deck.plan.control is None else deck.plan.control.observations)
                self._try_open(deck)
        self._out.append(Switched(deck.context))

    def _try_open(self, deck: Deck) -> None:
        """What is released finds its device as it was proven: a stage carried over would block it."""
        if not deck.awaits and self._devices_rest:
            deck.begin(self.now_ns, afresh=False)
            self._next_due_ns = 0

    def _warm(self) -> None:
        """Launch what warms contexts up, if a device has nothing better to do."""
        while self.contexts.warming:
            deck = self.contexts.warming[0]
            job = deck.warming
            if job is None and deck.cold:
                job = deck.warm_job(self._next_job, self.now_ns)
                self._jobs[job.id] = job
                self._next_job += 1
            if job is None:
                self.contexts.warming.popleft()
                self._out.append(Ready(deck.context))
                continue
            others = self.plan.mode is Mode.SEQUENTIAL and self.contexts.flying
            if job.in_flight or others or not job.module.queue.lane.has_room:
                return
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

    def _settle(self) -> None:
        """Book the drops, then check the rules that hold after every event."""
        for command in self._out:
            if type(command) is Drop:
                self.drops[command.what, command.reason] += command.times
        for module in self._touched:
            if module.unexplained:
                raise InvariantError(f"{module.plan.id}: {module.unexplained} releases without a fate")
        self._touched.clear()
