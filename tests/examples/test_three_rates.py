"""Three rates on one robot: the committed bundle plays, in virtual time and in real time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import numpy as np
import pytest

pytest.importorskip("mujoco")

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.island import Ports, counts_of
from polyrhythm.island.live import running, stop
from polyrhythm.manifest import load_or_raise
from polyrhythm.robots.balancer.body import SENSORS
from polyrhythm.runtime import Plan, check, play
from polyrhythm.runtime.island import ports_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "three_rates"
BUNDLE = EXAMPLE / "bundle"


@pytest.fixture(scope="module")
def plan() -> Plan:
    prepare(open_bundle(BUNDLE))
    checked = check(BUNDLE)
    assert checked.plan is not None and checked.diagnostics == []
    return checked.plan


def test_the_bundle_is_made_from_what_stands_beside_it() -> None:
    for name in ("manifest.yaml", "balance.net"):
        assert (BUNDLE / name).read_bytes() == (EXAMPLE / name).read_bytes()
    assert sum(path.stat().st_size for path in BUNDLE.iterdir()) < 2_000_000


@pytest.mark.parametrize(
    "task",
    ["follow", pytest.param("retreat", marks=pytest.mark.slow), pytest.param("wait", marks=pytest.mark.slow)],
)
def test_every_task_succeeds_in_virtual_time(plan: Plan, task: str) -> None:
    outcome = play(plan, lockstep=True, episodes=1, tasks=[task])
    assert outcome.reason == "complete"
    assert [e.success for e in outcome.episodes] == [True]
    assert outcome.island is not None
    assert outcome.island["missed"] == 0 and outcome.island["not_finite"] == 0
    assert outcome.island["entered"]["extrapolate"] == 0


def test_lockstep_runs_are_equal(plan: Plan) -> None:
    one, two = (play(plan, lockstep=True, seconds=1, tasks=["follow"], seed=3) for _ in range(2))
    assert one.island == two.island


# -- real time -----------------------------------------------------------------------------------------------


def body_of(ports: Ports) -> dict[str, float]:
    sensors = ports.read("state")["sensors"][: len(SENSORS)]
    return dict(zip(SENSORS, map(float, sensors), strict=True))


def distance_m(ports: Ports) -> float:
    seen = body_of(ports)
    return float(np.hypot(seen["box_x"] - seen["x"], seen["box_y"] - seen["y"])) - 0.15


def start(*verb: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "polyrhythm", *verb, "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def found() -> Ports:
    island = load_or_raise(BUNDLE).island
    assert island is not None
    for _ in range(3000):
        ports = running(ports_of(island))
        if ports is not None and ports.read("state") is not None and ports.read("target") is not None:
            return ports
        sleep(0.01)
    raise AssertionError("no island, or nobody plays on it")


@pytest.fixture
def clean():
    """No island is left behind, whatever happens."""
    yield
    island = load_or_raise(BUNDLE).island
    assert island is not None
    if (ports := running(ports_of(island))) is not None:
        stop(ports)


@pytest.mark.slow
def test_a_minute_in_real_time_upright_and_on_track(plan: Plan, clean: None) -> None:
    run = start("run", str(BUNDLE), "--seconds", "62", "--task", "follow", "--quiet")
    ports, off = found(), []
    for _ in range(58):
        sleep(1)
        assert abs(body_of(ports)["pitch"]) < 0.9, "it fell"
        off.append(abs(distance_m(ports) - 1.0))
    summary = json.loads(run.communicate()[0])
    assert run.returncode == 0
    assert [e["success"] for e in summary["episodes"]] == [True] * len(summary["episodes"])
    assert len(summary["episodes"]) >= 2
    assert float(np.quantile(off, 0.9)) < 0.45
    assert summary["island"]["not_finite"] == 0 and not summary["island"]["ports_lost"]


@pytest.mark.slow
def test_a_runtime_stopped_for_two_seconds_is_safe_and_recovers(plan: Plan, clean: None) -> None:
    run = start("run", str(BUNDLE), "--seconds", "19", "--task", "follow", "--quiet")
    ports = found()
    sleep(4)
    os.kill(run.pid, signal.SIGSTOP)
    worst = 0.0
    for _ in range(200):
        sleep(0.01)
        worst = max(worst, abs(body_of(ports)["pitch"]))
    during = counts_of(ports.read_record("counts"))
    os.kill(run.pid, signal.SIGCONT)
    assert during["rung"] == "hold"
    assert during["entered"]["extrapolate"] >= 1 and during["entered"]["decelerate"] >= 1
    assert during["entered"]["stop"] == 0
    assert worst < 0.5, "it came near to falling"
    sleep(6)
    assert counts_of(ports.read_record("counts"))["rung"] in ("use", "extrapolate")
    assert abs(body_of(ports)["pitch"]) < 0.5
    assert abs(distance_m(ports) - 1.0) < 0.5
    summary = json.loads(run.communicate()[0])
    assert run.returncode == 0 and summary["run"]["complete"]


@pytest.mark.slow
def test_a_runtime_that_is_killed_is_followed_by_one_that_takes_over(plan: Plan, clean: None) -> None:
    supervisor = start("island", "run", str(BUNDLE), "--seconds", "8", "--task", "follow")
    ports = found()
    sleep(2)
    (child,) = Path(f"/proc/{supervisor.pid}/task/{supervisor.pid}/children").read_text().split()[-1:]
    os.kill(int(child), signal.SIGKILL)
    report = json.loads(supervisor.communicate()[0])
    assert report["exits"] == [-9, 0] and report["restarts"] == 1 and report["island_deaths"] == 0
    with pytest.raises(Exception, match="no ports"):
        Ports.attach(ports.path)
