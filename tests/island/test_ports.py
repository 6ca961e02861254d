"""Ports from the robot's and the runtime's side, on a file without an island."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from polyrhythm.island import Ports, PortsError, RobotSide, config_record
from polyrhythm.island.layout import DTYPES, FILE_BYTES, MESSAGES, PLACES, RECORDS, c_header
from polyrhythm.island.ports import record

from .virtual import declared

PERIOD_NS = 1_000_000


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    ports = Ports.create(tmp_path / "ports", config_record(declared()))
    yield ports
    ports.close()


def test_places_do_not_overlap_and_fill_the_file() -> None:
    ends = 0
    for name, dtype in DTYPES.items():
        assert PLACES[name] >= ends and PLACES[name] % 64 == 0
        assert dtype.itemsize % 8 == 0
        ends = PLACES[name] + dtype.itemsize
    assert ends <= FILE_BYTES
    assert all(f"pr_{name};" in c_header() for name in RECORDS)


def test_a_message_comes_back_as_it_was_sent(ports: Ports, tmp_path: Path) -> None:
    assert ports.read("target") is None
    sent = ports.write("target", {"position": [1.0, 2.0], "velocity": [3.0], "writer": 7}, stamp_ns=5)
    other = Ports.attach(tmp_path / "ports")
    found = other.read("target")
    assert (found["seq"], found["stamp_ns"], found["writer"]) == (sent, 5, 7)
    assert found["position"][:3].tolist() == [1.0, 2.0, 0.0]
    assert other.write("target", {}) == sent + 1  # whoever comes next counts on
    other.close()


@pytest.mark.parametrize("name", MESSAGES)
def test_no_flipped_bit_is_read(ports: Ports, tmp_path: Path, name: str) -> None:
    ports.write(name, {}, stamp_ns=1)
    size = DTYPES[name].itemsize
    whole = (tmp_path / "ports").read_bytes()
    fd = os.open(tmp_path / "ports", os.O_RDWR)
    for byte in range(size):
        at = PLACES[name] + byte
        os.pwrite(fd, bytes([whole[at] ^ 1 << byte % 8]), at)
        assert ports.read(name) is None
        os.pwrite(fd, whole[at : at + 1], at)
    os.close(fd)
    assert ports.read(name) is not None


def test_half_a_message_is_followed_by_a_whole_one(ports: Ports) -> None:
    ports.write("state", {})
    torn = ports.read_record("state").copy()
    torn["seq"] += 5
    ports.write_record("state", torn)
    assert ports.read("state") is None
    again = Ports.attach(ports.path)
    assert again.write("state", {}) == 7
    assert ports.read("state")["seq"] == 7
    again.close()


def test_a_file_cut_short_is_an_error_and_no_signal(ports: Ports) -> None:
    os.truncate(ports.path, 100)
    assert ports.read("command") is None
    with pytest.raises(PortsError, match="cut short"):
        ports.read_record("counts")


def test_ports_of_another_version_are_refused(ports: Ports) -> None:
    header = ports.read_record("header").copy()
    header["layout"] += 1
    ports.write_record("header", header)
    with pytest.raises(PortsError, match="another version"):
        Ports.attach(ports.path)


def test_closing_and_removing(ports: Ports) -> None:
    ports.unlink()
    assert not ports.path.exists()
    ports.unlink()
    ports.close()
    ports.close()


def test_another_one_that_closes_meanwhile(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's number is closed once: it may be another file's right after that."""
    closed, close = list[int](), os.close

    def closing(fd: int) -> None:
        closed.append(fd)
        if len(closed) == 1:
            other = Thread(target=ports.close)
            other.start()
            other.join()
        close(fd)

    monkeypatch.setattr(os, "close", closing)
    ports.close()
    monkeypatch.undo()
    assert len(closed) == 1


def test_a_robot_lets_go_after_two_periods_of_silence(ports: Ports) -> None:
    side = RobotSide(ports)
    assert side.torque(0).tolist() == [0.0, 0.0] and side.dead and side.deaths == 1
    ports.write("command", {"torque": [1.0, -2.0]}, stamp_ns=10 * PERIOD_NS)
    assert side.torque(10 * PERIOD_NS).tolist() == [1.0, -2.0] and not side.dead
    assert side.torque(12 * PERIOD_NS).tolist() == [1.0, -2.0] and not side.dead
    assert side.torque(12 * PERIOD_NS + 1).tolist() == [0.0, 0.0] and side.dead
    side.send([0.0, 0.0], [0.0, 0.0])
    assert int(ports.read("state")["flags"]) == 1  # the others are told
    ports.write("command", {"torque": [0.5, 0.0]}, stamp_ns=20 * PERIOD_NS)
    assert side.torque(20 * PERIOD_NS).tolist() == [0.5, 0.0]
    side.send([0.0, 0.0], [0.0, 0.0])
    assert int(ports.read("state")["flags"]) == 0
    assert side.deaths == 2


def test_a_command_that_is_half_written_is_no_death(ports: Ports) -> None:
    """Motors go on with the last whole one, for as long as it is young."""
    side = RobotSide(ports)
    ports.write("command", {"torque": [1.0, -2.0]}, stamp_ns=10 * PERIOD_NS)
    assert side.torque(10 * PERIOD_NS).tolist() == [1.0, -2.0]
    half = ports.read_record("command").copy()
    half["seq"] += 1
    half["torque"] = 9.0
    ports.write_record("command", half)
    assert side.torque(12 * PERIOD_NS).tolist() == [1.0, -2.0] and not side.dead
    assert side.torque(12 * PERIOD_NS + 1).tolist() == [0.0, 0.0] and side.dead


def test_records_take_short_arrays() -> None:
    made = record("target", position=np.array([1.0]))
    assert made["position"].shape == (32,) and made["position"][0] == 1.0
