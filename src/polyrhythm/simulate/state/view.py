"""What a state is seen from."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Budget, ControlPlan, InputPlan, Loop, ModulePlan, OnStale, SchedulePlan
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.grid import Grid
from polyrhythm.schedule.slots import SlotRing
from polyrhythm.simulate.audit.books import SlotBook
from polyrhythm.simulate.state.audited import AUDITED
from polyrhythm.simulate.state.looks import LEFT_OUT, PLAYED, Look

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Trial

#: Class -> how its attributes look, where they are not compared as they are.
TABLES = PLAYED | AUDITED
_PLAIN = {int, str, bool, float, type(None), Fraction}
_ROWS = {list, tuple, deque}
_MAPS = {dict, Counter}
#: Never changed while a trial plays; whoever has one keeps it.
_CONSTANT = {Budget, ControlPlan, InputPlan, Loop, ModulePlan, PlayerPlan, SchedulePlan, Grid}
#: Class -> what gives the attributes of an object that are compared, and how they look.
_LOOKS: dict[type, tuple[Callable[[object], tuple[Any, ...]], list[Look | None]]] = {}


class View:
    """What a state is seen from: the present instant, and what comes next of everything that is numbered."""

    def __init__(self, trial: Trial) -> None:
        scheduler = trial.harness.scheduler
        self.now_ns = trial.harness.clock.now_ns()
        self.next_job = scheduler._next_job
        self.cursor = 0 if scheduler.control is None else scheduler.control.cursor
        self.live = scheduler.contexts.live
        self.place_of = trial.place_of
        self._ages = oldest_read(self.live)
        books = trial.auditor.contexts[self.live.context].slots
        #: Port -> its slots: those that are free in the order in which they are taken, the one that is
        #: written, the others by age. What a slot is called is its place here.
        self.slots = {port: _in_order(ring, books[port]) for port, ring in self.live.rings.items()}
        jobs = scheduler._jobs.values()
        self._read = {(read.port, read.slot) for job in jobs for read in job.reads or ()}

    def of(self, value: Any) -> object:
        """How something looks."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind in TABLES:
            found, looks = _LOOKS.get(kind) or _looks(kind, value)
            return tuple(
                [
                    (a if type(a) in _PLAIN else self.of(a)) if look is None else look(self, a, value)
                    for a, look in zip(found(value), looks, strict=True)
                ]
            )
        if kind in _ROWS:
            return tuple([a if type(a) in _PLAIN else self.of(a) for a in value])
        if kind in _MAPS:
            return tuple([(self.of(key), self.of(found)) for key, found in value.items()])
        if kind is set:
            return tuple(sorted(value))
        if kind in _CONSTANT:
            return id(value)
        return value if isinstance(value, Enum) or callable(value) else object()

    def too_old(self, port: str, stamp_ns: int) -> bool:
        """Whether no reader of the live context takes it any more."""
        limit_ns = self._ages[port]
        return limit_ns is not None and self.now_ns - stamp_ns > limit_ns

    def slot(self, port: str, slot: int, context: int) -> int:
        """What a slot is called."""
        return self.slots[port].index(slot) if context == self.live.context else slot

    def number(self, job: int) -> int:
        """A job by its number."""
        return job - self.next_job

    def phase(self, grid: Any, k: int) -> tuple[object, ...]:
        """Where a grid stands of which instant k comes next: to the fraction of a nanosecond."""
        period, parts = grid._period, grid._parts_per_ns
        return grid.at(k) - self.now_ns, (k * period + grid._rest) % parts, period, parts

    def exactly(self, origin_ns: int | Fraction, k: int, period_ns: Fraction) -> tuple[int, int]:
        """Instant k of one of the auditor's grids, in parts of a nanosecond, and how many parts that has."""
        one, other = origin_ns.denominator, period_ns.denominator
        parts = (origin_ns.numerator - self.now_ns * one) * other + k * period_ns.numerator * one
        return parts, one * other

    def held(self, context: Any, port: str, index: int) -> tuple[object, ...]:
        """A slot of the auditor's: who has it, and what lies in it if it may be looked at."""
        slot = context.slots[port][index]
        writer = self.number(slot.writer) if isinstance(slot.writer, int) else slot.writer
        readers = tuple(map(self.number, slot.readers))
        return writer, readers, context.newest[port] == index, self._seen(context, port, index, slot)

    def _seen(self, context: Any, port: str, index: int, slot: Any) -> object:
        if slot.readers or (port, index) in self._read:
            return self.content(context, port, slot)
        if context.newest[port] != index:
            return None
        if self.too_old(port, slot.stamp_ns):
            return "old"
        return self.content(context, port, slot)

    def content(self, context: Any, port: str, slot: Any) -> tuple[int, ...]:
        """What lies in a slot."""
        return slot.seq - context.seqs[port], slot.stamp_ns - self.now_ns, slot.tick - self.cursor


def _in_order(ring: SlotRing, books: list[SlotBook]) -> list[int]:
    others = [slot for slot in range(ring.depth) if slot not in ring._free and slot != ring.writing]
    written = [] if ring.writing is None else [ring.writing]
    return [*ring._free, *written, *sorted(others, key=lambda slot: books[slot].seq or 0)]


def oldest_read(deck: Deck) -> dict[str, int | None]:
    """Of every port, how old it may be for somebody still to read it; None: however old it is."""
    ages: dict[str, int | None] = dict.fromkeys(deck.rings, -1)
    for module in deck.modules:
        for link in () if module.isolated else module.plan.inputs:
            known = ages[link.source]
            if link.max_age_ns is None or link.on_stale is OnStale.USE:
                ages[link.source] = None
            elif known is not None:
                ages[link.source] = max(known, link.max_age_ns)
    return ages


def attributes(value: object) -> set[str]:
    """The names of all attributes of an object, also of a compiled one."""
    kinds = type(value).__mro__
    slots = [name for kind in kinds for name in vars(kind).get("__slots__", ())]
    compiled = [name for kind in kinds for name in vars(kind).get("__mypyc_attrs__", ())]
    return {*slots, *compiled, *getattr(value, "__dict__", {}), *getattr(value, "_fields", ())} - {
        "__dict__", "__weakref__"
    }  # fmt: skip


def _looks(kind: type, value: object) -> tuple[Callable[[object], tuple[Any, ...]], list[Look | None]]:
    table, names = TABLES[kind], attributes(value)
    assert table.keys() <= names, f"{kind.__name__} has no {', '.join(table.keys() - names)}"
    left = [name for name in sorted(names) if table.get(name) is not LEFT_OUT]
    assert len(left) > 1, "one attribute would not come as a tuple"
    found = _LOOKS[kind] = attrgetter(*left), [table.get(name) for name in left]
    return found
