"""The balancer: a robot by the protocol in virtual time, upright with its island and not without."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

from polyrhythm.island import VirtualIsland, config_record
from polyrhythm.manifest import Island, load_or_raise
from polyrhythm.robots import load_robot
from polyrhythm.robots.balancer import robot
from polyrhythm.robots.balancer.body import SENSORS, Body
from polyrhythm.robots.balancer.robot import Balancer, Eyes, Snapshot

from .conformance import check_robot

BUNDLE = Path(__file__).parents[2] / "examples" / "three_rates" / "bundle"


def section() -> Island:
    island = load_or_raise(BUNDLE).island
    assert island is not None
    return island


@pytest.fixture
def island() -> VirtualIsland:
    return VirtualIsland(config_record(section(), BUNDLE))


def test_it_is_a_robot(island: VirtualIsland) -> None:
    check_robot(robot(island))


def test_it_is_found_by_name(island: VirtualIsland) -> None:
    assert isinstance(load_robot("balancer", {}, control_hz=50.0, island=island), Balancer)


def test_an_island_alone_holds_it_upright(island: VirtualIsland) -> None:
    balancer = robot(island, episode_s=5)
    balancer.reset(task="wait", seed=1)
    results = [balancer.hold() for _ in range(500)]
    assert not any(result.done for result in results[:-1])
    assert results[-1].done and results[-1].success
    assert island.read_counts()["periods_in"]["hold"] > 4900


def test_a_target_drives_it(island: VirtualIsland) -> None:
    balancer = robot(island)
    balancer.reset(task="follow", seed=0)
    wheel = np.zeros(2)
    for _ in range(200):  # 0.2 m/s
        wheel += 0.04
        balancer.act(np.concatenate([wheel, [4.0, 4.0]]).astype(np.float32))
    assert balancer.telemetry()["x"] == pytest.approx(0.4, abs=0.05)


class Paused:
    """Body and island by the millisecond; torque can be taken away, as when System 0 does not play."""

    def __init__(self) -> None:
        self.island, self.body = VirtualIsland(config_record(section(), BUNDLE)), Body()
        self.body.reset(1)
        self.now_ns = 1_000_000

    def play(self, milliseconds: int, *, torque: bool | np.ndarray = True) -> None:
        """`torque`: the island's, none, or this."""
        for _ in range(milliseconds):
            self.now_ns += 1_000_000
            self.island.send(
                "state", self.now_ns, position=self.body.position, velocity=self.body.velocity,
                sensors=self.body.sensors(),
            )  # fmt: skip
            command = self.island.step(self.now_ns)
            if isinstance(torque, bool):
                self.body.step(command["torque"][:2] * torque)
            else:
                self.body.step(torque)


def test_it_falls_when_system_0_pauses() -> None:
    world = Paused()
    world.play(20)
    world.play(20, torque=False)
    world.play(1000)
    assert not world.body.fallen
    world.body.data.qvel[4] += 0.5  # a nudge
    world.play(600, torque=False)
    world.play(1000)
    assert world.body.fallen


@pytest.mark.parametrize(("delay_ms", "falls"), [(40, False), (80, True)])
def test_it_falls_when_torques_come_late(delay_ms: int, falls: bool) -> None:
    world = Paused()
    late = deque([np.zeros(2)] * delay_ms)
    for _ in range(5000):
        world.play(1, torque=late[0])
        late.append(world.island.port("command")["torque"][:2].copy())
        late.popleft()
    assert world.body.fallen == falls


def test_its_eyes_see_the_box_where_it_is() -> None:
    eyes = Eyes()
    picture = np.zeros((24, 24), np.float32)
    values = dict.fromkeys(SENSORS, 0.0) | {"box_x": 1.15, "box_y": 0.0}
    none = np.zeros(2)
    eyes.read(Snapshot(none, none, none, none, np.array([values[name] for name in SENSORS])), picture)
    depth_m = 0.1 + picture * 2.9
    assert depth_m[11, 11:13] == pytest.approx(1.0, abs=0.01)
    assert (picture[11, [0, -1]] == 1.0).all()  # nothing to the left and right
    values |= {"yaw": 0.4}  # turned to the left: it is further right in the picture
    eyes.read(Snapshot(none, none, none, none, np.array([values[name] for name in SENSORS])), picture)
    assert np.flatnonzero(picture[11] < 1.0).mean() > 15


def test_lying_head_down_is_fallen() -> None:
    body = Body()
    body.data.qpos[3:7] = (0.0, 0.0, 1.0, 0.0)
    assert abs(body.sensors()[0]) == pytest.approx(np.pi)
    assert body.fallen
