"""One simulation: a piece is played on the virtual clock, faults strike, and every event is checked."""

from __future__ import annotations

import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

from polyrhythm.schedule import SchedulePlan, Scheduler
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import EpisodeEnd, Event, Launch, Stop, Wake
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.cast import Cast
from polyrhythm.simulate.chance import Spread, mixed, source
from polyrhythm.simulate.faults import FAULTS, Injection, MissedError
from polyrhythm.simulate.harness import NEVER, Fate, Harness, Reply, Step
from polyrhythm.simulate.island import SimulatedIsland
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.quiet import Quiet
from polyrhythm.simulate.records import line_of
from polyrhythm.simulate.terse import MS

#: How many of the last events a failure shows.
LAST_EVENTS = 12
#: What a stage takes to fail on a device that is not there.
REFUSAL_NS = 10_000


class Failure(NamedTuple):
    """A rule that was broken: which (the line that checks it, and what it says), and when."""

    rule: str
    message: str
    now_ns: int
    events: tuple[str, ...]  #: the last ones


@dataclass
class Outcome:
    """What came of a trial, or of many."""

    trials: int = 0
    simulated_ns: int = 0
    skipped_ns: int = 0  #: of that: what came again, and was counted instead of played
    out_ns: int = 0  #: of that: with a module of the context that plays taken out for good
    events: int = 0
    commands: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    drops: Counter[str] = field(default_factory=Counter)
    contexts: Counter[str] = field(default_factory=Counter)
    profile_changes: int = 0
    stopped_early: int = 0
    jobs: int = 0
    judged: int = 0
    oldest_action_ns: int = 0
    #: Module -> the longest response that was judged, and its bound.
    worst: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        """Count another one in."""
        self.trials += other.trials
        self.simulated_ns += other.simulated_ns
        self.skipped_ns += other.skipped_ns
        self.out_ns += other.out_ns
        self.events += other.events
        self.commands += other.commands
        self.faults += other.faults
        self.drops += other.drops
        self.contexts += other.contexts
        self.profile_changes += other.profile_changes
        self.stopped_early += other.stopped_early
        self.jobs += other.jobs
        self.judged += other.judged
        self.oldest_action_ns = max(self.oldest_action_ns, other.oldest_action_ns)
        for module, (took_ns, bound_ns) in other.worst.items():
            # Under another profile the bound is another: the one that came closest to its own counts.
            known = self.worst.get(module)
            if known is None or took_ns * known[1] > known[0] * bound_ns:
                self.worst[module] = took_ns, bound_ns

    def since(self, before: Outcome) -> Outcome:
        """What can be summed up of what came after `before`."""
        return Outcome(
            simulated_ns=self.simulated_ns - before.simulated_ns,
            out_ns=self.out_ns - before.out_ns,
            events=self.events - before.events,
            commands=self.commands - before.commands,
            faults=self.faults - before.faults,
            drops=self.drops - before.drops,
            contexts=self.contexts - before.contexts,
            profile_changes=self.profile_changes - before.profile_changes,
            jobs=self.jobs - before.jobs,
            judged=self.judged - before.judged,
        )

    def skipped(self, times: int) -> Outcome:
        """What comes of skipping it so many times."""
        return Outcome(
            simulated_ns=self.simulated_ns * times,
            skipped_ns=self.simulated_ns * times,
            out_ns=self.out_ns * times,
            events=self.events * times,
            commands=self.commands * times,
            faults=Counter({kind: n * times for kind, n in self.faults.items()}),
            drops=Counter({reason: n * times for reason, n in self.drops.items()}),
            contexts=Counter({word: n * times for word, n in self.contexts.items()}),
            profile_changes=self.profile_changes * times,
            jobs=self.jobs * times,
            judged=self.judged * times,
        )


#: What a fault makes of a stage that is launched: its fate, or None if it waits for another one.
Alter = Callable[[Launch, int], Fate | None]
#: What a fault makes of something asked of the robot (the port, or None for an action): None if it is over.
Disturb = Callable[[str | None, int], Reply | None]


@dataclass(eq=False)
class Upset:
    """A fault of the robot, and whether it has done anything yet."""

    fault: str
    disturb: Disturb
    struck: bool = False


