"""EDF, chains, chunks, advice, and the verdict on a plan."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.analysis import (
    Device,
    Hop,
    Task,
    boundary_stall_ns,
    chunk_verdict,
    edf_test,
    end_to_end_ns,
    holistic,
    largest_cost_ns,
    prove,
    response_time,
    response_times,
    stage_advice,
)
from polyrhythm.analysis import response as response_module
from polyrhythm.schedule import InputPlan, Mode, OnStale
from polyrhythm.schedule.events import Finish
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, module, plan_of, reads
from tests.effort import examples


def test_a_full_device_is_refused_at_once():
    full = [Task("a", 10, 10, (5,), 0), Task("b", 10, 10, (5,), 1)]
    assert response_time(full, 0).bound_ns == 10
    refused = response_time(full, 1)
    assert refused.bound_ns is None and not refused.feasible and "100.0%" in refused.refusal
    assert not edf_test(full).feasible


def test_nearly_full_ends_within_the_step_limit(monkeypatch):
    monkeypatch.setattr(response_module, "MAX_STEPS", 50)
    tasks = [
        Task("a", 1000, 1000, (500,), 0),
        Task("b", 1001, 1001, (500,), 1),
        Task("c", 10**9, 10**9, (9,), 2),
    ]
    assert response_time(tasks, 1).refusal == (
        "not decided in 50 steps: it and what goes first need 99.9500% of the device, which is too close to "
        "100 % for rates that come round together so seldom: nobody can try for how long it may be busy "
        "without a pause"
    )


def test_rates_that_come_round_together_are_decided_however_full_the_device_is(monkeypatch):
    """A ten-millionth is left of the device, so it is busy for hours; one round of releases tells all."""
    monkeypatch.setattr(response_module, "MAX_STEPS", 500)
    tasks = [
        Task("a", 10 * MS, 10 * MS, (5 * MS,), 0),
        Task("b", 20 * MS, 40 * MS, (10 * MS - 2,), 1),
        Task("c", 1000 * MS, 1000 * MS, (3 * MS,) * 3, 2),
    ]
    bound = response_time(tasks, 1)
    assert bound.bound_ns == (3 + 5 + 10) * MS - 2 and bound.tried == 1
    assert bound.busy_ns == 3 * MS * 10 * MS
    assert edf_test([replace(tasks[0], deadline_ns=40 * MS), tasks[1]]).feasible


def test_the_sum_adds_up():
    tasks = [Task("a", 20, 20, (6,), 0, 2), Task("b", 33, 33, (2, 3), 1), Task("c", 333, 333, (5,) * 30, 2)]
    for depth in (1, 2, 3):
        for task, bound in zip(tasks, response_times(tasks, depth), strict=True):
            whole = bound.blocking_ns + sum(i.ns for i in bound.interference) + bound.own_jobs * task.cost_ns
            assert whole - bound.release_ns == bound.bound_ns
    assert response_time(tasks, 0).blocker.name == "c"


def test_equals_go_by_deadline():
    short, long = Task("short", 30, 30, (5,)), Task("long", 300, 300, (10,) * 10)
    assert response_time([short, long], 0).bound_ns == 15
    assert response_time([short, long], 1).bound_ns > 100


def test_wrong_numbers_are_named():
    for wrong in ({"period_ns": 0}, {"stages_ns": ()}, {"stages_ns": (-1,)}, {"jitter_ns": -1}):
        with pytest.raises(ValueError, match="task t"):
            replace(Task("t", 1, 1, (1,)), **wrong)
    with pytest.raises(ValueError, match="in_flight is 0"):
        response_time([Task("t", 2, 1, (1,))], 0, 0)


def test_edf():
    fits = [Task("a", 4, 4, (1, 1)), Task("b", 10, 10, (2, 2))]
    assert edf_test(fits).feasible
    verdict = edf_test([Task("a", 4, 4, (2,)), Task("b", 10, 10, (4,))])
    assert (verdict.feasible, verdict.at_ns, verdict.demand_ns) == (False, 4, 6)


def test_chains_and_jitter():
    assert end_to_end_ns([Hop("a", 10, 3), Hop("b", 20, 7)]) == 40
    devices = [
        Device((Task("see", 20, 20, (4,), 0), Task("log", 50, 50, (6,), 1))),
        Device((Task("act", 20, 40, (5,), 0), Task("plan", 100, 100, (8, 8), 1))),
    ]
    found = holistic(devices, {"act": ["see"]})
    assert found.feasible and found.bounds["see"].bound_ns == 10
    assert found.bounds["act"].bound_ns == 10 + 8 + 5
    lone = response_time(devices[1].tasks, 1)
    assert found.bounds["plan"].bound_ns > lone.bound_ns
    loop = holistic(devices, {"act": ["see"], "see": ["act"]})
    assert not loop.feasible and loop.refusal
    with pytest.raises(ValueError, match="nobody"):
        holistic(devices, {"act": ["nobody"]})
    late = [Device((Task("see", 20, 60, (4, 4, 4), 0), Task("log", 50, 90, (9,), 1)), depth=2)]
    assert "two jobs at once" in holistic(late, {}).refusal


@given(st.data())
@examples(30)
def test_of_all_paths_the_worst(data):
    """Against every path, written out."""
    count = data.draw(st.integers(2, 9))
    modules = []
    for i in range(count):
        earlier = [f"m{j}.out" for j in range(i)] + ["robot.a", "robot.b"]
        sources = data.draw(st.lists(st.sampled_from(earlier), max_size=3, unique=True))
        rate_hz, cost_ms = data.draw(st.sampled_from([3, 10, 30])), data.draw(st.integers(1, 40))
        modules.append(
            module(f"m{i}", rate_hz, cost_ms, device=f"d{i % 2}", inputs=reads(*sources),
                   outputs=(f"m{i}.out",), priority=i)
        )  # fmt: skip
    proof = prove(plan_of(*modules, control_hz=50, observations={"robot.a": 30, "robot.b": 20}))
    period_ns = {m.id: m.period_ns for m in modules}
    bound_ns = {v.module: v.bound_ns for v in proof.modules}
    gap_ns = {"robot.a": 40 * MS + 1, "robot.b": 60 * MS + 1}  # at control instants
    feeds = {m.id: [i.source.removesuffix(".out") for i in m.inputs] for m in modules}
    paths = [(name,) for name in feeds if not any(name in f for f in feeds.values())]
    worst = {}
    while paths:
        path = paths.pop()
        ahead = feeds.get(path[0], [])
        paths += [(name, *path) for name in ahead]
        if ahead or len(path) == 1:
            continue
        unproven = sum(n in bound_ns and (bound_ns[n] is None or bound_ns[n] > period_ns[n]) for n in path)
        total = sum(gap_ns[n] if n in gap_ns else period_ns[n] + (bound_ns[n] or 0) for n in path)
        worst[path[0], path[-1]] = max(worst.get((path[0], path[-1]), (0, 0)), (unproven, total))
    assert {(c.hops[0], c.hops[-1]): c.end_to_end_ns for c in proof.chains} == {
        ends: None if unproven else total for ends, (unproven, total) in worst.items()
    }


@pytest.mark.parametrize(
    ("max_age_ms", "policy", "proven"),
    [(60, OnStale.SKIP, True), (59, OnStale.SKIP, False), (59, OnStale.HOLD, False), (1, OnStale.USE, True)],
)
def test_a_tick_that_may_be_left_out_proves_no_age(max_age_ms, policy, proven):
    """What `see` gives is used for 50 ms + 10; what is made of it must not be older. Nor does anybody know
    then how old that is which `act` is given."""
    see = module("see", 20, 10, device="a", outputs=("see.out",))
    plan_ = module("plan", 10, 20, device="b", outputs=("plan.out",),
                   inputs=reads("see.out", max_age_ns=max_age_ms * MS, on_stale=policy))  # fmt: skip
    act = module(
        "act", 50, 5, device="c", inputs=reads("plan.out", max_age_ns=500 * MS, on_stale=OnStale.SKIP)
    )
    (chain,) = prove(plan_of(see, plan_, act)).chains
    assert chain.hops == ("see", "plan", "act")
    assert chain.end_to_end_ns == ((50 + 10 + 100 + 20 + 20 + 5) * MS if proven else None)


def test_many_paths_are_no_trouble_and_loops_are_cut():
    layers = [
        module(f"m{i}{side}", 10, 0.1, outputs=(f"m{i}{side}.out",), priority=i,
               inputs=reads(*(f"m{i - 1}{other}.out" for other in "ab" if i)))
        for i in range(40) for side in "ab"
    ]  # fmt: skip
    assert len(prove(plan_of(*layers)).chains) == 4
    loop = [
        module("a", 10, 1, inputs=reads("b.out"), outputs=("a.out",)),
        module("b", 10, 1, inputs=reads("a.out"), outputs=("b.out",)),
        module("c", 10, 1, inputs=reads("b.out")),
    ]
    assert [c.hops for c in prove(plan_of(*loop)).chains] == [("a", "b", "c")]


def test_chunks():
    assert chunk_verdict(45 * MS, 20 * MS, 8, 16).feasible  # 3 <= 8 <= 13
    assert not chunk_verdict(45 * MS, 20 * MS, 14, 16).feasible
    assert not chunk_verdict(190 * MS, 20 * MS, 8, 50).feasible  # 10 ticks late, every 8
    assert chunk_verdict(40 * MS, 20 * MS, 8, 16).delay == 2
    assert [boundary_stall_ns(100, r) for r in (80, 100, 130)] == [0, 0, 30]
    assert boundary_stall_ns(100, 80, buffers=1) == 80


def test_advice_is_the_edge():
    tasks = [Task("act", 20, 20, (6,), 0), Task("see", 33, 33, (5,), 1), Task("vlm", 333, 333, (150,), 2)]
    advice = stage_advice(tasks, 0, 2)
    assert (advice.largest_stage_ns, advice.limit_ns) == (14, 11)
    for extra, fits in ((0, True), (1, False)):
        cut = [*tasks[:2], replace(tasks[2], stages_ns=(advice.largest_stage_ns + extra,))]
        assert response_time(cut, 0).feasible is fits
    hopeless = [replace(tasks[0], stages_ns=(21,), period_ns=40), *tasks[1:]]
    assert stage_advice(hopeless, 0, 2).largest_stage_ns is None
    fine = [*tasks[:2], replace(tasks[2], stages_ns=(10,) * 15)]
    most = largest_cost_ns(fine, 0)
    assert most is not None and most >= 6
    for extra, fits in ((0, True), (1, False)):
        grown = [replace(fine[0], stages_ns=(most + extra,)), *fine[1:]]
        assert all(b.feasible for b in response_times(grown)) is fits


@pytest.mark.parametrize(
    ("deadline", "stage", "costs"), [(15, 1, (None, 3)), (20, 4, (2, 8)), (50, 4, (2, 8))]
)
def test_with_two_stages_in_flight_advice_leaves_nobody_with_two_jobs_at_once(deadline, stage, costs):
    """12 + 2 x 4 ms are the 20 until the next job of `act`, however late it may be; `see` needs that too."""
    act, vlm = Task("act", 20, deadline, (12,), 0), Task("vlm", 100, 100, (9, 9), 1)
    assert stage_advice([act, vlm], 0, 1, 2).largest_stage_ns == stage
    assert tuple(largest_cost_ns([act, vlm], i, 2) for i in (0, 1)) == costs
    three = [act, Task("see", 60, 60, (1,), 1), replace(vlm, priority=2)]
    assert stage_advice(three, 1, 2, 2).largest_stage_ns == 4


def test_a_chunk_is_as_old_as_what_its_inputs_were_made_for():
    """`act` sees nothing itself: row 0 is for a tick 40 + 1 ns, 100 + 20 ms before its release."""
    vlm = module("vlm", 10, 20, device="a", inputs=reads("robot.camera"), outputs=("vlm.out",))
    act = module(
        "act", 10, 5, device="b", inputs=reads("vlm.out"), outputs=("act.out",), chunk=("act.out", 14)
    )
    plan = plan_of(vlm, act, control_hz=50, observations={"robot.camera": 30})
    verdict = prove(plan).chunks["act"]
    assert (verdict.delay, verdict.behind, verdict.stride, verdict.spare) == (1, 8, 5, 0) and verdict.feasible
    assert not prove(replace(plan, modules=(vlm, replace(act, chunk=("act.out", 13))))).feasible
    looks = replace(act, inputs=reads("vlm.out", "robot.camera"))
    verdict = prove(replace(plan, modules=(vlm, looks))).chunks["act"]
    assert (verdict.delay, verdict.behind) == (3, 0), "the newest observation counts"
    assert not prove(replace(plan, modules=(vlm, replace(act, on_demand=True)))).chunks, (
        "played from row 0 on"
    )


@pytest.mark.parametrize(
    ("camera", "vlm_out", "proven"),
    [
        ({"max_age_ns": 41 * MS}, {"max_age_ns": 120 * MS}, True),
        ({"max_age_ns": 41 * MS}, {"max_age_ns": 119 * MS}, False),  # `act` may leave ticks out
        ({"max_age_ns": 40 * MS}, {}, False),  # `vlm` may: nobody knows what `act` is made for
        ({"max_age_ns": 40 * MS, "on_stale": OnStale.USE}, {}, True),
    ],
)
def test_nothing_is_proven_of_chunks_that_may_not_come(camera, vlm_out, proven):
    """What the camera saw is 40 ms + 1 ns old at most, what `vlm` gives 100 + 20 ms."""
    skip = {"on_stale": OnStale.SKIP}
    vlm = module(
        "vlm", 10, 20, device="a", inputs=reads("robot.camera", **(skip | camera)), outputs=("vlm.out",)
    )
    act = module("act", 10, 5, device="b", inputs=reads("vlm.out", **(skip | vlm_out)), outputs=("act.out",),
                 chunk=("act.out", 14))  # fmt: skip
    proof = prove(plan_of(vlm, act, control_hz=50, observations={"robot.camera": 30}))
    assert (proof.chunks["act"] is not None, proof.feasible) == (proven, proven)


def test_a_chunk_whose_module_sees_for_itself_may_not_come_either():
    """What `vlm` gives is up to 1060 ms old and used for 300: `act` leaves out seven ticks of ten."""
    vlm = module("vlm", 1, 60, device="a", inputs=reads("robot.camera"), outputs=("vlm.out",))
    links = (*reads("robot.state"), InputPlan("hidden", "vlm.out", 300 * MS, OnStale.SKIP))
    act = module("act", 10, 5, device="b", inputs=links, outputs=("act.out",), chunk=("act.out", 16))
    plan = plan_of(vlm, act, control_hz=50, observations={"robot.camera": 30, "robot.state": 50})
    assert prove(plan).chunks == {"act": None}
    harness = Harness(plan).start()
    harness.run(4000 * MS)
    published_ns = [at_ns for at_ns, c in harness.all(Finish) if c.module == "act"]
    longest_ns = max(after - before for before, after in pairwise(published_ns))
    assert longest_ns == 800 * MS > 16 * 20 * MS, "no chunk plays for so long"


@pytest.mark.parametrize(("buffers", "age_ms"), [(1, 100 + 5 + 5), (2, 100 + 5)])
def test_what_is_made_on_demand_is_as_old_as_a_chunk_plays_long(buffers, age_ms):
    """Chunks of 100 ms, whatever the rate is said to be; with one buffer the next is made after that."""
    act = module("act", 50, 5, device="a", outputs=("act.out",), chunk=("act.out", 10), on_demand=True)
    judge = module("judge", 10, 3, device="b", inputs=reads("act.out"))
    plan = plan_of(act, judge, control_hz=100, observations={}, buffers=buffers)
    (chain,) = prove(plan).chains
    assert (chain.hops, chain.end_to_end_ns) == (("act", "judge"), (age_ms + 100 + 3) * MS)


def test_steps_that_are_left_out_let_what_comes_before_them_stand_in_the_queue():
    """K = 2: of a job with one step it is the long first stage and the step, of one with two both steps."""
    loop = Task("flow", 40, 40, (9, 1, 1), 0, optional=range(1, 2))
    other = Task("other", 100, 100, (1,), 1)
    assert response_time([loop, other], 1, 2).blocking_ns == 9 + 1
    assert response_time([replace(loop, optional=range(0)), other], 1, 2).blocking_ns == 1 + 1
    assert response_time([loop, other], 1).blocking_ns == 0


def dual(mode: Mode, k: int = 1, **more: int):
    see = module("see", 30, 4, inputs=reads("robot.camera"), outputs=("see.out",), priority=1)
    vlm = module(
        "vlm", 3, inputs=reads("see.out"), outputs=("vlm.out",), priority=2,
        costs_ns=(10 * MS,) * 8, stages=tuple(f"s{i}" for i in range(8)),
    )  # fmt: skip
    act = module(
        "act", 10, more.get("act_ms", 6), inputs=reads("vlm.out", "robot.state"), outputs=("act.out",),
        chunk=("act.out", more.get("horizon", 16)),
    )  # fmt: skip
    observations = {"robot.camera": 30, "robot.state": 50}
    return plan_of(act, see, vlm, mode=mode, k=k, control_hz=50, observations=observations)


def test_the_verdict_on_a_plan():
    proof = prove(dual(Mode.PARALLEL))
    assert proof.feasible and proof.assumptions
    act = proof.modules[0]
    assert (act.module, act.bound_ns, act.blocker, act.blocker_ns) == ("act", 16 * MS, "vlm", 10 * MS)
    assert act.slack_ns == act.deadline_ns - act.bound_ns
    hops = {c.hops for c in proof.chains}
    assert hops == {("robot.state", "act"), ("robot.camera", "see", "vlm", "act")}
    assert all(c.end_to_end_ns for c in proof.chains)
    assert proof.chunks["act"].feasible
    assert not prove(dual(Mode.PARALLEL, horizon=6)).feasible


def test_the_modes_differ():
    assert [m.bound_ns for m in prove(dual(Mode.PIPELINED)).modules] == [
        m.bound_ns for m in prove(dual(Mode.PARALLEL)).modules
    ]
    sequential = prove(dual(Mode.SEQUENTIAL))
    assert sequential.modules[0].bound_ns >= 90 * MS
    assert "first released first" in sequential.assumptions[-1]
    deeper = prove(dual(Mode.PARALLEL, k=2))
    assert deeper.modules[0].bound_ns == 26 * MS
    assert not prove(dual(Mode.PARALLEL, act_ms=120)).feasible


def test_rates_that_are_no_whole_ns_count_as_jitter():
    proof = prove(plan_of(module("a", 30, 4), module("b", Fraction(1000, 7), 3)))
    assert proof.feasible and all(isinstance(m.bound_ns, int) for m in proof.modules)


def test_a_hundred_modules_end():
    modules = [module(f"m{i}", [3, 10, 30, 50, 100][i % 5], 0.05, priority=i % 4) for i in range(100)]
    assert prove(plan_of(*modules)).feasible


def test_a_release_that_is_heard_of_late_is_part_of_the_bound():
    at_once = dual(Mode.PARALLEL)
    late = prove(replace(at_once, release_jitter_ns=MS))
    assert late.modules[0].bound_ns == prove(at_once).modules[0].bound_ns + MS
    assert "every release and control instant within 1 ms" in late.assumptions[-1]
    assert "release and control instant at once" in prove(at_once).assumptions[-1]
