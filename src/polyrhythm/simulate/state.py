"""A trial as it looks from now: what looks the same goes on in the same way, until something strikes.

Instants count from now, jobs, ticks and versions from the next one to come; slots are named by what is done with
them; sums of what was are left out, and so is what nobody reads any more. The tables name every attribute that is not compared as it is. So what is
forgotten here is compared as it is, and an object of a class without a table is like no other: a mistake of
that kind has nothing skipped, and never too much.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer, DelayEstimate, PlayerPlan
from polyrhythm.schedule import (
    Budget,
    ControlPlan,
    InputPlan,
    Loop,
    ModulePlan,
    OnStale,
    SchedulePlan,
    Scheduler,
)
from polyrhythm.schedule.budget import Budgets
from polyrhythm.schedule.contexts import Contexts
from polyrhythm.schedule.control import Control, Sight
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import Acted, Sampled, StageDone
from polyrhythm.schedule.grid import Grid
from polyrhythm.schedule.jobs import Job, ModuleState
from polyrhythm.schedule.lanes import NEVER_NS, Flight, Lane, Queue
from polyrhythm.schedule.profiles import Profiles
from polyrhythm.schedule.slots import SlotRing
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.audit.books import ContextBook, JobBook, ModuleBook, SlotBook
from polyrhythm.simulate.audit.chunks import ChunkBook, Pace, StepBook
from polyrhythm.simulate.harness import Harness

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Trial

#: (what it is seen from, a value, whose attribute it is) -> how it looks.
Look = Callable[["View", Any, Any], object]


def still(trial: Trial) -> bool:
    """Whether what happens next is the live context's alone, and nothing is under way that comes to an end."""
    scheduler, auditor, harness = trial.harness.scheduler, trial.auditor, trial.harness
    contexts = scheduler.contexts
    waits = contexts.next is not None or contexts.warming or contexts.leaving or not contexts.live.open
    resting = [deck for deck in contexts.decks.values() if deck is not contexts.live]
    now_ns = harness.clock.now_ns()
    return not (
        scheduler.phase != "running"
        or waits
        or scheduler.profiles.due_ns != NEVER_NS
        or any(deck.busy for deck in resting)
        or trial._upset
        or any(until_ns > now_ns for until_ns in trial.down_ns.values())
        or auditor.budgets  # their windows are judged at the end, all of them
    )


def state_of(trial: Trial) -> tuple[object, ...]:
    """What the future depends on, of a trial that is `still`."""
    view, cast, memory = View(trial), trial.cast, trial.memory
    armed = tuple([(module, tuple(found)) for module, found in sorted(trial._armed.items()) if found])
    there = (tuple(cast.ready), tuple(sorted(cast._swaps)), cast._live)
    reserved = (memory.machine.used, memory.should_be)
    return view.of(trial.harness), view.of(trial.auditor), armed, there, reserved


def resting_of(trial: Trial) -> tuple[object, ...]:
    """What may be read of the contexts that do not play, once they do."""
    view, contexts = View(trial), trial.harness.scheduler.contexts
    found: list[object] = []
    for number, deck in contexts.decks.items():
        book = trial.auditor.contexts[number]
        for port, limit_ns in _oldest_read(deck).items() if deck is not contexts.live else ():
            if limit_ns != -1 and (slot := book.newest[port]) is not None:
                content = view.content(book, port, book.slots[port][slot])
                found.append((number, port, _version(view, deck.rings[port]), content))
    return tuple(found)


def age(trial: Trial, by_ns: int, by_ticks: int) -> None:
    """Have so much time passed for all that does not move: what lies in the slots of contexts that rest, and
    what is too old for its readers."""
    view, contexts = View(trial), trial.harness.scheduler.contexts
    for deck in contexts.decks.values():
        book = trial.auditor.contexts[deck.context]
        for port, ring in deck.rings.items():
            latest, slot = ring.latest, book.newest[port]
            if latest is not None and (deck is not contexts.live or view.too_old(port, latest.stamp_ns)):
                ring.latest = latest._replace(
                    stamp_ns=latest.stamp_ns - by_ns, tick=latest.tick - by_ticks
                )
                assert slot is not None
                book.slots[port][slot].stamp_ns -= by_ns
                book.slots[port][slot].tick -= by_ticks


