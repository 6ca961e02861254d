"""The cache of machine code: all or nothing, and never the wrong thing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from polyrhythm.bundle import Cpu, machine_code
from polyrhythm.bundle.machine_code import cache_directory, lookup, store

SOURCE = "0" * 64


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_there_and_back() -> None:
    assert lookup(SOURCE) is None
    made = store(SOURCE, b"code", flags=["--a"], scratch_bytes={"f": 64})
    assert lookup(SOURCE) == made
    assert made.path.read_bytes() == b"code"
    assert lookup("1" * 64) is None
    assert not [path for path in cache_directory().iterdir() if path.name.startswith(".new-")]


def test_another_cpu_and_another_compiler_have_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made = store(SOURCE, b"code", flags=[], scratch_bytes={})
    with monkeypatch.context() as patch:
        patch.setattr(machine_code, "host", lambda: Cpu("x86_64", "other", frozenset()))
        assert lookup(SOURCE) is None
    with monkeypatch.context() as patch:
        patch.setattr(machine_code, "compiler_version", lambda: "4.0.0")
        assert lookup(SOURCE) is None
    assert lookup(SOURCE) == made


@pytest.mark.parametrize(
    "damage", ["code", "record", "code gone", "short code", "odd record", "path in record"]
)
def test_what_is_damaged_is_absent_and_can_be_made_again(damage: str) -> None:
    made = store(SOURCE, b"machine code", flags=[], scratch_bytes={"f": 1})
    record = next(cache_directory().glob("*.json"))
    match damage:
        case "code":
            made.path.write_bytes(b"machine codE")
        case "record":
            record.write_text(record.read_text()[:-20])
        case "code gone":
            made.path.unlink()
        case "short code":
            os.truncate(made.path, 3)
        case "odd record":
            record.write_text('{"sha256": 1}')
        case "path in record":
            record.write_text(record.read_text().replace(made.path.stem, "../../evil"))
    assert lookup(SOURCE) is None
    assert store(SOURCE, b"machine code", flags=[], scratch_bytes={"f": 1}) == lookup(SOURCE)


@pytest.mark.parametrize(
    "odd", [{"flags": None}, {"flags": 5}, {"compiler": None}, {"packed": 5}, {"scratch_bytes": [1]}], ids=str
)
def test_a_record_with_something_odd_in_it_is_absent(odd: dict[str, object]) -> None:
    store(SOURCE, b"machine code", flags=[], scratch_bytes={"f": 1})
    (record,) = cache_directory().glob("*.json")
    record.write_text(json.dumps(json.loads(record.read_text()) | odd))
    assert lookup(SOURCE) is None


def test_packed_weights_go_with_the_code(tmp_path: Path) -> None:
    cache_directory().mkdir(parents=True)
    packed = cache_directory() / "being written"
    packed.write_bytes(b"weights")
    made = store(SOURCE, b"code", flags=[], scratch_bytes={}, weights=["a"], packed=packed)
    assert made.packed is not None
    assert made.packed.read_bytes() == b"weights"
    assert not packed.exists()
    assert lookup(SOURCE, ["a"]) == made
    assert lookup(SOURCE) is None  # that would take them as they are
    assert lookup(SOURCE, ["b"]) is None  # those are other weights
    made.packed.write_bytes(b"weightz")
    assert lookup(SOURCE, ["a"]) is None


def test_an_interrupted_write_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store(SOURCE, b"code", flags=[], scratch_bytes={})
    assert list(cache_directory().iterdir()) == []


def test_a_relative_cache_home_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "polyrhythm" / "code"
