"""How the scheduler and its world look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer, DelayEstimate
from polyrhythm.schedule import Scheduler
from polyrhythm.schedule.contexts import Contexts
from polyrhythm.schedule.control import Control, Sight
from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import Acted, Sampled, StageDone
from polyrhythm.schedule.jobs import Job, ModuleState
from polyrhythm.schedule.lanes import NEVER_NS, Flight, Lane, Queue
from polyrhythm.schedule.profiles import Profiles
from polyrhythm.schedule.slots import SlotRing
from polyrhythm.simulate.harness import Harness

if TYPE_CHECKING:
    from polyrhythm.simulate.state.view import View

#: (what it is seen from, a value, whose attribute it is) -> how it looks.
Look = Callable[["View", Any, Any], object]


def _none(view: View, value: Any, owner: Any) -> object:
    raise AssertionError("it is left out")


def instant(view: View, at_ns: Any, owner: Any) -> object:
    return at_ns if at_ns is None or at_ns >= NEVER_NS else at_ns - view.now_ns


def _known_instant(view: View, at_ns: Any, owner: Any) -> object:
    return None if at_ns == 0 else instant(view, at_ns, owner)


def resumed(view: View, at_ns: Any, owner: Any) -> object:
    """When the live context came back, as long as that excuses a link."""
    if at_ns is None:
        return None
    graces_ns = [link.grace_ns for module in view.live.modules for link in module.inputs]
    return at_ns - view.now_ns if view.now_ns - at_ns <= max(graces_ns, default=0) else None


def _free(view: View, at_ns: Any, owner: Any) -> object:
    return at_ns if at_ns >= NEVER_NS else max(0, at_ns - view.now_ns)


def _frees(view: View, found: Any, owner: Any) -> object:
    return tuple([(device, _free(view, at_ns, owner)) for device, at_ns in found.items()])


def tick(view: View, tick: Any, owner: Any) -> object:
    return None if tick is None else tick - view.cursor


def _job(view: View, job: Any, owner: Any) -> object:
    return None if job is None else view.number(job.id)


def jobs(view: View, jobs: Any, owner: Any) -> object:
    return tuple([view.number(job.id) for job in jobs])


def by_number(view: View, jobs: Any, owner: Any) -> object:
    return tuple([(view.number(number), view.of(job)) for number, job in sorted(jobs.items())])


def number(view: View, job: Any, owner: Any) -> object:
    return None if job is None else view.number(job)


def _budgets(view: View, budgets: Any, owner: Any) -> object:
    return view.of(budgets._servers)


def keys(view: View, found: Any, owner: Any) -> object:
    return tuple(found)


def place(view: View, module: Any, owner: Any) -> object:
    return module.index


def _places(view: View, modules: Any, owner: Any) -> object:
    return tuple([module.index for module in modules])


def _context(view: View, deck: Any, owner: Any) -> object:
    return deck.context


def asked(view: View, asked: Any, owner: Any) -> object:
    return tuple(
        [
            (context, port, view.slot(port, slot, context), cursor - view.cursor)
            for (context, port), (slot, cursor) in sorted(asked.items())
        ]
    )


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
        newest = order.index(latest.slot), version(view, ring)
    return newest, tuple([ring._pins[slot] for slot in order]), view.of(ring)


def version(view: View, ring: Any) -> object:
    if ring.latest is None:
        return None
    _, seq, stamp_ns, tick = ring.latest
    return seq - ring.published, stamp_ns - view.now_ns, tick - view.cursor


def _rings(view: View, rings: Any, owner: Any) -> object:
    return tuple([(port, _ring(view, port, ring)) for port, ring in rings.items()])


def _next_tick(view: View, k: Any, module: Any) -> object:
    at = None if module.isolated or module.plan.on_demand else view.phase(module.grid, k)
    return at, view.place_of(view.live.context, module.plan.id, k), k > module._first_tick


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
    return tuple(
        [
            (r.input, view.slot(r.port, r.slot, number), r.seq - rings[r.port].published, r.age_ns)
            for r in reads
        ]
    )


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


def truth(view: View, found: Any, owner: Any) -> object:
    return bool(found)


def _is(view: View, found: Any, owner: Any) -> object:
    return found is not None


def _count(view: View, found: Any, owner: Any) -> object:
    return len(found)


#: It says what was, it is said elsewhere, or it is dead between two events.
LEFT_OUT: Look = _none
_SUMS = dict.fromkeys(
    ("released", "finished", "dropped", "late", "shifted", "stale_used", "deferred"), LEFT_OUT
)

#: Class -> how its attributes look, where they are not compared as they are.
PLAYED: dict[type, dict[str, Look]] = {
    Harness: {
        "_device_free_ns": _frees, "_robot_free_ns": _free, "_coming": _coming,
        "clock": LEFT_OUT, "log": LEFT_OUT, "given": LEFT_OUT, "events": LEFT_OUT, "struck": LEFT_OUT,
        "_cost": LEFT_OUT, "_act_ns": LEFT_OUT, "_sample_ns": LEFT_OUT, "_watchers": LEFT_OUT,
        "_keep": LEFT_OUT, "_order": LEFT_OUT,
    },
    StageDone: {"now_ns": instant, "job": number, "started_ns": instant, "ended_ns": instant},
    Sampled: {"now_ns": instant, "slot": _sampled, "stamp_ns": instant},
    Acted: {"now_ns": instant, "tick": tick},
    Scheduler: {
        "now_ns": instant, "_jobs": by_number, "_next_due_ns": _known_instant,
        "_budgets": _budgets, "drops": LEFT_OUT, "_next_job": LEFT_OUT, "_out": LEFT_OUT,
    },
    Profiles: {"changes": LEFT_OUT},
    Control: {
        "acting": tick, "_writing": asked, "_next_instant": _instants, "next_instant_ns": instant,
        "cursor": LEFT_OUT, "_decks": LEFT_OUT, "_live": LEFT_OUT, "_grid": LEFT_OUT,
    },
    Sight: {"_next": _instants, "due_ns": instant, "_grid": LEFT_OUT},
    ChunkPlayer: {"_current": _chunk},
    BufferedPlayer: {"_current": _chunk, "_waiting": _chunks},
    DelayEstimate: {"_recent": LEFT_OUT, "_ranked": LEFT_OUT},
    Contexts: {"decks": keys, "_gone": LEFT_OUT, "_gone_superseded": LEFT_OUT, "_cancel": LEFT_OUT},
    Lane: {},
    Flight: {"job": _job, "since_ns": instant, "left_ns": instant, "urgency": LEFT_OUT},
    Queue: {"jobs": jobs, "lane": _lane, "order": LEFT_OUT},
    Deck: {
        "rings": _rings, "suspended": _places, "on_demand": _places, "resumed_ns": resumed,
        "named": LEFT_OUT, "pace": LEFT_OUT,
    },
    SlotRing: {
        "writing": _is, "_free": _count, "latest": LEFT_OUT, "published": LEFT_OUT, "superseded": LEFT_OUT,
        "_pins": LEFT_OUT,
    },
    ModuleState: dict.fromkeys(_SUMS, LEFT_OUT) | {
        "next_tick": _next_tick, "next_release_ns": instant, "active": _job, "pending": _pending,
        "took_ns": _took, "queue": LEFT_OUT, "inputs": LEFT_OUT, "grid": LEFT_OUT, "_came_ns": LEFT_OUT,
        "_first_tick": LEFT_OUT,
    },
    Job: {
        "module": place, "tick": _job_tick, "release_ns": instant, "deadline_ns": instant, "reads": _reads,
        "writes": _writes, "stamp_ns": _if_read(instant), "robot_tick": _if_read(tick), "deck": _context,
        "id": LEFT_OUT,
    },
}  # fmt: skip
