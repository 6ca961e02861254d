"""The scheduler as the authority: while profiles change, no response is above the bound of the envelope."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.analysis import envelope, prove, response_times, task_of
from polyrhythm.schedule import Loop, Mode, ModulePlan, Profile, SchedulePlan
from polyrhythm.schedule.events import Finish, SetProfile
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import module, plan_of
from tests.analysis.test_soundness import plans
from tests.effort import examples

PERIODS = [7, 9, 12, 20, 23, 40, Fraction(25, 3), Fraction(50, 3)]
Switches = list[tuple[int, str]]


@st.composite
def changed(draw: st.DrawFn, plan: SchedulePlan) -> Profile:
    """Other periods, deadlines and costs; some modules dropped."""
    found: dict[str, ModulePlan | None] = {}
    for m in plan.modules:
        costs = tuple(draw(st.integers(1, 4)) for _ in m.costs_ns)
        period_ns = Fraction(draw(st.sampled_from(PERIODS)))
        other = replace(m, period_ns=period_ns, deadline_ns=draw(st.integers(3, 45)), costs_ns=costs)
        found[m.id] = draw(st.sampled_from([m, other, other, None]))
    return Profile(found)


@st.composite
def changing(draw: st.DrawFn, mode: Mode | None = None) -> tuple[SchedulePlan, Switches]:
    """A plan with two or three profiles, and when which of them is asked for."""
    plan = draw(plans(mode))
    profiles = {name: draw(changed(plan)) for name in "abc"[: draw(st.integers(2, 3))]}
    switches = draw(st.lists(st.tuples(st.integers(0, 600), st.sampled_from(sorted(profiles))), max_size=12))
    return replace(plan, profiles=profiles, profile="a"), switches


def check(plan: SchedulePlan, switches: Switches) -> int:
    """How many modules had a bound."""
    proof = prove(envelope([plan.under(name) for name in plan.profiles]), ties=False)
    bounds = {v.module: v.bound_ns for v in proof.modules if v.bound_ns is not None}
    harness = Harness(plan).start()
    for at_ns, name in switches:
        harness.at(at_ns, partial(SetProfile, name=name))
    harness.run(800)
    for at_ns, done in harness.all(Finish):
        assert isinstance(done, Finish)
        assert at_ns - done.release_ns <= bounds.get(done.module, 10**9), (done, bounds)
    return len(bounds)


@examples(80)
@given(changing())
def test_no_response_above_the_bound_of_the_envelope(case: tuple[SchedulePlan, Switches]) -> None:
    check(*case)


@examples(30)
@given(changing(Mode.SEQUENTIAL))
def test_sequential(case: tuple[SchedulePlan, Switches]) -> None:
    check(*case)


@pytest.mark.slow
@examples(3000)
@given(changing())
def test_no_response_above_the_bound_of_the_envelope_at_length(case: tuple[SchedulePlan, Switches]) -> None:
    check(*case)


def test_an_envelope_takes_the_worse_of_everything() -> None:
    loop = Loop(0, 3, 1)
    flow = module("flow", 100, stages=("s",) * 3, costs_ns=(1, 1, 1), loop=replace(loop, most=1))
    slow = replace(flow, period_ns=2 * flow.period_ns, deadline_ns=5, costs_ns=(2, 2, 2), loop=loop)
    extra = module("extra", 10)
    found = envelope([plan_of(flow, extra, control_hz=50), plan_of(slow)])
    worse = replace(slow, period_ns=flow.period_ns, loop=replace(loop, most=3))
    assert found.modules == (worse, extra)
    assert found.control is None


def test_equals_with_changing_deadlines_go_first_at_worst() -> None:
    """By its deadline `late` never delays `soon` by more than one stage; nobody can count on that here."""
    soon = module("soon", 1, period_ns=Fraction(20), deadline_ns=10, costs_ns=(2,))
    late = module("late", 1, period_ns=Fraction(20), deadline_ns=20, costs_ns=(3, 3), stages=("a", "b"))
    tasks = [task_of(m) for m in (soon, late)]
    assert [b.bound_ns for b in response_times(tasks)] == [5, 8]
    assert [b.bound_ns for b in response_times(tasks, ties=False)] == [8, 8]
