"""Turns the scheduler's commands into hal and robot calls, and what comes of them into events.

The engine holds what both kinds of time share; `realtime` and `lockstep` are two loops around it that differ
in nothing but how they wait. One thread at a time may be inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from polyrhythm.chunks import Motion
from polyrhythm.hal.api import Call, Completion, Device, HalError, Queue
from polyrhythm.hal.binding import STORAGE
from polyrhythm.hal.blame import blaming
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.values import to_ns
from polyrhythm.runtime.context import Context
from polyrhythm.runtime.episodes import Episode
from polyrhythm.runtime.feed import Feed, Past
from polyrhythm.runtime.hands import Done, Look, Move, Request, Reset
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Grown, Listener, Moved, Note, RunOver
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.power import ProfileChange
from polyrhythm.runtime.storage import Storage
from polyrhythm.runtime.tuning import Tuning
from polyrhythm.schedule import WARM_TICK, Scheduler
from polyrhythm.schedule.contexts import STOPPED
from polyrhythm.schedule.events import (
    NO_ACTION,
    Act,
    Acted,
    Admit,
    Command,
    Decelerate,
    Drained,
    Drop,
    EpisodeEnd,
    Event,
    Finish,
    Halt,
    Hold,
    Launch,
    LimitSteps,
    Observe,
    ProfileSet,
    Ready,
    Refused,
    Renew,
    Retire,
    Sampled,
    SetProfile,
    StageDone,
    Start,
    Stop,
    Switch,
    Switched,
)

COMPLETE = "complete"
#: Something from another thread, done when the engine has time: given the engine and the instant.
News = Callable[["Engine", int], None]
#: No job: it was given up with its queue.
_RENEWED = -1
_ASTRAY = "its last stage still runs on a queue that was left behind"


@dataclass(slots=True)
class _Part:
    """A context that takes part in this run: what the engine needs to launch its stages."""

    context: Context
    plan: Plan
    storage: Storage
    feed: Feed

    def ends_with(self, launch: Launch) -> bool:
        """Whether it is the last stage of its job."""
        return launch.stage + 1 == len(self.plan.wiring[launch.module].stages)


class Engine:
    """One run: contexts of one or several bundles that take turns.

    Args:
        live: the context that plays first; others are admitted.
        devices: open devices by name; may grow while it runs.
        episodes: what to play; without a robot there are none.
        submit: puts a bound call on a queue; its completion comes back through `stage_done`.
        ask: gives the robot a request; what came of it comes back through `robot_done`.
        seconds: end after so many seconds of the run's clock; None: with the last episode.
        seed: of the noise that modules are fed.
        listeners: told everything.
    """

    def __init__(
        self,
        live: Context,
        devices: Mapping[str, Device],
        episodes: Iterator[Episode],
        *,
        submit: Callable[[Launch, Call, Queue], None],
        ask: Callable[[Request], None],
        seconds: float | None = None,
        seed: int = 0,
        listeners: Iterable[Listener] = (),
    ) -> None:
        plan = live.plan
        self.outcome = Outcome()
        self._seed = seed
        self._past = Past()
        self._parts: dict[int, _Part] = {}
        #: Told when nothing of a context is in flight any more, and when one is warm.
        self.freed: Callable[[Context], None] = lambda context: context.free()
        self.readied: Callable[[Context], None] = lambda context: None
        self.scheduler = Scheduler(plan.schedule, plan.player.make(plan.schedule.control), live.number)
        self._take_in(live)
        #: The scheduler has raised: what is left of it is told nothing more.
        self.broken = False
        #: The context that plays.
        self.live = live
        self._devices = devices
        self._queues: dict[str, Queue] = {name: self._queue(name) for name in plan.schedule.devices}
        self._abandoned: list[tuple[str, Queue]] = []
        #: By context and module, the stage that had begun on a queue that was left behind, until it ends.
        self._astray: dict[tuple[int, str], Launch] = {}
        #: By context and module, the job of which a stage has failed that was not its last, or `_RENEWED`:
        #: what the module keeps is zeroed when the next one begins, as only then nothing of that job runs.
        self._failed: dict[tuple[int, str], int] = {}
        #: What the scheduler answered last.
        self._answer: list[Command] = []
        #: What is not needed any more, but for the memory that such a stage has in its hands.
        self._spoilt: list[Context] = []
        #: Launches that are not carried out, and why.
        self._refused: list[tuple[Launch, str]] = []
        #: Power profiles that were asked for, until the last of them is in force.
        self._changes: list[ProfileChange] = []
        self._submit = submit
        self._ask = ask
        self._listeners = tuple(listeners)
        self._seconds = seconds
        robot = plan.manifest.robot
        size, dtype = (0, "f32") if robot is None else (robot.action.shape[0], robot.action.dtype)
        self._motion = Motion(size, *_rules(plan), STORAGE[dtype])
        self._episodes = episodes
        self._episode: Episode | None = None
        self._running = False
        self._held = 0
        self._success: bool | None = None
        self._began_ns: int | None = None
        self._carry_out: dict[type, Callable[[Any], None]] = {
            Launch: self._launch, Finish: self._finished,
            Act: self._act, Hold: self._hold, Decelerate: self._decelerate,
            Observe: self._observe, Renew: self._renew, Halt: self._halted, ProfileSet: self._profile_set,
            Ready: self._ready, Refused: self._refuse, Switched: self._switched, Drained: self._drained,
        }  # fmt: skip

    # -- in: from the loop --------------------------------------------------------------------------------

    def begin(self, now_ns: int) -> None:
        """Ask for the first episode; without a robot, start."""
        self.live.played = True
        if self.scheduler.control is None:
            self.handle(Start(now_ns))
        else:
            self._next_episode(now_ns)

    def handle(self, event: Event) -> None:
        """Give the scheduler an event and carry out what it answers. If it raises, listeners hear of the
        event all the same: a replay is to come as far."""
        try:
            commands = self.scheduler.handle(event)
        except BaseException as error:
            self.broken = True
            if isinstance(error, Exception):  # its own: a replay finds it again
                for listener in self._listeners:
                    listener.step(event, [])
            raise
        for listener in self._listeners:
            listener.step(event, commands)
        if not self._running and self.scheduler.phase == "running":
            self._running = True
            for number, part in self._parts.items():
                part.storage.reset()
                part.storage.sequences.reset({module for at, module in self._astray if at == number})
            if self._began_ns is None:
                self._began_ns = event.now_ns
            if self._episode is not None:
                self._note(EpisodeBegan(event.now_ns, *self._episode))
        self._answer = commands
        for command in commands:
            if (carry_out := self._carry_out.get(type(command))) is not None:
                carry_out(command)
        while self._refused:
            launch, why = self._refused.pop(0)
            self.handle(StageDone(event.now_ns, launch.job, launch.stage, event.now_ns, event.now_ns, why))

    def retune(self, now_ns: int, context: int, tuning: Tuning) -> None:
        """Make the chunks of a context like this from the next one on."""
        if (part := self._parts.get(context)) is not None:
            part.feed.retune(tuning.rtc)
            self.handle(LimitSteps(now_ns, tuning.steps, context))

    def set_profile(self, now_ns: int, change: ProfileChange) -> None:
        """Change to a power profile; `change` is told what comes of it."""
        self._changes.append(change)
        self.handle(SetProfile(now_ns, change.name))
        if self.scheduler.profiles.settled:  # it was in force already
            self._tell_changes()

    # -- contexts -----------------------------------------------------------------------------------------

    def admit(self, now_ns: int, context: Context) -> None:
        """One more context; it is warmed up first: queues of this run have seen nothing of it."""
        for name in context.plan.schedule.devices:
            if name not in self._queues:
                self._queues[name] = self._queue(name)
        self._take_in(context)
        self.handle(Admit(now_ns, context.number, context.plan.schedule))
        if context.number not in self.scheduler.contexts.decks:  # it was refused
            self._drained(Drained(context.number))

    def switch(self, now_ns: int, context: Context) -> None:
        """Let a context play."""
        if context.number in self._parts:
            self.handle(Switch(now_ns, context.number))
        else:
            context.refused(f"it is {context.state}")

    def retire(self, now_ns: int, context: Context) -> None:
        """Let a context go."""
        if context.number in self._parts:
            self.handle(Retire(now_ns, context.number))
            if (deck := self.scheduler.contexts.decks.get(context.number)) is not None:
                context.leaving = deck.leaving  # not if it was refused
        elif context not in self._spoilt:
            self.freed(context)

    def _take_in(self, context: Context) -> None:
        plan, storage = context.plan, context.storage
        storage.sequences.count_in(self.outcome.kv)
        feed = Feed(plan, storage, self._seed, self._past, self._chunk)
        feed.under(self.scheduler.profiles.name)
        self._parts[context.number] = _Part(context, plan, storage, feed)

    def _chunk(self, number: int, slot: int) -> np.ndarray:
        port = self.scheduler.contexts.decks[number].chunk_port
        assert port is not None
        return self._parts[number].storage.links[port].array(slot)

    def _ready(self, command: Ready) -> None:
        context = self._parts[command.context].context
        context.warm = True
        context.become("ready")
        self.readied(context)

    def _refuse(self, command: Refused) -> None:
        context = self._parts[command.context].context
        deck = self.scheduler.contexts.decks.get(command.context)
        if context.state != "warming" or (deck is not None and not deck.leaving):
            context.refused(command.reason)
        elif command.reason != STOPPED and not context.leaving:
            context.become("failed", command.reason)

    def _switched(self, command: Switched) -> None:
        last, self.live = self.live, self._parts[command.context].context
        if last is not self.live:
            last.become("ready")
            self.live.after = last.number
            self._motion.follow(*_rules(self.live.plan))
        self.live.played = True
        self.live.become("live")

    def _drained(self, command: Drained) -> None:
        context = self._parts.pop(command.context).context
        if context.state == "failed" or context.leaving:
            self._let_go(context)

    def _let_go(self, context: Context) -> None:
        if any(number == context.number for number, _ in self._astray):
            context.become("retired")
            self._spoilt.append(context)
        else:
            self.freed(context)

    # -- in: from the hal and the robot ---------------------------------------------------------------------

    def take(self, completion: Completion) -> Completion:
        """A stage has ended: what `stage_done` is to be told of it.

        What its module keeps is zeroed if it was the last one and has failed, which outputs tell that are not
        finite, or only warmed the module up; or if it had been left behind. This takes long: call it before
        anybody waits for the engine.
        """
        launch = completion.token
        part = self._parts.get(launch.context)
        if part is None or not part.storage.keeps(launch.module):
            return completion
        error, last, warms = completion.error, part.ends_with(launch), launch.tick == WARM_TICK
        if last and not warms and error is None:
            error = part.storage.not_finite(launch)
        # A job that is not in flight was given up: its module may be at the next one.
        failed = last and error is not None and self.scheduler.in_flight(launch.job)
        astray = self._astray and self._astray.get((launch.context, launch.module)) == launch
        if failed or (last and warms) or astray:
            part.storage.reset(launch.module)
        return completion if error is completion.error else completion._replace(error=error)

    def stage_done(self, now_ns: int, completion: Completion) -> None:
        """The stage of a launch (its token) has ended, and has been taken; what a failing one wrote is never
        published."""
        launch, started_ns, ended_ns, error, away_ns = completion
        if self._astray and self._astray.get((launch.context, launch.module)) == launch:
            self._came_back(launch)
        if not self.scheduler.in_flight(launch.job):
            return  # it was on a queue that has been left behind
        part = self._parts[launch.context]
        if not part.ends_with(launch):
            if error is not None:
                self._failed[launch.context, launch.module] = launch.job
        elif error is None and launch.tick != WARM_TICK and not part.storage.keeps(launch.module):
            # The others have been looked at. Here a device that has its next stage already waits for nobody.
            error = part.storage.not_finite(launch)
        self.handle(StageDone(now_ns, launch.job, launch.stage, started_ns, ended_ns, error, away_ns))

    def _came_back(self, launch: Launch) -> None:
        """A stage has ended that had been left behind with its queue."""
        del self._astray[launch.context, launch.module]
        for context in [c for c in self._spoilt if c.number == launch.context]:
            self._spoilt.remove(context)
            self._let_go(context)

    def robot_done(self, now_ns: int, done: Done) -> None:
        """The robot has carried out a request."""
        if done.error is not None:
            self.handle(Stop(now_ns, f"the robot failed: {done.error}"))
        match done.request:
            case Reset() if done.error is None:
                self.handle(Start(now_ns))
            case Look(port, slot, _, context):
                self.handle(Sampled(now_ns, port, slot, done.started_ns, context))
            case Move(tick, action):
                self._moved(now_ns, tick, action, done)

    @property
    def ends_ns(self) -> int | None:
        """The instant at which the run's seconds are over; None if that is open, or the run has stopped."""
        if self._seconds is None or self._began_ns is None or self.scheduler.phase == "stopped":
            return None
        return self._began_ns + round(self._seconds * 1e9)

    @property
    def over(self) -> bool:
        """Stopped, and nothing in flight."""
        return self.scheduler.phase == "stopped" and self.scheduler.drained

    def account(self, now_ns: int) -> Outcome:
        """How the run went, up to now."""
        outcome, scheduler = self.outcome, self.scheduler
        outcome.ran_ns = now_ns - (now_ns if self._began_ns is None else self._began_ns)
        for (what, reason), times in sorted(scheduler.drops.items()):
            outcome.drops.setdefault(what, {})[reason] = times
        for name, m in scheduler.contexts.account().items():
            outcome.modules[name] = ModuleOutcome(
                m.released, m.finished, m.late, m.stale_used, m.shifted, m.under_way, m.isolated,
                outcome.drops.pop(name, {}), m.deferred,
            )  # fmt: skip
        outcome.profile, outcome.profile_changes = scheduler.profiles.name, scheduler.profiles.changes
        outcome.boundaries = self._motion.account
        outcome.superseded = scheduler.contexts.superseded()
        isolated = (module.plan for module in scheduler.modules if module.isolated)
        outcome.undriven = next((plan.id for plan in isolated if plan.chunk is not None), None)
        return outcome

    def close(self, timeout_ns: int) -> bool:
        """Let the queues end; False if one still hangs, with this context's memory in its hands."""
        ended, problems = [], []
        for device, queue in (*self._abandoned, *self._queues.items()):
            try:
                with blaming("device", device):
                    ended.append(queue.close(timeout_ns))
            except HalError as problem:
                problems.append(problem)
        if problems:
            raise problems[0]
        if all(ended):
            for part in self._parts.values():
                part.storage.sequences.settle()
        return all(ended)

    def farewell(self, failure: str | None) -> None:
        """Tell listeners that nothing more comes; `failure`: the name of the exception that ended the run."""
        problems = []
        for listener in self._listeners:
            try:
                listener.note(RunOver(failure))
            except Exception as problem:
                problems.append(problem)
        if problems:
            raise problems[0]

    # -- out: to the hal and the robot ----------------------------------------------------------------------

    def _launch(self, command: Launch) -> None:
        at = command.context, command.module
        if self._astray and at in self._astray:
            self._refused.append((command, _ASTRAY))
            return
        part = self._parts[command.context]
        if self._failed and self._failed.get(at, command.job) != command.job:
            del self._failed[at]
            part.storage.reset(command.module)
        if (why := part.storage.sequences.begin(command)) is not None:
            self._refused.append((command, why))
            return
        part.feed.fill(command, 0 if self._episode is None else self._episode.number)
        self._submit(command, part.storage.call(command), self._queues[command.device])

    def _queue(self, device: str) -> Queue:
        with blaming("device", device):
            return self._devices[device].queue()

    def _finished(self, command: Finish) -> None:
        grown = self._parts[command.context].storage.sequences.finish(command)
        if grown is not None:
            name, full = command.module, self.outcome.kv[command.module].full
            now_ns = self.scheduler.now_ns
            self._note(Grown(now_ns, name, command.context, grown.length, grown.pages, full))

    def _act(self, command: Act) -> None:
        # A copy, because the chunk's slot may be given back before the robot has moved.
        row = self._parts[command.context].storage.row(command.port, command.slot, command.row)
        chunk = command.context, command.slot
        self._move(command.tick, self._motion.act(row, chunk, command.tick - command.row))

    def _hold(self, command: Hold) -> None:
        if command.reason == NO_ACTION:
            self._motion.hold()
        else:
            self._motion.stand()
        self._move(command.tick, None)

    def _decelerate(self, command: Decelerate) -> None:
        self._move(command.tick, self._motion.decelerate())

    def _move(self, tick: int, action: np.ndarray | None) -> None:
        self._held += action is None
        self._past.executed(tick, action)
        self._ask(Move(tick, action))

    def _observe(self, command: Observe) -> None:
        array = self._parts[command.context].storage.links[command.port].array(command.slot)
        self._ask(Look(command.port, command.slot, array, command.context))

    def _renew(self, command: Renew) -> None:
        hung = self._queues[command.device]
        with blaming("device", command.device):
            begun = hung.abandon(f"{command.module} hung on this queue")
        if isinstance(begun, Launch):
            # It has its memory still; not the one that hung, if that ended after all and this one began.
            self._astray[begun.context, begun.module] = begun
        for drop in self._answer:  # whose jobs stood in it
            if type(drop) is Drop and drop.reason in ("hung", "device_renewed", "failed"):
                self._failed[drop.context, drop.what] = _RENEWED
        self._abandoned.append((command.device, hung))
        self._queues[command.device] = self._queue(command.device)

    def _profile_set(self, command: ProfileSet) -> None:
        for part in self._parts.values():
            part.feed.under(command.name)
        self._tell_changes()

    def _tell_changes(self) -> None:
        scheduler = self.scheduler
        at_ns = scheduler.now_ns - (scheduler.now_ns if self._began_ns is None else self._began_ns)
        for change in self._changes:
            if change.name == scheduler.profiles.name:
                change.in_force(at_ns, None if scheduler.control is None else scheduler.control.cursor)
            else:
                change.fail(f"{scheduler.profiles.name} was asked for before it was in force")
        self._changes.clear()

    def _halted(self, command: Halt) -> None:
        self.outcome.reason = command.reason

    # -- episodes -------------------------------------------------------------------------------------------

    def _next_episode(self, now_ns: int) -> None:
        self._episode = next(self._episodes, None)
        if self._episode is None:
            self.handle(Stop(now_ns, COMPLETE))
        else:
            self._running, self._held, self._success = False, 0, None
            self._motion.reset()
            self._past.reset()
            self._ask(Reset(self._episode.task, self._episode.seed))

    def _moved(self, now_ns: int, tick: int, action: np.ndarray | None, done: Done) -> None:
        values = None if action is None else tuple(map(float, action))
        self._note(Moved(now_ns, tick, values, done.telemetry))
        result, episode = done.result, self._episode
        if result is not None and result.success is not None:
            self._success = bool(self._success or result.success)
        ended = result is not None and result.done and self.scheduler.phase == "running"
        if ended:
            # Before `Acted`: a robot whose episode is over is not given another tick.
            self.handle(EpisodeEnd(now_ns))
        self.handle(Acted(now_ns, tick))
        if ended and episode is not None:
            over = EpisodeOver(now_ns, *episode, self._success, tick + 1, self._held)
            self.outcome.episodes.append(over)
            self._note(over)
            self._next_episode(now_ns)

    def _note(self, note: Note) -> None:
        for listener in self._listeners:
            listener.note(note)


def _rules(plan: Plan) -> tuple[tuple[float, ...] | None, Literal["position", "velocity"], int]:
    """The step limit, the kind of action, and how many ticks slowing down takes."""
    robot, rtc = plan.manifest.robot, plan.rtc or Rtc()
    if robot is None:
        return None, "position", 1
    limit = rtc.max_step
    if limit is not None and len(limit) == 1:
        limit = limit * robot.action.shape[0]
    return limit, robot.action.kind, max(1, round(to_ns(rtc.decelerate_ms) / robot.control_period_ns))
