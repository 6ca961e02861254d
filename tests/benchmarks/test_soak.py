"""The soak judges what it has seen: what ends early, or sees nothing, is not flat."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from soak import FEWEST_KEPT, FEWEST_SWAPS, RESOURCES, Soak, Window, beside, figures_of


def empty() -> Soak:
    return Soak(24, 0.2, cycle_s=1, loaders=False)


def missed(soak: Soak, quick: bool = True) -> list[str]:
    return [figure.name for figure in figures_of(soak, soak.trends(), quick=quick) if not figure.met]


def test_threads_end_with_a_run_that_raises() -> None:
    over, problems = threading.Event(), list[str]()
    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt), beside(over, problems, over.wait):
        assert threading.active_count() == threads + 1
        raise KeyboardInterrupt
    assert threading.active_count() == threads and problems == []


def test_what_a_thread_raises_is_a_problem() -> None:
    soak = empty()
    with beside(threading.Event(), soak.problems, {}.__getitem__, "nothing"):
        pass
    assert soak.problems == ["__getitem__ ended with KeyError: 'nothing'"]
    assert any(name.startswith("problems") for name in missed(soak))


def test_a_soak_without_samples_or_swaps_is_not_flat() -> None:
    soak = empty()
    assert missed(soak) == ["swaps", "samples judged"]
    soak.swaps = FEWEST_SWAPS
    for name in RESOURCES:
        soak.samples[name] = [(3.0 + at, 1.0) for at in range(FEWEST_KEPT)]
    assert missed(soak) == []
    assert missed(soak, quick=False) == ["series of quantiles judged"]


def test_a_series_with_too_few_samples_is_said() -> None:
    soak = empty()
    soak.samples["response of vlm"] = [(3.0, 1.0)] * (FEWEST_KEPT - 1)
    (told,) = (f for f in figures_of(soak, soak.trends(), quick=False) if "too few samples" in f.name)
    assert told.value == 1


def test_a_sample_that_was_due_long_ago_has_no_wake_ups() -> None:
    over = threading.Event()

    class Last(Window):
        def take(self) -> dict[str, float]:
            over.set()
            return super().take()

    soak = Soak(24, 0.0, cycle_s=1, loaders=False)
    soak._sample(Last(), over)
    assert set(soak.samples) == set(RESOURCES)


def test_memory_that_is_not_freed_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    class Held:
        def wait_freed(self, timeout_s: float) -> bool:
            return False

    soak, over = empty(), threading.Event()
    soak._await_freed(Held(), over)  # type: ignore[arg-type]
    assert soak.problems == ["what played before swap 0 was not freed within 60 s"]
    over.set()
    soak._await_freed(Held(), over)  # type: ignore[arg-type]
    assert len(soak.problems) == 1