class Trial:
    """A piece, a seed, and what strikes when; `play` it once.

    Args:
        every_event: play also what comes again as it was (`polyrhythm.simulate.quiet`).
        keep: all events and commands, in the log of the harness; so nothing is skipped.

    Attributes:
        down_ns: device -> until when it is not there.
    """

    def __init__(
        self,
        piece: Piece,
        seed: int,
        length_ns: int,
        injections: Iterable[Injection],
        *,
        every_event: bool = False,
        keep: bool = False,
    ) -> None:
        self.piece, self.seed, self.length_ns = piece, seed, length_ns
        self.every_event = every_event or keep
        self.injections = tuple(sorted(injections))
        self.down_ns: dict[str, int] = {}
        self._armed: dict[str, list[tuple[str, Alter]]] = {}
        self._upset: list[Upset] = []
        self._striking, self._waits = (
            "",
            False,
        )  # which fault strikes now, and whether it waits for its moment
        self._stopped_ns: int | None = None
        self._out, self._accounted_ns = False, 0  # whether a module was out, and up to when that is counted
        self._skipped = Outcome()
        self.outcome = Outcome(trials=1)
        self.failure: Failure | None = None
        self.auditor = Auditor(piece.plan, piece.proven, piece.player)
        self.memory = piece.memory()
        self.harness = Harness(
            piece.plan,
            self._fate,
            act_ns=lambda tick: self._reply(None),
            sample_ns=self._reply,
            playback=piece.player.make(piece.plan.control),
            watch=(self.auditor.audit, self._watch),
            keep=keep,
        )
        #: Of the robot, if it has one.
        self.island = None if piece.island is None else SimulatedIsland(piece.island, self.harness)
        self._last: deque[Event] = deque(maxlen=LAST_EVENTS)
        #: What `Piece.ticks` says of the plan and the profile that play.
        self._ticks: tuple[SchedulePlan, str, Mapping[str, int]] | None = None
        #: By context and module, the first tick that began since; None: nothing else has played.
        self._firsts: dict[tuple[int, str], int] | None = None
        #: What stages take, by plan, plan of the module and stage, and the planned cost that this is for.
        self._spreads: dict[tuple[int, int, int], tuple[Spread, int]] = {}
        #: What was drawn, by plan of the module, stage, tick in the plan's period and context.
        self._drawn: dict[tuple[int, int, int, int], int] = {}
        self._names = {m.id: crc32(m.id.encode()) for plan in piece.plans for m in plan.modules}
        self.cast = Cast(piece.plans, self.memory, self.harness, piece.contexts, piece.steps)
        self.chooser = piece.chooser()

    def play(self) -> Outcome:
        """Play to the end, or to the first rule that is broken: `failure`."""
        try:
            self._play_on()
            self._end()
        except Exception as error:
            self.failure = self._failed(error)
        self.outcome = self.so_far()
        self.outcome.add(self._skipped)
        return self.outcome

    def _play_on(self) -> None:
        """Play up to the end, but for what comes again as it was: that is counted."""
        harness, quiet = self.harness, Quiet(self)
        for injection in self.injections:
            harness.at(injection.at_ns, self._strike(injection))
        harness.start()
        while not (self.every_event or self.piece.random_costs):
            end_ns = self.length_ns - self._skipped.skipped_ns
            if (look_ns := quiet.next_ns(end_ns)) == NEVER:
                break
            harness.run(look_ns)
            if (found := quiet.look(end_ns)) is not None:
                self._skipped.add(found)
        harness.run(self.length_ns - self._skipped.skipped_ns)

    def _end(self) -> None:
        """Stop, and see everything end."""
        harness = self.harness
        if harness.scheduler.phase != "stopped":
            harness.give(Stop(harness.clock.now_ns(), "enough"))
        else:
            self.outcome.stopped_early += 1
        slowest_ns = max(m.plan.hang_ns for d in self._decks() for m in d.modules)
        harness.run(harness.clock.now_ns() + 4 * (slowest_ns + 500 * MS))
        self.auditor.drained(harness.scheduler)

    def true_ns(self, now_ns: int) -> int:
        """What the clock would show had nothing been skipped."""
        return now_ns + self._skipped.skipped_ns

    # -- what faults do -------------------------------------------------------------------------------------

    def arm(self, first: int, modules: Sequence[str], alter: Alter) -> None:
        """Have the next stage of the first module that plays altered, from the `first` of `modules` on.

        A strike counts when that stage is launched.

        Raises:
            MissedError: none of them plays.
        """
        live = self.harness.scheduler.contexts.live.named
        for module in (*modules[first:], *modules[:first]):
            if not (live[module].isolated or live[module].suspended):
                self._armed.setdefault(module, []).append((self._striking, alter))
                self._waits = True
                return
        raise MissedError

    def upset(self, disturb: Disturb) -> None:
        """Have the robot do otherwise than told; the strike counts when it does so first."""
        self._upset.append(Upset(self._striking, disturb))
        self._waits = True

    # -- what is asked of the world -------------------------------------------------------------------------

    def _fate(self, launch: Launch) -> int | Fate:
        cost_ns = self._cost_ns(launch)
        if self.down_ns and self.down_ns.get(launch.device, 0) > self.harness.clock.now_ns():
            return Fate(REFUSAL_NS, "the device is lost")
        armed = self._armed.get(launch.module, [])
        for i, (fault, alter) in enumerate(armed):
            if (fate := alter(launch, cost_ns)) is not None:
                del armed[i]
                self.outcome.faults[fault] += 1
                return fate
        return cost_ns

    def _cost_ns(self, launch: Launch) -> int:
        """The same for the same stage of the same tick of the plan's period, whatever strikes elsewhere."""
        scheduler = self.harness.scheduler
        if self.piece.random_costs or launch.tick < 0:
            return self._drawn_ns(launch, launch.tick)
        plan = scheduler.contexts.decks[launch.context].named[launch.module].plan
        ticks = self._ticks_of(scheduler.plan, scheduler.profiles.name)[launch.module]
        place = launch.tick % ticks
        if self._firsts is not None:
            # Ticks that were skipped under another profile are not counted in its periods.
            place = (
                launch.tick - self._firsts.setdefault((launch.context, launch.module), launch.tick)
            ) % ticks
        key = id(plan), launch.stage, place, launch.context
        if (cost_ns := self._drawn.get(key)) is None:
            cost_ns = self._drawn[key] = self._drawn_ns(launch, place)
        return cost_ns

    def _ticks_of(self, plan: SchedulePlan, profile: str) -> Mapping[str, int]:
        known = self._ticks
        if known is None or known[0] is not plan or known[1] != profile:
            self._firsts = None if known is None else {}
            known = self._ticks = plan, profile, self.piece.ticks(plan, profile)
        return known[2]

    def place_of(self, context: int, module: str, tick: int) -> int | None:
        """Where in the period a tick lies that may come next; None if it will be the first there is."""
        scheduler, known = self.harness.scheduler, self._ticks
        if known is None:
            return tick
        if known[0] is not scheduler.plan or known[1] != scheduler.profiles.name:
            return None
        first = 0 if self._firsts is None else self._firsts.get((context, module))
        return None if first is None else (tick - first) % known[2][module]

    def _drawn_ns(self, launch: Launch, place: int) -> int:
        deck = self.harness.scheduler.contexts.decks[launch.context]
        plan = deck.named[launch.module].plan
        key = id(deck.plan), id(plan), launch.stage
        if (known := self._spreads.get(key)) is None:
            known = self._spreads[key] = self.piece.spread(deck.plan, plan, launch.stage)
        spread, planned_ns = known
        if not planned_ns:
            return 0
        chance = mixed(self.seed, self._names[launch.module], place, launch.stage, launch.context)
        return spread.at(chance) * plan.costs_ns[launch.stage] // planned_ns

    def _reply(self, port: str | None) -> int | Reply:
        for upset in tuple(self._upset):
            reply = upset.disturb(port, self.harness.clock.now_ns())
            if reply is None:
                self._upset.remove(upset)
            elif reply != NOTHING:
                self.outcome.faults[upset.fault] += not upset.struck
                upset.struck = True
                return reply
        return 0

    def _strike(self, injection: Injection) -> Callable[[int], Event]:
        fault = FAULTS[injection.fault]

        def strike(now_ns: int) -> Event:
            self._striking, self._waits = injection.fault, False
            try:
                event = fault.strike(self, source(self.seed, injection), now_ns)
            except MissedError:
                return Wake(now_ns)
            self.outcome.faults[injection.fault] += not self._waits
            return Wake(now_ns) if event is None else event

        return strike

    # -- what came of it ------------------------------------------------------------------------------------

    def _watch(self, scheduler: Scheduler, step: Step) -> None:
        self._last.append(step.event)
        self.outcome.events += 1
        self.outcome.commands += len(step.commands)
        if self._stopped_ns is None:
            self._account(scheduler, step)
        if isinstance(step.event, EpisodeEnd):
            self._firsts = None  # ticks count from 0 again, in all contexts
        self.cast.follow(scheduler, step)
        self.memory.audit()
        if self.island is not None and self.island.attended:
            self.island.follow(step)

    def _account(self, scheduler: Scheduler, step: Step) -> None:
        now_ns = step.event.now_ns
        if self._out:
            self.outcome.out_ns += now_ns - self._accounted_ns
        self._out, self._accounted_ns = False, now_ns
        for module in scheduler.contexts.live.modules:
            self._out = self._out or module.isolated
        if step.phase == "stopped":
            self._stopped_ns = now_ns

    def _decks(self) -> Collection[Deck]:
        return self.harness.scheduler.contexts.decks.values()

    def so_far(self) -> Outcome:
        """What has come of it up to now; nothing of what was skipped."""
        scheduler, told, drops = self.harness.scheduler, self.outcome, Counter[str]()
        for (_, reason), times in scheduler.drops.items():
            drops[reason] += times
        return Outcome(
            trials=1,
            simulated_ns=self.harness.clock.now_ns() if self._stopped_ns is None else self._stopped_ns,
            out_ns=told.out_ns,
            events=told.events,
            commands=told.commands,
            faults=Counter(told.faults),
            drops=drops,
            contexts=Counter(self.cast.told),
            profile_changes=scheduler.profiles.changes,
            stopped_early=told.stopped_early,
            jobs=sum(tally.finished for tally in scheduler.contexts.account().values()),
            judged=self.auditor.judged,
            oldest_action_ns=self.auditor.oldest_ns,
            worst=dict(self.auditor.worst),
        )

    def _failed(self, error: Exception) -> Failure:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = line_of(frame)
        rule = f"{frame.filename.rpartition('/')[2]}:{frame.name}: {line}"
        message = str(error).partition("\n")[0] or line.removeprefix("assert ")
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        last = () if self.harness.given is None else (self.harness.given,)
        events = tuple(map(str, (*self._last, *last)))
        return Failure(rule, kind + message, self.true_ns(self.harness.clock.now_ns()), events)


#: A disturbance that does not touch what is asked now.
NOTHING = Reply(0)