class View:
    """What a state is seen from: the present instant, and what comes next of everything that is numbered."""

    def __init__(self, trial: Trial) -> None:
        scheduler = trial.harness.scheduler
        self.now_ns = trial.harness.clock.now_ns()
        self.next_job = scheduler._next_job
        self.cursor = 0 if scheduler.control is None else scheduler.control.cursor
        self.live = scheduler.contexts.live
        self.ticks = trial.piece.ticks(scheduler.plan, scheduler.profiles.name)
        self._ages = _oldest_read(self.live)
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
            looks = _LOOKS.get(kind) or _looks(kind, value)
            return tuple([
                self.of(getattr(value, name)) if look is None else look(self, getattr(value, name), value)
                for name, look in looks
            ])
        if kind in _ROWS:
            return tuple(map(self.of, value))
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

    def exactly(self, origin_ns: int | Fraction, k: int, period_ns: Fraction) -> Fraction:
        """Instant k of one of the auditor's grids."""
        return origin_ns + k * period_ns - self.now_ns

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


def _oldest_read(deck: Deck) -> dict[str, int | None]:
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


# -- how attributes look ------------------------------------------------------------------------------------


def _none(view: View, value: Any, owner: Any) -> object:
    raise AssertionError("it is left out")


def _instant(view: View, at_ns: Any, owner: Any) -> object:
    return at_ns if at_ns is None or at_ns >= NEVER_NS else at_ns - view.now_ns


def _known_instant(view: View, at_ns: Any, owner: Any) -> object:
    return None if at_ns == 0 else _instant(view, at_ns, owner)


def _free(view: View, at_ns: Any, owner: Any) -> object:
    return at_ns if at_ns >= NEVER_NS else max(0, at_ns - view.now_ns)


def _frees(view: View, found: Any, owner: Any) -> object:
    return tuple([(device, _free(view, at_ns, owner)) for device, at_ns in found.items()])


def _tick(view: View, tick: Any, owner: Any) -> object:
    return None if tick is None else tick - view.cursor


def _job(view: View, job: Any, owner: Any) -> object:
    return None if job is None else view.number(job.id)


def _jobs(view: View, jobs: Any, owner: Any) -> object:
    return tuple([view.number(job.id) for job in jobs])


def _by_number(view: View, jobs: Any, owner: Any) -> object:
    return tuple([(view.number(number), view.of(job)) for number, job in sorted(jobs.items())])


def _number(view: View, job: Any, owner: Any) -> object:
    return None if job is None else view.number(job)


def _keys(view: View, found: Any, owner: Any) -> object:
    return tuple(found)


def _place(view: View, module: Any, owner: Any) -> object:
    return module.index


def _places(view: View, modules: Any, owner: Any) -> object:
    return tuple([module.index for module in modules])


def _context(view: View, deck: Any, owner: Any) -> object:
    return deck.context


def _asked(view: View, asked: Any, owner: Any) -> object:
    return tuple([
        (context, port, view.slot(port, slot, context), cursor - view.cursor)
        for (context, port), (slot, cursor) in sorted(asked.items())
    ])


def _coming(view: View, coming: Any, owner: Any) -> object:
    ordered = sorted(coming, key=lambda item: item[:2])
    return tuple([(at_ns - view.now_ns, view.of(what)) for at_ns, _, what in ordered if not callable(what)])


def _sampled(view: View, slot: Any, event: Any) -> object:
    return view.slot(event.port, slot, event.context)


def _instants(view: View, k: Any, control: Any) -> object:
    return view.phase(control._grid, k)


def _ring(view: View, port: str, ring: Any) -> object:
    latest, order = ring.latest, view.slots[port]
    if latest is None:
        newest: object = None
    elif view.too_old(port, latest.stamp_ns):
        newest = order.index(latest.slot)
    else:
        newest = order.index(latest.slot), _version(view, ring)
    return newest, tuple([ring._pins[slot] for slot in order]), view.of(ring)


def _version(view: View, ring: Any) -> object:
    if ring.latest is None:
        return None
    _, seq, stamp_ns, tick = ring.latest
    return seq - ring.published, stamp_ns - view.now_ns, tick - view.cursor


def _rings(view: View, rings: Any, owner: Any) -> object:
    return tuple([(port, _ring(view, port, ring)) for port, ring in rings.items()])


def _next_tick(view: View, k: Any, module: Any) -> object:
    at = None if module.isolated or module.plan.on_demand else view.phase(module.grid, k)
    return at, k % view.ticks[module.plan.id], k > module._first_tick


