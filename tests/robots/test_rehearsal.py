"""The robot that is not there: it is what the manifest says."""

from __future__ import annotations

import numpy as np

from polyrhythm.manifest import loads
from polyrhythm.robots.rehearsal import robot
from polyrhythm.runtime.robot_fit import unlike

from .conformance import check_robot

MANIFEST = """\
robot:
  use: rehearsal
  control_hz: 20
  observations:
    image: { dtype: f32, shape: [3, 4, 4], rate_hz: 10 }
    state: { dtype: f32, shape: [6] }
    tokens: { dtype: i32, shape: [5] }
    picture: { dtype: u8, shape: [4, 4, 3] }
  action: { dtype: f32, shape: [6] }
orchestration: { modules: [{ id: arm, vmfb: arm.vmfb, rate_hz: 5 }] }
"""


def test_it_keeps_the_contract_and_offers_what_is_declared() -> None:
    manifest = loads(MANIFEST).manifest
    assert manifest is not None and manifest.robot is not None
    made = robot(declared=manifest.robot, control_hz=20.0, episode_s=1)
    assert not list(unlike(made.spec, manifest))
    check_robot(made)


def test_episodes_end_and_observations_change_with_seed_and_tick() -> None:
    manifest = loads(MANIFEST).manifest
    assert manifest is not None
    made = robot(declared=manifest.robot, control_hz=20.0, episode_s=0.15)
    seen = []
    for seed in (0, 1):
        made.reset(task=None, seed=seed)
        done = []
        while not (done and done[-1]):
            state = np.zeros(6, np.float32)
            made.observe("state", state)
            seen.append(state.tobytes())
            done.append(made.hold().done)
        assert len(done) == 3
    assert len(set(seen)) == 6
