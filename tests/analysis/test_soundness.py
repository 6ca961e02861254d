"""The real scheduler on the virtual clock as the authority: no response is ever above its bound."""

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polyrhythm.analysis import Task, edf_bounds, edf_test, prove, response_time, response_times
from polyrhythm.analysis import response as response_room
from polyrhythm.runtime.proof import DECLARED, prove_time
from polyrhythm.schedule import Budget, Loop, Mode, ModulePlan, Overrun, Policy, SchedulePlan
from polyrhythm.schedule.events import Finish, Launch
from polyrhythm.simulate.chance import mixed
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of
from tests.effort import examples

PROVED = examples(40)


def worst(plan: SchedulePlan, until_ns: int, seed: int | None = None) -> dict[str, int]:
    """The longest response of every module, releases up to `until_ns`; with a seed stages often take less
    than planned."""
    costs_ns = {m.id: m.costs_ns for m in plan.modules}

    def cost_ns(launch: Launch) -> int:
        planned_ns = costs_ns[launch.module][launch.stage]
        return planned_ns if seed is None else mixed(seed, launch.job, launch.stage) % (2 * planned_ns)

    harness = Harness(plan, lambda launch: min(cost_ns(launch), costs_ns[launch.module][launch.stage]))
    harness.start().run(until_ns)
    found: dict[str, int] = {}
    for at_ns, done in harness.all(Finish):
        found[done.module] = max(found.get(done.module, 0), at_ns - done.release_ns)
    return found


@st.composite
def plans(
    draw: st.DrawFn, mode: Mode | None = None, policies: tuple[Policy, ...] = (Policy.FIXED,), *,
    budgets: bool = False,
) -> SchedulePlan:  # fmt: skip
    """2 to 5 modules with small whole numbers, on 1 or 2 devices, some with steps; equal priorities and odd
    rates as well."""
    modules: list[ModulePlan] = []
    for i in range(draw(st.integers(2, 5))):
        period = draw(st.sampled_from([7, 9, 12, 20, 23, 40, Fraction(25, 3), Fraction(50, 3)]))
        stages, loop = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6)), None
        if draw(st.integers(0, 2)) == 0:
            full, before = draw(st.integers(1, 4)), draw(st.lists(st.integers(1, 6), max_size=2))
            loop = Loop(len(before), full, draw(st.integers(1, full)))
            after = draw(st.lists(st.integers(1, 4), max_size=1))
            stages = [*before, *[draw(st.integers(1, 3))] * full, *after]
        more = {
            "period_ns": Fraction(period), "deadline_ns": draw(st.integers(3, 45)), "costs_ns": tuple(stages),
            "stages": tuple(f"s{j}" for j in range(len(stages))), "priority": draw(st.integers(0, 3)),
            "phase_ns": draw(st.integers(0, 20)), "device": draw(st.sampled_from(["d", "d", "d", "e"])),
            "on_overrun": draw(st.sampled_from(list(Overrun))), "rank": i, "loop": loop,
        }  # fmt: skip
        if budgets and draw(st.booleans()):
            more["budget"] = Budget(draw(st.integers(1, 6)), draw(st.sampled_from([10, 17, 30])))
        modules.append(module(f"m{i}", 1, **more))
    kind = mode or draw(st.sampled_from([Mode.PARALLEL, Mode.PIPELINED]))
    policy = {device: draw(st.sampled_from(policies)) for device in "de"}
    return plan_of(*modules, mode=kind, k=draw(st.integers(1, 4)), policies=policy)


def check(plan: SchedulePlan, until_ns: int, seed: int | None = None) -> None:
    """No response is above its bound, and none is late of whoever is proven to be in time, perhaps because it
    may leave out steps."""
    proof = prove_time(plan, {m.id: DECLARED for m in plan.modules})
    assume(any(m.worst.bound_ns is not None for m in proof.modules.values()))
    seen = worst(plan, until_ns, seed)
    for name, judged in proof.modules.items():
        if (bound_ns := judged.worst.bound_ns) is not None:
            assert seen.get(name, 0) <= bound_ns, judged
        if judged.verdict.feasible and not judged.verdict.best_effort:
            assert seen.get(name, 0) <= judged.verdict.deadline_ns, judged


@PROVED
@given(plans())
def test_no_response_above_its_bound(plan):
    check(plan, 800)


@PROVED
@given(plans(policies=tuple(Policy), budgets=True), st.integers(0, 2**32))
def test_nor_if_stages_take_less_than_planned(plan, seed):
    check(plan, 800, seed)


@PROVED
@given(plans(Mode.SEQUENTIAL))
def test_sequential(plan):
    check(plan, 400)


@pytest.mark.parametrize("policy", [Policy.EDF, Policy.LAXITY])
@PROVED
@given(data=st.data())
def test_by_deadline_and_by_laxity(policy, data):
    check(data.draw(plans(policies=(policy,))), 800)


@st.composite
def giving_way(draw: st.DrawFn) -> SchedulePlan:
    """The same on devices that leave a stage for a more urgent one."""
    plan = draw(plans(policies=tuple(Policy), budgets=True))
    return replace(plan, devices=dict.fromkeys(plan.devices, 1), gives_way=tuple(plan.devices))


