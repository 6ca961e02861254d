"""Drives a real `Scheduler` on the virtual clock, with devices and a robot that only cost time.

A device serves its stages first-in first-out, but leaves one for another that cuts in, when its present
kernel has ended, or at once if the plan does not say what kernels take. The robot serves its requests
first-in first-out. What a stage costs, whether it fails or never ends, is a function of its launch. Every
event and what it was answered is kept in `log`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Final, NamedTuple

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer
from polyrhythm.schedule import (
    SchedulePlan,
    Scheduler,
    VirtualClock,
)
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Command,
    Decelerate,
    Event,
    Hold,
    Launch,
    Observe,
    Renew,
    Sampled,
    StageDone,
    Start,
    Wake,
)
from polyrhythm.schedule.lanes import NEVER_NS
from polyrhythm.schedule.playback import Playback


class Fate(NamedTuple):
    """What becomes of a launched stage."""

    cost_ns: int | None  #: None: it never ends
    error: str | None = None
    again_ns: tuple[int, ...] = ()  #: its completion is reported once more, so much later


class Reply(NamedTuple):
    """What the robot makes of a request."""

    takes_ns: int
    late_ns: int = 0  #: the report comes so much later; the robot goes on meanwhile
    again_ns: tuple[int, ...] = ()  #: and once more, so much later
    stale_ns: int = 0  #: an observation is stamped so much too early


class Step(NamedTuple):
    """One event and its answer."""

    event: Event
    commands: list[Command]
    phase: str  #: after the event
    late_ns: int = 0  #: the host heard of it, or woke up, so much later than it happened
    overdue_ns: int = 0  #: so much later than the scheduler had something to do


Cost = Callable[[Launch], int | Fate]
Watcher = Callable[[Scheduler, Step], None]
Coming = Event | Callable[[int], Event]


class Harness:
    """One scheduler in a world of numbers.

    Args:
        plan: what is scheduled.
        cost: of a stage, in ns (or its `Fate`); by default what the plan says, under the present profile.
        act_ns, sample_ns: what the robot takes for an answer (by tick) and for an observation (by port), or
            the whole `Reply`.
        stalls: (from_ns, until_ns) in which the host stands still: what comes in them waits for the end.
        watch: told every step.
        keep: whether `log` is kept.
    """

    def __init__(
        self,
        plan: SchedulePlan,
        cost: Cost | None = None,
        *,
        act_ns: Callable[[int], int | Reply] = lambda tick: 0,
        sample_ns: Callable[[str], int | Reply] = lambda port: 0,
        stalls: Iterable[tuple[int, int]] = (),
        playback: Playback | None = None,
        watch: Iterable[Watcher] = (),
        keep: bool = True,
    ) -> None:
        self.scheduler = Scheduler(plan, playback or playback_of(plan))
        self.clock = VirtualClock()
        self.log: list[Step] = []
        self.given: Event | None = None  #: what was handed over last
        self.events = 0  #: how many were
        self.struck = 0  #: how many of them were made from their instants
        self._cost = cost or self.planned_ns
        self._act_ns, self._sample_ns = act_ns, sample_ns
        self._stalls = sorted(stalls)
        self._watchers = tuple(watch)
        self._keep = keep
        self._coming: list[tuple[int, int, Coming]] = []
        self._now: list[Coming] = []  # what comes at this very instant, after all that came to be due before
        self._order = count()
        self._device_free_ns = dict.fromkeys(plan.devices, 0)
        self._robot_free_ns = 0

    # -- what a test says -------------------------------------------------------------------------------

    def at(self, instant_ns: int, event: Coming) -> None:
        """Have an event (or what makes it from its instant) handed over then."""
        if instant_ns == self.clock.now_ns():
            self._now.append(event)
        else:
            heapq.heappush(self._coming, (instant_ns, next(self._order), event))

    def start(self) -> Harness:
        """Start the first episode now."""
        self.give(Start(self.clock.now_ns()))
        return self

    def run(self, until_ns: int) -> Harness:
        """Play everything up to and including `until_ns`: the driving loop."""
        scheduler, clock = self.scheduler, self.clock
        while True:
            wake_ns, due_ns = scheduler.next_ns(), self._due_ns()
            at_ns = min(wake_ns, due_ns)
            if at_ns > until_ns:
                break
            now_ns = max(self._awake(at_ns) if self._stalls else at_ns, clock.now_ns())
            if due_ns <= wake_ns:
                event = self._take()
                clock.advance_to(now_ns)
                if callable(event):
                    self.struck += 1
                    event = event(now_ns)
                elif event.now_ns != now_ns:
                    event = event._replace(now_ns=now_ns)
                self.give(event, late_ns=now_ns - at_ns, overdue_ns=now_ns - wake_ns)
            else:
                clock.advance_to(now_ns)
                self.give(Wake(now_ns), late_ns=now_ns - at_ns, overdue_ns=now_ns - wake_ns)
                assert scheduler.next_ns() > now_ns, f"the scheduler spins at {now_ns}"
        clock.advance_to(max(until_ns, clock.now_ns()))
        return self

    def _due_ns(self) -> int:
        """When the next thing comes, never mind the scheduler."""
        due_ns = self.clock.now_ns() if self._now else NEVER
        return min(due_ns, self._coming[0][0]) if self._coming else due_ns

    def _take(self) -> Coming:
        if self._now and (not self._coming or self._coming[0][0] > self.clock.now_ns()):
            return self._now.pop(0)
        return heapq.heappop(self._coming)[2]

    def give(self, event: Event, *, late_ns: int = 0, overdue_ns: int = 0) -> list[Command]:
        """Hand over one event and carry out the answer."""
        self.given = event
        self.events += 1
        commands = self.scheduler.handle(event)
        for command in commands:
            self._carry_out(command)
        step = Step(event, commands, self.scheduler.phase, late_ns, max(0, overdue_ns))
        if self._keep:
            self.log.append(step)
        for watcher in self._watchers:
            watcher(self.scheduler, step)
        return commands

    def all(self, kind: type[Command]) -> list[tuple[int, Command]]:
        """(instant, command) of one kind, in order."""
        return [(s.event.now_ns, c) for s in self.log for c in s.commands if type(c) is kind]

    def reports(self) -> Iterator[StageDone]:
        """The completions that are on their way, in the order in which they come."""
        coming = [event for _, _, event in sorted(self._coming, key=lambda item: item[:2])]
        for event in (*coming, *self._now):
            if isinstance(event, StageDone):
                yield event

    def stall(self, until_ns: int) -> None:
        """The host stands still from now on: what comes meanwhile is told then."""
        self._stalls.append((self.clock.now_ns(), until_ns))

    def next_strike_ns(self) -> int:
        """When the next event comes that is made from its instant; `NEVER` if there is none."""
        return min((at_ns for at_ns, _, what in self._coming if callable(what)), default=NEVER)

    def bring_closer(self, by_ns: int) -> None:
        """Have what is made from its instant come so much sooner: as if that time had passed, and all else
        that is on its way had been sent on it since."""
        coming = sorted(self._coming, key=lambda item: item[:2])
        strikes = [(at_ns - by_ns, what) for at_ns, _, what in coming if callable(what)]
        others = [(at_ns, what) for at_ns, _, what in coming if not callable(what)]
        self._coming = [(at_ns, next(self._order), what) for at_ns, what in (*strikes, *others)]
        heapq.heapify(self._coming)

    def free(self, device: str) -> None:
        """A device has nothing to do from now on: what it held is left behind."""
        self._device_free_ns[device] = self.clock.now_ns()

    def planned_ns(self, launch: Launch) -> int:
        """What a stage costs by the plan of its context, under the present profile."""
        return self.scheduler.contexts.decks[launch.context].named[launch.module].plan.costs_ns[launch.stage]

    # -- the world ----------------------------------------------------------------------------------------

    def _awake(self, at_ns: int) -> int:
        self._stalls = [(since, until) for since, until in self._stalls if at_ns < until]
        return next((until for since, until in self._stalls if since <= at_ns), at_ns)

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, (Act, Hold, Decelerate)):
            for at_ns, _ in self._ask(self._act_ns(command.tick)):
                self.at(at_ns, Acted(at_ns, command.tick))
        elif isinstance(command, Launch):
            self._launch(command, self.clock.now_ns())
        elif isinstance(command, Observe):
            port, slot, context = command.port, command.slot, command.context
            for at_ns, stamp_ns in self._ask(self._sample_ns(port)):
                self.at(at_ns, Sampled(at_ns, port, slot, stamp_ns, context))
        elif isinstance(command, Renew):
            self.free(command.device)

    def _launch(self, launch: Launch, now_ns: int) -> None:
        found = self._cost(launch)
        fate = found if isinstance(found, Fate) else Fate(found)
        started_ns = free_ns = max(now_ns, self._device_free_ns.get(launch.device, 0))
        if launch.cuts_in and free_ns < NEVER:
            started_ns = self._leave(launch, fate.cost_ns, now_ns)
        if fate.cost_ns is None or started_ns >= NEVER:
            self._device_free_ns[launch.device] = NEVER
            return
        ended_ns = started_ns + fate.cost_ns
        self._device_free_ns[launch.device] = free_ns + fate.cost_ns
        done = StageDone(ended_ns, launch.job, launch.stage, started_ns, ended_ns, fate.error)
        self.at(ended_ns, done)
        for later_ns in fate.again_ns:
            self.at(ended_ns + later_ns, done)

    def _leave(self, launch: Launch, for_ns: int | None, now_ns: int) -> int:
        """Leave what the device is at for a stage of `for_ns` (None: without end); returns when that begins.

        What is left ends so much later; what had only been waiting for a kernel begins so much later too.
        """
        flights = [(f.job.id, f.stage) for f in self.scheduler.contexts.lanes[launch.device].flying]
        left = flights[flights.index((launch.job, launch.stage)) + 1 :]
        dones = [what for _, _, what in self._coming if isinstance(what, StageDone)]
        runs = [done for done in dones if (done.job, done.stage) == left[0] and done.ended_ns > now_ns]
        begins_ns = self._kernel_ends_ns(launch.device, runs[0], now_ns) if runs else now_ns
        coming: list[tuple[int, int, Coming]] = []
        for at_ns, order, what in self._coming:
            done = what if isinstance(what, StageDone) and what.ended_ns > begins_ns else None
            if done is None or (done.job, done.stage) not in left:
                coming.append((at_ns, order, what))
            elif for_ns is not None:
                late_ns, away_ns = (for_ns, 0) if done.started_ns >= begins_ns else (0, for_ns)
                later = done._replace(
                    started_ns=done.started_ns + late_ns,
                    ended_ns=done.ended_ns + for_ns,
                    away_ns=done.away_ns + away_ns,
                )
                coming.append((at_ns + for_ns, order, later))
        self._coming = coming
        heapq.heapify(self._coming)
        return begins_ns

    def _kernel_ends_ns(self, device: str, done: StageDone, now_ns: int) -> int:
        """When the kernel ends that a device is at; `done`: of the stage in front."""
        if done.started_ns >= now_ns:
            return done.started_ns
        lane = self.scheduler.contexts.lanes[device]
        piece_ns = next(f.job.module.plan.piece_ns for f in lane.flying if f.job.id == done.job)
        left_ns = -(now_ns - done.started_ns - done.away_ns) % piece_ns if piece_ns else 0
        return min(now_ns + left_ns, done.ended_ns)

    def _ask(self, found: int | Reply) -> list[tuple[int, int]]:
        """When the robot reports that it has done something, and the instant that it did."""
        takes_ns = found if isinstance(found, int) else found.takes_ns
        done_ns = max(self.clock.now_ns(), self._robot_free_ns) + takes_ns
        self._robot_free_ns = done_ns
        if isinstance(found, int):
            return [(done_ns, done_ns)]
        again = [done_ns + found.late_ns + later_ns for later_ns in (0, *found.again_ns)]
        return [(at_ns, done_ns - found.stale_ns) for at_ns in again]


NEVER: Final = NEVER_NS


def playback_of(plan: SchedulePlan) -> Playback:
    """The player that a plan is made for: chunks on demand are played to their end, as many as are held."""
    return ChunkPlayer() if plan.buffers is None else BufferedPlayer(plan.buffers)


def replayed(
    plan: SchedulePlan, log: Iterable[Step], playback: Playback | None = None
) -> list[list[Command]]:
    """What a fresh scheduler answers to the same events."""
    scheduler = Scheduler(plan, playback or playback_of(plan))
    return [scheduler.handle(step.event) for step in log]
