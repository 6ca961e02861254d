"""The gate: the same inputs every time, and its measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.compile import BuildError, EntrySource, gate
from polyrhythm.compile.gate import _Comparison

Y = Tensor("y", "f32", (2,))


def _compare(
    found: object, wanted: object, tensor: Tensor = Y, tolerance: float | None = None
) -> _Comparison:
    comparison = _Comparison("m.f", tensor, tolerance)
    dtype = {"f32": np.float32, "i32": np.int32}[tensor.dtype]
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


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_agrees_with_itself_only(odd: float) -> None:
    assert _compare([odd, 1.0], [odd, 1.0]).passed
    assert not _compare([odd, 1.0], [2.0, 1.0]).passed
    assert not _compare([2.0, 1.0], [odd, 1.0]).passed
    assert not _compare([odd, 1.0], [-odd if odd == odd else 0.0, 1.0]).passed  # noqa: PLR0124


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
