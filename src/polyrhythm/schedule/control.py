"""The robot's side of the scheduler: every control tick is answered once, observations come in time."""

from __future__ import annotations

from collections.abc import Mapping

from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import NO_ACTION, Act, Command, Decelerate, Drop, Hold, Observe
from polyrhythm.schedule.grid import Grid
from polyrhythm.schedule.plan import ControlPlan, Late
from polyrhythm.schedule.playback import ChunkRef, Playback, Splice


class Sight:
    """An observation of the context that is live: `due_ns` is when the next one is to be taken."""

    __slots__ = ("_grid", "_next", "due_ns", "port")

    def __init__(self, port: str, grid: Grid, first: int) -> None:
        self.port, self._grid, self._next = port, grid, first
        self.due_ns = grid.at(first)

    def pass_over(self, now_ns: int) -> int:
        """One is taken now, and the next one after now; returns how many were due before it."""
        last = self._grid.last_at_or_before(now_ns)
        missed, self._next = last - self._next, last + 1
        self.due_ns = self._grid.at(self._next)
        return missed


class Control:
    """Control ticks are *consumed*: `cursor` rises only when an answer leaves.

    `next_instant_ns` is the next control instant; observations are taken right after it, when theirs is
    due. If the robot still executes an answer at a grid instant, the next one leaves as soon as it is free;
    at most one waits, further instants pass without (reason ``robot_busy``). So a robot slower than declared
    stretches its ticks, and never jumps over actions.

    Args:
        live: the context that plays; its plan has a `control` part.
        decks: all contexts, by their numbers, kept up to date by the caller.
        playback: which chunk answers a tick.
    """

    def __init__(self, live: Deck, decks: Mapping[int, Deck], playback: Playback) -> None:
        self.cursor = 0
        self.acting: int | None = None  # the tick whose answer the robot is executing
        self._owed = False  # an instant has passed meanwhile: its answer leaves as soon as the robot is free
        self.ran_out = False  # the actions have run out, and `late` says to stop then
        self._played = False  # this episode has had an action
        self.waiting_links: set[str] = set()  # links whose `on_stale: hold` is in force
        self._decks = decks
        self._playback = playback
        #: (context, port) -> (slot, cursor when it was asked for)
        self._writing: dict[tuple[int, str], tuple[int, int]] = {}
        self._live, self._plan = live, self._plan_of(live)
        self.anchor(0)

    def attach(self, live: Deck, now_ns: int) -> None:
        """From now on this context plays: take its observations from the last control instant on. The chunks
        that are held stay with the playback."""
        plan = self._plan_of(live)
        self._live.pace = self._playback.switch(live.pace, live.chunk_ticks, plan)
        self._live, self._plan = live, plan
        self.waiting_links.clear()
        self._observe_from(self._grid.at(self._grid.last_at_or_before(now_ns)), 0)

    def repace(self, deck: Deck) -> None:
        """The making of its chunks takes otherwise from now on: what it took is of no use."""
        deck.pace = None
        if deck is self._live:
            self._playback.switch(None, deck.chunk_ticks, self._plan)

    def anchor(self, origin_ns: int) -> None:
        """Start the control and observation grids at `origin_ns`, where the first samples were just taken."""
        self._grid = Grid(self._plan.period_ns, origin_ns)
        self._next_instant, self.next_instant_ns = 0, origin_ns
        self._observe_from(origin_ns, 1)

    def _observe_from(self, origin_ns: int, first: int) -> None:
        self._sights = [
            Sight(port, Grid(period_ns, origin_ns), first)
            for port, period_ns in self._plan.observations.items()
        ]

    @staticmethod
    def _plan_of(deck: Deck) -> ControlPlan:
        assert deck.plan.control is not None
        return deck.plan.control

    @property
    def sampling(self) -> bool:
        """Whether an observation has been asked for and has not come."""
        return bool(self._writing)

    def reset(self) -> None:
        """An episode ended: no chunk, tick 0 again, nothing withheld."""
        self.cursor = 0
        self._owed = self._played = False
        self.waiting_links.clear()
        self._unpin(self._playback.reset())

    def observe_all(self, out: list[Command]) -> None:
        """Ask for every observation (the first of an episode)."""
        for port in self._plan.observations:
            self._observe(port, out)

    def sampled(self, context: int, port: str, slot: int) -> int | None:
        """An observation has come. Returns the control tick it precedes (the robot does what it is told in
        order, so that is the cursor of the moment it was asked for); None if nobody asked for it."""
        asked = self._writing.get((context, port))
        if asked is None or asked[0] != slot:
            return None
        del self._writing[context, port]
        return asked[1]

    def acted(self, tick: int, now_ns: int, out: list[Command]) -> None:
        """The robot has executed the answer to a tick; a duplicate changes nothing in the same episode."""
        if tick == self.acting:
            self.acting = None
            if self._owed:
                self._owed = False
                self._serve(now_ns, out)

    def instant(self, now_ns: int, out: list[Command]) -> None:
        """Answer one control instant, now or as soon as the robot is free; at most one answer waits."""
        last = self._grid.last_at_or_before(now_ns)
        if missed := last - self._next_instant:
            out.append(Drop("control", "host_late", missed))
        self._next_instant, self.next_instant_ns = last + 1, self._grid.at(last + 1)
        if self.acting is None:
            self._serve(now_ns, out)
        elif self._owed:
            out.append(Drop("control", "robot_busy"))
        else:
            self._owed = True

    def _serve(self, now_ns: int, out: list[Command]) -> None:
        """Answer, and take the observations that are due."""
        self._answer(out)
        for sight in self._sights:
            if sight.due_ns <= now_ns:
                if missed := sight.pass_over(now_ns):  # no control instant was answered when they were due
                    out.append(Drop(sight.port, "missed", missed, context=self._live.context))
                if (self._live.context, sight.port) in self._writing:
                    out.append(Drop(sight.port, "sensor_late", context=self._live.context))
                else:
                    self._observe(sight.port, out)

    def chunk(self, ref: ChunkRef, out: list[Command]) -> None:
        """A chunk was published; its slot is pinned for playback."""
        freed, refusal = self._playback.accept(ref, self.cursor)
        self._unpin(freed)
        if refusal is not None:
            out.append(Drop(self._port(ref), refusal, context=ref.context))

    def splice(self, start_tick: int) -> Splice:
        """What a chunk from `start_tick` on is joined to."""
        return self._playback.splice(start_tick, self.cursor)

    def has_room(self) -> bool:
        """Whether the playback has a buffer for one more chunk."""
        return self._playback.has_room(self.cursor)

    def _answer(self, out: list[Command]) -> None:
        tick = self.acting = self.cursor
        if freed := self._playback.advance(tick):
            self._unpin(freed)
        self.cursor += 1
        if self.waiting_links:
            out.append(Hold(tick, "stale: " + ", ".join(sorted(self.waiting_links))))
        elif (found := self._playback.take(tick)) is not None:
            self._played = True
            chunk, row = found
            out.append(Act(tick, self._port(chunk), chunk.slot, row, chunk.context))
        elif self._played and self._plan.late is Late.DECELERATE:
            out.append(Decelerate(tick))
        else:
            self.ran_out = self._played and self._plan.late is Late.STOP
            out.append(Hold(tick, NO_ACTION))

    def _observe(self, port: str, out: list[Command]) -> None:
        slot = self._live.rings[port].acquire()
        if slot is None:
            out.append(Drop(port, "no_free_slot", context=self._live.context))
        else:
            self._writing[self._live.context, port] = (slot, self.cursor)
            out.append(Observe(port, slot, self._live.context))

    def _port(self, chunk: ChunkRef) -> str:
        port = self._decks[chunk.context].chunk_port
        assert port is not None
        return port

    def _unpin(self, chunks: list[ChunkRef]) -> None:
        for chunk in chunks:
            self._decks[chunk.context].rings[self._port(chunk)].unpin(chunk.slot)
