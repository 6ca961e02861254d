"""No room for what a run writes: the run goes on, what it could not write is told, nothing is half there."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.faults.world import Run, check_books, check_summary, left_in, until

pytestmark = pytest.mark.slow
ROOM_BYTES = 20_000


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for about `ROOM_BYTES`."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM_BYTES}", "none", str(place)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def small_files() -> None:
    """In the run's process: no file may be larger."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM_BYTES, ROOM_BYTES))


def told(run: Run, text: str) -> list[str]:
    """What was said, without what depends on time."""
    lines = text.replace(str(run.folder), "FOLDER").splitlines()
    return [" ".join("N" if word.isdigit() else word for word in line.split()) for line in lines]


def record_until_full(run: Run, log: Path) -> None:
    before = -1
    while before < (before := log.stat().st_size if log.exists() else 0) or before < ROOM_BYTES // 2:
        run.goes_on(40)
    run.goes_on(40)


def test_a_record_on_a_disk_that_fills_up(
    bundle: Path, small: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    log = small / "a.log"
    with Run(tmp_path, bundle, ("--record", log), record=False) as run:
        record_until_full(run, log)
        ended = run.end()
    assert (ended.code, told(run, ended.err)) == (2, snapshot)
    recorded = check_books(log, end="cut off")
    assert 0 < recorded < ended.summary["control"]["ticks"]


def test_a_record_that_may_not_grow(bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with Run(tmp_path, bundle, before=small_files) as run:
        record_until_full(run, run.log)
        ended = run.end()
    assert (ended.code, told(run, ended.err)) == (2, snapshot)
    recorded = check_books(run.log, end="cut off")
    assert 0 < recorded < ended.summary["control"]["ticks"]


def test_a_record_that_has_no_room_at_all(bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with Run(tmp_path, bundle, ("--record", "/dev/full"), record=False) as run:
        ended = run.ended()
    assert (ended.code, ended.out, told(run, ended.err)) == (2, "", snapshot)
    assert run.beat.ticks == 0, "it is said before anything moves"


@pytest.mark.parametrize("file", ["--trace", "--report", "--summary"])
def test_what_is_written_afterwards_has_no_room(
    bundle: Path, small: Path, tmp_path: Path, snapshot: SnapshotAssertion, file: str
) -> None:
    """One file that can't be written costs neither the others nor what is said."""
    places = {name: tmp_path / "out" / name.strip("-") for name in ("--trace", "--report", "--summary")}
    places[file] = small / "file"
    if file == "--summary":
        (small / "already").write_bytes(bytes(-(-ROOM_BYTES // 4096) * 4096))
    with Run(tmp_path, bundle, tuple(part for pair in places.items() for part in pair)) as run:
        until(lambda: run.beat.ticks > 400 or file != "--trace")
        run.goes_on()
        ended = run.end()
    assert (ended.code, told(run, ended.err)) == (2, snapshot)
    check_summary(ended.summary, check_books(run.log))
    assert not (small / "file").exists() and not list(small.glob(".new-*"))
    del places[file]
    assert all(place.stat().st_size > 1000 for place in places.values())
    if (summary := places.get("--summary")) is not None:
        assert json.loads(summary.read_text()) == ended.summary


def test_standard_output_that_is_full(bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """The summary goes nowhere, and that is told; the file with it is whole."""
    place = tmp_path / "summary.json"
    full: Callable[[], None] = lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 1)  # type: ignore[assignment]  # noqa: E731
    with Run(tmp_path, bundle, ("--summary", place), before=full) as run:
        run.goes_on()
        ended = run.end()
    assert (ended.code, told(run, ended.err)) == (2, snapshot)
    check_summary(json.loads(place.read_text()), check_books(run.log))
    assert left_in(tmp_path) == ["summary.json"]
