"""From input to output over latest-value links, and from device to device by jitter.

Sources: A. Davare et al., "Period Optimization for Hard Real-time Distributed Automotive Systems", DAC 2007
(each hop costs at most a period and a response); K. Tindell, J. Clark, "Holistic schedulability analysis for
distributed hard real-time systems", Microprocessing and Microprogramming 40, 1994 (a producer's response is
its consumer's jitter, to a fixed point).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyrhythm.analysis.response import Bound, response_times
from polyrhythm.analysis.tasks import Task, Time

#: Rounds of `holistic` before it gives up.
MAX_ROUNDS = 1_000


@dataclass(frozen=True, slots=True)
class Hop:
    """One task of a chain: it works every `period_ns`, and is done `response_ns` after its release."""

    name: str
    period_ns: Time
    response_ns: Time


def end_to_end_ns(hops: Iterable[Hop]) -> Time:
    """Bound both the reaction time and the data age of a chain of unsynchronised tasks.

    Reaction: from an event at the input to the first output that knows it. Data age: from the sampling of the
    input to the last instant at which an output made of it is the newest.
    """
    return sum(h.period_ns + h.response_ns for h in hops)


def worst_paths(
    sink: str, producers: Mapping[str, Sequence[str]], weight: Mapping[str, tuple[Time, Time]]
) -> list[tuple[tuple[str, ...], tuple[Time, Time]]]:
    """The heaviest path to `sink` from everyone that leads to it and reads nobody, with its weight.

    Weights add up along a path, part by part, and are compared as tuples. There may be exponentially many
    paths; only the heaviest from each task on is followed. A loop is cut where it closes.
    """
    order = producers_first(sink, producers)
    place = {name: i for i, name in enumerate(order)}
    before = {name: [p for p in producers[name] if place[p] < place[name]] for name in order}
    worst: dict[str, tuple[tuple[Time, Time], tuple[str, ...]]] = {sink: (weight[sink], (sink,))}
    for name in reversed(order):
        (unproven, ns), path = worst[name]
        for producer in before[name]:
            more = weight[producer]
            longer = (unproven + more[0], ns + more[1]), (producer, *path)
            if producer not in worst or longer[0] > worst[producer][0]:
                worst[producer] = longer
    return [(worst[name][1], worst[name][0]) for name in order if not before[name]]


def producers_first(sink: str, producers: Mapping[str, Sequence[str]]) -> list[str]:
    """Everyone that leads to `sink`, each after those that it reads (loops apart)."""
    order: list[str] = []
    seen = {sink}
    stack = [(sink, iter(producers[sink]))]
    while stack:
        name, rest = stack[-1]
        before = next((p for p in rest if p not in seen), None)
        if before is None:
            stack.pop()
            order.append(name)
        else:
            seen.add(before)
            stack.append((before, iter(producers[before])))
    return order


@dataclass(frozen=True, slots=True)
class Device:
    """Tasks that share one queue, and how many stages it holds."""

    tasks: tuple[Task, ...]
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Holistic:
    """Bounds by task, measured from the release of the first task of each chain; `rounds` it took."""

    bounds: Mapping[str, Bound]
    rounds: int
    refusal: str | None = None

    @property
    def feasible(self) -> bool:
        """Whether every task is done by its deadline."""
        return self.refusal is None and all(b.feasible for b in self.bounds.values())


def holistic(devices: Sequence[Device], triggered_by: Mapping[str, Sequence[str]]) -> Holistic:
    """Bound tasks that start when others end, across devices.

    Args:
        triggered_by: the producers whose end releases a task. A task that is not named is released by the
            clock. Task names are unique over all devices.

    The jitter of a task is its own plus the longest response of its producers. Bounds only grow from
    round to round; a task that has none, or passes every deadline by its own period, ends the search.
    """
    base = {t.name: t for d in devices for t in d.tasks}
    unknown = {n for name, sources in triggered_by.items() for n in (name, *sources)} - base.keys()
    if unknown:
        raise ValueError(f"triggered_by names {sorted(unknown)}; the devices have {sorted(base)}")
    jitter: dict[str, Time] = {name: task.jitter_ns for name, task in base.items()}
    limit = {n: max(x.deadline_ns for x in base.values()) + t.period_ns for n, t in base.items()}
    bounds: dict[str, Bound] = {}
    for done in range(1, MAX_ROUNDS + 1):
        for device in devices:
            tasks = [replace(t, jitter_ns=jitter[t.name]) for t in device.tasks]
            bounds |= {b.name: b for b in response_times(tasks, device.depth)}
        known: dict[str, Time] = {n: b.bound_ns for n, b in bounds.items() if b.bound_ns is not None}
        if lost := [n for n in base if n not in known]:
            return Holistic(bounds, done, f"{lost[0]}: {bounds[lost[0]].refusal}")
        queued = (t for device in devices if device.depth > 1 for t in device.tasks)
        if lost := [t.name for t in queued if known[t.name] > t.period_ns]:
            return Holistic(bounds, done, f"{lost[0]} may have two jobs at once; no proof for depth > 1 then")
        if lost := [n for n in base if known[n] > limit[n]]:
            return Holistic(bounds, done, f"{lost[0]}: its bound grows past every deadline")
        now = {
            n: t.jitter_ns + max((known[p] for p in triggered_by.get(n, ())), default=0)
            for n, t in base.items()
        }
        if now == jitter:
            return Holistic(bounds, done)
        jitter = now
    return Holistic(bounds, MAX_ROUNDS, f"no fixed point in {MAX_ROUNDS} rounds")
