"""Who goes first on a device, by each policy, from worked examples."""

from __future__ import annotations

import pytest

from polyrhythm.schedule import Budget, Mode, Policy
from polyrhythm.schedule.events import Finish, Launch
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, module, plan_of


def order(policy: Policy, mode: Mode = Mode.PARALLEL, *more) -> list[str]:
    """Four jobs, all released at 0 while a stage of `first` runs: in which order do they begin?

    ========  ========  ========  ====  =======
    module    priority  deadline  cost  laxity
    ========  ========  ========  ====  =======
    urgent    0         90 ms     1 ms  89 ms
    soon      2         30 ms     1 ms  29 ms
    long      1         50 ms     40 ms 10 ms
    ========  ========  ========  ====  =======
    """
    plan = plan_of(
        module("first", 1, 5, deadline_ns=5 * MS),
        module("urgent", 1, 1, priority=0, deadline_ns=90 * MS, rank=1),
        module("soon", 1, 1, priority=2, deadline_ns=30 * MS, rank=1),
        module("long", 1, 40, priority=1, deadline_ns=50 * MS, rank=1),
        *more,
        mode=mode,
        policies={"d": policy},
    )
    harness = Harness(plan).start().run(900 * MS)
    return [c.module for _, c in harness.all(Launch) if isinstance(c, Launch)]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy.FIXED, ["first", "urgent", "long", "soon"]),
        (Policy.EDF, ["first", "soon", "long", "urgent"]),
        (Policy.LAXITY, ["first", "long", "soon", "urgent"]),
    ],
)
def test_the_order(policy: Policy, expected: list[str]) -> None:
    assert order(policy) == expected


def test_fixed_is_what_a_device_has_without_a_policy() -> None:
    assert plan_of(module("a", 1)).policy("d") is Policy.FIXED


@pytest.mark.parametrize("policy", list(Policy))
def test_sequential_looks_at_no_policy(policy: Policy) -> None:
    assert order(policy, Mode.SEQUENTIAL) == ["first", "urgent", "soon", "long"]


@pytest.mark.parametrize("policy", [Policy.EDF, Policy.LAXITY])
def test_by_deadline_or_laxity_best_effort_comes_last(policy: Policy) -> None:
    effort = module("effort", 1, 1, deadline_ns=6 * MS, budget=Budget(MS, 10 * MS), priority=0, rank=1)
    assert order(policy, Mode.PARALLEL, effort)[-1] == "effort"


def test_laxity_is_looked_at_before_every_stage() -> None:
    """Two jobs of three stages of 4 ms, due at 20 and 22 ms: whichever is short by more goes on."""
    stages = ("a", "b", "c")
    costs = {"stages": stages, "costs_ns": (4 * MS,) * 3}
    plan = plan_of(
        module("one", 1, deadline_ns=20 * MS, **costs),
        module("two", 1, deadline_ns=22 * MS, **costs),
        policies={"d": Policy.LAXITY},
    )
    harness = Harness(plan).start().run(100 * MS)
    names = [c.module for _, c in harness.all(Launch) if isinstance(c, Launch)]
    assert names == ["one", "two", "one", "two", "one", "two"]
    fixed = Harness(plan_of(*plan.modules)).start().run(100 * MS)
    assert [c.module for _, c in fixed.all(Finish) if isinstance(c, Finish)] == ["one", "two"]
