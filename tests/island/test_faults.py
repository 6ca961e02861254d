"""What may happen to a live island: whatever it is, every command is within its limits, and each step of the
ladder is entered at its time. Real processes; what is judged are the commands' own stamps.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic_ns, sleep

import numpy as np
import pytest

from polyrhythm.island import RUNGS, LiveIsland, config_record
from polyrhythm.island.layout import PLACES
from polyrhythm.island.live import running
from tests.faults.stepper import HOUR_NS, Stepper

from .test_process import ports_for, runtime, still, until
from .virtual import declared
from .witness import Witness

LADDER = {"extrapolate": 30, "decelerate": 80, "hold": 200, "stop": 800}
#: Slow enough for the witness to see nearly every period.
CONFIG = config_record(declared(priority=0, blind_ms=60_000, ladder_ms=LADDER, rate_hz=250))
SENDING = """
import itertools
print('up', flush=True)
for tick in itertools.count():
    island.target([0.3, 0.002 * (tick % 100)], [0.0, 0.5])
    time.sleep(0.003)
"""
WAITING = f"""
from polyrhythm.island import TakenError
print('up', flush=True)
while True:
    try:
        island.claim()
        break
    except TakenError:
        time.sleep(0.001)
{SENDING}
"""


@pytest.fixture
def path() -> Iterator[Path]:
    """A place for ports; what still runs there at the end is killed."""
    yield from ports_for("test-faults")


@pytest.fixture
def island(path: Path) -> Iterator[LiveIsland]:
    """Of a robot that stands still, and has been heard of."""
    island = LiveIsland.open(path, CONFIG)
    still(path)
    until(lambda: island.read_counts()["states"] == 1)
    yield island
    island.stop()


def entered(island: LiveIsland) -> dict[str, int]:
    found: dict[str, int] = island.read_counts()["entered"]
    return found


def unasked(island: LiveIsland) -> None:
    """A target of somebody who has not asked whether another drives the island."""
    island.ports.write("target", {"position": (0.1, 0.0), "velocity": (0.0, 0.0), "writer": 1})


def goes_down(island: LiveIsland, witness: Witness) -> None:
    """Nobody sends any more: it goes down the whole ladder, and a new target is the way back."""
    until(lambda: RUNGS[island.command()["rung"]] == "stop")
    counts = entered(island)
    # Where the island itself was held up for long, it may have come past a step.
    assert counts["stop"] >= 1 and counts["use"] >= 1
    until(lambda: "stop" in witness.rungs)
    before = counts["use"]
    unasked(island)
    until(lambda: entered(island)["use"] > before)
    assert island.read_counts()["not_finite"] == 0


def sending(path: Path, *, targets: int = 20) -> subprocess.Popen[str]:
    """A runtime that has sent so many targets, and goes on."""
    player = runtime(path, SENDING)
    assert player.stdout is not None and player.stdout.readline()
    ports = running(path)
    assert ports is not None
    before = int(ports.read_record("counts")["targets"])
    until(lambda: int(ports.read_record("counts")["targets"]) > before + targets)
    ports.close()
    return player


def test_a_runtime_that_is_stopped(island: LiveIsland, path: Path) -> None:
    with Witness(path) as witness:
        player = sending(path)
        player.send_signal(signal.SIGSTOP)
        goes_down(island, witness)
        targets = island.read_counts()["targets"]
        player.send_signal(signal.SIGCONT)
        until(lambda: island.read_counts()["targets"] > targets + 20)
    assert witness.commands > 50
    assert island.read_counts()["writers"] == 3  # it, this test, and it again


def test_a_runtime_that_is_killed_and_one_that_comes_after_it(island: LiveIsland, path: Path) -> None:
    with Witness(path) as witness:
        sending(path).kill()
        goes_down(island, witness)
        sending(path)
    assert island.read_counts()["writers"] == 3


def test_a_runtime_that_takes_over_from_another(island: LiveIsland, path: Path) -> None:
    """The second waits until the first has ended."""
    with Witness(path) as witness:
        first = sending(path)
        second = runtime(path, WAITING)
        assert second.stdout is not None and second.stdout.readline()
        stops = entered(island)["stop"]
        first.terminate()
        first.wait()
        targets = island.read_counts()["targets"]
        until(lambda: island.read_counts()["targets"] > targets + 20)
        assert entered(island)["stop"] == stops
        second.kill()
        goes_down(island, witness)
    assert island.read_counts()["writers"] >= 3


def test_the_wall_clock_is_set(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the island and for the runtime, by an hour, to and fro."""
    stepper = Stepper(tmp_path)
    for name, value in stepper.env.items():
        monkeypatch.setenv(name, value)
    island = LiveIsland.open(path, CONFIG)
    assert "step_clock.so" in Path(f"/proc/{island.pid}/maps").read_text()
    still(path)
    until(lambda: island.read_counts()["states"] == 1)
    with Witness(path) as witness:
        player = sending(path)
        for turn in range(1, 11):
            stepper.step((1, -1)[turn % 2] * HOUR_NS * turn)
            targets = island.read_counts()["targets"]
            until(lambda targets=targets: island.read_counts()["targets"] > targets + 3)
        assert entered(island)["stop"] == 0
        player.send_signal(signal.SIGSTOP)
        stepper.step(HOUR_NS)
        goes_down(island, witness)
        stepper.step(-HOUR_NS)
    counts = island.read_counts()
    assert counts["targets_refused"]["from_the_future"] == counts["targets_refused"]["out_of_order"] == 0
    island.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="mounting needs root")
