"""Budgets of best-effort modules: worked tables, and what comes back when."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.schedule import Budget, Mode
from polyrhythm.schedule.budget import Server
from polyrhythm.schedule.events import Defer, Launch, Wake
from polyrhythm.simulate.audit.budgets import BudgetBook
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of
from tests.effort import examples


def launches(harness: Harness, name: str) -> list[float]:
    """When stages of a module were launched, in ms."""
    return [at / MS for at, c in harness.all(Launch) if isinstance(c, Launch) and c.module == name]


def hog(stage_ms: float, budget: Budget, **more: object):
    """Ten stages, four times a second: more than any budget here."""
    stages = tuple(f"s{i}" for i in range(10))
    return module("hog", 4, stages=stages, costs_ns=(round(stage_ms * MS),) * 10, budget=budget, **more)


def test_a_stage_starts_while_something_is_left_and_what_is_spent_comes_back_a_period_later() -> None:
    """5 ms in 50, stages of 2 ms: three start, the third with 1 ms left. What the first two spent comes back
    at 50 and 52 ms; the third overran by 1 ms, which the first of them pays, and pays again at 100 ms."""
    harness = Harness(plan_of(hog(2, Budget(5 * MS, 50 * MS)))).start().run(160 * MS)
    assert launches(harness, "hog") == [0, 2, 4, 50, 52, 100, 102, 104, 150, 152]
    assert harness.scheduler.modules[0].deferred == 3


def test_an_overrun_is_paid_back() -> None:
    """One stage of 20 ms on a budget of 5 in 50: the next one four periods later, not one."""
    harness = Harness(plan_of(hog(20, Budget(5 * MS, 50 * MS)))).start().run(S)
    assert launches(harness, "hog") == [0, 200, 400, 600, 800, 1000]


def test_nobody_polls_and_nobody_sleeps_on() -> None:
    """The scheduler wakes for releases, and when something comes back that a stage waits for."""
    harness = Harness(plan_of(hog(20, Budget(5 * MS, 50 * MS)))).start().run(999 * MS)
    wakes = [step.event.now_ns / MS for step in harness.log if isinstance(step.event, Wake)]
    assert wakes == [200, 250, 400, 500, 600, 750, 800]
    deferred = [(at / MS, c.stage) for at, c in harness.all(Defer) if isinstance(c, Defer)]
    assert deferred == [(20, 1), (220, 2), (420, 3), (620, 4), (820, 5)]


def test_others_go_on_meanwhile() -> None:
    """Without a budget one job of the hog would stand before twenty of `beside`, stage by stage."""
    beside = module("beside", 100, 1)
    harness = Harness(plan_of(hog(20, Budget(5 * MS, 50 * MS)), beside, k=2)).start().run(S)
    state = harness.scheduler.modules[1]
    assert (state.finished, state.dropped) == (100, 0)
    assert state.late == 5, "once for each stage that stood before it"


def test_sequential_asks_for_a_budget_before_a_job_begins() -> None:
    beside = module("beside", 100, 1, rank=1)
    plan = plan_of(hog(2, Budget(5 * MS, 50 * MS)), beside, mode=Mode.SEQUENTIAL)
    harness = Harness(plan).start().run(499 * MS)
    assert launches(harness, "hog") == [*range(0, 20, 2), *(250 + 2 * i for i in range(10))]
    tight = plan_of(hog(2, Budget(1 * MS, 50 * MS)), beside, mode=Mode.SEQUENTIAL)
    harness = Harness(tight).start().run(1999 * MS)
    assert {at // 1000 for at in launches(harness, "hog")} == {0, 1}
    assert harness.scheduler.modules[1].finished >= 190


def test_an_old_debt_outlives_an_episode_and_a_tiny_budget_costs_no_time() -> None:
    server = Server(Budget(1, MS))
    server.charge(0, 10 * S)
    assert not server.may_spend(9 * S)
    assert server.may_spend_at_ns() == 10 * S * MS
    assert server.may_spend(10 * S * MS)


@examples(80)
@given(
    st.integers(1, 20), st.integers(0, 30),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 30)), min_size=1, max_size=40),
)  # fmt: skip
def test_the_server_keeps_the_auditors_book(ns: int, more: int, turns: list[tuple[int, int]]) -> None:
    """Stages after random pauses: both say the same is left at every instant, and every window holds."""
    budget = Budget(ns, ns + more)
    server, book, now = Server(budget), BudgetBook(budget), 0
    for turn, (pause, took) in enumerate(turns):
        now += pause
        if not server.may_spend(now):
            assert book.left_ns(now) == 0
            now = server.may_spend_at_ns()
            assert book.left_ns(now - 1) == 0
        assert server.may_spend(now) and server.left_ns == book.left_ns(now) > 0
        server.charge(now, took)
        book.charge((turn, 0), now, took)
        now += took
    book.check_windows()


def test_periods_of_milliseconds_are_exact() -> None:
    server = Server(Budget(1, int(Fraction("0.1") * MS)))
    server.charge(7, 1)
    assert server.may_spend_at_ns() == 100_007
