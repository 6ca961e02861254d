"""Static plans in the cache: kept, found again, and never half."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.bundle.static_code import WORK, StaticCode, lookup, store

SOURCE = "a" * 64


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return cache_directory()


def kept() -> StaticCode:
    refused = {"loop": "cf.cond_br: no"}
    return store(
        SOURCE, b"plan", b"kernels", b"work", scratch_bytes={"step": 64}, refused=refused, state_bytes=9
    )


def test_what_was_stored_is_found() -> None:
    assert lookup(SOURCE) is None
    made = kept()
    assert lookup(SOURCE) == made
    assert made.path.with_suffix(WORK).read_bytes() == b"work"
    assert made.path.read_bytes() == b"plan" and made.scratch_bytes == {"step": 64}
    assert lookup("b" * 64) is None


@pytest.mark.parametrize("suffix", [".plan", ".so", ".work.json"])
def test_damage_counts_as_absent(cache: Path, suffix: str) -> None:
    kept()
    (damaged,) = cache.glob(f"*{suffix}")
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert lookup(SOURCE) is None
    kept()
    assert lookup(SOURCE) is not None
    damaged.unlink()
    assert lookup(SOURCE) is None


@pytest.mark.parametrize(
    "record",
    [
        "", "[]", "{}", "null", "[" * 5000,
        json.dumps({"plan": "../../etc", "plan_size": 1, "library": "x", "library_size": 1,
                    "work": "a" * 64, "work_size": 1,
                    "scratch_bytes": {}, "refused": {}, "state_bytes": 0}),
        json.dumps({"plan": "a" * 64, "plan_size": 1, "library": "a" * 64, "library_size": 1,
                    "work": "a" * 64, "work_size": 1,
                    "scratch_bytes": {"x": -1}, "refused": {}, "state_bytes": 0}),
        json.dumps({"plan": "a" * 64, "plan_size": 1, "library": "a" * 64, "library_size": 1,
                    "work": "a" * 64, "work_size": 1,
                    "scratch_bytes": {}, "refused": {"x": 5}, "state_bytes": 0}),
    ],
    ids=["empty", "list", "nothing", "null", "deep", "path", "negative", "odd refusal"],
)  # fmt: skip
def test_records_that_are_none_count_as_absent(cache: Path, record: str) -> None:
    kept()
    (file,) = cache.glob("*.plan.json")
    file.write_text(record)
    assert lookup(SOURCE) is None
