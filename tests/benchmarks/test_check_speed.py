"""Every round of the benchmark begins with nothing: no bound is kept from the round before."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import check_speed

from polyrhythm.analysis.plan import _kept, prove
from polyrhythm.simulate.terse import module, plan_of


def test_no_bound_is_kept_from_the_round_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found: list[int] = []

    def counting(path: Path) -> object:
        found.append(_kept.cache_info().currsize)
        prove(plan_of(module("m", len(found), 1)))
        return SimpleNamespace(proof=None, diagnostics=[SimpleNamespace(is_error=True, code="PC018")])

    for name in ("check", "check_plan"):
        monkeypatch.setattr(check_speed, name, counting)
    for _ in range(2):
        check_speed.timed(tmp_path)
        check_speed.crowded_s(tmp_path)
    assert found == [0, 0, 0, 0]
