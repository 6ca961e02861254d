"""The scheduler core: events in, commands out. No threads, no clocks, no sleeping, integer nanoseconds.

The runtime drives it with the monotonic clock; tests, lockstep runs and replays drive the very same object
with a virtual one. `handle` looks at one event, then at every grid instant that has come, then gives each
device the most urgent stage that can run.
"""

from __future__ import annotations

from typing import Final

from polyrhythm.schedule.contexts import STOPPED
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import (
    Acted,
    Admit,
    Command,
    Drop,
    EpisodeEnd,
    Event,
    Halt,
    LimitSteps,
    ProfileSet,
    Refused,
    Sampled,
    SetProfile,
    StageDone,
    Start,
    Stop,
    Switch,
    Switched,
    Wake,
)
from polyrhythm.schedule.jobs import ModuleState
from polyrhythm.schedule.lanes import NEVER_NS, WARM_TICK
from polyrhythm.schedule.plan import SchedulePlan
from polyrhythm.schedule.playback import Playback
from polyrhythm.schedule.profiles import PROFILE, Profiles
from polyrhythm.schedule.slots import InvariantError, SlotRing
from polyrhythm.schedule.work import Work

#: Who comes so late to what was due stood still, perhaps with the devices: no stage is blamed for it.
HOST_AWAY_NS: Final = 250_000_000


class Scheduler(Work):
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
        super().__init__(plan, playback, context)
        self.phase = "idle"
        self.profiles = Profiles(plan.profile)
        self.profiles.apply(self.contexts.live)

    # -- the border -------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Command]:
        """Take one event; returns what is to be done, in this order."""
        if event.now_ns < self.now_ns:
            raise InvariantError(f"time ran backwards: {event} after {self.now_ns}")
        if event.now_ns - self.now_ns > HOST_AWAY_NS and event.now_ns - self.next_ns() > HOST_AWAY_NS:
            for lane in self.contexts.lanes.values():
                lane.excuse(event.now_ns)
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
        if not self.profiles.settled and self.profiles.in_force(self.contexts.live):
            self.profiles.settled = True
            self._out.append(ProfileSet(self.profiles.name))
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
        due_ns = NEVER_NS if self.control is None else self.control.next_instant_ns
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
        if self.profiles.ask(event.name):
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

    @property
    def _void_reason(self) -> str:
        return "stopped" if self.phase == "stopped" else "old_epoch"

    def _void(self) -> None:
        """The episode is over: nothing of any context goes on."""
        for deck in self.contexts.decks.values():
            self._close(deck, self._void_reason)
        if self.control is not None:
            self.control.reset()

    # -- instants ---------------------------------------------------------------------------------------

    def _instants(self) -> None:
        if self.control is not None and self.control.next_instant_ns <= self.now_ns:
            if self.contexts.next is not None:
                self._flip(self.contexts.next)
                self._forgo(self.contexts.live)
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
