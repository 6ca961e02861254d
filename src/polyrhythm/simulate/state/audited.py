"""How the auditor looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.audit.books import ContextBook, JobBook, ModuleBook
from polyrhythm.simulate.audit.chunks import ChunkBook, Pace, StepBook
from polyrhythm.simulate.state.looks import (
    LEFT_OUT,
    Look,
    asked,
    by_number,
    instant,
    jobs,
    keys,
    number,
    place,
    resumed,
    tick,
    truth,
)

if TYPE_CHECKING:
    from polyrhythm.simulate.state.view import View


def _answered(view: View, answered: Any, auditor: Any) -> object:
    control = auditor.plan.control
    return control and view.exactly(auditor.origin_ns, answered, control.period_ns)


def _since_answered(view: View, count: Any, auditor: Any) -> object:
    return count - auditor.answered


def _looked(view: View, looked: Any, auditor: Any) -> object:
    control = auditor.plan.control
    periods_ns = {} if control is None else control.observations
    return tuple([(port, view.exactly(auditor.looks_ns, k, periods_ns[port])) for port, k in looked.items()])


def _made(view: View, made: Any, auditor: Any) -> object:
    """Only what may still be executed."""
    chunks, slowed_ns = auditor.chunks, auditor.slowed_ns
    held = [(where[0], slot) for where, slot, _ in chunks._waiting]
    if chunks.reaches(view.cursor):
        (context, _), slot = chunks.playing[:2]
        held.append((context, slot))
    now_ns, cursor = view.now_ns, view.cursor
    return tuple(
        [
            (
                m.stamp_ns - now_ns,
                m.cursor - cursor,
                m.until - cursor,
                m.came_ns - now_ns,
                m.slowed_ns - slowed_ns,
            )
            for m in map(made.__getitem__, held)
        ]
    )


def _acting(view: View, since_ns: Any, auditor: Any) -> object:
    return None if auditor.acting is None else since_ns - view.now_ns


def _heads(view: View, heads: Any, auditor: Any) -> object:
    return tuple(
        [
            (device, view.number(job.id), position, at_ns - view.now_ns)
            for device, ((job, position), at_ns) in sorted(heads.items(), key=lambda item: item[0])
        ]
    )


def _left(view: View, left: Any, auditor: Any) -> object:
    return tuple(
        [
            (device, view.number(job.id), since_ns - view.now_ns, left_ns - view.now_ns)
            for (device, job, position), (since_ns, left_ns) in left.items()
            if job in auditor.flying[device] and job.done == position
        ]
    )


def _flying(view: View, flying: Any, auditor: Any) -> object:
    return tuple([(device, jobs(view, found, auditor)) for device, found in flying.items()])


def _sound(view: View, sound_ns: Any, auditor: Any) -> object:
    """A device without doubt, and which jobs are from before it was."""
    jobs = [m.active for m in auditor.modules if m.active is not None]
    waiting = [(m.plan.device, m.came_ns[k]) for m in auditor.modules for k in m.pending]
    releases = [*((job.plan.device, job.release_ns) for job in jobs), *waiting]
    return tuple(
        [
            (device, tuple([at_ns >= since_ns for its, at_ns in releases if its == device]))
            for device, since_ns in sorted(sound_ns.items())
        ]
    )


def _demanded(view: View, demanded_ns: Any, auditor: Any) -> object:
    """How long ago, where that is less than the analysis counts on."""
    if auditor._proven is None:
        return None
    periods_ns = auditor._proven(auditor.plan, auditor.profile).periods_ns
    return tuple(
        [
            (name, min(view.now_ns - at_ns, periods_ns.get(name, 0)))
            for name, at_ns in sorted(demanded_ns.items())
        ]
    )


def _held(view: View, slots: Any, context: Any) -> object:
    return tuple(
        [tuple([view.held(context, port, slot) for slot in order]) for port, order in view.slots.items()]
    )


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
    return tuple(
        [
            (context, port, view.slot(port, slot, context), horizon)
            for (context, port), slot, horizon in waiting
        ]
    )


#: The same of the auditor.
AUDITED: dict[type, dict[str, Look]] = {
    Auditor: {
        "contexts": keys, "flying": _flying, "jobs": by_number, "asked": asked,
        "acting": tick, "acting_ns": _acting, "cursor": tick, "answered": _answered,
        "instants_seen": _since_answered, "due_before": _since_answered, "made": _made, "looked": _looked,
        "heads": _heads, "left": _left, "now_ns": instant, "_sound_ns": _sound, "_demanded_ns": _demanded,
        "origin_ns": LEFT_OUT, "looks_ns": LEFT_OUT, "slowed_ns": LEFT_OUT, "drops": LEFT_OUT,
        "ready_to_publish": LEFT_OUT, "ended_job": LEFT_OUT, "renewed": LEFT_OUT, "unclear": LEFT_OUT,
        "released_now": LEFT_OUT, "hung": LEFT_OUT, "refuses": LEFT_OUT, "wakes_ns": LEFT_OUT,
        "demanded_now": LEFT_OUT, "begun_now": LEFT_OUT, "answered_now": LEFT_OUT, "oldest_ns": LEFT_OUT,
        "_proven": LEFT_OUT, "_known_limits": LEFT_OUT, "worst": LEFT_OUT, "judged": LEFT_OUT,
    },
    ContextBook: {
        "slots": _held, "seqs": _seqs, "resumed_ns": resumed, "newest": LEFT_OUT, "by_id": LEFT_OUT,
        "makers": LEFT_OUT, "ticks": LEFT_OUT, "looks": LEFT_OUT,
    },
    ModuleBook: {
        "next": _book_next, "pending": _book_pending, "last_ns": _last, "steps": _steps,
        "since": LEFT_OUT, "since_ns": LEFT_OUT, "next_ns": LEFT_OUT, "grid": LEFT_OUT, "rate": LEFT_OUT,
        "context": LEFT_OUT, "came_ns": LEFT_OUT,
        "released": LEFT_OUT, "finished": LEFT_OUT, "ended": LEFT_OUT,
    },
    JobBook: {
        "tick": _book_tick, "release_ns": instant, "deadline_ns": instant, "module": place, "id": number,
        "first": _first, "taken_ns": instant, "cursor": tick, "urgency": LEFT_OUT,
    },
    ChunkBook: {"playing": _playing, "_waiting": _waiting, "late": LEFT_OUT, "_paces": LEFT_OUT},
    Pace: {"accepted": truth, "delays": LEFT_OUT},
    StepBook: {},
}  # fmt: skip
