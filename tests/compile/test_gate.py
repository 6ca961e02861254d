"""The gate: the same inputs every time, and its measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.compile import BuildError, EntrySource, gate
from polyrhythm.compile.gate import _Comparison
from polyrhythm.compile.weights import numpy_dtype

Y = Tensor("y", "f32", (2,))


def _compare(
    found: object, wanted: object, tensor: Tensor = Y, tolerance: float | None = None
) -> _Comparison:
    comparison = _Comparison("m.f", tensor, tolerance)
    dtype = numpy_dtype(tensor.dtype)
    comparison.add(np.asarray(found, dtype), np.asarray(wanted, dtype))
    return comparison


def test_relative_to_the_largest_magnitude() -> None:
    found = _compare([100.0, 0.005], [100.0, 0.0])
    assert found.max_abs == pytest.approx(0.005)
    assert found.max_rel == pytest.approx(5e-5)
    assert found.passed
    assert not _compare([100.0, 0.02], [100.0, 0.0]).passed


def test_relative_to_a_thousandth_at_least() -> None:
    assert _compare([1e-8, 0.0], [0.0, 0.0]).passed
    assert not _compare([1e-6, 0.0], [0.0, 0.0]).passed


def test_whole_numbers_have_to_be_equal() -> None:
    tensor = Tensor("y", "i32", (2,))
    assert _compare([1, 2], [1, 2], tensor).passed
    assert not _compare([1_000_000, 2], [1_000_001, 2], tensor).passed


@pytest.mark.parametrize(
    ("dtype", "found", "wanted"),
    [
        ("i64", -(2**63), 0),  # their difference is no i64
        ("i64", 2**62, -(2**62)),
        ("i64", 2**60, 2**60 + 1),  # one number in f64
        ("u64", 0, 2**63),
        ("u64", 2**64 - 1, 2**64 - 2),
        ("i8", -128, 127),
        ("bool", True, False),
    ],
)
def test_whole_numbers_that_are_far_apart(dtype: str, found: int, wanted: int) -> None:
    tensor = Tensor("y", dtype, (2,))
    comparison = _compare([found, 1], [wanted, 1], tensor)
    assert not comparison.passed
    assert comparison.max_abs >= 1
    assert comparison.diagnostic().message.endswith(f"y[0] is {found}, should be {wanted}")
    assert _compare([found, 1], [found, 1], tensor).passed


def test_no_tolerance_for_whole_numbers() -> None:
    comparison = _compare([1000, 2], [970, 2], Tensor("y", "i32", (2,)), tolerance=0.05)
    assert not comparison.passed
    assert comparison.tolerance == 0.0
    assert "tolerance" not in comparison.diagnostic().mend
    assert _compare([1000.0, 2.0], [970.0, 2.0], tolerance=0.05).passed


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_agrees_with_itself_only(odd: float) -> None:
    assert _compare([odd, 1.0], [odd, 1.0]).passed
    assert not _compare([odd, 1.0], [2.0, 1.0]).passed
    assert not _compare([2.0, 1.0], [odd, 1.0]).passed
    assert not _compare([odd, 1.0], [-odd if odd == odd else 0.0, 1.0]).passed  # noqa: PLR0124


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_where_nothing_is_finite_nothing_was_compared(odd: float, snapshot: SnapshotAssertion) -> None:
    comparison = _compare([odd, odd], [odd, odd])
    assert not comparison.passed
    assert comparison.diagnostic().render() == snapshot
    comparison.add(np.float32([odd, 1.0]), np.float32([odd, 1.0]))
    assert comparison.passed
    assert "PK020" in _compare([odd, odd], [odd, 1.0]).diagnostic().render()


def test_the_worst_element_is_named() -> None:
    (message,) = [_compare([1.0, 5.0], [1.0, 2.0]).diagnostic().message]
    assert message == (
        "output 'y' (f32[2]) differs from the framework's: max_rel 1.5, max_abs 3; y[1] is 5, should be 2"
    )


def test_inputs_are_drawn_the_same_every_time() -> None:
    entry = EntrySource(
        lambda p, *_: _,
        {"x": ("f32", (3,)), "i": ("i32", (50,)), "b": ("bool", (50,)), "h": ("bf16", ())},
        ("y",),
    )
    one, two, other = (gate.draw(entry, path) for path in ("m.f", "m.f", "m.g"))
    for a, b in zip(one, two, strict=True):
        for name in a:
            assert a[name].tobytes() == b[name].tobytes()
    assert one[0]["x"].tobytes() != one[1]["x"].tobytes()
    assert one[0]["x"].tobytes() != other[0]["x"].tobytes()
    assert set(one[0]["i"]) == set(range(8))
    assert one[0]["b"].dtype == np.bool_
    assert one[0]["h"].shape == ()


def test_samples_of_the_policy() -> None:
    entry = EntrySource(
        lambda p, x, i: x,
        {"x": ("f32", (2,)), "i": ("i32", ())},
        ("y",),
        samples=lambda rng: {"i": rng.integers(100, 200)},
    )
    sample = gate.draw(entry, "m.f")[0]
    assert 100 <= sample["i"] < 200
    assert sample["i"].dtype == np.int32
    unknown = EntrySource(lambda p: 0, {}, ("y",), samples=lambda rng: {"z": 1})
    with pytest.raises(BuildError, match="PK005: samples name 'z', which are no inputs"):
        gate.draw(unknown, "m.f")


def test_what_does_not_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "no.vmfb").write_bytes(b"no module")
    source = EntrySource(lambda p: 0, {}, ("y",))
    case = gate.Case(Entry("f", (), (Y,)), source, [{}], [(np.zeros(2, np.float32),)])
    with pytest.raises(BuildError) as caught:
        gate.run(tmp_path / "no.vmfb", [], {"m.f": case}, "host")
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot
