"""An independent account of what a scheduler may answer: a slow, plain model of every rule, kept beside it.

It sees events and commands (of the scheduler's inside it reads the phase, and compares the accounts), keeps
releases, slots, devices and control ticks in its own books, and raises `AssertionError` at the first command
that breaks a rule.
"""

from __future__ import annotations

from polyrhythm.schedule import Late, Overrun, Scheduler
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
    LimitSteps,
    Observe,
    ProfileSet,
    Publish,
    Ready,
    Refused,
    Renew,
    Retire,
    Sampled,
    StageDone,
    Stop,
    Switch,
    Switched,
)
from polyrhythm.simulate.audit.progress import Progress
from polyrhythm.simulate.audit.reasons import CLOSES
from polyrhythm.simulate.harness import Step

#: Why an observation that is due is not taken.
NOT_LOOKED = {"missed", "sensor_late", "no_free_slot"}
ENDS_ACTIVE = {"failed", "hung", "device_renewed", "absent", "stale"} | CLOSES


class Auditor(Progress):
    """Pass `audit` to a harness as a watcher; call `drained` when all is over.

    Args:
        plan: of the context that plays first.
        proven: what bounds there are.
        player: what decides which chunk answers a control tick.
    """

    def audit(self, scheduler: Scheduler, step: Step) -> None:
        now_ns, before_ns = step.event.now_ns, self.now_ns
        self.now_ns = now_ns
        assert step.late_ns or now_ns <= self.wakes_ns, "nobody woke up for what was due"
        self.released_now = self.demanded_now = self.begun_now = self.answered_now = False
        self.phase_now = step.phase
        self.stops = self.halted or any(isinstance(c, Halt) for c in step.commands)
        if step.late_ns:
            self._void()
            self.slowed_ns += min(step.late_ns, now_ns - before_ns)
        self._event(step)
        halts = self.stops and not self.halted and not isinstance(step.event, Stop)
        begins = self.phase != "running" and (step.phase == "running" or halts)
        for command in step.commands:
            self._command(command, begins, step)
        if step.phase == "running":
            self._grids(begins)
            self._demands()
        if self.live.latches:
            self._latched()
        self._waits_for_an_instant(step)
        self.phase = step.phase
        assert step.phase == "stopped" or self.live.ready
        self._goes_on(step)
        self._profile_account()
        if step.phase == "running":
            self._work_conserving()
            self._control_account()
        self._unforeseen(step.event, step.commands)
        self._sound()
        self._fences(step)
        self._compare(scheduler)
        assert scheduler.now_ns == now_ns

    def _event(self, step: Step) -> None:
        self.ready_to_publish = self.ended_job = None
        self.renewed, self.hung, self.unclear = [], [], []
        event = step.event
        self._excuse(step)
        self._profile_event(event)
        if isinstance(event, StageDone):
            self._stage_done(event)
        elif isinstance(event, Acted):
            self._acted(event.tick, now_ns=self.now_ns - step.late_ns)
        elif isinstance(event, EpisodeEnd):
            if self.phase == "running":
                self._episode_end()
        elif isinstance(event, Stop) and not self.halted:
            self.chunks.forget()
            for context in self.contexts.values():
                context.close("stopped")
        elif isinstance(event, (Admit, Switch, Retire)):
            self._ask(event)
        elif isinstance(event, Sampled):
            slot, _ = self.asked.get((event.context, event.port), (None, 0))
            unasked = any(isinstance(c, Drop) and c.reason == "unasked" for c in step.commands)
            assert slot == event.slot or unasked, "nobody asked for it, and that is not counted"
        elif isinstance(event, LimitSteps) and event.context in self.contexts:
            for maker in self.contexts[event.context].makers.values():
                maker.most = event.most

    def _stage_done(self, event: StageDone) -> None:
        job = self.jobs.get(event.job)
        if job is None or event.stage != job.stage(job.done) or job.launched == job.done:
            return
        if job.tick >= 0:
            if job.plan.loop is not None:
                job.module.steps.add(event.stage, event.took_ns)
            self._charge(job, event)
            self._kept(job, event)
        job.done += 1
        job.error |= event.error is not None
        self.flying[job.plan.device].remove(job)
        if job.done == job.launched:
            self.ended_job = job
        if job.tick < 0:
            if job.error or job.void or job.done == job.length:
                self._warmed(job)
        elif not job.error and job.done == job.length:
            self.ready_to_publish = job

    def _episode_end(self) -> None:
        self.chunks.forget()
        self.cursor = 0
        self.waits.clear()
        self.looked.clear()
        for context in self.contexts.values():
            context.newest = dict.fromkeys(context.newest)
            context.close("old_epoch")
            for m in context.modules:
                m.count_from(0)

    def _command(self, command: Command, begins: bool, step: Step) -> None:
        if isinstance(command, (Act, Hold, Decelerate)):
            self._answer(command, begins)
        elif isinstance(command, Publish):
            self._publish(command, step.event)
        elif isinstance(command, (Launch, Defer)):
            assert not self.halted
            self._grids(begins)
            self._demands()
            if isinstance(command, Launch):
                self._launch(command)
            else:
                self._defer(command)
        elif isinstance(command, Observe):
            self._observe(command)
        elif isinstance(command, Finish):
            self._finish(command)
        elif isinstance(command, Drop):
            self._drop(command, begins, step)
        elif isinstance(command, Isolate):
            module = self.contexts[command.context].by_id[command.module]
            assert not module.isolated
            self._taken_out(module, command.reason)
            module.isolated = True
        elif isinstance(command, Renew):
            self._renew(command.device, command.module)
        elif isinstance(command, (Ready, Refused, Switched, Drained)):
            self._begin(begins and isinstance(command, Switched))
            self._context(command, step.event)
        elif isinstance(command, ProfileSet):
            self._begin(begins)
            if step.phase == "running":
                self._grids(begins)
            self._profile_set(command.name)
        else:
            self._halt(step.event, begins)

    def _observe(self, observe: Observe) -> None:
        port, slot, context = observe.port, observe.slot, observe.context
        assert context == self.live.number and (context, port) not in self.asked
        self._writable(self.live, port, slot)
        self.live.slots[port][slot].writer = "robot"
        self.asked[context, port] = (slot, self.cursor)
        self.looked[port] = self.looked.get(port, 0) + 1

    def _halt(self, event: Event, begins: bool) -> None:
        assert not self.halted
        if self.ran_out:
            assert self.plan.control is not None and self.plan.control.late is Late.STOP
        else:
            assert isinstance(event, Stop) or self.went_stale, "it halts, and nothing says so"
        if not isinstance(event, Stop):
            self._grids(begins)
            self._demands()
        self.halted = True
        self.chunks.forget()
        for book in self.contexts.values():
            book.close("stopped")

    def _finish(self, finish: Finish) -> None:
        m = self.contexts[finish.context].by_id[finish.module]
        job = m.active
        assert job is not None and job is self.ready_to_publish and job.id == finish.job and not job.void
        assert (finish.tick, finish.release_ns) == (job.tick, job.release_ns)
        assert finish.deadline_ns == job.deadline_ns
        assert job.first is not None
        for port, slot in job.first.writes:
            assert m.context.slots[port][slot].writer != job.id, f"{port} was never published"
        m.finished += 1
        m.ended += 1
        m.failures = 0
        self._within(job, finish)
        self._ended(m, running=True)

    def _drop(self, drop: Drop, begins: bool, step: Step) -> None:
        event = step.event
        assert drop.times > 0 and drop.reason
        self.drops[drop.what, drop.reason] += drop.times
        if drop.what == "control":
            self._grids(begins)
            self._unanswered(drop)
            self.answered += drop.times
            return
        if drop.reason == "unasked":  # perhaps of a context that has gone
            self._unasked(drop, event)
            return
        context = self.contexts[drop.context]
        m = context.by_id.get(drop.what)
        if m is None:
            self._not_seen(drop, event)
            if drop.reason in NOT_LOOKED and drop.context == self.live.number:
                self.looked[drop.what] = self.looked.get(drop.what, 0) + drop.times
            if drop.reason in CLOSES:
                slot, _ = self.asked.pop((drop.context, drop.what))
                context.slots[drop.what][slot].writer = None
            return
        if drop.reason == "profile":
            if not m.forgone:
                self._begin(begins)
                self._try_open(self.live)
                m.forgone = m.forgo(self.now_ns)
            assert drop.times <= m.forgone
            m.forgone -= drop.times
        if drop.reason == "overrun" or (
            drop.reason in {"absent", "stale"} and (m.active is None or not self.live.latches)
        ):
            self._grids(begins)
            self._demands()
        if drop.reason == "stopped" and not isinstance(event, Stop) and not self.halted:
            self._grids(begins)
            self._demands()
        if drop.reason in {"absent", "stale"}:
            self._unfit(m, drop)
            self._judged(m)
        self._given_up(m, drop, step.commands)
        m.ended += drop.times
        m.failures += drop.reason == "failed"
        # It ended a stage, and has not been launched again since: it ends as well, and alone.
        ends = m.active is not None and m.active is self.ended_job and m.active.done == m.active.launched
        if drop.reason == "isolated" or (
            drop.reason in CLOSES
            and not (ends and drop.times == 1)
            and m.pending
            and len(m.pending) == drop.times
        ):
            assert len(m.pending) == drop.times
            m.pending = []
        elif drop.reason in ENDS_ACTIVE and m.active is not None:
            closes = drop.reason in CLOSES and not m.active.void
            self._ended(m, running=context.open and not closes)

    def _compare(self, scheduler: Scheduler) -> None:
        assert dict.__eq__(scheduler.drops, self.drops)  # a counter's own is slow
        assert scheduler.contexts.decks.keys() == self.contexts.keys()
        assert scheduler.contexts.live.context == self.live.number
        for port, times in self.chunks.late.items():
            assert self.drops[port, "wholly_late"] == times, "a chunk that comes too late is told of"
        for number, context in self.contexts.items():
            assert not context.open or (context is self.live and self.phase == "running")
            if context.leaving:
                held = not context.empty() or number in self.chunks.contexts
                assert held, "an empty context stays"
            states = scheduler.contexts.decks[number].modules
            assert len(states) == len(context.modules)
            for i, m in enumerate(context.modules):
                state = states[i]
                assert m.active is not None or not m.pending, "a tick waits for nothing"
                assert not m.forgone, "a drop by the profile was not counted"
                waiting = len(m.pending) + (m.active is not None)
                assert m.released == m.ended + waiting, f"{m.plan.id}: the account does not balance"
                assert state.released == state.finished + state.dropped + waiting
                assert state.released == m.released and state.finished == m.finished
                if m.pending or state.pending:
                    assert list(state.pending) == m.pending
                    assert m.plan.on_overrun is not Overrun.SKIP or len(m.pending) == 1

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
