"""A policy's second thread, in the island's process: it takes its part, and nobody waits for one that does
not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle.static_code import StaticCode
from polyrhythm.compile import plan_file as file
from polyrhythm.island import LiveIsland, RefusedError, RobotSide, VirtualIsland, config_record, ports_path
from polyrhythm.island.live import running

from .plans import ENTRY, meeting, through, vector, written
from .test_process import until
from .virtual import declared, two_cores

KP, ERROR, RESIDUAL = 20, 0.01, 0.03


def policy(root: Path, steps: list[file.PlanStep]) -> StaticCode:
    """It adds what the sensors say."""
    return written(root, [vector("sensors", 2)], [vector("residual", 2)], steps)


def config(code: StaticCode, core: int, second: int, **more: object) -> np.ndarray:
    island = declared(
        policy={"vmfb": "act.vmfb", "budget_ms": 0.7, "second_core": second},
        core=core, sensors=2, priority=0, blind_ms=60_000, **more,
    )  # fmt: skip
    return config_record(island, None, (code, ENTRY))


@pytest.fixture
def path() -> Iterator[Path]:
    path = ports_path(f"test-second-{os.getpid()}")
    yield path
    if (found := running(path)) is not None:
        os.kill(int(found.read_record("counts")["pid"]), 9)
    path.unlink(missing_ok=True)


def played(path: Path, settings: np.ndarray) -> LiveIsland:
    """An island with a robot that stands still, a little away from where it was found, on its way back."""
    island = LiveIsland.open(path, settings)
    side = RobotSide(island.ports)
    side.send((0.0, 0.0), (0.0, 0.0), [RESIDUAL, 0.0])
    until(lambda: island.read_counts()["states"] == 1)
    side.send((-ERROR, 0.0), (0.0, 0.0), [RESIDUAL, 0.0])
    until(lambda: island.read_counts()["states"] == 2)
    return island


def test_two_threads_give_what_one_gives(path: Path, tmp_path: Path) -> None:
    core, second = two_cores()
    settings = config(policy(tmp_path, meeting(2)), core, second)
    island = played(path, settings)
    until(lambda: island.read_counts()["second"]["taken"] > 5)
    said: list[list[float]] = []  # on a busy machine, without the policy now and then

    def whole() -> bool:
        said.append(island.command()["torque"].tolist())
        return said[-1][0] > KP * (ERROR + RESIDUAL) - 1e-6

    until(whole)
    counts = island.read_counts()
    assert counts["policy"]["runs"] > 0 and counts["not_finite"] == 0
    assert set(counts["lost"]) <= {"memory_lock"}
    island.stop()
    alone = VirtualIsland(settings)
    for at, position in ((0, 0.0), *((at, -ERROR) for at in range(1, 4))):
        stamp_ns = (at + 1) * 1_000_000
        alone.send("state", stamp_ns, position=[position, 0.0], sensors=[RESIDUAL, 0.0])
        command = alone.step(stamp_ns)
    assert said[-1] == command["torque"].tolist()


def test_a_second_thread_that_is_held_up_costs_the_policy_and_not_the_period(
    path: Path, tmp_path: Path
) -> None:
    core, second = two_cores()
    island = played(path, config(policy(tmp_path, meeting(2, 30_000_000)), core, second))
    until(lambda: island.read_counts()["second"]["left"] > 3)
    # While it is held up, period after period is without the policy.
    until(lambda: island.read_counts()["policy"]["dropped"] > island.read_counts()["second"]["left"] + 10)
    until(lambda: island.command()["torque"][0] == pytest.approx(KP * ERROR))
    island.stop()


def test_a_core_that_the_second_thread_cannot_have_is_told(path: Path, tmp_path: Path) -> None:
    island = played(path, config(policy(tmp_path, through(2)), two_cores()[0], 1000))
    assert "second" in island.read_counts()["lost"]
    until(lambda: island.read_counts()["policy"]["runs"] > 0)
    assert island.read_counts()["second"] == {"taken": 0, "left": 0}
    island.stop()


def test_a_core_for_both_threads_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="no core of its own"):
        VirtualIsland(config(policy(tmp_path, through(2)), 1, 1))
