"""The auditor's accounts of chunks and of steps: plain models of both players and of the choice of steps."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from math import ceil

from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import ControlPlan, ModulePlan, SchedulePlan
from polyrhythm.schedule.playback import Splice

Where = tuple[int, str]


class Pace:
    """How many ticks the chunks of a context came late; `control` is its plan's."""

    def __init__(self, control: ControlPlan | None, initial: int) -> None:
        self.initial = initial
        self.accepted = 0
        self.delays: deque[int] = deque(maxlen=None if control is None else control.delay_window)
        self._quantile = 1.0 if control is None else control.delay_quantile

    @property
    def usual(self) -> int:
        share = self._quantile * len(self.delays) - 1e-9
        for no_longer, delay in enumerate(sorted(self.delays), 1):
            if no_longer >= share:
                return delay
        return self.initial


def planned_ticks(modules: Iterable[ModulePlan], plan: SchedulePlan) -> int:
    """How many ticks a chunk is planned to take; 0: nobody says so."""
    maker = next((m for m in modules if m.chunk is not None), None)
    return 0 if maker is None or plan.control is None else ceil(sum(maker.costs_ns) / plan.control.period_ns)


class ChunkBook:
    """Which chunk plays, which wait for it, and how late they came.

    `playing` is (where, slot, first tick, horizon), `where` a context and a port; `buffers` is None if a
    chunk takes over as it comes.
    """

    def __init__(self, plan: SchedulePlan, player: PlayerPlan) -> None:
        self.buffers = plan.buffers
        self.playing: tuple[Where, int, int, int] | None = None
        self.played = False  #: an action has left in this episode
        self.late: Counter[str] = Counter()  #: by port, how many came too late for all of their ticks
        self._waiting: list[tuple[Where, int, int]] = []
        self._paces = {0: Pace(plan.control, player.planned_ticks)}
        self._pace = self._paces[0]

    def forget(self) -> None:
        """An episode ended."""
        self.playing, self._waiting, self.played = None, [], False

    def reaches(self, tick: int) -> bool:
        """Whether the chunk that plays has an action for a tick."""
        return self.playing is not None and self.playing[2] <= tick < sum(self.playing[2:])

    def holds(self, where: Where, slot: int) -> bool:
        """Whether a slot may not be written."""
        playing = self.playing is not None and self.playing[:2] == (where, slot)
        return playing or (where, slot) in [chunk[:2] for chunk in self._waiting]

    @property
    def contexts(self) -> set[int]:
        """Whose chunks are held."""
        held = [where for where, *_ in self._waiting]
        return {where[0] for where in (held if self.playing is None else [self.playing[0], *held])}

    def switch(self, context: int, planned: int, control: ControlPlan) -> None:
        """Another context makes the chunks; each has a pace of its own."""
        self._pace = self._paces.setdefault(context, Pace(control, planned or self._pace.usual))

    def repace(self, context: int, planned: int, control: ControlPlan | None) -> None:
        """The chunks of a context are planned to take otherwise; nothing is known of how long they do."""
        if (before := self._paces.pop(context, None)) is self._pace:
            self._pace = self._paces[context] = Pace(control, planned or before.usual)

    def gone(self, context: int) -> None:
        """A context is forgotten."""
        self._paces.pop(context, None)

    def has_room(self, cursor: int) -> bool:
        """Whether another chunk is wanted."""
        assert self.buffers is not None
        return (self.playing is not None and cursor < sum(self.playing[2:])) + len(
            self._waiting
        ) < self.buffers

    def ahead(self, cursor: int) -> int:
        """How many ticks have their actions from chunks that are played before one that comes now."""
        if self.buffers is None:
            return 0
        playing = 0 if self.playing is None else max(0, sum(self.playing[2:]) - cursor)
        return playing + sum(horizon for _, _, horizon in self._waiting)

    def published(self, where: Where, slot: int, tick: int, horizon: int, cursor: int) -> None:
        """A chunk has come."""
        if self.buffers is not None:
            self._waiting.append((where, slot, horizon))
            return
        if self._pace.accepted:  # the first is a warm-up
            self._pace.delays.append(cursor - tick)
        self._pace.accepted += 1
        if tick + horizon > cursor:
            self.playing = (where, slot, tick, horizon)
            return
        self.late[where[1]] += 1
        if self.playing is not None and sum(self.playing[2:]) <= cursor:
            self.playing = None  # its slot may be needed

    def turn_over(self, tick: int) -> None:
        """A chunk that has ended is let go; those that wait begin then, or when they come."""
        if self.playing is not None and tick >= sum(self.playing[2:]):
            self.playing = None
        if self.playing is None and self._waiting:
            where, slot, horizon = self._waiting.pop(0)
            self.playing = (where, slot, tick, horizon)

    def check(self, splice: Splice, cursor: int, start_tick: int) -> None:
        """What a chunk is joined to is what will be executed next, at this very moment.

        Args:
            start_tick: what the chunk is conditioned on.
        """
        assert splice.cursor == cursor
        if self.buffers is not None:
            assert splice == Splice(cursor, cursor, 0)
            return
        assert splice.start_tick == start_tick <= cursor
        assert splice.delay == max(self._pace.usual, cursor - splice.start_tick)
        left = 0 if self.playing is None else max(0, sum(self.playing[2:]) - cursor)
        assert splice.left == left
        if left:
            assert self.playing is not None
            assert (splice.slot, splice.row) == (self.playing[1], cursor - self.playing[2])
            assert splice.context == self.playing[0][0]


class StepBook:
    """What the stages of a module took, and how many steps of its loop that leaves time for."""

    def __init__(self, plan: ModulePlan) -> None:
        self._plan = plan
        self._took_ns: dict[str, deque[int]] = {}

    def add(self, stage: int, took_ns: int) -> None:
        """A stage has ended."""
        self._took_ns.setdefault(self._role(stage), deque(maxlen=16)).append(took_ns)

    def replan(self, plan: ModulePlan) -> None:
        """The module runs under other numbers: what was measured under other costs is no guide."""
        if plan.costs_ns != self._plan.costs_ns:
            self._took_ns.clear()
        self._plan = plan

    def left_out(self, now_ns: int, held_ns: int, deadline_ns: int, most: int | None) -> int:
        """Steps to leave out of a job whose device holds so much: it takes the largest number with which it
        would be done by its deadline, and `most` at most."""
        loop, stages = self._plan.loop, len(self._plan.stages)
        assert loop is not None
        step_ns = self.slowest_ns(loop.first)
        rest_ns = held_ns + sum(map(self.slowest_ns, range(loop.first + loop.full, stages)))
        most = max(loop.fast, min(n for n in (loop.most, most, loop.full) if n is not None))
        fits = [n for n in range(loop.fast, most + 1) if now_ns + rest_ns + n * step_ns <= deadline_ns]
        return loop.full - max(fits, default=loop.fast if step_ns else most)

    def slowest_ns(self, stage: int) -> int:
        """What a stage may take: what is planned, or more if one of the last few took more."""
        longest_ns = self._plan.costs_ns[stage]
        if self._plan.loop is None:
            return longest_ns
        return max(longest_ns, max(self._took_ns.get(self._role(stage), ()), default=0))

    def _role(self, stage: int) -> str:
        """What a stage is remembered as: all steps of a loop are the same thing."""
        loop = self._plan.loop
        in_loop = loop is not None and loop.first <= stage < loop.first + loop.full
        return "step" if in_loop else str(stage)
