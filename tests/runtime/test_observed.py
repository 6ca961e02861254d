"""Observations of every element type that a manifest may declare, played with the robot that is not there."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host, open_bundle
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.compile import build, prepare
from polyrhythm.manifest.schema import RobotDtype
from polyrhythm.robots.api import DTYPES
from polyrhythm.robots.rehearsal import robot
from polyrhythm.runtime import Runtime, check, play
from tests.cli.bundles import make_bundle

POLICY = """
import jax.numpy as jnp
from polyrhythm.compile import EntrySource, ModuleSource, Policy

def see(parameters, depth):
    return depth.astype(jnp.float32) * parameters["scale"]

def policy():
    entry = EntrySource(see, {"depth": ("u16", (2,))}, ("action",))
    return Policy("manifest.yaml", {"eye": ModuleSource({"scale": jnp.ones(())}, {"see": entry})})
"""

MANIFEST = """\
robot:
  use: rehearsal
  options: { episode_s: 0.2 }
  control_hz: 50
  observations: { depth: { dtype: DTYPE, shape: [2] } }
  action: { dtype: f32, shape: [2] }
DEVICES
orchestration:
  modules:
  - { id: eye, vmfb: eye.vmfb, rate_hz: 50, cost_ms: 1 }
  links:
  - { from: robot.depth, to: eye.depth }
  - { from: eye.action, to: robot.action }
"""


def manifest(dtype: str, more: str = "") -> str:
    return MANIFEST.replace("DTYPE", dtype).replace("DEVICES\n", more)


def test_what_a_manifest_may_declare_a_robot_may_offer() -> None:
    assert sorted(DTYPES) == sorted(get_args(RobotDtype))


@pytest.mark.parametrize("dtype", get_args(RobotDtype))
def test_every_element_type_is_played(dtype, tmp_path) -> None:
    depth = LockedTensor(name="depth", dtype=dtype, shape=[2])
    action = LockedTensor(name="action", dtype="f32", shape=[2])
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    entries = {"see": LockedEntry(inputs=[depth], outputs=[action])}
    found = {"eye.vmfb": LockedModule(machine_code=code, loaded_bytes=0, entries=entries)}
    text = manifest(dtype, 'devices: { cpu: { driver: "null", uri: immediate } }\n')
    checked = check(make_bundle(tmp_path / "bundle", text, found))
    assert checked.plan is not None, checked.diagnostics
    outcome = play(checked.plan, episodes=1, lockstep=True)
    assert outcome.reason == "complete" and outcome.modules["eye"].finished >= 9


def test_depth_of_sixteen_bits_arrives_as_it_is(tmp_path) -> None:
    (tmp_path / "policy.py").write_text(POLICY)
    (tmp_path / "manifest.yaml").write_text(
        manifest("u16").replace("eye.vmfb,", "eye.vmfb, parameters: eye.safetensors,")
    )
    build(tmp_path / "policy.py", tmp_path / "bundle")
    prepare(open_bundle(tmp_path / "bundle"))
    plan = check(tmp_path / "bundle").plan
    assert plan is not None
    made = robot(declared=plan.manifest.robot, control_hz=50.0, episode_s=0.2)
    shown, taken, observe, act = [], [], made.observe, made.act

    def observed(name, out):
        observe(name, out)
        assert out.dtype == np.uint16
        shown.append(tuple(out.tolist()))

    made.observe, made.act = observed, lambda action: (taken.append(tuple(action.tolist())), act(action))[1]
    with Runtime(plan) as runtime:
        runtime.run(made, episodes=1, lockstep=True)
    assert len(set(taken)) > 5 and set(taken) <= set(shown)
