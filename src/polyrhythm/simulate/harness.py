"""Drives a real `Scheduler` on the virtual clock, with devices and a robot that only cost time.

A device serves its stages first-in first-out, the robot its requests likewise; what a stage costs, whether it
fails or never ends, is a function of its launch. Every event and what it was answered is kept in `log`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer
from polyrhythm.schedule import (
    ControlPlan,
    InputPlan,
    Late,
    Mode,
    ModulePlan,
    Policy,
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
from polyrhythm.schedule.playback import Playback

MS = 1_000_000
S = 1_000_000_000


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
        self._cost = cost or self.planned_ns
        self._act_ns, self._sample_ns = act_ns, sample_ns
        self._stalls = sorted(stalls)
        self._watchers = tuple(watch)
        self._keep = keep
        self._coming: list[tuple[int, int, Coming]] = []
        self._order = count()
        self._device_free_ns = dict.fromkeys(plan.devices, 0)
        self._robot_free_ns = 0

    # -- what a test says -------------------------------------------------------------------------------

    def at(self, instant_ns: int, event: Coming) -> None:
        """Have an event (or what makes it from its instant) handed over then."""
        heapq.heappush(self._coming, (instant_ns, next(self._order), event))

    def start(self) -> Harness:
        """Start the first episode now."""
        self.give(Start(self.clock.now_ns()))
        return self

    def run(self, until_ns: int) -> Harness:
        """Play everything up to and including `until_ns`: the driving loop."""
        scheduler, clock, coming = self.scheduler, self.clock, self._coming
        while True:
            at_ns, reported = scheduler.wakeup_ns(), False
            if coming and (at_ns is None or coming[0][0] <= at_ns):
                at_ns, reported = coming[0][0], True
            if at_ns is None or at_ns > until_ns:
                break
            now_ns = max(self._awake(at_ns) if self._stalls else at_ns, clock.now_ns())
            clock.advance_to(now_ns)
            if reported:
                event = heapq.heappop(coming)[2]
                if callable(event):
                    event = event(now_ns)
                elif event.now_ns != now_ns:
                    event = event._replace(now_ns=now_ns)
                self.give(event)
            else:
                self.give(Wake(now_ns))
                again_ns = scheduler.wakeup_ns()
                assert again_ns is None or again_ns > now_ns, f"the scheduler spins at {now_ns}"
        clock.advance_to(max(until_ns, clock.now_ns()))
        return self

    def give(self, event: Event) -> list[Command]:
        """Hand over one event and carry out the answer."""
        self.given = event
        commands = self.scheduler.handle(event)
        for command in commands:
            self._carry_out(command)
        step = Step(event, commands, self.scheduler.phase)
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
        for _, _, event in sorted(self._coming, key=lambda item: item[:2]):
            if isinstance(event, StageDone):
                yield event

    def free(self, device: str) -> None:
        """A device has nothing to do from now on: what it held is left behind."""
        self._device_free_ns[device] = self.clock.now_ns()

    def planned_ns(self, launch: Launch) -> int:
        """What a stage costs by the plan of its context, under the present profile."""
        deck = self.scheduler.contexts.decks[launch.context]
        return next(m for m in deck.modules if m.plan.id == launch.module).plan.costs_ns[launch.stage]

    # -- the world ----------------------------------------------------------------------------------------

    def _awake(self, at_ns: int) -> int:
        return next((until for since, until in self._stalls if since <= at_ns < until), at_ns)

    def _carry_out(self, command: Command) -> None:
        match command:
            case Launch():
                self._launch(command, self.clock.now_ns())
            case Renew(device, _):
                self.free(device)
            case Act(tick=tick) | Hold(tick=tick) | Decelerate(tick=tick):
                for at_ns, _ in self._ask(self._act_ns(tick)):
                    self.at(at_ns, Acted(at_ns, tick))
            case Observe(port, slot, context):
                for at_ns, stamp_ns in self._ask(self._sample_ns(port)):
                    self.at(at_ns, Sampled(at_ns, port, slot, stamp_ns, context))

    def _launch(self, launch: Launch, now_ns: int) -> None:
        fate = self._cost(launch)
        fate = fate if isinstance(fate, Fate) else Fate(fate)
        started_ns = max(now_ns, self._device_free_ns.get(launch.device, 0))
        if fate.cost_ns is None or started_ns >= NEVER:
            self._device_free_ns[launch.device] = NEVER
            return
        ended_ns = self._device_free_ns[launch.device] = started_ns + fate.cost_ns
        done = StageDone(ended_ns, launch.job, launch.stage, started_ns, ended_ns, fate.error)
        self.at(ended_ns, done)
        for later_ns in fate.again_ns:
            self.at(ended_ns + later_ns, done)

    def _ask(self, reply: int | Reply) -> Iterator[tuple[int, int]]:
        """When the robot reports that it has done something, and the instant that it did."""
        reply = reply if isinstance(reply, Reply) else Reply(reply)
        self._robot_free_ns = max(self.clock.now_ns(), self._robot_free_ns) + reply.takes_ns
        done_ns = self._robot_free_ns
        for later_ns in (0, *reply.again_ns):
            yield done_ns + reply.late_ns + later_ns, done_ns - reply.stale_ns


NEVER = 2**62


def playback_of(plan: SchedulePlan) -> Playback:
    """The player that a plan is made for: chunks on demand are played to their end, as many as are held."""
    return ChunkPlayer() if plan.buffers is None else BufferedPlayer(plan.buffers)


def replayed(
    plan: SchedulePlan, log: Iterable[Step], playback: Playback | None = None
) -> list[list[Command]]:
    """What a fresh scheduler answers to the same events."""
    scheduler = Scheduler(plan, playback or playback_of(plan))
    return [scheduler.handle(step.event) for step in log]


def module(name: str, rate_hz: Fraction | int | str, cost_ms: float = 0, **more: object) -> ModulePlan:
    """A module on device ``d`` with a deadline of one period; `more` overrides any field."""
    period_ns = S / Fraction(rate_hz)
    numbers: dict[str, object] = {
        "device": "d", "period_ns": period_ns, "deadline_ns": int(period_ns),
        "costs_ns": (round(cost_ms * MS),),
    } | more  # fmt: skip
    return ModulePlan(name, **numbers)  # type: ignore[arg-type]


def reads(*sources: str, **link: object) -> tuple[InputPlan, ...]:
    """One input for each source port; `link` is `max_age_ns`, `on_stale`."""
    return tuple(InputPlan(f"in{i}", source, **link) for i, source in enumerate(sources))  # type: ignore[arg-type]


def plan_of(
    *modules: ModulePlan,
    mode: Mode = Mode.PARALLEL,
    k: int = 1,
    control_hz: Fraction | int | str | None = None,
    observations: dict[str, Fraction | int] | None = None,
    late: Late = Late.HOLD,
    buffers: int = 2,
    policies: Mapping[str, Policy] = {},
) -> SchedulePlan:
    """A plan whose ports are as deep as the runtime makes them: a slot for each reader, and two (for chunks:
    and `buffers`)."""
    sources = [link.source for m in modules for link in m.inputs]
    chunks = [m.chunk[0] for m in modules if m.chunk is not None and control_hz is not None]
    observed = {port: S / Fraction(hz) for port, hz in (observations or {}).items()}
    ports = {p for m in modules for p in m.outputs} | set(observed)
    return SchedulePlan(
        mode,
        modules,
        devices=dict.fromkeys(sorted({m.device for m in modules}), k),
        ports={port: (1 + buffers if port in chunks else 2) + sources.count(port) for port in sorted(ports)},
        control=None if control_hz is None else ControlPlan(S / Fraction(control_hz), observed, late),
        policies=policies,
    )
