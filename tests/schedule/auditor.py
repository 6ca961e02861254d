"""An independent account of what a scheduler may answer: a slow, plain model of every rule, kept beside it.

It sees events and commands (of the scheduler's inside it reads the phase, and compares the accounts), keeps
releases, slots, devices and control ticks in its own books, and raises `AssertionError` at the first command
that breaks a rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from polyrhythm.schedule import (
    CATCH_UP_LIMIT,
    Late,
    Mode,
    ModulePlan,
    OnStale,
    Overrun,
    SchedulePlan,
    Scheduler,
)
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Command,
    Decelerate,
    Drop,
    EpisodeEnd,
    Event,
    Finish,
    Halt,
    Hold,
    Isolate,
    Launch,
    Observe,
    Publish,
    Renew,
    Sampled,
    StageDone,
    Stop,
)
from tests.schedule.chunk_auditor import ChunkBook, StepBook
from tests.schedule.harness import Step

ENDS_ACTIVE = {"failed", "hung", "device_renewed", "absent", "stale", "old_epoch", "stopped"}


@dataclass
class _Job:
    tick: int
    release_ns: int
    module: int
    id: int | None = None
    launched: int = 0
    done: int = 0
    skipped: int | None = None  #: steps left out; None: no step has been launched
    error: bool = False
    first: Launch | None = None


@dataclass
class _Module:
    plan: ModulePlan
    index: int
    origin_ns: int = 0
    next: int = 0
    shift_ns: int = 0
    active: _Job | None = None
    pending: list[int] = field(default_factory=list)
    isolated: bool = False
    failures: int = 0
    released: int = 0
    fates: Counter[str] = field(default_factory=Counter)
    steps: StepBook = field(init=False)

    def __post_init__(self) -> None:
        self.steps = StepBook(self.plan)

    @property
    def shifts(self) -> bool:
        return self.plan.on_overrun is Overrun.SHIFT and not self.plan.on_demand

    def at(self, k: int) -> int:
        p = self.plan.period_ns
        return self.origin_ns + self.plan.phase_ns + self.shift_ns + k * p.numerator // p.denominator


@dataclass
class _Slot:
    seq: int | None = None
    stamp_ns: int = 0
    tick: int = 0
    writer: int | str | None = None
    readers: Counter[object] = field(default_factory=Counter)


class Auditor:
    """Pass `audit` to a harness as a watcher; call `drained` when all is over."""

    def __init__(self, plan: SchedulePlan) -> None:
        self.plan = plan
        self.modules = [_Module(m, i) for i, m in enumerate(plan.modules)]
        self.by_id = {m.plan.id: m for m in self.modules}
        self.slots = {port: [_Slot() for _ in range(depth)] for port, depth in plan.ports.items()}
        self.newest: dict[str, int | None] = dict.fromkeys(plan.ports)
        self.seqs = dict.fromkeys(plan.ports, 0)
        self.flying: dict[str, list[_Job]] = {d: [] for d in plan.devices}
        self.jobs: dict[int, _Job] = {}
        self.asked: dict[str, tuple[int, int]] = {}
        self.acting: int | None = None
        self.cursor = 0
        self.instants = 0
        self.answered: Counter[str] = Counter()
        self.origin_ns = 0
        self.phase = "idle"
        self.chunks = ChunkBook(plan)
        self.instants_seen = 0  # control instants up to now
        self.halted = self.ran_out = False
        self.drops: Counter[tuple[str, str]] = Counter()
        self.chunk_of = {m.chunk[0]: m for m in plan.modules if m.chunk is not None}
        self.ready_to_publish: _Job | None = None

    # -- one step -----------------------------------------------------------------------------------------

    def audit(self, scheduler: Scheduler, step: Step) -> None:
        now_ns, self.now_ns = step.event.now_ns, step.event.now_ns
        self.released_now = self.demanded_now = False
        self.event = step.event
        self._event(step.event)
        begins = self.phase != "running" and step.phase == "running"
        for command in step.commands:
            self._command(command, begins, step)
        if step.phase == "running":
            self._grids(begins)
            self._demands()
        self.phase = step.phase
        assert all(not m.pending or m.active for m in self.modules)
        if step.phase == "running":
            self._work_conserving()
            self._control_account()
        self._compare(scheduler)
        assert scheduler.now_ns == now_ns

    def _event(self, event: Event) -> None:
        self.ready_to_publish = None
        match event:
            case StageDone(_, id_, stage, started_ns, ended_ns, error):
                job = self.jobs.get(id_)
                if job is None or stage != self._stage(job, job.done) or job.launched == job.done:
                    return
                self.modules[job.module].steps.add(stage, ended_ns - started_ns)
                job.done += 1
                job.error |= error is not None
                self.flying[self._plan_of(job).device].remove(job)
                if not job.error and job.done == self._length(job):
                    self.ready_to_publish = job
            case Acted(_, tick):
                self.acting = None if tick == self.acting else self.acting
            case EpisodeEnd() if self.phase == "running":
                self.chunks.forget()
                self.cursor = 0
                self.newest = dict.fromkeys(self.newest)
            case Stop():
                self.chunks.forget()

    def _command(self, command: Command, begins: bool, step: Step) -> None:
        match command:
            case Launch():
                assert not self.halted
                self._grids(begins)
                self._demands()
                self._launch(command)
            case Publish():
                self._publish(command, step.event)
            case Finish():
                self._finish(command)
            case Drop():
                self._drop(command, begins)
            case Observe(port, slot):
                assert port not in self.asked
                self._writable(port, slot)
                self.slots[port][slot].writer = "robot"
                self.asked[port] = (slot, self.cursor)
            case Act() | Hold() | Decelerate():
                self._answer(command, begins)
            case Isolate(name, reason):
                module = self.by_id[name]
                assert not module.isolated
                assert reason == "hung" or module.failures + 1 == module.plan.max_failures
                module.isolated = True
            case Renew(device, name):
                head = self.flying[device][0]
                assert self._plan_of(head).id == name
                self.stranded, self.flying[device] = self.flying[device], []
            case Halt():
                assert not self.halted
                if self.ran_out:
                    assert self.plan.control is not None and self.plan.control.late is Late.STOP
                else:
                    assert isinstance(step.event, Stop)
                self.halted = True
                self.chunks.forget()

    # -- releases -----------------------------------------------------------------------------------------

    def _grids(self, begins: bool) -> None:
        """Let every grid instant up to now happen, once per step."""
        if self.released_now:
            return
        self.released_now = True
        if begins:
            self.origin_ns, self.instants_seen = self.now_ns, 0
            self.answered.clear()
            for m in self.modules:
                m.origin_ns, m.next, m.shift_ns, m.pending = self.now_ns, 0, 0, []
                assert m.active is None, "an episode begins with nothing under way"
        for m in self.modules:
            if m.plan.on_demand:
                continue
            shifts = m.shifts
            while not m.isolated and not (shifts and m.active) and m.at(m.next) <= self.now_ns:
                m.pending.append(m.next)
                m.released += 1
                m.next += 1
                if shifts:
                    self._activate(m)
                    if self.plan.mode.latches_at_release and not self._could_latch(m):
                        m.active = None  # its drop has been seen or will be
                        m.shift_ns += max(0, self.now_ns - m.at(m.next))
            self._trim(m)
            self._activate(m)

    def _demands(self) -> None:
        """Release what is made on demand: at a control instant, after its answer, if a buffer is free."""
        if self.demanded_now or self.plan.control is None:
            return
        self.demanded_now = True
        p = self.plan.control.period_ns
        due = -(-(self.now_ns - self.origin_ns + 1) * p.denominator // p.numerator)
        came, self.instants_seen = due > self.instants_seen, due
        for m in self.modules if came else ():
            if m.plan.on_demand and not m.isolated and m.active is None and self.chunks.has_room(self.cursor):
                assert not m.pending
                m.released += 1
                m.active = _Job(m.next, self.now_ns, m.index)
                m.next += 1

    def _could_latch(self, m: _Module) -> bool:
        return all(
            self.newest[link.source] is not None
            and (
                link.on_stale is OnStale.USE
                or link.max_age_ns is None
                or self.now_ns - self._newest(link.source).stamp_ns <= link.max_age_ns
            )
            for link in m.plan.inputs
        )

    def _trim(self, m: _Module) -> None:
        limit = {Overrun.SKIP: 1, Overrun.CATCH_UP: CATCH_UP_LIMIT}.get(m.plan.on_overrun)
        m.pending = m.pending[-limit:] if limit else m.pending

    def _activate(self, m: _Module) -> None:
        if m.active is None and m.pending:
            tick = m.pending.pop(0)
            m.active = _Job(tick, m.at(tick), m.index)

    def _ended(self, m: _Module, running: bool) -> None:
        job, m.active = m.active, None
        assert job is not None
        if job.id is not None:
            del self.jobs[job.id]
            assert job.first is not None
            for read in job.first.reads:
                self.slots[read.port][read.slot].readers[job.id] -= 1
            for port, slot in job.first.writes:
                if self.slots[port][slot].writer == job.id:
                    self.slots[port][slot].writer = None
        late_ns = self.now_ns - m.at(m.next)
        if running and m.shifts and not m.isolated and late_ns >= 0:
            m.shift_ns += late_ns
            m.pending.append(m.next)
            m.released += 1
            m.next += 1
        if running:
            self._activate(m)

    # -- devices ------------------------------------------------------------------------------------------

    def _launch(self, launch: Launch) -> None:
        m = self.by_id[launch.module]
        job = m.active
        assert job is not None and job.tick == launch.tick
        loop = m.plan.loop
        if loop is not None and job.launched == loop.first:
            job.skipped = m.steps.left_out(self.now_ns, job.done, job.release_ns + m.plan.deadline_ns)
        assert launch.skipped == (job.skipped or 0), "steps are chosen once, from the slack"
        assert launch.stage == self._stage(job, job.launched), "stages go in order"
        assert not job.error and not m.isolated
        assert job.release_ns <= self.now_ns
        flying = self.flying[launch.device]
        assert len(flying) < self.plan.devices[launch.device], "more than K in flight"
        assert job is self._next_on(launch.device), "a less urgent stage was launched"
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

    def _stage(self, job: _Job, position: int) -> int:
        loop = self._plan_of(job).loop
        return position if loop is None or position < loop.first else position + (job.skipped or 0)

    def _length(self, job: _Job) -> int:
        return len(self._plan_of(job).stages) - (job.skipped or 0)

    def _splice(self, launch: Launch, m: _Module) -> None:
        if m.plan.chunk is None or self.plan.control is None:
            assert launch.splice is None
            return
        assert launch.splice is not None
        seen = [self.slots[r.port][r.slot].tick for r in launch.reads if r.port.startswith("robot.")]
        made = [self.slots[r.port][r.slot].tick for r in launch.reads if not r.port.startswith("robot.")]
        self.chunks.check(launch.splice, self.cursor, seen or made)

    def _next_on(self, device: str) -> _Job | None:
        """The oracle: which job's stage has to go next on a device with room."""
        live = [m.active for m in self.modules if m.active is not None]
        if self.plan.mode is Mode.SEQUENTIAL:
            begun = [j for j in live if j.launched]
            assert len(begun) <= 1, "two jobs at once in sequential mode"
            order = [(j.release_ns, self._plan_of(j).rank, j.module, j) for j in live]
            turn = begun[0] if begun else min(order)[3] if order else None
            ready = turn is not None and self._plan_of(turn).device == device and self._has_stage(turn)
            return turn if ready else None
        ready_jobs = [
            (self._plan_of(j).priority, j.release_ns + self._plan_of(j).deadline_ns, j.module, j)
            for j in live
            if self._plan_of(j).device == device and self._has_stage(j)
        ]
        return min(ready_jobs, key=lambda r: r[:3])[3] if ready_jobs else None

    def _has_stage(self, job: _Job) -> bool:
        return not job.error and job.launched < self._length(job)

    def _work_conserving(self) -> None:
        for device, k in self.plan.devices.items():
            if len(self.flying[device]) < k:
                blocked = self._next_on(device)
                assert blocked is None, f"{self._plan_of(blocked).id} could run on {device} and does not"

    def _plan_of(self, job: _Job) -> ModulePlan:
        return self.plan.modules[job.module]

    # -- slots --------------------------------------------------------------------------------------------

    def _newest(self, port: str) -> _Slot:
        slot = self.newest[port]
        assert slot is not None
        return self.slots[port][slot]

    def _writable(self, port: str, slot: int) -> None:
        held = self.slots[port][slot]
        assert held.writer is None, f"two writers of {port}[{slot}]"
        assert not +held.readers, f"{port}[{slot}] is written while read"
        assert self.newest[port] != slot, f"the newest of {port} is overwritten"
        assert not self.chunks.holds(port, slot), "a chunk that plays or waits is overwritten"

    def _take_slots(self, launch: Launch, m: _Module) -> None:
        assert [(r.input, r.port) for r in launch.reads] == [(i.name, i.source) for i in m.plan.inputs]
        for read, link in zip(launch.reads, m.plan.inputs, strict=True):
            slot = self.slots[read.port][read.slot]
            assert slot.seq == read.seq and slot.writer is None, "the content read is not what was latched"
            slot.readers[launch.job] += 1
            if not self.plan.mode.latches_at_release:
                assert self.newest[read.port] == read.slot, "not the newest"
                assert read.age_ns == self.now_ns - slot.stamp_ns
            assert read.age_ns >= 0
            if link.max_age_ns is not None and read.age_ns > link.max_age_ns:
                assert link.on_stale is OnStale.USE
        assert [port for port, _ in launch.writes] == list(m.plan.outputs)
        for port, index in launch.writes:
            self._writable(port, index)
            self.slots[port][index].writer = launch.job

    def _publish(self, publish: Publish, event: Event) -> None:
        port, index, seq, stamp_ns, tick = publish
        slot = self.slots[port][index]
        assert seq == self.seqs[port]
        self.seqs[port] += 1
        if port in self.asked:
            assert isinstance(event, Sampled) and self.asked.pop(port) == (index, tick)
            assert slot.writer == "robot" and stamp_ns == event.stamp_ns
        else:
            job = self.ready_to_publish
            assert job is not None and slot.writer == job.id and job.first is not None
            assert all(stamp_ns >= self.slots[r.port][r.slot].stamp_ns for r in job.first.reads)
        slot.seq, slot.stamp_ns, slot.tick, slot.writer = seq, stamp_ns, tick, None
        self.newest[port] = index
        if port in self.chunk_of and self.plan.control is not None:
            horizon = self.chunk_of[port].chunk[1]  # type: ignore[index]
            self.chunks.published(port, index, tick, horizon, self.cursor)

    # -- ends ---------------------------------------------------------------------------------------------

    def _finish(self, finish: Finish) -> None:
        m = self.by_id[finish.module]
        job = m.active
        assert job is not None and job is self.ready_to_publish and job.id == finish.job
        assert (finish.tick, finish.release_ns) == (job.tick, job.release_ns)
        assert finish.deadline_ns == job.release_ns + m.plan.deadline_ns
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
        m = self.by_id.get(drop.what)
        if m is None:
            if drop.reason in {"old_epoch", "stopped"}:
                self.slots[drop.what][self.asked.pop(drop.what)[0]].writer = None
            return
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
        if drop.reason == "isolated" or (
            drop.reason in {"old_epoch", "stopped"} and m.pending and len(m.pending) == drop.times
        ):
            assert len(m.pending) == drop.times
            m.pending = []
        elif drop.reason in ENDS_ACTIVE and m.active is not None:
            self._ended(m, running=self.phase == "running" and drop.reason not in {"old_epoch", "stopped"})

    # -- control ------------------------------------------------------------------------------------------

    def _answer(self, answer: Act | Hold | Decelerate, begins: bool) -> None:
        self._grids(begins)
        assert not self.halted and self.acting is None, "an answer while the robot executes one"
        assert answer.tick == self.cursor, "control ticks are consecutive"
        assert self.plan.control is not None
        self.chunks.turn_over(answer.tick)
        if isinstance(answer, Act):
            assert self.chunks.playing is not None
            port, slot, first, horizon = self.chunks.playing
            assert (answer.port, answer.slot, first + answer.row) == (port, slot, answer.tick)
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
            p = self.plan.control.period_ns
            due = -(-(self.now_ns - self.origin_ns + 1) * p.denominator // p.numerator)
            waiting = due - self.answered.total()
            assert waiting in (0, 1), "every control instant is answered or counted, but for one that waits"
            assert not waiting or self.acting is not None, "an answer waits for nothing but the robot"

    # -- accounts -----------------------------------------------------------------------------------------

    def _compare(self, scheduler: Scheduler) -> None:
        assert scheduler.drops == self.drops
        for m, state in zip(self.modules, scheduler.modules, strict=True):
            waiting = len(m.pending) + (m.active is not None)
            assert m.released == m.fates.total() + waiting, f"{m.plan.id}: the account does not balance"
            assert state.unexplained == 0
            assert (state.released, state.finished) == (m.released, m.fates["finished"])
            assert list(state.pending) == m.pending
            assert m.plan.on_overrun is not Overrun.SKIP or len(m.pending) <= 1

    def drained(self, scheduler: Scheduler) -> None:
        """After a stop and time enough: nothing is held by anybody."""
        assert scheduler.drained and self.halted
        assert all(m.active is None and not m.pending for m in self.modules)
        for port, ring in scheduler.rings.items():
            assert ring.writing is None
            assert not any(ring.pinned(slot) for slot in range(ring.depth)), port
            assert not any(slot.writer or +slot.readers for slot in self.slots[port])