def _pending(view: View, ticks: Any, module: Any) -> object:
    return tuple([(k - module.next_tick, module.instant(k) - view.now_ns) for k in ticks])


def _took(view: View, took_ns: Any, module: Any) -> object:
    return None if module.plan.loop is None else view.of(took_ns)


def _job_tick(view: View, tick: Any, job: Any) -> object:
    return tick - job.module.next_tick


def _reads(view: View, reads: Any, job: Any) -> object:
    if reads is None:
        return None
    rings, number = job.deck.rings, job.deck.context
    return tuple([
        (r.input, view.slot(r.port, r.slot, number), r.seq - rings[r.port].published, r.age_ns) for r in reads
    ])


def _writes(view: View, writes: Any, job: Any) -> object:
    return tuple([view.slot(port, slot, job.deck.context) for port, slot in writes])


def _if_read(look: Look) -> Look:
    """Of a job that has taken its inputs."""
    return lambda view, value, job: None if job.reads is None else look(view, value, job)


def _chunk(view: View, chunk: Any, owner: Any) -> object:
    if chunk is None:
        return None
    ends = chunk.end_tick - view.cursor
    return _chunk_slot(view, chunk), (ends, chunk.horizon) if ends > 0 else None


def _chunks(view: View, chunks: Any, owner: Any) -> object:
    return tuple([(_chunk_slot(view, chunk), chunk.horizon) for chunk in chunks])


def _chunk_slot(view: View, chunk: Any) -> tuple[int, int]:
    port = view.live.chunk_port or ""
    return chunk.context, view.slot(port, chunk.slot, chunk.context)


def _lane(view: View, lane: Any, owner: Any) -> object:
    return lane.device


# -- and those of the auditor


def _answered(view: View, answered: Any, auditor: Any) -> object:
    control = auditor.plan.control
    return control and view.exactly(auditor.origin_ns, answered, control.period_ns)


def _since_answered(view: View, count: Any, auditor: Any) -> object:
    return count - auditor.answered


def _looked(view: View, looked: Any, auditor: Any) -> object:
    control = auditor.plan.control
    periods_ns = {} if control is None else control.observations
    return tuple(
        [(port, view.exactly(auditor.looks_ns, k, periods_ns[port])) for port, k in looked.items()]
    )


def _made(view: View, made: Any, auditor: Any) -> object:
    """Only what may still be executed."""
    chunks = auditor.chunks
    held = [(where[0], slot) for where, slot, _ in chunks._waiting]
    if chunks.reaches(view.cursor):
        (context, _), slot = chunks.playing[:2]
        held.append((context, slot))
    return tuple([(made[key][0] - view.now_ns, made[key][1] - view.cursor) for key in held])


def _heads(view: View, heads: Any, auditor: Any) -> object:
    return tuple([
        (device, view.number(job.id), position, at_ns - view.now_ns)
        for device, ((job, position), at_ns) in sorted(heads.items(), key=lambda item: item[0])
    ])


def _flying(view: View, flying: Any, auditor: Any) -> object:
    return tuple([(device, _jobs(view, jobs, auditor)) for device, jobs in flying.items()])


def _sound(view: View, sound_ns: Any, auditor: Any) -> object:
    """A device without doubt, and which jobs are from before it was."""
    jobs = [m.active for m in auditor.modules if m.active is not None]
    waiting = [(m.plan.device, m.came_ns[k]) for m in auditor.modules for k in m.pending]
    releases = [*((job.plan.device, job.release_ns) for job in jobs), *waiting]
    return tuple([
        (device, tuple([at_ns >= since_ns for its, at_ns in releases if its == device]))
        for device, since_ns in sorted(sound_ns.items())
    ])


def _demanded(view: View, demanded_ns: Any, auditor: Any) -> object:
    """How long ago, where that is less than the analysis counts on."""
    if auditor._proven is None:
        return None
    periods_ns = auditor._proven(auditor.plan, auditor.profile).periods_ns
    return tuple([
        (name, min(view.now_ns - at_ns, periods_ns.get(name, 0)))
        for name, at_ns in sorted(demanded_ns.items())
    ])


def _held(view: View, slots: Any, context: Any) -> object:
    return tuple([
        tuple([view.held(context, port, slot) for slot in order]) for port, order in view.slots.items()
    ])


