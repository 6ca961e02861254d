"""The pure functions of guidance against the golden vectors (`tests/data/rtc.json`, float64)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.chunks.guidance import F64, euler, strength, weights
from tests.effort import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "rtc.json").read_text())
LINEAR = GOLDEN["linear_flow"]
#: Exact on an exact input; golden vectors have 17 digits.
CLOSE = 1e-9

always = examples(100)


def case_id(case: dict) -> str:
    return "-".join(str(case[k]) for k in ("jacobian", "schedule", "d", "overlap_end", "steps"))


@pytest.mark.parametrize("schedule", ["linear", "exp", "ones", "zeros"])
def test_golden_masks(schedule: str) -> None:
    cases = [c for c in GOLDEN["masks"] if c["schedule"] == schedule]
    assert len(cases) == 8
    for case in cases:
        found = weights(schedule, case["start"], case["overlap_end"], case["horizon"])  # type: ignore[arg-type]
        np.testing.assert_allclose(found, case["w"], rtol=0, atol=CLOSE)


def test_golden_strengths() -> None:
    assert len(GOLDEN["guidance"]) == 6
    for case in GOLDEN["guidance"]:
        found = [strength(i / case["steps"], case["beta"]) for i in range(case["steps"])]
        np.testing.assert_allclose(found, case["weight"], rtol=0, atol=CLOSE)


@pytest.mark.parametrize("case", LINEAR["cases"], ids=case_id)
def test_golden_linear_flow(case: dict) -> None:
    """``v(x, t) = M x + b`` over the four ticks of one chunk, so that the vjp mixes ticks."""
    matrix, bias = np.array(LINEAR["M"]), np.array(LINEAR["b"])[:, None]

    def velocity(x: F64, t: float) -> F64:
        return matrix @ x + bias

    def pullback(x: F64, t: float, error: F64) -> F64:
        return error + (1 - t) * matrix.T @ error

    mask = weights(case["schedule"], case["d"], case["overlap_end"], LINEAR["horizon"])
    found = euler(
        velocity, np.array(LINEAR["x0"])[:, None], np.array(LINEAR["Y"])[:, None],
        np.zeros_like(mask) if case["jacobian"] == "none" else mask,
        steps=case["steps"], beta=case["beta"],
        pullback=pullback if case["jacobian"] == "vjp" else None,
    )  # fmt: skip
    np.testing.assert_allclose(found[:, 0], case["x"], rtol=0, atol=CLOSE)


@always
@given(
    st.sampled_from(["linear", "exp", "ones", "zeros"]),
    st.integers(0, 60), st.integers(0, 60), st.integers(1, 50),
)  # fmt: skip
def test_any_mask_is_whole_then_falls_then_is_nothing(
    schedule: str, delay: int, overlap_end: int, horizon: int
) -> None:
    mask = weights(schedule, delay, overlap_end, horizon)  # type: ignore[arg-type]
    assert mask.shape == (horizon,) and mask.dtype == np.float64
    assert (mask >= 0).all() and (mask <= 1 + CLOSE).all()
    assert (np.diff(mask) <= CLOSE).all(), "never rises"
    np.testing.assert_allclose(mask[: min(delay, overlap_end)], 1.0, atol=CLOSE)
    assert not mask[overlap_end:].any()


@always
@given(st.floats(0, 1), st.floats(1, 100))
def test_any_strength_is_finite_and_at_most_beta(t: float, beta: float) -> None:
    found = strength(t, beta)
    assert 0 < found <= beta
    assert found >= min(beta, 2.0) * (1 - CLOSE), "the formula has its minimum, 2, at t = 1/2"


@pytest.mark.parametrize("steps", [1, 2, 5, 10, 20])
@pytest.mark.parametrize("beta", [1.0, 5.0, 30.0, 100.0])
@pytest.mark.parametrize("jacobian", ["identity", "vjp"])
def test_case_13_no_beta_and_no_step_count_explodes(steps: int, beta: float, jacobian: str) -> None:
    """A velocity that bends (and whose Jacobian is far from the identity) stays finite."""
    rng = np.random.default_rng(13)
    matrix = rng.standard_normal((8, 8))

    def velocity(x: F64, t: float) -> F64:
        return np.tanh(3 * matrix @ x) * (1 + t)

    def pullback(x: F64, t: float, error: F64) -> F64:
        slope = 1 - np.tanh(3 * matrix @ x) ** 2
        return error + (1 - t) * (1 + t) * 3 * matrix.T @ (slope * error)

    x, target = rng.standard_normal((2, 8, 3))
    found = euler(
        velocity, x, target, weights("exp", 2, 6, 8), steps=steps, beta=beta,
        pullback=pullback if jacobian == "vjp" else None,
    )  # fmt: skip
    assert np.isfinite(found).all()


def test_one_step_of_strength_one_lands_on_the_target() -> None:
    """Hand-computed: with t = 0, beta = 1 and w = 1, ``x + v + (Y - x - v)`` is Y."""
    x, target = np.array([[0.3], [-2.0]]), np.array([[1.0], [4.0]])
    found = euler(lambda x, t: x * 0.5, x, target, np.array([1.0, 0.0]), steps=1, beta=1.0)
    np.testing.assert_allclose(found, [[1.0], [-3.0]], rtol=0, atol=1e-15)


def test_case_3_a_leftover_shorter_than_the_overlap_pulls_nothing_toward_zero() -> None:
    """Only three actions are left of ten that overlap: a flow that makes 1.0 keeps making it."""
    mask = weights("exp", 1, 10, 12)
    mask[3:] = 0.0  # what the feed does with ticks that nobody has decided
    target = np.zeros((12, 2))
    target[:3] = 1.0
    x = np.random.default_rng(3).standard_normal((12, 2))
    for steps in (1, 5, 10):
        found = euler(lambda x, t: (1 - x) / (1 - t), x, target, mask, steps=steps, beta=5.0)
        np.testing.assert_allclose(found, 1.0, rtol=0, atol=CLOSE)
