"""The real scheduler as the authority: what is proven to come is never stale, and the robot is never held."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polyrhythm.runtime.horizons import with_ages
from polyrhythm.runtime.proof import DECLARED, TimeProof, prove_time
from polyrhythm.schedule import InputPlan, Mode, ModulePlan, OnStale, Overrun, SchedulePlan
from polyrhythm.schedule.events import Act, Halt, Hold
from polyrhythm.simulate.chance import mixed
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of
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
def driven(draw: st.DrawFn, jitter_ms: int) -> tuple[SchedulePlan, tuple[str, ...]]:
    """1 to 3 modules in a row, the last of which drives a robot, and one beside them; and who gives it whole
    chunks, not single actions."""
    tick_hz = draw(st.sampled_from([30, Fraction(100, 3), 50, 100]))
    count, modules = draw(st.integers(1, 3)), list[ModulePlan]()
    for i in range(count):
        sources = ["robot.a", "robot.b", *(m.outputs[0] for m in modules)]
        chosen = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=2, unique=True))
        ages_ns = st.none() | st.sampled_from([11, 21, 32, 52, 80, 200, 400]).map(lambda ms: ms * MS)
        inputs = tuple(
            InputPlan(f"in{k}", source, draw(ages_ns), draw(st.sampled_from(list(OnStale))))
            for k, source in enumerate(chosen)
        )
        modules.append(draw(_module(f"m{i}", rank=i, inputs=inputs, outputs=(f"m{i}.out",))))
    last, tick_ns = modules[-1], S / Fraction(tick_hz)
    singles = draw(st.sampled_from([(), (last.id,)]))
    horizon = ceil((last.period_ns + last.deadline_ns) / tick_ns) + 1 if singles else draw(st.integers(2, 40))
    modules[-1] = replace(last, chunk=(last.outputs[0], horizon))
    modules.append(draw(_module("beside", rank=9)))
    mode = draw(st.sampled_from([Mode.RTC, Mode.PIPELINED_RTC]))
    looks = {"robot.a": draw(st.sampled_from([tick_hz, 20])), "robot.b": draw(st.sampled_from([tick_hz, 7]))}
    plan = plan_of(*modules, mode=mode, control_hz=tick_hz, observations=looks)
    plan = replace(plan, release_jitter_ns=draw(st.integers(0, jitter_ms * MS)))
    return with_ages(plan, singles), () if singles else (last.id,)


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


@pytest.mark.parametrize(("max_age_ms", "stale"), [(11, True), (13, False)])
def test_observations_are_as_much_older_as_control_instants_are_heard_late(
    max_age_ms: int, stale: bool
) -> None:
    """One every 10 ms, 2 ms late at most. At 511.4 ms the release of 509.5 is heard of, and the instant of 510:
    what was seen at 500 is there."""
    seen = InputPlan("in", "robot.scene", max_age_ms * MS + 1, OnStale.STOP)
    head = module("head", 10, 5, phase_ns=9_500_000, inputs=(seen,))
    plan = plan_of(head, mode=Mode.RTC, control_hz=100, observations={"robot.scene": 100})
    assert not proven(plan).left_out
    jittery = replace(plan, release_jitter_ns=2 * MS)
    assert bool(proven(jittery).left_out) == stale
    harness = Harness(jittery, stalls=[(509_450_000, 511_400_000)]).start().run(S)
    assert bool(harness.all(Halt)) == stale