def _seqs(view: View, seqs: Any, context: Any) -> object:
    return tuple([seq - view.live.rings[port].published for port, seq in seqs.items()])


def _book_next(view: View, k: Any, module: Any) -> object:
    ticks = not (module.isolated or module.plan.on_demand)
    at = view.exactly(module.since_ns, k - module.since, module.plan.period_ns) if ticks else None
    return at, k - view.live.modules[module.index].next_tick


def _book_pending(view: View, ticks: Any, module: Any) -> object:
    return tuple([(k - module.next, module.came_ns[k] - view.now_ns) for k in ticks])


def _last(view: View, at_ns: Any, module: Any) -> object:
    over = module.spacing_ns is None or module.isolated or module.plan.on_demand
    return None if over else at_ns - view.now_ns


def _steps(view: View, steps: Any, module: Any) -> object:
    return None if module.plan.loop is None else view.of(steps)


def _book_tick(view: View, tick: Any, job: Any) -> object:
    return tick - job.module.next


def _first(view: View, launch: Any, job: Any) -> object:
    if launch is None:
        return None
    context = job.module.context
    reads = [
        (r.input, view.slot(r.port, r.slot, context.number), r.seq - context.seqs[r.port], r.age_ns)
        for r in launch.reads
    ]
    return tuple(reads), tuple([view.slot(port, slot, context.number) for port, slot in launch.writes])


def _playing(view: View, playing: Any, owner: Any) -> object:
    if playing is None:
        return None
    (context, port), slot, first, horizon = playing
    ends = first + horizon - view.cursor
    return context, port, view.slot(port, slot, context), (ends, horizon) if ends > 0 else None


def _waiting(view: View, waiting: Any, owner: Any) -> object:
    return tuple([
        (context, port, view.slot(port, slot, context), horizon) for (context, port), slot, horizon in waiting
    ])


def _any(view: View, found: Any, owner: Any) -> object:
    return bool(found)


def _is(view: View, found: Any, owner: Any) -> object:
    return found is not None


def _count(view: View, found: Any, owner: Any) -> object:
    return len(found)


#: It says what was, it is said elsewhere, or it is dead between two events.
LEFT_OUT: Look = _none
_SUMS = dict.fromkeys(("released", "finished", "dropped", "late", "shifted", "stale_used", "deferred"), LEFT_OUT)