@PROVED
@given(giving_way(), st.none() | st.integers(0, 2**32))
def test_where_devices_give_way(plan, seed):
    check(plan, 800, seed)


@PROVED
@given(giving_way())
def test_where_devices_give_way_soon(plan):
    """On the virtual clock they do at once, which is as soon as can be."""
    check(replace(plan, modules=tuple(replace(m, piece_ns=0) for m in plan.modules)), 800)


@pytest.mark.slow
@examples(1000)
@given(giving_way(), st.none() | st.integers(0, 2**32))
def test_where_devices_give_way_at_length(plan, seed):
    check(plan, 3000, seed)


def test_what_is_left_between_two_kernels_blocks_for_one_of_them():
    """Worked: 20 ms of kernels of 2 ms. The urgent one waits for a kernel, who comes last for all that comes
    while it works."""
    urgent, between = module("urgent", 100, 1), module("between", 50, 4, priority=1, piece_ns=10**6)
    long = module("long", 10, 20, priority=2, piece_ns=2 * 10**6)
    plan = plan_of(urgent, between, long, gives_way=("d",))

    def bounds_ms(plan: SchedulePlan) -> list[float]:
        return [m.bound_ns / 1e6 for m in prove(plan).modules]

    assert bounds_ms(replace(plan, gives_way=())) == [21, 27, 25]
    assert bounds_ms(plan) == [3, 7, 32]
    unknown = replace(plan, modules=tuple(replace(m, piece_ns=None) for m in plan.modules))
    assert bounds_ms(unknown) == [21, 27, 32]


@PROVED
@given(plans(policies=tuple(Policy), budgets=True))
def test_beside_budgets(plan):
    check(plan, 800)


@PROVED
@given(plans(Mode.SEQUENTIAL, budgets=True))
def test_sequential_beside_budgets(plan):
    check(plan, 400)


@pytest.mark.slow
@examples(1000)
@given(
    st.booleans().flatmap(lambda budgets: plans(policies=tuple(Policy), budgets=budgets)),
    st.none() | st.integers(0, 2**32),
)
def test_no_response_above_its_bound_at_length(plan, seed):
    check(plan, 3000, seed)


