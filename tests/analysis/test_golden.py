"""The golden numbers, to 0.01 ms."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from polyrhythm.analysis import Task, response_times

MS = 1_000_000
GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "response_time.json").read_text())


def three(case: dict) -> list[Task]:
    whole, rest = divmod(case["vlm_cost_ms"], case["vlm_stage_ms"])
    stages_ms = [case["vlm_stage_ms"]] * whole + [rest] * (rest > 0)
    stages_ns = tuple(ms * MS + MS // 20 for ms in stages_ms)
    return [
        Task("action", 20 * MS, 20 * MS, (6 * MS,), 0),
        Task("perception", 33 * MS, 33 * MS, (5 * MS,), 1),
        Task("vlm", 333 * MS, 333 * MS, stages_ns, 2),
    ]


@pytest.mark.parametrize(
    "case", GOLDEN["three_module"], ids=lambda c: f"{c['vlm_stage_ms']}x{c['in_flight']}"
)
def test_three_modules(case):
    bounds = response_times(three(case), case["in_flight"], carried=False)
    for bound in bounds:
        assert float(bound.bound_ns) / MS == pytest.approx(case["bound_ms"][bound.name], abs=0.01)
        assert float(bound.blocking_ns) / MS == pytest.approx(case["blocking_ms"][bound.name], abs=0.01)
    assert all(b.feasible for b in bounds) == case["feasible"]
    sound = response_times(three(case), case["in_flight"])
    assert all(s.bound_ns >= b.bound_ns for s, b in zip(sound, bounds, strict=True))
    if case["in_flight"] == 1:
        assert sound == bounds


def test_textbook():
    case = GOLDEN["textbook_non_preemptive"]
    tasks = [
        Task(f"m{i}", Fraction(m["T"]), Fraction(m["D"]), (Fraction(m["C"]),), i)
        for i, m in enumerate(case["modules"])
    ]
    bounds = response_times(tasks)
    assert [b.bound_ns for b in bounds] == case["bound"]
    assert bounds[2].worst_job > 0 and bounds[2].tried > 1


def test_in_flight_trap():
    case = GOLDEN["in_flight_trap"]
    tasks = [
        Task(f"m{i}", m["T"], m["T"], (m["stage"],) * (m["C"] // m["stage"]), i)
        for i, m in enumerate(case["modules"])
    ]
    bound = response_times(tasks, case["in_flight"], carried=False)[0]
    assert bound.bound_ns >= case["simulated_worst_first_module"]
    assert {b.name for b in bound.blocked} == {"m1", "m2"}
