"""The island started by hand: it makes its ports from a file of settings, without Python on its side."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.island import Layer, LiveIsland, RobotSide, config_record, write_network
from polyrhythm.island.build import program
from polyrhythm.island.layout import FILE_BYTES
from polyrhythm.island.live import running
from polyrhythm.island.settings import settings_file, signed

from .test_process import CHILDREN, LONG, ports_for, until
from .virtual import declared

PLAIN = config_record(declared(priority=0, blind_ms=30_000, ladder_ms=LONG))
SETTINGS = settings_file(PLAIN)


@pytest.fixture
def path() -> Iterator[Path]:
    yield from ports_for("by-hand")


def start(path: Path, settings: bytes, folder: Path) -> subprocess.Popen[str]:
    """By nothing but a command line, in an empty environment."""
    (folder / "settings").write_bytes(settings)
    command = [program(), path, "settings"]
    process = subprocess.Popen(command, cwd=folder, env={}, stderr=subprocess.PIPE, text=True)
    CHILDREN.append(process)  # killed at the end, whatever happens
    return process


def refused(process: subprocess.Popen[str]) -> str:
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 2
    return said


def test_it_makes_its_ports_and_removes_them(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"left by one that was killed")
    process = start(path, SETTINGS, tmp_path)
    until(lambda: running(path) is not None)
    assert path.stat().st_size == FILE_BYTES and path.stat().st_mode & 0o777 == 0o600
    island = LiveIsland.open(path, PLAIN)  # whoever comes from Python finds it
    assert island.attached and island.pid == process.pid
    RobotSide(island.ports).send((0.25, 0.0), (0.0, 0.0))
    until(lambda: island.command() is not None and island.command()["position"][0] == 0.25)
    island.detach()
    process.terminate()
    assert process.communicate(timeout=20)[1] == ""
    assert process.returncode == 0
    assert not list(path.parent.glob(f"{path.name}*"))


def test_one_that_is_ended_while_it_opens_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    network = tmp_path / "network.net"
    os.mkfifo(network)  # to read it takes for ever
    config = PLAIN.copy()
    config["network"] = network.name.encode()
    process = start(path, settings_file(signed(config)), tmp_path)
    until(path.exists)
    process.terminate()
    write_end = os.open(network, os.O_RDWR)  # it may have been told before it began to read
    process.communicate(timeout=20)
    os.close(write_end)
    assert process.returncode == 0
    assert not list(path.parent.glob(f"{path.name}*"))


def test_names_in_its_settings_are_as_seen_from_where_it_is_started(path: Path, tmp_path: Path) -> None:
    layer = Layer(np.zeros((2, 8), np.float32), np.array([0.125, 0.0], np.float32))
    write_network(tmp_path / "network.net", [layer])
    config = PLAIN.copy()
    config["network"] = b"network.net"
    start(path, settings_file(signed(config)), tmp_path)
    until(lambda: running(path) is not None)
    island = LiveIsland.open(path, config)
    RobotSide(island.ports).send((0.0, 0.0), (0.0, 0.0))
    # What the network adds to the hip's target, times its gain.
    until(lambda: island.command() is not None and island.command()["torque"][0] == 20 * 0.125)


def test_there_is_one_island_at_a_place(path: Path, tmp_path: Path) -> None:
    island = LiveIsland.open(path, PLAIN)
    said = refused(start(path, SETTINGS, tmp_path))
    assert said == f"island: {path}: an island plays here already\n"
    assert island.alive
    island.stop()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (b"", "settings: these are no settings of this version"),
        (SETTINGS[:-1], "settings: these are no settings of this version"),
        (SETTINGS + b"?", "settings: these are no settings of this version"),
        (b"?" + SETTINGS[1:], "settings: these are no settings of this version"),
        (SETTINGS[:-1] + b"?", "configuration: its checksum is wrong"),
    ],
    ids=["empty", "cut short", "too long", "other layout", "changed"],
)
def test_settings_that_are_none(path: Path, tmp_path: Path, settings: bytes, why: str) -> None:
    assert refused(start(path, settings, tmp_path)) == f"island: {why}\n"
    assert not list(path.parent.glob(f"{path.name}*"))


def test_it_says_how_it_is_called() -> None:
    said = subprocess.run([program()], env={}, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (2, "island: usage: island PORTS_FILE [SETTINGS_FILE]\n")
