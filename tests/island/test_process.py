"""The island as a process: started, found again, killed around, told nonsense. Real processes, real time.

Nothing here asserts how long anything took: what happens at which time is in `test_step`.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from time import monotonic_ns, sleep

import numpy as np
import pytest

from polyrhythm.island import IslandError, LiveIsland, Ports, PortsError, config_record, ports_path
from polyrhythm.island.build import program
from polyrhythm.island.layout import FILE_BYTES, PLACES, RUNGS
from polyrhythm.island.live import running, silent_ns
from polyrhythm.island.robot_side import RobotSide
from polyrhythm.island.supervisor import Supervisor

from .virtual import LADDER, declared
from .witness import Witness

HERE = Path(__file__).parent
#: Longer than a Python process takes to start, on a busy machine too.
LONG = LADDER | {"stop": 60_000}
CONFIG = config_record(declared(priority=0, blind_ms=30_000, ladder_ms=LONG))
CHILDREN: list[subprocess.Popen[str]] = []
SENDING = """
print('up', flush=True)
while True:
    island.target([0.5, 0.5], [0.0, 0.0])
    time.sleep(0.002)
"""


def ports_for(name: str) -> Iterator[Path]:
    """A place for ports; what still runs there at the end is killed."""
    path = ports_path(f"{name}-{os.getpid()}")
    yield path
    while CHILDREN:
        with CHILDREN.pop() as child:
            child.kill()
    if (ports := running(path)) is not None:
        os.kill(int(ports.read_record("counts")["pid"]), signal.SIGKILL)
    path.unlink(missing_ok=True)


@pytest.fixture
def path() -> Iterator[Path]:
    yield from ports_for("test")


@pytest.fixture
def island(path: Path) -> Iterator[LiveIsland]:
    island = LiveIsland.open(path, CONFIG)
    yield island
    if running(path) is not None:
        island.stop()


def until(condition: Callable[[], bool], patience_s: float = 20.0) -> None:
    """Wait for another process to do something; what fails is that it never does."""
    for _ in range(int(patience_s / 0.002)):
        if condition():
            return
        sleep(0.002)
    raise AssertionError("it never happened")


def spawned(command: list[str], process_group: int | None = None) -> subprocess.Popen[str]:
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=process_group)
    CHILDREN.append(child)
    return child


def body(path: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "body.py"), str(path), str(seconds)]
    return spawned(command)


def runtime(path: Path, script: str) -> subprocess.Popen[str]:
    """A process that attaches to the island and runs `script` with it as `island`."""
    text = (
        "import sys, os, signal, time\n"
        "from pathlib import Path\n"
        "from polyrhythm.island import LiveIsland, Ports\n"
        "ports = Ports.attach(Path(sys.argv[1]))\n"
        "island = LiveIsland.open(ports.path, ports.read_record('config'))\n" + script
    )
    return spawned([sys.executable, "-c", text, str(path)])


def rung(island: LiveIsland) -> str:
    return RUNGS[island.command()["rung"]]


def still(path: Path, position: tuple[float, float] = (0.0, 0.0)) -> None:
    """A robot that says once where it is (the island of these tests believes that for long)."""
    RobotSide(Ports.attach(path)).send(position, (0.0, 0.0))


def test_it_starts_beats_and_stops(island: LiveIsland, path: Path) -> None:
    first = island.command()["seq"]
    until(lambda: island.command()["seq"] > first + 10)
    counts = island.read_counts()
    assert counts["periods"] >= 10
    assert set(counts["lost"]) <= {"memory_lock"}  # neither a core nor a priority was asked for
    island.stop()
    assert running(path) is None
    assert not path.exists()


@pytest.mark.parametrize(("rate_hz", "silent_ms", "hung_ms"), [(1, 1200, 3000), (1000, 0, 1000)])
def test_it_hangs_after_a_second_and_three_periods(
    path: Path, rate_hz: int, silent_ms: int, hung_ms: int
) -> None:
    config = config_record(declared(priority=0, rate_hz=rate_hz))
    island = LiveIsland.open(path, config)
    os.kill(island.pid, signal.SIGSTOP)
    counts = island.ports.read_record("counts").copy()
    counts["heartbeat_ns"] = monotonic_ns() - silent_ms * 10**6
    island.ports.write_record("counts", counts)
    assert island.alive
    LiveIsland.open(path, config).detach()
    counts["heartbeat_ns"] = monotonic_ns() - hung_ms * 10**6
    island.ports.write_record("counts", counts)
    assert not island.alive
    with pytest.raises(IslandError, match="hangs: kill process"):
        LiveIsland.open(path, config)
    os.kill(island.pid, signal.SIGCONT)
    island.stop()


def test_the_next_runtime_finds_it_and_reads_where_it_is(island: LiveIsland, path: Path) -> None:
    still(path, (0.25, 0.0))
    until(lambda: island.command()["position"][0] == 0.25)
    island.detach()
    again = LiveIsland.open(path, CONFIG)
    assert again.attached and again.pid == island.pid
    assert again.command()["position"][0] == 0.25
    again.target((0.25, 0.0), (0.0, 0.0))
    until(lambda: again.read_counts()["targets"] == 1)
    again.stop()


def test_an_island_with_other_settings_is_in_the_way(island: LiveIsland, path: Path) -> None:
    with pytest.raises(IslandError, match="other settings"):
        LiveIsland.open(path, config_record(declared(priority=0, blind_ms=30)))


def test_a_network_that_cannot_be_is_said_at_the_start(path: Path, tmp_path: Path) -> None:
    (tmp_path / "balance.net").write_bytes(b"no network")
    with pytest.raises(IslandError, match="is not a network file"):
        LiveIsland.open(path, config_record(declared(network="balance.net"), tmp_path))
    assert not path.exists()


def test_a_runtime_that_is_killed_leaves_the_robot_on_the_ladder(island: LiveIsland, path: Path) -> None:
    body(path, 60)
    # A robot that it has not heard of yet is not moved: whoever comes first, it begins with the robot.
    until(lambda: island.read_counts()["states"] > 0)
    first = runtime(path, SENDING)
    assert first.stdout is not None and first.stdout.readline()
    until(lambda: island.read_counts()["targets"] > 20)
    first.kill()
    first.wait()
    # Where periods are missed the way takes longer than the ladder: it stands once it is there.
    until(lambda: rung(island) == "hold" and island.command()["position"][:2].tolist() == [0.5, 0.5])
    counts = island.read_counts()
    assert counts["entered"]["hold"] >= 1
    held = island.command()["position"][:2].copy()
    second = runtime(path, SENDING)  # and one that comes next goes on from there
    assert second.stdout is not None and second.stdout.readline()
    until(lambda: island.read_counts()["writers"] == 2)
    assert island.command()["position"][:2].tolist() == held.tolist()
    assert island.read_counts()["not_finite"] == 0


@pytest.mark.slow
def test_a_runtime_stopped_for_five_seconds(path: Path) -> None:
    island = LiveIsland.open(path, config_record(declared(priority=0, blind_ms=1000)))
    robot = body(path, 9)
    player = runtime(path, SENDING)
    assert player.stdout is not None and player.stdout.readline()
    sleep(1)
    before = island.read_counts()
    with Witness(path) as witness:
        os.kill(player.pid, signal.SIGSTOP)
        sleep(5)
        during = island.read_counts()
        assert rung(island) == "stop"
        assert during["periods_in"]["stop"] - before["periods_in"]["stop"] > 500
        assert witness.rungs >= {"hold", "stop"}
        os.kill(player.pid, signal.SIGCONT)
        sleep(1)
        assert rung(island) == "use"
    player.kill()
    player.wait()
    told = json.loads(robot.communicate()[0])
    assert told["torque"] <= 5.0
    assert told["reference_step"] <= 0.020 + 1e-9  # the knee's velocity limit
    island.stop()


def test_an_island_that_is_stopped_and_goes_on_begins_from_no_torque(path: Path) -> None:
    """Its motors have let go meanwhile, whatever it pushed with before."""
    joint = {"velocity": 10, "torque": 5, "torque_rate": 10, "kp": 20, "kd": 0}
    settings = declared(
        priority=0, blind_ms=30_000, ladder_ms=LONG, rate_hz=20, joints={"hip": joint, "knee": joint}
    )
    island = LiveIsland.open(path, config_record(settings))
    side = RobotSide(Ports.attach(path))
    side.send((0.0, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["states"] == 1)
    island.target((0.5, -0.5), (0.0, 0.0))
    until(lambda: side.torque().tolist() == [5.0, -5.0])
    os.kill(island.pid, signal.SIGSTOP)
    until(lambda: not side.torque().any())
    before, stopped_ns = island.command(), monotonic_ns()
    os.kill(island.pid, signal.SIGCONT)
    until(lambda: int(island.command()["stamp_ns"]) > stopped_ns)
    command = island.command()
    periods = int(command["seq"] - before["seq"])
    assert 0 < np.abs(command["torque"][:2]).max() <= periods * 10 / 20 * (1 + 1e-9)
    island.stop()


def test_the_robot_hears_that_the_island_has_died(island: LiveIsland, path: Path) -> None:
    robot = body(path, 3)
    side = Ports.attach(path)
    until(lambda: side.read("state") is not None and island.read_counts()["states"] > 50)
    os.kill(island.pid, signal.SIGKILL)
    told = json.loads(robot.communicate()[0])
    assert told["deaths"] >= 1
    assert int(side.read("state")["flags"]) & 1
    assert running(path) is None


def test_a_supervisor_restarts_a_runtime_that_dies(island: LiveIsland, path: Path, tmp_path: Path) -> None:
    mark = tmp_path / "died"
    script = (
        "import os, sys, time\n"
        f"first = not os.path.exists({str(mark)!r})\n"
        f"open({str(mark)!r}, 'w').close()\n"
        "os.kill(os.getpid(), 9) if first else None\n"
    )
    said: list[str] = []
    supervisor = Supervisor(island, repeat([sys.executable, "-c", script]), say=said.append)
    report = supervisor.run()
    assert report.exits == [-9, 0] and report.restarts == 1
    assert report.island_deaths == 0
    assert any("starting it again" in line for line in said)


def test_a_supervisor_gives_up_in_the_end(island: LiveIsland) -> None:
    report = Supervisor(island, repeat([sys.executable, "-c", "raise SystemExit(1)"], 3)).run()
    assert report.exits == [1, 1, 1] and report.restarts == 2


def test_a_supervisor_notices_that_the_island_has_died(island: LiveIsland) -> None:
    script = f"import os, time\nos.kill({island.pid}, 9)\ntime.sleep(60)"
    report = Supervisor(island, repeat([sys.executable, "-c", script])).run()
    assert report.island_deaths == 1
    assert report.exits == [-signal.SIGTERM]


def test_full_shared_memory_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, offset: int, size: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(PortsError, match=r"No space left .* bytes needed\); free some of /dev/shm"):
        LiveIsland.open(path, CONFIG)
    assert not list(path.parent.glob(f"{path.name}*"))


@pytest.mark.skipif(os.getuid() != 0, reason="mounting needs root")
def test_a_full_file_system_in_fact(tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "none", str(tmp_path)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with pytest.raises(PortsError, match="No space left on device"):
            Ports.create(tmp_path / "ports", CONFIG)
        assert not list(tmp_path.iterdir())
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_ports_that_are_cut_short_kill_nobody(island: LiveIsland, path: Path) -> None:
    still(path)
    until(lambda: island.read_counts()["states"] == 1)
    island.target((0.0, 0.0), (0.0, 0.0))
    until(lambda: rung(island) == "use")
    os.truncate(path, 4096)
    with pytest.raises(PortsError, match="cut short"):
        island.read_counts()
    island.command()
    with pytest.raises(PortsError, match="has 4096 bytes"):
        Ports.attach(path)
    sleep(0.05)
    assert island._process is not None
    assert island._process.poll() is None  # it lives, and plays to nobody, until it has let go
    assert running(path) is None
    island._process.kill()


def test_scribbled_ports_are_counted_and_survived(island: LiveIsland, path: Path) -> None:
    still(path)
    island.target((0.01, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["targets"] == 1)
    rng = np.random.default_rng(0)
    fd = os.open(path, os.O_RDWR)
    try:
        for name in ("target", "state", "request"):
            os.pwrite(fd, rng.bytes(200), PLACES[name])
        until(lambda: island.read_counts()["targets_refused"]["torn"] == 1)
        until(lambda: island.read_counts()["states_refused"]["torn"] == 1)
    finally:
        os.close(fd)
    assert island.ports.read("target") is None
    island.target((0.01, 0.0), (0.0, 0.0))  # whoever writes next mends it
    until(lambda: island.read_counts()["targets"] == 2)


def test_ports_that_are_none_are_refused(path: Path) -> None:
    with pytest.raises(PortsError, match="is the island running"):
        Ports.attach(path)
    path.write_bytes(b"\xff" * FILE_BYTES)
    with pytest.raises(PortsError, match="holds no ports"):
        Ports.attach(path)
    said = subprocess.run([program(), path], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (2, f"island: {path}: these are no ports\n")
    path.write_bytes(b"")
    said = subprocess.run([program(), path], capture_output=True, text=True, check=False)
    assert said.returncode == 2 and "another size" in said.stderr
    # Nobody's ports are in the way of an island that starts.
    LiveIsland.open(path, CONFIG).stop()


def test_a_target_that_is_not_finite_or_jumps_or_is_old(island: LiveIsland, path: Path) -> None:
    still(path)
    until(lambda: island.read_counts()["states"] == 1)
    island.target((np.nan, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["targets_refused"]["not_finite"] == 1)
    island.ports.write("target", {"position": (0.5, 0.0)}, stamp_ns=1)
    until(lambda: rung(island) == "stop")
    island.target((1000.0, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["limited"]["velocity"] > 0)
    assert island.read_counts()["entered"]["use"] >= 1
    assert abs(island.command()["torque"][0]) <= 5.0


def test_it_knows_no_clock_but_the_monotonic_one() -> None:
    """A step of the wall clock cannot reach it: it never asks for the time of day."""
    said = subprocess.run(["strings", "-a", program()], capture_output=True, text=True, check=False)
    if said.returncode:
        pytest.skip("no `strings` here")
    imported = set(said.stdout.split())
    assert {"clock_gettime", "clock_nanosleep"} <= {name.partition("@")[0] for name in imported}
    for name in ("time", "gettimeofday", "nanosleep", "usleep", "timer_settime"):
        assert name not in imported
    source = (HERE.parents[1] / "src/polyrhythm/island/native/pr_main.c").read_text()
    assert "CLOCK_REALTIME" not in source and source.count("CLOCK_MONOTONIC") == 2


def test_the_ladder_has_the_manifests_times(island: LiveIsland) -> None:
    config = island.ports.read_record("config")
    assert [int(config[f"{name}_ns"]) for name in LONG] == [ms * 1_000_000 for ms in LONG.values()]
    assert silent_ns(island.ports) < 1_000_000_000


def test_a_core_that_it_cannot_have_is_told(path: Path) -> None:
    island = LiveIsland.open(path, config_record(declared(priority=0, core=1000)))
    assert "core" in island.read_counts()["lost"]
    island.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="rights can only be given up by one who has them")
def test_without_rights_it_plays_all_the_same_and_says_so(path: Path) -> None:
    ports = Ports.create(path, config_record(declared(priority=80)))
    poor = ["prlimit", "--memlock=0:0", "--rtprio=0:0", "setpriv", "--bounding-set=-sys_nice,-ipc_lock"]
    try:
        process = subprocess.Popen([*poor, program(), path], stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        pytest.skip("no `prlimit` here")
    CHILDREN.append(process)
    until(lambda: int(ports.read_record("counts")["heartbeat"]) > 5)
    island = LiveIsland(ports, None)
    assert island.read_counts()["lost"] == ["fifo", "memory_lock"]
    said: list[str] = []
    report = Supervisor(island, repeat([sys.executable, "-c", ""]), say=said.append).run()
    assert report.lost == ["fifo", "memory_lock"]
    assert said == [
        "the island runs without SCHED_FIFO: any busy process may delay a period by milliseconds",
        "the island runs without locked memory: a page that was swapped out costs a period",
    ]
