"""What a supervisor takes along when it ends, however it ends. Real processes, real signals."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import psutil
import pytest

from polyrhythm.island import LiveIsland, Supervisor, config_record
from polyrhythm.island.live import running

from .test_process import ports_for, spawned
from .virtual import declared

CONFIG = config_record(declared(priority=0, blind_ms=100))
#: Says who it is, and when it is told to end, whether there is still an island.
RUNTIME = """
import os, signal, sys, time
from pathlib import Path
from polyrhythm.island.live import running
def end(number, frame):
    time.sleep(0.2)
    there = running(Path(sys.argv[1])) is not None
    print(signal.Signals(number).name, "island" if there else "no island", flush=True)
    os._exit(130)
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGINT, end)
print(os.getpid(), flush=True)
time.sleep(100)
"""
SUPERVISING = """
import json, sys
from pathlib import Path
from polyrhythm.island import LiveIsland, Supervisor, config_record
from polyrhythm.runtime.signals import stopping_on_signals
from tests.island.virtual import declared
path, asked = Path(sys.argv[1]), []
with stopping_on_signals(asked.append):
    island = LiveIsland.open(path, config_record(declared(priority=0, blind_ms=100)))
    command = [sys.executable, "-c", sys.argv[2], str(path)]
    report = Supervisor(island, [command], stopped=lambda: bool(asked)).run()
    island.stop()
print(json.dumps(report.to_dict()))
"""


@pytest.fixture
def path() -> Iterator[Path]:
    """A place for ports; what still runs there at the end is killed."""
    yield from ports_for("test-supervisor")


@pytest.fixture
def island(path: Path) -> Iterator[LiveIsland]:
    island = LiveIsland.open(path, CONFIG)
    yield island
    island.stop()


@pytest.mark.parametrize(
    ("number", "all_of_them"),
    [(signal.SIGTERM, False), (signal.SIGINT, True)],
    ids=["SIGTERM", "SIGINT by a terminal"],
)
def test_told_to_end_it_ends_the_runtime_and_then_the_island(
    path: Path, number: signal.Signals, all_of_them: bool
) -> None:
    supervisor = spawned([sys.executable, "-c", SUPERVISING, str(path), RUNTIME], process_group=0)
    assert supervisor.stdout is not None
    runtime = psutil.Process(int(supervisor.stdout.readline()))
    if all_of_them:
        os.killpg(supervisor.pid, number)
    else:
        supervisor.send_signal(number)
    assert supervisor.stdout.readline() == "SIGTERM island\n"
    report = json.loads(supervisor.stdout.readline())
    assert report == {"exits": [130], "restarts": 0, "island_deaths": 0, "lost": [], "stopped": True}
    assert supervisor.wait() == 0
    runtime.wait(20)
    assert running(path) is None and not path.exists()


def test_a_runtime_does_not_outlive_its_supervisor(path: Path) -> None:
    supervisor = spawned([sys.executable, "-c", SUPERVISING, str(path), RUNTIME])
    assert supervisor.stdout is not None
    runtime = psutil.Process(int(supervisor.stdout.readline()))
    supervisor.kill()
    assert supervisor.stdout.readline() == "SIGTERM island\n"
    runtime.wait(20)


def test_a_runtime_that_does_not_end_is_killed(
    island: LiveIsland, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyrhythm.island.supervisor.PATIENCE_S", 0.2)
    up = tmp_path / "up"
    deaf = f"import signal, time; signal.signal(15, signal.SIG_IGN); open({str(up)!r}, 'w'); time.sleep(100)"
    report = Supervisor(island, repeat([sys.executable, "-c", deaf]), stopped=up.exists).run()
    assert report.exits == [-signal.SIGKILL] and report.stopped


def test_one_that_is_told_to_end_before_it_begins(island: LiveIsland) -> None:
    report = Supervisor(island, repeat(["/bin/false"]), stopped=lambda: True).run()
    assert report.exits == [] and report.stopped


@pytest.mark.parametrize("code", [0, 2, 130])
def test_codes_that_are_final(island: LiveIsland, code: int) -> None:
    report = Supervisor(island, repeat([sys.executable, "-c", f"raise SystemExit({code})"])).run()
    assert report.exits == [code] and report.restarts == 0


def test_every_start_has_a_command_line_of_its_own(island: LiveIsland) -> None:
    said: list[str] = []
    commands = ([sys.executable, "-c", f"raise SystemExit({code})"] for code in (5, 4, 3))
    report = Supervisor(island, commands, say=said.append).run()
    assert report.exits == [5, 4, 3] and report.restarts == 2
    assert said[-1] == "the runtime ended with 3, and is not started again"


def test_an_error_here_ends_the_runtime(island: LiveIsland, tmp_path: Path) -> None:
    up = tmp_path / "up"

    def stopped() -> bool:
        if up.exists() and (said := up.read_text()):
            raise ValueError(said)
        return False

    script = f"import os, time; open({str(up)!r}, 'w').write(str(os.getpid())); time.sleep(100)"
    with pytest.raises(ValueError, match=r"^\d+$") as raised:
        Supervisor(island, repeat([sys.executable, "-c", script]), stopped=stopped).run()
    assert not psutil.pid_exists(int(str(raised.value)))


def test_ports_that_name_no_process(island: LiveIsland) -> None:
    for pid in (0, 2**62, 2**64 - 1):
        island.pid = pid
        assert Supervisor(island, repeat(["/bin/true"])).run().exits == [0]
