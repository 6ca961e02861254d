"""One island on a robot, and one runtime on an island, whoever comes at the same time. Real processes."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from polyrhythm.island import (
    ForeignPortsError,
    IslandError,
    Layer,
    LiveIsland,
    Ports,
    PortsError,
    TakenError,
    config_record,
    live,
    ports_path,
    write_network,
)
from polyrhythm.island.build import bare_loop, program
from polyrhythm.island.layout import DTYPES, FILE_BYTES, PLACES
from polyrhythm.island.live import running
from polyrhythm.island.ports import OtherVersionError, alone, record
from polyrhythm.island.settings import signed

from .test_process import CHILDREN, runtime, still, until
from .virtual import declared

CONFIG = config_record(declared(priority=0, blind_ms=100))
TAKING = """
island.target([0.0, 0.0], [0.0, 0.0])
print('up', flush=True)
time.sleep(100)
"""


@pytest.fixture
def path() -> Iterator[Path]:
    """A place for ports; what still runs there at the end is killed."""
    path = ports_path(f"test-alone-{os.getpid()}")
    yield path
    while CHILDREN:
        with CHILDREN.pop() as child:
            child.kill()
    if path.exists() and os.access(path, os.R_OK) and (ports := running(path)) is not None:
        os.kill(int(ports.read_record("counts")["pid"]), signal.SIGKILL)
    assert not path.with_name(f"{path.name}.lock").exists()
    path.unlink(missing_ok=True)


@pytest.fixture
def island(path: Path) -> Iterator[LiveIsland]:
    island = LiveIsland.open(path, CONFIG)
    yield island
    if island._process is not None and island._process.poll() is None:
        island.stop()


def test_an_island_with_what_a_file_held_before_is_in_the_way(path: Path, tmp_path: Path) -> None:
    def written(bias: float) -> np.ndarray:
        layer = Layer(np.zeros((2, 8), np.float32), np.full(2, bias, np.float32))
        write_network(tmp_path / "balance.net", [layer])
        return config_record(declared(priority=0, network="balance.net"), tmp_path)

    first = LiveIsland.open(path, written(0.05))
    with pytest.raises(IslandError, match="made from other files"):
        LiveIsland.open(path, written(-0.05))
    again = LiveIsland.open(path, written(0.05))
    assert again.attached
    again.detach()
    first.stop()


@pytest.mark.parametrize("more", [0, 64], ids=["of the same size", "of another size"])
def test_an_island_of_another_version_is_in_the_way(island: LiveIsland, path: Path, more: int) -> None:
    """Nor is another one started where it plays."""
    mine = island.ports.read_record("header")
    os.truncate(path, FILE_BYTES + more)
    other = record("header", magic=mine["magic"], layout=mine["layout"] + 1, bytes=FILE_BYTES + more)
    island.ports.write_record("header", other)
    for look in (Ports.attach, running, lambda path: LiveIsland.open(path, CONFIG)):
        with pytest.raises(OtherVersionError, match=f"another version of Polyrhythm plays at {path}: stop"):
            look(path)
    assert island.ports.played
    island.stop()
    assert running(path) is None


def test_two_runtimes_are_refused_and_a_dead_ones_place_is_free_at_once(
    island: LiveIsland, path: Path
) -> None:
    first = runtime(path, TAKING)
    assert first.stdout is not None and first.stdout.readline()
    with pytest.raises(TakenError, match=rf"another runtime, process {first.pid}, drives the island at"):
        island.claim()
    targets = island.read_counts()["targets"]
    with pytest.raises(TakenError):
        island.target([1.0, 1.0], [0.0, 0.0])
    first.send_signal(signal.SIGSTOP)  # not dead: it may go on at any time
    with pytest.raises(TakenError):
        island.claim()
    first.kill()
    first.wait()
    island.claim()
    island.target([0.0, 0.0], [0.0, 0.0])
    until(lambda: island.read_counts()["targets"] == targets + 1)
    again = LiveIsland.open(path, CONFIG)  # in the same process, too
    with pytest.raises(TakenError, match=f"process {os.getpid()},"):
        again.claim()
    again.detach()
    island.detach()
    last = LiveIsland.open(path, CONFIG)
    last.claim()
    last.stop()


def test_two_starts_at_once_find_one_island(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second comes while the first one's program is still being compiled."""
    found: list[LiveIsland] = []

    def compiled_while_another_comes() -> Path:
        monkeypatch.undo()
        second.start()
        second.join(0.5)  # it comes to its end only if nobody keeps it
        return program()

    second = Thread(target=lambda: found.append(LiveIsland.open(path, CONFIG)))
    monkeypatch.setattr(live, "program", compiled_while_another_comes)
    first = LiveIsland.open(path, CONFIG)
    second.join()
    try:
        assert found[0].pid == first.pid and found[0].attached and not first.attached
    finally:
        for one in {one.pid: one for one in (first, *found)}.values():
            os.kill(one.pid, signal.SIGKILL)
        for one in (first, *found):
            one.detach()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_program_has_its_rights_before_it_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever compiles it may be killed at any time, and nobody compiles again what is there."""
    seen, replace = list[int](), Path.replace

    def spied(new: Path, place: Path) -> Path:
        seen.append(new.stat().st_mode & 0o777)
        return replace(new, place)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(Path, "replace", spied)
    assert os.access(bare_loop(), os.X_OK) and seen == [0o755]


@pytest.mark.parametrize(("rights", "why"), [(0o755, "Exec format error"), (0o644, "Permission denied")])
def test_a_program_that_is_none_is_told_and_made_anew(
    rights: int, why: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left empty by a power failure, or without rights: the next start compiles it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken, files = program(), open_files()
    broken.write_bytes(b"")
    broken.chmod(rights)
    with pytest.raises(IslandError, match=f"does not start: {broken}: {why}; start it again"):
        LiveIsland.open(path, CONFIG)
    assert not path.exists() and open_files() == files
    LiveIsland.open(path, CONFIG).stop()


def test_many_starts_at_once_find_one_island(path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from polyrhythm.island import LiveIsland, config_record\n"
        "from tests.island.virtual import declared\n"
        "sys.stdin.readline()\n"
        "island = LiveIsland.open(Path(sys.argv[1]), config_record(declared(priority=0, blind_ms=100)))\n"
        "print(island.pid, island.attached, flush=True)\n"
        "sys.stdin.readline()\n"
    )
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    CHILDREN.extend(starters)
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.write("go\n")
        starter.stdin.flush()
    said = [starter.stdout.readline().split() for starter in starters if starter.stdout is not None]
    assert len({pid for pid, _ in said}) == 1
    assert sorted(attached for _, attached in said) == ["False", "True", "True", "True"]
    ports = running(path)
    assert ports is not None
    live.stop(ports)
    assert not path.exists()


def test_a_stop_does_not_remove_the_ports_of_an_island_that_starts(island: LiveIsland, path: Path) -> None:
    """It ends, another comes, and only then is what it left behind removed."""
    process = island._process
    assert process is not None
    other: list[LiveIsland] = []
    with alone(path):
        process.terminate()
        process.wait()
        stopping = Thread(target=island.stop)
        stopping.start()
        ports, second = live._start(path, CONFIG)
        other.append(LiveIsland(ports, second))
    stopping.join()
    ports_now = running(path)
    assert ports_now is not None and int(ports_now.read_record("counts")["pid"]) == other[0].pid
    ports_now.close()
    other[0].stop()
    assert not path.exists()


def test_a_stop_waits_for_an_island_that_is_being_started(island: LiveIsland, path: Path) -> None:
    """It plays, and who starts it has not seen it do so: it may not have said its number yet."""
    at = PLACES["counts"] + DTYPES["counts"].fields["pid"][1]
    ports = Ports.attach(path)
    stopping = Thread(target=live.stop, args=(ports,))
    with alone(path):
        os.pwrite(ports._fd, bytes(8), at)
        stopping.start()
        stopping.join(0.2)  # it looks too early only if nobody keeps it
        os.pwrite(ports._fd, island.pid.to_bytes(8, "little"), at)
    stopping.join()
    assert island._process is not None and island._process.wait(10) == 0
    assert not path.exists()


@pytest.mark.parametrize("how", ["cut short", "removed"])
def test_an_island_whose_ports_are_lost_goes_down_the_ladder_and_ends(
    island: LiveIsland, path: Path, how: str
) -> None:
    process = island._process
    assert process is not None
    still(path)
    until(lambda: island.read_counts()["states"] > 0)
    island.target([0.0, 0.0], [0.0, 0.0])
    if how == "removed":
        path.unlink()
        still_there = Ports(os.dup(island.ports._fd), path)

        targets = island.read_counts()["targets"]
        while island.read_counts()["targets"] < targets + 100:  # who has them open is heard as before
            still_there.write("state", {})
            island.target([0.0, 0.0], [0.0, 0.0])
        assert process.poll() is None
        still_there.close()
    else:
        os.truncate(path, 4096)
    assert running(path) is None
    until(lambda: process.poll() is not None)
    assert process.returncode == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make another user's file")
def test_another_users_file_is_refused(path: Path) -> None:
    island = LiveIsland.open(path, CONFIG)
    os.kill(island.pid, signal.SIGKILL)
    os.chown(path, 12345, -1)
    for attach in (Ports.attach, running, lambda path: LiveIsland.open(path, CONFIG)):
        with pytest.raises(ForeignPortsError, match=f"{path} belongs to user 12345, and not to user 0"):
            attach(path)
    said = subprocess.run([program(), path], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (2, f"island: {path}: the file belongs to another user\n")
    path.unlink()
    island.detach()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make another user's file")
def test_another_users_lock_is_refused(path: Path) -> None:
    lock = path.with_name(f"{path.name}.lock")
    lock.touch()
    os.chown(lock, 12345, -1)
    try:
        with pytest.raises(ForeignPortsError, match=r"\.lock belongs to user 12345"):
            LiveIsland.open(path, CONFIG)
    finally:
        lock.unlink()


def test_another_users_file_in_the_way_of_new_ports(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In ``/dev/shm`` nobody but its owner (and root) may replace a file."""

    def refused(self: Path, target: Path) -> Path:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    path.touch()
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PortsError, match=r"Operation not permitted .*; look who may write"):
        Ports.create(path, CONFIG)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(ForeignPortsError, match=f"belongs to user {os.getuid()}, and not to user"):
        Ports.create(path, CONFIG)


def test_a_lock_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(PortsError, match=r"ports\.lock: No such file or directory; look who may write to"):
        LiveIsland.open(tmp_path / "none" / "ports", CONFIG)


def test_an_island_for_somebody_who_is_no_more_does_not_start(path: Path) -> None:
    config = CONFIG.copy()
    config["ends_with"] = os.getppid()
    with pytest.raises(IslandError, match="does not start: island: configuration: who started it is no more"):
        LiveIsland.open(path, signed(config))
    assert not path.exists()


def test_an_island_that_does_not_start_leaves_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    mute = tmp_path / "mute"
    mute.write_text("#!/bin/sh\nexec sleep 100\n")
    mute.chmod(0o700)
    monkeypatch.setattr(live, "program", lambda: mute)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(live, "sleep", interrupted)
        LiveIsland.open(path, CONFIG)
    assert running(path) is None and not path.exists()
    monkeypatch.setattr(live, "program", lambda: Path("/bin/false"))
    with pytest.raises(IslandError, match="does not start: it says nothing"):
        LiveIsland.open(path, CONFIG)
    assert not path.exists()