def test_shared_memory_that_fills_up_under_it(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    island = None
    try:
        island = LiveIsland.open(tmp_path / "ports", CONFIG)
        still(tmp_path / "ports")
        until(lambda: island.read_counts()["states"] == 1)
        with Witness(tmp_path / "ports") as witness:
            island.target((0.1, 0.0), (0.0, 0.0))
            with suppress(OSError), (tmp_path / "full").open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            status = os.statvfs(tmp_path)
            assert status.f_bavail == 0
            targets = island.read_counts()["targets"]
            for _ in range(20):
                island.target((0.2, 0.0), (0.0, 0.0))
                sleep(0.005)
            assert island.read_counts()["targets"] > targets
            goes_down(island, witness)
    finally:
        if island is not None:
            island.stop()
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def scribbled(island: LiveIsland) -> None:
    """Noise over the ports that the island reads, and over those that it only writes."""
    rng = np.random.default_rng(0)
    fd = os.open(island.ports.path, os.O_RDWR)
    try:
        for name in ("target", "request", "control"):
            os.pwrite(fd, rng.bytes(200 if name != "control" else 4), PLACES[name])
        until(lambda: island.read_counts()["targets_refused"]["torn"] == 1)
    finally:
        os.close(fd)


def not_a_number(island: LiveIsland) -> None:
    for bad in (np.nan, np.inf, -np.inf):
        refused = island.read_counts()["targets_refused"]["not_finite"]
        island.target((0.0, bad), (0.0, 0.0))
        until(lambda refused=refused: island.read_counts()["targets_refused"]["not_finite"] > refused)


def a_jump(island: LiveIsland) -> None:
    for position in (1000.0, -1000.0, 1e300):
        island.target((position, -position), (position, position))
        sleep(0.02)
    until(lambda: island.read_counts()["limited"]["velocity"] > 0)


def ten_seconds_old(island: LiveIsland) -> None:
    """It does not take the place of a newer one."""
    old = {"position": (0.5, 0.0), "velocity": (1.0, 0.0)}
    island.ports.write("target", old, stamp_ns=monotonic_ns() - 10 * 10**9)
    until(lambda: island.read_counts()["targets_refused"]["out_of_order"] == 1)


@pytest.mark.parametrize(
    "fault", [scribbled, not_a_number, a_jump, ten_seconds_old], ids=lambda f: f.__name__
)
def test_what_a_runtime_says_is_wrong(
    island: LiveIsland, path: Path, fault: Callable[[LiveIsland], None]
) -> None:
    with Witness(path) as witness:
        for step in range(10):
            island.target((0.02 * step, 0.0), (0.5, 0.0))
            sleep(0.005)
        # Before another lies in its place, so that its age is known.
        until(lambda: witness.looked == island.ports.read("target")["seq"])
        fault(island)
        goes_down(island, witness)


def test_a_first_target_that_is_ten_seconds_old(island: LiveIsland, path: Path) -> None:
    with Witness(path) as witness:
        old = {"position": (0.5, 0.0), "velocity": (1.0, 0.0)}
        island.ports.write("target", old, stamp_ns=monotonic_ns() - 10 * 10**9)
        until(lambda: entered(island)["stop"] == 1)
        assert entered(island)["use"] == entered(island)["extrapolate"] == entered(island)["decelerate"] == 0
        island.target((0.1, 0.0), (0.0, 0.0))
        until(lambda: entered(island)["use"] == 1)
        goes_down(island, witness)
