"""`polyrhythm island run` as a process, and two runtimes that want one island."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

from polyrhythm.island import ports_path
from polyrhythm.island.live import running
from polyrhythm.observe.replay import replay
from tests.faults.test_island import BODY, NAME, Balancing, balancing  # noqa: F401
from tests.faults.world import until

pytestmark = pytest.mark.slow
SUPERVISED = ("island", "run")
LONG = ("--episodes", 1000, "--task", "wait")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_it_starts_the_runtime_again_and_takes_everybody_along(
    balancing: Path,  # noqa: F811
    tmp_path: Path,
    number: signal.Signals,
) -> None:
    with Balancing(tmp_path, balancing, (*LONG, "--seconds", 600), verb=SUPERVISED) as run:
        run.goes_on()
        island, body, first = run.island(), run.child(BODY), run.child("polyrhythm")
        first.kill()
        until(lambda: first not in run.children("polyrhythm"))
        second = run.child("polyrhythm")
        run.goes_on()
        ended = run.interrupt(number)
        for process in (second, island, body):
            process.wait(60)
    assert ended.code == 130
    told = json.loads(ended.out)
    assert (told["exits"], told["restarts"], told["stopped"]) == ([-9, 130], 1, True)
    assert running(ports_path(NAME)) is None and not ports_path(NAME).exists()
    logs = [replay(log) for log in (run.log, run.log.with_stem("run-1"))]
    assert [log.difference for log in logs] == [None, None]
    assert logs[1].end == "complete"


def test_what_a_runtime_does_not_take_is_final(balancing: Path, tmp_path: Path) -> None:  # noqa: F811
    with Balancing(tmp_path, balancing, ("--task", "dance"), verb=SUPERVISED) as run:
        ended = run.ended()
    assert (ended.code, json.loads(ended.out)["exits"]) == (2, [2])
    assert "no task is called 'dance'" in ended.err
    assert running(ports_path(NAME)) is None


def test_a_second_runtime_is_refused(balancing: Path, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "other").mkdir()
    with Balancing(tmp_path, balancing, LONG) as run:
        run.goes_on()
        with Balancing(tmp_path / "other", balancing, LONG) as other:
            ended = other.ended()
        assert ended.code == 2
        who = f"another runtime, process {run.process.pid},"
        assert ended.err == f"error: {who} drives the island at {ports_path(NAME)}: end it first\n"
        run.goes_on()
        assert run.interrupt().code == 130
