"""The C code under the address and undefined-behaviour sanitizers, with input that is broken on purpose."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from polyrhythm.compile import plan_file as file
from polyrhythm.island import RUNGS, LiveIsland, RobotSide, config_record, live, ports_path, write_network
from polyrhythm.island.build import PROGRAM, SOURCES, command, layout_header

from .plans import COPY, ENTRY, WAIT, meeting, through, vector, written
from .test_network import layers
from .test_process import until
from .virtual import LADDER, declared, two_cores

HERE = Path(__file__).parent
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
#: It takes no account of fences, which are for the other processes at the ports.
THREADS = ("-g", "-fsanitize=thread", "-Wno-tsan")


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "pr_layout.h").write_text(layout_header())
    return sanitized(
        folder, "fuzz", HERE / "fuzz_network.c", SOURCES / "pr_network.c", SOURCES / "pr_island.c"
    )


def sanitized(folder: Path, name: str, *files: Path, flags: tuple[str, ...] = SANITIZERS) -> Path:
    """A program under sanitizers."""
    line = command(folder, files, ("-O1", *flags), folder / name)
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if "cannot find" in done.stderr and "san" in done.stderr:
        pytest.skip("the sanitizers' libraries are not installed")
    assert done.returncode == 0, done.stderr
    return folder / name


def test_no_message_is_read_as_what_it_is_not(tmp_path: Path) -> None:
    """A compiler may take words and numbers in one place for two places."""
    (tmp_path / "pr_layout.h").write_text(layout_header())
    line = command(tmp_path, PROGRAM, ("-fstrict-aliasing", "-Wstrict-aliasing=1"), tmp_path / "island")
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("rounds", [500, pytest.param(50_000, marks=pytest.mark.slow)])
def test_broken_network_files(fuzz: Path, tmp_path: Path, rounds: int) -> None:
    for int8 in (False, True):
        path = tmp_path / f"{int8}.net"
        write_network(path, layers(np.random.default_rng(0), (9, 40, 3), "tanh"), int8=int8)
        done = subprocess.run(
            [fuzz, path, str(rounds), "9", "3"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) > 0


@pytest.mark.parametrize("rounds", [100_000, pytest.param(3_000_000, marks=pytest.mark.slow)])
def test_every_command_is_within_its_limits(tmp_path: Path, rounds: int) -> None:
    """Whatever times and numbers the messages bear."""
    (tmp_path / "pr_layout.h").write_text(layout_header())
    fuzz = sanitized(tmp_path, "fuzz", HERE / "fuzz_step.c", SOURCES / "pr_island.c")
    done = subprocess.run([fuzz, str(rounds)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(int(counted) > rounds // 100 for counted in done.stdout.split())


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The island's program under the sanitizers of a kind, made once."""

    @cache
    def made(kind: str) -> Path:
        folder = tmp_path_factory.mktemp(kind)
        (folder / "pr_layout.h").write_text(layout_header())
        return sanitized(folder, "island", *PROGRAM, flags=THREADS if kind == "threads" else SANITIZERS)

    return made


@pytest.fixture(
    params=[
        "memory: a policy in time",
        "memory: a policy that is too long",
        "memory: a policy that is not finite",
        "memory: a policy of two threads that is too long",
        "threads: a policy of two threads",
        "threads: a policy of two threads that is too long",
    ]
)
def island(
    request: pytest.FixtureRequest,
    programs: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[LiveIsland]:
    """The whole process under the sanitizers, with a policy; what they say comes to `tmp_path`."""
    sanitizers, _, what = request.param.partition(": ")
    program = programs(sanitizers)
    monkeypatch.setattr(live, "program", lambda: program)
    monkeypatch.setenv("ASAN_OPTIONS", f"log_path={tmp_path}/said")
    monkeypatch.setenv("TSAN_OPTIONS", f"log_path={tmp_path}/said")
    monkeypatch.setenv("UBSAN_OPTIONS", f"log_path={tmp_path}/said:print_stacktrace=1")
    steps, second = through(2), None
    if "two threads" in what:
        second = two_cores()[1]
        steps = meeting(2, 3_000_000 if "long" in what else 0)
    elif "long" in what:
        steps = through(2, (COPY, WAIT, COPY), wait_ns=1_000_000)
    elif "finite" in what:
        nothing = np.float32(np.nan).tobytes()
        steps = [file.PlanStep(file.FILL, [file.Binding(0, 8, file.OUTPUT)], pattern=nothing)]
    plan = written(tmp_path, [vector("error", 2)], [vector("residual", 2)], steps)
    section = declared(
        priority=0,
        blind_ms=60_000,
        policy={"vmfb": "act.vmfb", "budget_ms": 0.5, "second_core": second},
        core=None if second is None else two_cores()[0],
        sensors=3,
        ladder_ms=LADDER,
    )
    path = ports_path(f"test-sanitized-{os.getpid()}")
    island = LiveIsland.open(path, config_record(section, None, (plan, ENTRY)))
    yield island
    if island._process is not None and island._process.poll() is None:
        island.stop()


def command_of(island: LiveIsland) -> Any:
    """Its newest whole command: on busy cores it may be put aside while it writes one."""
    while (found := island.command()) is None:
        sleep(0.001)
    return found


def test_the_process_goes_down_its_ladder(island: LiveIsland, tmp_path: Path) -> None:
    def entered(rung: str) -> bool:
        return bool(island.read_counts()["entered"][rung])

    side = RobotSide(island.ports)
    side.send((0.1, 0.0), (0.0, 0.0), [0.0] * 3)
    until(lambda: island.read_counts()["states"] == 1)
    for _ in range(3):
        island.target((0.2, -0.1), (0.1, 0.0))
        until(lambda: command_of(island)["rung"] == RUNGS.index("stop"))
    assert all(entered(rung) for rung in ("hold", "stop"))
    island.target((np.nan, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["targets_refused"]["not_finite"] == 1)
    island.ports.write_record("target", np.full((), 255, np.uint8).repeat(72).view(np.uint8))
    until(lambda: island.read_counts()["targets_refused"]["torn"] == 1)
    counts = island.read_counts()
    assert counts["policy"]["runs"] + counts["policy"]["dropped"] + counts["not_finite"] > 0
    assert np.abs(command_of(island)["torque"][:2]).max() <= 5.0
    process = island._process
    assert process is not None
    island.stop()
    said = "\n".join(path.read_text() for path in tmp_path.glob("said*"))
    assert process.returncode == 0 and said == ""
