"""A job above its bound is excused by what went wrong only as far as that can have lifted it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from bound_vs_measured import Compare

from polyrhythm.runtime.proof import DECLARED, TimeProof, prove_time
from polyrhythm.schedule.events import Launch
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of

HOG = {"stages": tuple("abcdefgh"), "costs_ns": (20 * MS,) * 8, "priority": 2, "phase_ns": 3 * MS}
ACT, SEE = module("act", 50, 5), module("see", 10, 5, priority=1)
PLAN = plan_of(ACT, SEE, module("hog", 2, **HOG))


def proof(**hog: object) -> TimeProof:
    plan = plan_of(ACT, SEE, module("hog", 2, **HOG | hog))
    return prove_time(plan, dict.fromkeys(("act", "see", "hog"), DECLARED))


def forgetful() -> TimeProof:
    """A proof that knows nothing of what blocks on the device."""
    honest, wrong = proof(), proof(device="e")
    return replace(
        honest,
        modules={n: replace(m, verdict=wrong.modules[n].verdict) for n, m in honest.modules.items()},
    )


def played(proof: TimeProof, over_ns: int, *stalls: tuple[int, int]) -> Compare:
    """Stages of the hog take so much longer than planned, and the host stands still now and then."""
    compare = Compare(proof)

    def cost(launch: Launch) -> int:
        planned_ns = proof.modules[launch.module].plan.costs_ns[launch.stage]
        return planned_ns + over_ns * (launch.module == "hog")

    watch = [lambda _, step: compare.step(step.event, step.commands)]
    Harness(PLAN, cost, watch=watch, stalls=stalls).start().run(10 * S)
    return compare


@pytest.mark.parametrize("over_ns", [0, 1000, 2 * MS, 15 * MS])
@pytest.mark.parametrize("stalls", [(), tuple((at * MS, (at + 13) * MS) for at in range(40, 9000, 97))])
def test_what_went_wrong_excuses_what_comes_of_it(over_ns: int, stalls: tuple[tuple[int, int], ...]) -> None:
    compare = played(proof(), over_ns, *stalls)
    assert compare.contradictions == []
    assert bool(compare.excuses) == (over_ns > 1000 or bool(stalls))


@pytest.mark.parametrize("over_ns", [0, 1000])
def test_a_microsecond_does_not_excuse_twenty_milliseconds(over_ns: int) -> None:
    compare = played(forgetful(), over_ns)
    assert any("act" in line and "bound 10.00 ms" in line for line in compare.contradictions)
