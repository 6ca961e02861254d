"""The limit of memory is reached: by what is loaded, by the robot's code, by anybody in the run's process."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe.replay import replay
from tests.faults.world import Run, check_books, check_summary, left_in, make_bundle, until

pytestmark = pytest.mark.slow
BIG = 100_000_000  # numbers in a link: 400 MB for each of its versions


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("big") / "big", seen=BIG)


def limit(run: Run, more: int) -> None:
    """The run's process gets so many bytes of addresses more than it has now, and no more."""
    process = psutil.Process(run.process.pid)
    bytes_ = process.memory_info().vms + more
    process.rlimit(psutil.RLIMIT_AS, (bytes_, bytes_))


def test_a_bundle_that_does_not_fit_is_told_before_anything_moves(
    big: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    import resource

    few = 1_200_000_000
    with Run(tmp_path, big, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (few, few))) as run:
        ended = run.ended()
    assert (ended.code, ended.out, ended.err) == (2, "", snapshot)
    assert run.beat.ticks == 0


def test_a_bundle_that_is_swapped_in_does_not_fit(
    bundle: Path, big: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    loader = "polyrhythm.compile.loader"
    with Run(tmp_path, bundle, ("--swap-to", big, "--swap-at", "2")) as run:
        run.goes_on(10)
        limit(run, 300_000_000)
        run.child(loader)
        until(lambda: not run.children(loader))
        run.goes_on(50)
        ended = run.end()
    assert (ended.code, ended.err.replace(str(big), "BIG")) == (0, snapshot)
    check_summary(ended.summary, check_books(run.log))


def test_a_robot_that_takes_all_of_it(bundle: Path, tmp_path: Path) -> None:
    with Run(tmp_path, bundle, ("--summary", tmp_path / "s.json"), {"FAULTS_MODE": "greedy"}) as run:
        run.goes_on(10)
        limit(run, 400_000_000)
        ended = run.ended()
    assert ended.code == 1
    assert ended.summary["run"]["reason"].startswith("the robot failed: MemoryError: ")
    check_summary(ended.summary, check_books(run.log))


@pytest.mark.parametrize("more", [50_000_000, 100_000_000, 150_000_000])
def test_a_process_at_its_limit(bundle: Path, tmp_path: Path, more: int) -> None:
    """No allocation succeeds any more, wherever it is: the run ends and says why, or goes on."""
    files = ("--summary", tmp_path / "s.json", "--trace", tmp_path / "t")
    with Run(tmp_path, bundle, files, {"FAULTS_MODE": "glutton"}) as run:
        run.goes_on(10)
        limit(run, more)
        wanted = run.beat.ticks + 100
        until(lambda: run.process.poll() is not None or run.beat.ticks >= wanted)
        ended = run.ended() if run.process.poll() is not None else run.end()
    last = ended.err.strip().splitlines()[-1:] or [""]
    assert ended.code in (0, 1, 2), ended.err
    assert ended.code == 0 or ended.out or last[0].startswith("error: "), ended.err
    found = replay(run.log)
    assert found.difference is None and found.events > 20
    assert set(left_in(tmp_path)) <= {"s.json", "t"}
