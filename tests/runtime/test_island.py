"""`check` on manifests with an island: everything that can be wrong between it, the robot and the machine."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import BundleError
from polyrhythm.island import Layer, build, write_network
from polyrhythm.manifest import render_all
from polyrhythm.runtime import check
from polyrhythm.runtime.island import CODES, playing

from .test_check import NAMES, stubs, two_cores  # noqa: F401

WHOLE = """\
robot:
  use: balancer
  control_hz: 50
  observations: { joints: { dtype: f32, shape: [4] } }
  action: { dtype: f32, shape: [4] }
island:
  network: balance.net
  joints:
    left: { velocity: 40, torque: 0.15, torque_rate: 200, kp: 1, kd: 0.05 }
    right: { velocity: 40, torque: 0.15, torque_rate: 200, kp: 1, kd: 0.05 }
  sensors: 2
  core: 1
orchestration:
  modules:
  - { id: vlm, vmfb: vlm.vmfb, rate_hz: 5, cost_ms: 20 }
  - { id: dit, vmfb: action_head.vmfb, rate_hz: 10, cost_ms: 10 }
  links:
  - { from: robot.joints, to: vlm.seed }
  - { from: vlm.hidden, to: dit.condition }
  - { from: dit.chunk, to: robot.action }
"""

SECTION = WHOLE[WHOLE.index("island:") : WHOLE.index("orchestration:")]
NETWORK = "  network: balance.net\n  joints:\n"
LEFT = "    left: { velocity: 40, torque: 0.15, torque_rate: 200, kp: 1, kd: 0.05 }\n"

#: Code -> what to replace, by what.
MISTAKES = {
    "PC090": (NETWORK + LEFT, "  joints:\n" + LEFT + LEFT.replace("left", "middle")),
    "PC091": ("use: balancer", "use: gymnasium"),
    "PC093": ("core: 1", "core: 64"),
    "PC094": ("sensors: 2", "sensors: 3"),
    "PC095": (SECTION, ""),
}


def checked(stubs: Path, tmp_path: Path, manifest: str):  # noqa: F811
    import shutil

    from polyrhythm.compile import lock_existing

    root = tmp_path / "bundle"
    shutil.copytree(stubs, root)
    (root / "manifest.yaml").write_text(manifest)
    write_network(root / "balance.net", [Layer(np.zeros((2, 10), np.float32), np.zeros(2, np.float32))])
    lock_existing(root, NAMES)
    return check(root)


def rendered(result, root: Path) -> str:
    return render_all(result.diagnostics).replace(f"{root.resolve()}/", "")


def test_a_whole_manifest_passes(stubs, tmp_path):  # noqa: F811
    result = checked(stubs, tmp_path, WHOLE)
    assert result.diagnostics == []
    assert result.plan is not None


def test_a_network_that_has_changed_since_the_check_is_not_played(stubs, tmp_path):  # noqa: F811
    plan = checked(stubs, tmp_path, WHOLE).plan
    network = plan.bundle.root / "balance.net"
    write_network(network, [Layer(np.ones((2, 10), np.float32), np.zeros(2, np.float32))])
    with pytest.raises(BundleError, match=f"{network}: error PB007"), playing(plan.bundle, lockstep=True):
        pass
    assert [d.code for d in check(plan.bundle.root).diagnostics] == ["PB007"]


@pytest.mark.parametrize("code", MISTAKES)
def test_mistake(stubs, tmp_path, snapshot, code):  # noqa: F811
    wrong, right = MISTAKES[code]
    assert wrong in WHOLE
    result = checked(stubs, tmp_path, WHOLE.replace(wrong, right))
    assert [d.code for d in result.diagnostics] == [code]
    assert result.plan is None
    assert rendered(result, tmp_path / "bundle") == snapshot


def test_a_path_that_is_too_long_is_to_be_shortened(stubs, tmp_path, snapshot):  # noqa: F811
    deep = tmp_path.joinpath(*["x" * 100] * 6)
    deep.mkdir(parents=True)
    result = checked(stubs, deep, WHOLE)
    assert [d.code for d in result.diagnostics] == ["PC094"]
    assert re.sub(r"has \d+ bytes", "has N bytes", rendered(result, deep / "bundle")) == snapshot


@pytest.mark.parametrize(("core", "allowed"), [(5, []), (1, ["0, 5"])])
def test_numbers_of_cores_may_have_gaps(stubs, tmp_path, online, core, allowed):  # noqa: F811
    online("0,5")
    result = checked(stubs, tmp_path, WHOLE.replace("core: 1", f"core: {core}"))
    assert [(d.code, d.allowed) for d in result.diagnostics] == [("PC093", text) for text in allowed]


@pytest.mark.parametrize("network", [NETWORK, "  joints:\n"], ids=["network", "alone"])
@pytest.mark.parametrize("says", [None, "error: unknown argument: '-O3'"], ids=["none", "refuses"])
def test_no_compiler(stubs, tmp_path, snapshot, monkeypatch, network, says):  # noqa: F811
    """Nor anything that was compiled before."""
    cc = tmp_path / "cc"
    if says is not None:
        cc.write_text(f'#!/bin/sh\n[ "$1" = --version ] || {{ echo "{says}" >&2; exit 1; }}\n')
        cc.chmod(0o755)
    monkeypatch.setattr(build, "COMPILER", str(cc))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    result = checked(stubs, tmp_path, WHOLE.replace(NETWORK, network))
    assert [d.code for d in result.diagnostics] == ["PC092"]
    assert rendered(result, tmp_path / "bundle").replace(f"{tmp_path}/", "") == snapshot


def test_every_code_has_a_message_test():
    assert {*MISTAKES, "PC092"} == set(CODES)


def test_a_compiler_that_refuses_is_quoted(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "FLAGS", (*build.FLAGS, "-no-such-flag"))
    with pytest.raises(build.NoCompilerError, match="no-such-flag"):
        build.library()