@PROVED
@given(plans(policies=(Policy.EDF,)))
def test_all_deadlines_are_met_if_the_demand_fits(plan):
    """What the test of demand admits, and what it says where deadlines are not told apart one by one."""
    light = (replace(m, costs_ns=(1,) * len(m.stages), deadline_ns=int(m.period_ns)) for m in plan.modules)
    plan = replace(plan, modules=tuple(light))
    tasks = [
        Task(m.id, m.period_ns, m.deadline_ns, m.costs_ns, 0, 1) for m in plan.modules if m.device == "d"
    ]
    assume(tasks)
    assume(edf_test(tasks, plan.devices["d"]).feasible)
    seen = worst(plan, 800)
    assert all(seen.get(t.name, 0) <= t.deadline_ns for t in tasks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(response_room, "MAX_TIE_WORK", 0)
        assert all(b.feasible for b in edf_bounds(tasks, plan.devices["d"]))


@examples(20)
@given(
    horizon=st.integers(1, 6), buffers=st.integers(1, 2), rate_hz=st.sampled_from([1, 5, 40]),
    stages=st.lists(st.integers(1, 40), min_size=1, max_size=3), act_ms=st.sampled_from([0, 7, 13]),
    rest=st.lists(st.integers(1, 6), min_size=1, max_size=2), first=st.booleans(), seed=st.integers(0, 2**32),
)  # fmt: skip
def test_chunks_on_demand_come_no_sooner_than_proven(
    horizon, buffers, stages, rest, first, seed, rate_hz, act_ms
):
    """However much, or little, of what it is planned to cost the making of a chunk takes. The first two of an
    episode are not counted: they fill the buffers."""
    head = module(
        "head", rate_hz, stages=tuple(f"s{i}" for i in range(len(stages))), outputs=("head.out",),
        costs_ns=tuple(cost * MS for cost in stages), chunk=("head.out", horizon), on_demand=True, priority=1,
    )  # fmt: skip
    beside = module(
        "rest", 8, phase_ns=S // 2, stages=tuple(f"s{i}" for i in range(len(rest))), deadline_ns=S,
        costs_ns=tuple(cost * MS for cost in rest), priority=0 if first else 2,
    )  # fmt: skip
    plan = plan_of(head, beside, mode=Mode.RTC, control_hz=100, observations={}, buffers=buffers)
    costs_ns = {m.id: m.costs_ns for m in plan.modules}

    def cost_ns(launch: Launch) -> int:
        planned_ns = costs_ns[launch.module][launch.stage]
        return min(planned_ns, mixed(seed, launch.job, launch.stage) % (2 * planned_ns))

    harness = Harness(plan, cost_ns, act_ns=lambda tick: act_ms * MS).start().run(2 * S)
    proof = prove_time(plan, dict.fromkeys(costs_ns, DECLARED))
    jobs = {name: [c for _, c in harness.all(Finish) if c.module == name] for name in costs_ns}
    spacing_ns = [b.release_ns - a.release_ns for a, b in itertools.pairwise(jobs["head"][1:])]
    assert len(spacing_ns) > 4 and len(jobs["rest"]) > 4
    if buffers == 2:
        assert min(spacing_ns) >= proof.modules["head"].plan.period_ns
    for at_ns, done in harness.all(Finish):
        bound_ns = proof.modules[done.module].worst.bound_ns
        if bound_ns is not None and done.release_ns >= S // 2:
            assert at_ns - done.release_ns <= bound_ns, done


def test_a_server_costs_its_budget_and_a_stage():
    """5 in 50 by stages of 4: two of them start, and nobody who waits may count on less than 5 + 4."""
    hog = module(
        "hog", 1, period_ns=Fraction(400), deadline_ns=400, stages=tuple("abcdefghij"), costs_ns=(4,) * 10,
        budget=Budget(5, 50), phase_ns=1,
    )  # fmt: skip
    low = module("low", 1, period_ns=Fraction(40), deadline_ns=40, costs_ns=(10,), priority=1)
    first = module("first", 1, period_ns=Fraction(400), deadline_ns=40, costs_ns=(1,))
    plan = plan_of(hog, low, first)
    verdicts = {v.module: v for v in prove(plan).modules}
    assert verdicts["low"].bound_ns == 10 + 1 + 5 + 4
    assert 10 + 1 + 5 < worst(plan, 2000)["low"] <= verdicts["low"].bound_ns
    assert verdicts["hog"].best_effort and verdicts["hog"].bound_ns is None and prove(plan).feasible
    # Less urgent, it blocks with one stage.
    assert prove(plan_of(replace(hog, priority=2), low)).modules[1].bound_ns == 10 + 4


def test_a_more_urgent_stage_can_be_carried_in():
    """K = 2: urgent's stage stands in the queue with one of slow's when middle's job comes, and urgent's next
    job is nearer than a period by what urgent itself has waited. Stages of slow alone do not cover it."""
    costs = {"urgent": (6000,), "middle": (100,) * 119, "slow": (1000,) * 12}
    periods = {"urgent": 20_000, "middle": 100_000, "slow": 1_000_000}
    phases = {"urgent": 1, "middle": 2001, "slow": 0}
    plan = plan_of(
        *(
            module(
                n, 1, period_ns=Fraction(periods[n]), deadline_ns=periods[n], costs_ns=costs[n], priority=i,
                stages=tuple(f"s{j}" for j in range(len(costs[n]))), phase_ns=phases[n],
            )
            for i, n in enumerate(costs)
        ),
        k=2,
    )  # fmt: skip
    seen = worst(plan, 90_000)["middle"]
    tasks = [Task(n, periods[n], periods[n], costs[n], i) for i, n in enumerate(costs)]
    assert response_time(tasks, 1, 2, carried=False).bound_ns < seen <= response_time(tasks, 1, 2).bound_ns


def simulated(tasks: list[Task], phases: tuple[int, ...], until: int, head_start: int = 0) -> list[int]:
    """Worst responses on whole time units with K = 1. A stage of `head_start` units began just before 0."""
    queue: list[tuple[int, int, int, int]] = []  # priority, release, task, next stage
    due = list(phases)
    worst_seen, now = [0] * len(tasks), head_start
    while now < until:
        for i, task in enumerate(tasks):
            while due[i] <= now:
                queue.append((task.priority, due[i], i, 0))
                due[i] += int(task.period_ns)
        if not queue:
            now = min(due)
            continue
        first = min(queue)
        queue.remove(first)
        priority, release, i, stage = first
        now += int(tasks[i].stages_ns[stage])
        if stage + 1 < len(tasks[i].stages_ns):
            queue.append((priority, release, i, stage + 1))
        else:
            worst_seen[i] = max(worst_seen[i], now - release)
    return worst_seen


@st.composite
def small_sets(draw: st.DrawFn) -> list[Task]:
    """Three tasks whose phases can all be tried."""
    tasks = []
    for i in range(3):
        period = draw(st.sampled_from([4, 5, 6, 8, 12]))
        stages = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=2)))
        tasks.append(Task(f"m{i}", period, period, stages, i))
    return tasks


@examples(30)
@given(small_sets())
def test_the_bound_is_reached_and_not_passed(tasks):
    bounds = response_times(tasks)
    assume(bounds[2].bound_ns is not None)
    for i, bound in enumerate(bounds):
        longest = max((s for t in tasks[i + 1 :] for s in t.stages_ns), default=0)
        phases = tuple(0 if j <= i else 10**6 for j in range(3))
        assert simulated(tasks, phases, bound.busy_ns, longest)[i] == bound.bound_ns
    spans = [range(int(t.period_ns)) for t in tasks]
    for phases in itertools.product([0], spans[1], spans[2]):
        seen = simulated(tasks, phases, 150)
        assert all(s <= b.bound_ns for s, b in zip(seen, bounds, strict=True))
