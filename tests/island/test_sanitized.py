"""The C code under the address and undefined-behaviour sanitizers, with input that is broken on purpose."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.compile import plan_file as file
from polyrhythm.island import RUNGS, LiveIsland, RobotSide, config_record, live, ports_path, write_network
from polyrhythm.island.build import PROGRAM, SOURCES, command, layout_header

from .plans import COPY, ENTRY, WAIT, through, vector, written
from .test_network import layers
from .test_process import until
from .virtual import LADDER, declared

HERE = Path(__file__).parent
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "pr_layout.h").write_text(layout_header())
    return sanitized(
        folder, "fuzz", HERE / "fuzz_network.c", SOURCES / "pr_network.c", SOURCES / "pr_island.c"
    )


def sanitized(folder: Path, name: str, *files: Path) -> Path:
    """A program under both sanitizers."""
    line = command(folder, files, ("-O1", *SANITIZERS), folder / name)
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if "cannot find" in done.stderr and "san" in done.stderr:
        pytest.skip("the sanitizers' libraries are not installed")
    assert done.returncode == 0, done.stderr
    return folder / name


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
def island_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "pr_layout.h").write_text(layout_header())
    return sanitized(folder, "island", *PROGRAM)


@pytest.fixture(params=["a policy in time", "a policy that is too long", "a policy that is not finite"])
def island(
    request: pytest.FixtureRequest, island_program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LiveIsland]:
    """The whole process under the sanitizers, with a policy; what they say comes to `tmp_path`."""
    monkeypatch.setattr(live, "program", lambda: island_program)
    monkeypatch.setenv("ASAN_OPTIONS", f"log_path={tmp_path}/said")
    monkeypatch.setenv("UBSAN_OPTIONS", f"log_path={tmp_path}/said:print_stacktrace=1")
    steps = through(2)
    if "long" in request.param:
        steps = through(2, (COPY, WAIT, COPY), wait_ns=1_000_000)
    elif "finite" in request.param:
        nothing = np.float32(np.nan).tobytes()
        steps = [file.PlanStep(file.FILL, [file.Binding(0, 8, file.OUTPUT)], pattern=nothing)]
    plan = written(tmp_path, [vector("error", 2)], [vector("residual", 2)], steps)
    section = declared(
        priority=0,
        blind_ms=60_000,
        policy={"vmfb": "act.vmfb", "budget_ms": 0.5},
        sensors=3,
        ladder_ms=LADDER,
    )
    path = ports_path(f"test-sanitized-{os.getpid()}")
    island = LiveIsland.open(path, config_record(section, None, (plan, ENTRY)))
    yield island
    if island._process is not None and island._process.poll() is None:
        island.stop()


def test_the_process_goes_down_its_ladder(island: LiveIsland, tmp_path: Path) -> None:
    def entered(rung: str) -> bool:
        return bool(island.read_counts()["entered"][rung])

    side = RobotSide(island.ports)
    side.send((0.1, 0.0), (0.0, 0.0), [0.0] * 3)
    until(lambda: island.read_counts()["states"] == 1)
    for _ in range(3):
        island.target((0.2, -0.1), (0.1, 0.0))
        until(lambda: island.command()["rung"] == RUNGS.index("stop"))
    assert all(entered(rung) for rung in ("hold", "stop"))
    island.target((np.nan, 0.0), (0.0, 0.0))
    until(lambda: island.read_counts()["targets_refused"]["not_finite"] == 1)
    island.ports.write_record("target", np.full((), 255, np.uint8).repeat(72).view(np.uint8))
    until(lambda: island.read_counts()["targets_refused"]["torn"] == 1)
    counts = island.read_counts()
    assert counts["policy"]["runs"] + counts["policy"]["dropped"] + counts["not_finite"] > 0
    assert np.abs(island.command()["torque"][:2]).max() <= 5.0
    process = island._process
    assert process is not None
    island.stop()
    said = "\n".join(path.read_text() for path in tmp_path.glob("said*"))
    assert process.returncode == 0 and said == ""
