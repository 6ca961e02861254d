"""The real scheduler as the authority: what is proven to come is never stale, and the robot is never held."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polyrhythm.analysis import ChunkVerdict
from polyrhythm.runtime.horizons import with_ages
from polyrhythm.runtime.proof import DECLARED, TimeProof, prove_switches, prove_time
from polyrhythm.schedule import InputPlan, Mode, ModulePlan, OnStale, Overrun, Profile, SchedulePlan
from polyrhythm.schedule.events import Act, Halt, Hold, SetProfile
from polyrhythm.simulate.chance import mixed
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads
from tests.effort import examples


def late(plan: SchedulePlan, seed: int) -> Harness:
    """A host that hears of what is due by as much too late as the plan allows for, at most."""
    harness, jitter_ns = Harness(plan), plan.release_jitter_ns
    next_ns = harness.scheduler.next_ns

    def heard_ns() -> int:
        due_ns = next_ns()
        return due_ns + min(jitter_ns, mixed(seed, due_ns % 2**40) % (2 * jitter_ns + 1))

    harness.scheduler.next_ns = heard_ns  # type: ignore[method-assign]
    return harness


def trouble(harness: Harness) -> list[tuple[int, str]]:
    """When something was stale, and when the robot was held once it had moved."""
    found = [(at_ns, c.reason) for at_ns, c in harness.all(Halt)]
    moved_ns = min((at_ns for at_ns, _ in harness.all(Act)), default=10**18)
    found += [(at_ns, c.reason) for at_ns, c in harness.all(Hold) if at_ns > moved_ns]
    return found + [(0, f"{what}: {why}") for what, why in harness.scheduler.drops if why == "stale"]


@st.composite
def driven(
    draw: st.DrawFn, jitter_ms: int = 0, changing: bool = False
) -> tuple[SchedulePlan, tuple[str, ...]]:
    """1 to 3 modules in a row, the last of which drives a robot, and one beside them; and who gives it whole
    chunks, not single actions."""
    tick_hz = draw(st.sampled_from([30, Fraction(100, 3), 50, 100]))
    tick_ns = S / Fraction(tick_hz)
    count, modules = draw(st.integers(1, 3)), list[ModulePlan]()
    for i in range(count):
        sources = ["robot.a", "robot.b", *(m.outputs[0] for m in modules)]
        chosen = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=2, unique=True))
        ages_ns = st.none() | st.sampled_from([1, 2, 3, 5, 10, 20]).map(lambda n: int(n * tick_ns) + MS)
        inputs = tuple(
            InputPlan(f"in{k}", source, draw(ages_ns), draw(st.sampled_from(list(OnStale))))
            for k, source in enumerate(chosen)
        )
        modules.append(draw(_module(f"m{i}", rank=i, inputs=inputs, outputs=(f"m{i}.out",))))
    last = modules[-1]
    singles = draw(st.sampled_from([(), (last.id,)]))
    horizon = ceil((last.period_ns + last.deadline_ns) / tick_ns) + 1 if singles else draw(st.integers(9, 60))
    modules[-1] = replace(last, chunk=(last.outputs[0], horizon))
    modules.append(draw(_module("beside", rank=9)))
    mode = draw(st.sampled_from([Mode.RTC, Mode.PIPELINED_RTC]))
    looks = {"robot.a": draw(st.sampled_from([tick_hz, 20])), "robot.b": draw(st.sampled_from([tick_hz, 7]))}
    plan = plan_of(*modules, mode=mode, control_hz=tick_hz, observations=looks)
    plan = replace(plan, release_jitter_ns=draw(st.integers(0, jitter_ms * MS)))
    if changing:
        profiles = {name: Profile({m.id: draw(_changed(m, plan)) for m in modules}) for name in "ab"}
        plan = replace(plan, profiles=profiles, profile="a")
    return with_ages(plan, singles), () if singles else (last.id,)


@st.composite
def _changed(draw: st.DrawFn, module: ModulePlan, plan: SchedulePlan) -> ModulePlan | None:
    """At another rate and cost; or dropped, if nobody needs it."""
    rate_hz, cost_ms = draw(st.sampled_from([3, 7, 10, 20, 33])), draw(st.integers(1, 15))
    period_ns = S / Fraction(rate_hz)
    other = replace(module, period_ns=period_ns, deadline_ns=int(period_ns), costs_ns=(cost_ms * MS,))
    if module.chunk is not None and module.chunk[1] == _single(module, plan):
        other = replace(other, chunk=(module.chunk[0], _single(other, plan)))
    return draw(st.sampled_from([module, other, other] if module.outputs else [module, other, None]))


def _single(module: ModulePlan, plan: SchedulePlan) -> int:
    """For how many ticks a single action lasts, made of something new."""
    assert plan.control is not None
    return ceil((module.period_ns + module.deadline_ns) / plan.control.period_ns) + 1


@st.composite
def _module(draw: st.DrawFn, name: str, **more: object) -> ModulePlan:
    numbers = {
        "device": draw(st.sampled_from("de")), "priority": draw(st.integers(0, 2)),
        "phase_ns": draw(st.integers(0, 60_000)) * 1000, "on_overrun": draw(st.sampled_from(list(Overrun))),
    }  # fmt: skip
    return module(
        name, draw(st.sampled_from([3, 7, 10, 20, 33])), draw(st.integers(1, 15)), **numbers, **more
    )


def proven(plan: SchedulePlan, whole: tuple[str, ...] = ()) -> TimeProof:
    return prove_time(plan, {m.id: DECLARED for m in plan.modules}, whole)


@examples(60)
@given(driven(jitter_ms=5), st.integers(0, 2**32))
def test_however_late_the_host_hears_of_it(case: tuple[SchedulePlan, tuple[str, ...]], seed: int) -> None:
    plan, whole = case
    proof = proven(plan, whole)
    assume(proof.complete and not proof.left_out)
    assert not trouble(late(plan, seed).start().run(2 * S))


@examples(60)
@given(driven(changing=True), st.lists(st.tuples(st.integers(0, 2000), st.sampled_from("ab")), max_size=20))
def test_while_profiles_change(
    case: tuple[SchedulePlan, tuple[str, ...]], switches: list[tuple[int, str]]
) -> None:
    plan, whole = case
    plans = [plan.under(name) for name in plan.profiles]
    proofs = [proven(each, whole) for each in plans]
    proofs.append(prove_switches(plans, {m.id: DECLARED for m in plan.modules}, whole))
    assume(all(proof.complete and not proof.left_out for proof in proofs))
    harness = Harness(plan).start()
    for at_ms, name in switches:
        harness.at(at_ms * MS, partial(SetProfile, name=name))
    assert not trouble(harness.run(2 * S))


def by_day_and_by_night(**guard: object) -> SchedulePlan:
    """`a` by day, `b` by night: who gives the robot chunks of 15 ticks waits for one of them, in a change for
    both, 60 ms instead of 35."""
    modules = [
        module("a", 10, 25, phase_ns=9 * MS),
        module("b", 10, 25, phase_ns=29 * MS, priority=1),
        module("head", 10, 10, phase_ns=9 * MS, priority=2, inputs=reads("robot.scene"), rank=1,
               outputs=("head.out",), chunk=("head.out", 15)),
    ]  # fmt: skip
    if guard:
        link = reads("head.out", **guard)
        modules.append(module("guard", 100, 1, device="e", inputs=link, rank=2, phase_ns=150 * MS))
    plan = plan_of(*modules, mode=Mode.PIPELINED_RTC, control_hz=100, observations={"robot.scene": 100})
    return replace(plan, profiles={"day": Profile({"b": None}), "night": Profile({"a": None})}, profile="day")


@pytest.mark.parametrize(
    ("guard", "left_out", "held"),
    [
        ({}, {}, [(1060, "no_action")]),
        ({"max_age_ns": 136 * MS, "on_stale": OnStale.STOP}, {"guard": "head.out"},
         [(1050, "link head.out -> guard is stale"), (0, "guard: stale")]),
    ],
)  # fmt: skip
def test_a_change_may_be_worse_than_what_it_changes_between(
    guard: dict[str, object], left_out: dict[str, str], held: list[tuple[int, str]]
) -> None:
    plan = by_day_and_by_night(**guard)
    plans, sources = [plan.under(name) for name in plan.profiles], {m.id: DECLARED for m in plan.modules}
    ends = [proven(each, ("head",)) for each in plans]
    assert all(end.complete and not end.left_out for end in ends)
    between = prove_switches(plans, sources, ("head",))
    assert (between.left_out, between.chunks) == (left_out, {"head": ChunkVerdict(8, 10, 15)})
    harness = Harness(plan).start()
    harness.at(1015 * MS, partial(SetProfile, name="night"))
    assert [(at_ns / MS, why) for at_ns, why in trouble(harness.run(2 * S))] == held


def test_a_single_action_of_the_faster_profile_may_be_wanted_for_longer() -> None:
    """What is under way when the rate rises lasts as long as one at the new rate; the next comes when it was
    due."""
    slow = module("head", 5, 80, phase_ns=9 * MS, outputs=("head.out",), chunk=("head.out", 41))
    fast = replace(slow, period_ns=Fraction(100 * MS), deadline_ns=90 * MS, chunk=("head.out", 20))
    plan = plan_of(slow, mode=Mode.RTC, control_hz=100, observations={})
    plan = replace(plan, profiles={"slow": Profile(), "fast": Profile({"head": fast})}, profile="slow")
    plans = [plan.under(name) for name in plan.profiles]
    assert all(proven(each).complete for each in plans)
    assert not prove_switches(plans, {"head": DECLARED}).complete
    harness = Harness(plan).start()
    harness.at(1015 * MS, partial(SetProfile, name="fast"))
    held = [at_ns / MS for at_ns, why in trouble(harness.run(2 * S)) if why == "no_action"]
    assert held == [*range(1210, 1290, 10)]


@pytest.mark.parametrize(("max_age_ms", "stale"), [(11, True), (13, False)])
def test_observations_are_as_much_older_as_control_instants_are_heard_late(
    max_age_ms: int, stale: bool
) -> None:
    """One every 10 ms, 2 ms late at most. At 511.4 ms the release of 509.5 is heard of, and the instant of
    510: what was seen at 500 is there."""
    seen = InputPlan("in", "robot.scene", max_age_ms * MS + 1, OnStale.STOP)
    head = module("head", 10, 5, phase_ns=9_500_000, inputs=(seen,))
    plan = plan_of(head, mode=Mode.RTC, control_hz=100, observations={"robot.scene": 100})
    assert not proven(plan).left_out
    jittery = replace(plan, release_jitter_ns=2 * MS)
    assert bool(proven(jittery).left_out) == stale
    harness = Harness(jittery, stalls=[(509_450_000, 511_400_000)]).start().run(S)
    assert bool(harness.all(Halt)) == stale
