"""The bounds against their formulas, written down plainly: every release of the whole busy period."""

from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import ceil

from hypothesis import assume, example, given
from hypothesis import strategies as st

from polyrhythm.analysis import Task, edf_test, response_times
from tests.effort import examples


def fixed_point(of, at):
    while (later := of(at)) > at:
        at = later
    return at


def released(task: Task, until) -> int:
    return max(0, (until + task.jitter_ns) // task.period_ns + 1)


def overrun(task: Task):
    return 0 if task.budget_ns is None else max(task.stages_ns)


def plain(tasks: list[Task], task: Task, depth: int, ties: bool):
    """The bound as ``docs/concepts/proof.md`` has it."""
    others = [t for t in tasks if t is not task]
    above = [t for t in others if t.priority < task.priority + (t.budget_ns is not None)]
    equals = [t for t in others if t.priority == task.priority and t.budget_ns is None]
    below = [t for t in others if t.priority > task.priority]
    overruns = sum(map(overrun, above))

    def blocked(release):
        later = [t for t in equals if ties and t.deadline_ns > release + task.deadline_ns]
        stages = [s for t in below + later for s in t.stages_ns]
        if depth > 1 and above + equals:
            stages += [s for t in [*others, task] if t not in below + later for s in t.stages_ns[-depth:]]
        return sum(sorted(stages, reverse=True)[:depth])

    def longest():
        most = blocked(-task.jitter_ns)
        if equals or not ties:
            most = max(most, sum(sorted((s for t in tasks for s in t.stages_ns), reverse=True)[:depth]))
        first = [task, *above, *equals]

        def asked(until):
            jobs = ((t, ceil((until + t.jitter_ns) / t.period_ns)) for t in first)
            return most + overruns + sum(count * t.cost_ns for t, count in jobs)

        return fixed_point(asked, 1)

    def start(release):
        own = released(task, release) * task.cost_ns - task.stages_ns[-1]

        def before(until):
            jobs = [(t, released(t, until)) for t in above + equals]
            if ties:
                due = release + task.deadline_ns
                jobs = [(t, n if t in above else min(n, released(t, due - t.deadline_ns))) for t, n in jobs]
            return own + overruns + blocked(release) + sum(n * t.cost_ns for t, n in jobs)

        return fixed_point(before, 0)

    busy, releases = longest(), set()
    for other in [task, *(equals if ties else ())]:
        first = other.deadline_ns - task.deadline_ns - other.jitter_ns
        for k in count():
            if (at := first + k * other.period_ns) >= max(busy - task.jitter_ns, 1 - task.jitter_ns):
                break
            if at >= -task.jitter_ns:
                releases.add(at)
    return max(start(at) + task.stages_ns[-1] - at for at in releases)


@st.composite
def sets(draw: st.DrawFn, equals: bool = False) -> list[Task]:
    """2 to 5 tasks; odd periods, jitter, servers; almost full at times."""
    tasks = []
    for i in range(draw(st.integers(2, 5))):
        period = draw(st.sampled_from([5, 8, 9, 12, 20, 40, 60, Fraction(25, 3), Fraction(50, 7)]))
        stages = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=4)))
        budget = draw(st.sampled_from([None, None, None, 1, 3]))
        deadline = period if equals else draw(st.integers(1, 60))
        priority = 0 if equals else draw(st.integers(0, 3))
        jitter = draw(st.sampled_from([0, 0, 1, 7, Fraction(5, 2)]))
        tasks.append(
            Task(f"m{i}", period, deadline, stages, priority, 0 if budget else jitter, budget_ns=budget)
        )
    return tasks


#: The busy period of the second is 200 times as long as its period.
CROWDED = [
    Task("a", 100, 100, (50,), 0), Task("b", 101, 101, (50,), 1), Task("c", 10**9, 10**9, (9,), 2),
]  # fmt: skip


@examples(60)
@given(sets(), st.integers(1, 3), st.booleans())
@example(CROWDED, 1, True)
@example([*CROWDED[:2], replace(CROWDED[0], name="d", stages_ns=(0,), priority=1)], 2, True)
def test_no_bound_is_off_by_a_nanosecond(tasks, depth, ties):
    bounds = response_times(tasks, depth, ties=ties)
    assume(any(b.bound_ns is not None for b in bounds))
    for task, bound in zip(tasks, bounds, strict=True):
        if bound.bound_ns is not None:
            assert bound.bound_ns == plain(tasks, task, depth, bound.ties_exact), bound


@examples(40)
@given(sets(equals=True), st.integers(1, 3))
def test_every_deadline_of_the_longest_busy_period_is_tried(tasks, depth):
    tasks = [t for t in tasks if t.budget_ns is None]
    load = sum((t.utilisation for t in tasks), Fraction(0))
    assume(tasks and load < 1)
    stages = [s for t in tasks for s in t.stages_ns]
    until = (sum(stages) + sum(t.cost_ns + t.jitter_ns for t in tasks)) / (1 - load) + 100

    def needed(at):
        late = [s for t in tasks if t.deadline_ns > at for s in t.stages_ns]
        last = [s for t in tasks if t.deadline_ns <= at and depth > 1 for s in t.stages_ns[-depth:]]
        queued = late + last
        demand = sum(released(t, at - t.deadline_ns) * t.cost_ns for t in tasks)
        return demand + sum(sorted(queued, reverse=True)[:depth])

    deadlines = {
        at
        for t in tasks
        for k in range(ceil(until / t.period_ns) + 1)
        if (at := t.deadline_ns - t.jitter_ns + k * t.period_ns) <= until
    }
    late = min((at for at in deadlines if needed(at) > at), default=None)
    assert edf_test(tasks, depth).at_ns == late
