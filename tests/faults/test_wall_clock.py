"""The wall clock is set while a run goes on: forwards, backwards, often. Only the monotonic clock counts."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.faults.stepper import HOUR_NS, Stepper
from tests.faults.world import Run, check_books, check_summary, make_bundle, until

pytestmark = pytest.mark.slow


@pytest.fixture
def stepper(tmp_path: Path) -> Stepper:
    folder = tmp_path / "clock"
    folder.mkdir()
    return Stepper(folder)


@pytest.mark.parametrize("shift_ns", [HOUR_NS, -HOUR_NS], ids=["forwards", "backwards"])
def test_one_step(bundle: Path, stepper: Stepper, tmp_path: Path, shift_ns: int) -> None:
    with Run(tmp_path, bundle, env=stepper.env) as run:
        run.goes_on()
        stepper.step(shift_ns)
        until(lambda: run.beat.jump_s > 3000)
        run.goes_on()
        ended = run.end()
    assert ended.code == 0
    assert 0 < ended.summary["times"]["ran_s"] < 1800 and 0 < ended.summary["times"]["running_s"] < 1800
    check_summary(ended.summary, check_books(run.log))


def test_to_and_fro_with_everybody_beside(bundle: Path, stepper: Stepper, tmp_path: Path) -> None:
    """While a bundle is swapped in and a status is served."""
    other = make_bundle(tmp_path / "other")
    options = ("--swap-to", other, "--swap-at", "0.2", "--status", "127.0.0.1:0")
    with Run(tmp_path, bundle, options, stepper.env) as run:
        run.goes_on()
        connection = HTTPConnection(urlsplit(run.said.split()[1]).netloc, timeout=60)
        seen = []
        for turn in range(20):
            stepper.step((1, -1)[turn % 2] * HOUR_NS * turn)
            run.goes_on(5)
            connection.request("GET", "/status.json")
            seen.append(json.loads(connection.getresponse().read())["running_s"])
        until(lambda: not run.children("polyrhythm.compile.loader"))
        run.goes_on(50)
        ended = run.end()
        connection.close()
    assert ended.code == 0 and run.beat.jump_s > 3000
    assert f"{other} was swapped in" in ended.err
    assert seen == sorted(seen) and 0 < seen[0] < seen[-1] < 1800
    check_summary(ended.summary, check_books(run.log))