#: Class -> how its attributes look, where they are not compared as they are.
TABLES: dict[type, dict[str, Look]] = {
    Harness: {
        "_device_free_ns": _frees, "_robot_free_ns": _free, "_coming": _coming,
        "clock": LEFT_OUT, "log": LEFT_OUT, "given": LEFT_OUT, "events": LEFT_OUT, "struck": LEFT_OUT,
        "_cost": LEFT_OUT, "_act_ns": LEFT_OUT, "_sample_ns": LEFT_OUT, "_watchers": LEFT_OUT,
        "_keep": LEFT_OUT, "_order": LEFT_OUT,
    },
    StageDone: {"now_ns": _instant, "job": _number, "started_ns": _instant, "ended_ns": _instant},
    Sampled: {"now_ns": _instant, "slot": _sampled, "stamp_ns": _instant},
    Acted: {"now_ns": _instant, "tick": _tick},
    Scheduler: {
        "now_ns": _instant, "_jobs": _by_number, "_next_due_ns": _known_instant,
        "drops": LEFT_OUT, "_next_job": LEFT_OUT, "_out": LEFT_OUT,
    },
    Budgets: {},
    Profiles: {"due_ns": _instant, "changes": LEFT_OUT},
    Control: {
        "acting": _tick, "_writing": _asked, "_next_instant": _instants, "next_instant_ns": _instant,
        "cursor": LEFT_OUT, "_decks": LEFT_OUT, "_live": LEFT_OUT, "_grid": LEFT_OUT,
    },
    Sight: {"_next": _instants, "due_ns": _instant, "_grid": LEFT_OUT},
    ChunkPlayer: {"_current": _chunk},
    BufferedPlayer: {"_current": _chunk, "_waiting": _chunks},
    DelayEstimate: {},
    Contexts: {"decks": _keys, "_gone": LEFT_OUT, "_cancel": LEFT_OUT},
    Lane: {},
    Flight: {"job": _job, "since_ns": _instant},
    Queue: {"jobs": _jobs, "lane": _lane, "order": LEFT_OUT},
    Deck: {
        "rings": _rings, "suspended": _places, "on_demand": _places, "named": LEFT_OUT, "pace": LEFT_OUT,
    },
    SlotRing: {
        "writing": _is, "_free": _count, "latest": LEFT_OUT, "published": LEFT_OUT, "superseded": LEFT_OUT,
        "_pins": LEFT_OUT,
    },
    ModuleState: _SUMS | {
        "next_tick": _next_tick, "next_release_ns": _instant, "active": _job, "pending": _pending,
        "took_ns": _took, "queue": LEFT_OUT, "inputs": LEFT_OUT, "grid": LEFT_OUT, "_came_ns": LEFT_OUT,
        "_first_tick": LEFT_OUT,
    },
    Job: {
        "module": _place, "tick": _job_tick, "release_ns": _instant, "deadline_ns": _instant, "reads": _reads,
        "writes": _writes, "stamp_ns": _if_read(_instant), "robot_tick": _if_read(_tick), "deck": _context, "id": LEFT_OUT,
    },
    Auditor: {
        "contexts": _keys, "profile_due_ns": _instant, "flying": _flying, "jobs": _by_number, "asked": _asked,
        "acting": _tick, "cursor": _tick, "answered": _answered, "instants_seen": _since_answered,
        "due_before": _since_answered, "made": _made, "looked": _looked, "heads": _heads, "now_ns": _instant,
        "_sound_ns": _sound, "_demanded_ns": _demanded,
        "origin_ns": LEFT_OUT, "looks_ns": LEFT_OUT, "drops": LEFT_OUT, "ready_to_publish": LEFT_OUT,
        "ended_job": LEFT_OUT, "renewed": LEFT_OUT, "released_now": LEFT_OUT, "demanded_now": LEFT_OUT,
        "begun_now": LEFT_OUT, "answered_now": LEFT_OUT, "oldest_ns": LEFT_OUT, "_proven": LEFT_OUT,
        "worst": LEFT_OUT, "judged": LEFT_OUT,
    },
    ContextBook: {
        "slots": _held, "seqs": _seqs, "newest": LEFT_OUT, "by_id": LEFT_OUT, "makers": LEFT_OUT,
    },
    ModuleBook: {
        "next": _book_next, "pending": _book_pending, "last_ns": _last, "steps": _steps,
        "since": LEFT_OUT, "since_ns": LEFT_OUT, "context": LEFT_OUT, "came_ns": LEFT_OUT,
        "released": LEFT_OUT, "finished": LEFT_OUT, "ended": LEFT_OUT,
    },
    JobBook: {
        "tick": _book_tick, "release_ns": _instant, "deadline_ns": _instant, "module": _place, "id": _number,
        "first": _first, "taken_ns": _instant,
    },
    ChunkBook: {"playing": _playing, "_waiting": _waiting, "late": LEFT_OUT, "_paces": LEFT_OUT},
    Pace: {"accepted": _any},
    StepBook: {},
}  # fmt: skip

_PLAIN = {int, str, bool, float, type(None), Fraction}
_ROWS = {list, tuple, deque}
_MAPS = {dict, Counter}
#: Never changed while a trial plays; whoever has one keeps it.
_CONSTANT = {Budget, ControlPlan, InputPlan, Loop, ModulePlan, PlayerPlan, SchedulePlan, Grid}
_LOOKS: dict[type, list[tuple[str, Look | None]]] = {}


def attributes(value: object) -> set[str]:
    """The names of all attributes of an object, also of a compiled one."""
    kinds = type(value).__mro__
    slots = [name for kind in kinds for name in vars(kind).get("__slots__", ())]
    compiled = [name for kind in kinds for name in vars(kind).get("__mypyc_attrs__", ())]
    return {*slots, *compiled, *getattr(value, "__dict__", {}), *getattr(value, "_fields", ())} - {
        "__dict__", "__weakref__"
    }  # fmt: skip


def _looks(kind: type, value: object) -> list[tuple[str, Look | None]]:
    table, names = TABLES[kind], attributes(value)
    assert table.keys() <= names, f"{kind.__name__} has no {', '.join(table.keys() - names)}"
    found = [(name, table.get(name)) for name in sorted(names)]
    _LOOKS[kind] = found = [(name, look) for name, look in found if look is not LEFT_OUT]
    return found
