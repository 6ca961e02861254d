"""The processes beside a run, the loader and the status server: stopped, killed, left behind."""

from __future__ import annotations

import json
import os
import signal
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.faults.world import Run, check_books, check_summary, left_in, make_bundle, until

pytestmark = pytest.mark.slow
LOADER, SERVER = "polyrhythm.compile.loader", "polyrhythm.observe.status_server"
SWAP_AT = ("--swap-at", "0.1")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "other")


def stopped(run: Run, module: str) -> psutil.Process:
    """Stop a child as soon as it is there; only then is it known what it is doing."""
    child = run.child(module)
    child.send_signal(signal.SIGSTOP)
    until(lambda: child.status() == psutil.STATUS_STOPPED)
    return child


def told(run: Run, text: str) -> str:
    return text.replace(str(run.folder), "FOLDER")


def test_a_loader_that_is_stopped_and_goes_on(bundle: Path, other: Path, tmp_path: Path) -> None:
    with Run(tmp_path, bundle, ("--swap-to", other, *SWAP_AT)) as run:
        loader = stopped(run, LOADER)
        run.goes_on()
        loader.send_signal(signal.SIGCONT)
        until(lambda: not run.children(LOADER))
        run.goes_on(50)
        ended = run.end()
    assert ended.code == 0
    check_summary(ended.summary, check_books(run.log))


def test_a_loader_that_is_stopped_for_good(
    bundle: Path, other: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with Run(tmp_path, bundle, ("--swap-to", other, *SWAP_AT)) as run:
        loader = stopped(run, LOADER)
        run.goes_on()
        ended = run.end()
        loader.wait(60)
    assert (ended.code, ended.err) == (1, "")
    assert not ended.summary["swap"]["played"] and ended.summary["swap"]["reason"] == snapshot
    check_summary(ended.summary, check_books(run.log))


def test_a_loader_that_is_killed(
    bundle: Path, other: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with Run(tmp_path, bundle, ("--swap-to", other, *SWAP_AT)) as run:
        stopped(run, LOADER).kill()
        run.goes_on()
        ended = run.end()
    assert (ended.code, ended.err) == (1, "")
    assert not ended.summary["swap"]["played"] and ended.summary["swap"]["reason"] == snapshot
    check_summary(ended.summary, check_books(run.log))


def test_a_loader_ends_with_a_run_that_is_killed(bundle: Path, other: Path, tmp_path: Path) -> None:
    """Stopped or not: nobody is left to tell."""
    with Run(tmp_path, bundle, ("--swap-to", other, *SWAP_AT)) as run:
        loader = run.child(LOADER)
        until(lambda: loader.nice() == 19)  # it has begun
        loader.send_signal(signal.SIGSTOP)
        run.process.kill()
        run.process.wait()
        loader.wait(60)


def test_a_status_server_that_is_stopped(bundle: Path, tmp_path: Path) -> None:
    with Run(tmp_path, bundle, ("--status", "127.0.0.1:0")) as run:
        run.goes_on(1)
        stopped(run, SERVER)
        run.goes_on()
        ended = run.end()
        assert not run.children()
    assert ended.code == 0 and "warning" not in ended.err
    check_summary(ended.summary, check_books(run.log))


def test_a_status_server_that_is_killed_is_told(
    bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with Run(tmp_path, bundle, ("--status", "127.0.0.1:0")) as run:
        run.goes_on(1)
        run.child(SERVER).kill()
        run.goes_on()
        ended = run.end()
    address = ended.err.split()[1]
    assert (ended.code, ended.err.replace(address, "URL")) == (0, snapshot)
    check_summary(ended.summary, check_books(run.log))


def test_a_run_that_is_stopped_and_goes_on(bundle: Path, tmp_path: Path) -> None:
    """What passed meanwhile is counted as late, and no module is blamed."""
    with Run(tmp_path, bundle, ("--status", "127.0.0.1:0")) as run:
        run.goes_on()
        os.kill(run.process.pid, signal.SIGSTOP)
        url = urlsplit(run.said.split()[1])
        served = [_status(url.netloc) for _ in range(5)]
        assert served[-1] == served[-2] and served[-1]["tick"] > 0, "others are told what was last"
        until(_Patience(1.5))
        os.kill(run.process.pid, signal.SIGCONT)
        run.goes_on()
        ended = run.end()
    assert ended.code == 0
    assert ended.summary["control"]["drops"]["host_late"] >= 50
    check_summary(ended.summary, check_books(run.log))


def test_a_run_that_is_killed_leaves_nothing_half_written(bundle: Path, tmp_path: Path) -> None:
    files = ("--summary", tmp_path / "s.json", "--trace", tmp_path / "t", "--report", tmp_path / "r.html")
    with Run(tmp_path, bundle, (*files, "--status", "127.0.0.1:0")) as run:
        run.goes_on()
        server = run.child(SERVER)
        seen = until(lambda: run.log.stat().st_size > 4096)
        run.process.kill()
        run.process.wait()
        server.wait(60)
    assert seen and left_in(tmp_path) == []
    assert check_books(run.log, end="cut off") > 10


class _Patience:
    """True after so many seconds: for faults that are a length of time."""

    def __init__(self, seconds: float) -> None:
        self._left = round(seconds / 0.01)

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


def _status(address: str) -> dict[str, object]:
    connection = HTTPConnection(address, timeout=60)
    connection.request("GET", "/status.json")
    found: dict[str, object] = json.loads(connection.getresponse().read())
    connection.close()
    return found
