"""`check` on bundles of real compiled modules: the specification's manifest, and mistakes of every kind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from polyrhythm.bundle import Tensor
from polyrhythm.compile import lock_existing
from polyrhythm.manifest import render_all
from polyrhythm.runtime import check
from polyrhythm.runtime.horizons import horizon
from tests.manifest.texts import SPECIFICATION

HERE = Path(__file__).parent

WHOLE = """\
robot:
  use: gymnasium
  control_hz: 50
  observations: { joints: { dtype: f32, shape: [4] } }
  action: { dtype: f32, shape: [4] }
devices:
  cpu: { cores: [0] }
orchestration:
  mode: parallel
  modules:
  - { id: vlm, vmfb: vlm.vmfb, rate_hz: 5, cost_ms: 20 }
  - { id: dit, vmfb: action_head.vmfb, rate_hz: 10, cost_ms: 10 }
  links:
  - { from: robot.joints, to: vlm.seed }
  - { from: vlm.hidden, to: dit.condition }
  - { from: dit.chunk, to: robot.action }
"""

#: What `check` itself can object to: name -> (what to replace, by what).
MISTAKES = {
    "PC001": ("vmfb: vlm.vmfb,", "vmfb: vlm.vmfb, entry: mian,"),
    "PC002": ("vmfb: vlm.vmfb,", "vmfb: pair.vmfb,"),
    "PC003": ("vmfb: vlm.vmfb, rate_hz: 5, cost_ms: 20", "vmfb: pair.vmfb, rate_hz: 5, entry: [main, other]"),
    "PC004 output": ("vlm.hidden", "vlm.hiden"),
    "PC004 input": ("dit.condition", "dit.conditions"),
    "PC004 no output": ("from: vlm.hidden", "from: vlm.seed"),
    "PC005 link": ("from: vlm.hidden", "from: robot.joints"),
    "PC005 action": ("action: { dtype: f32, shape: [4] }", "action: { dtype: f32, shape: [7] }"),
    "PC006": ("  - { from: robot.joints, to: vlm.seed }\n", ""),
    "PC007": ("cores: [0]", "driver: irree"),
    "PC008": ("cores: [0]", "cores: [4096]"),
    "PC009": ("cost_ms: 20", "cost_ms: 250"),
    "PC010": ("rate_hz: 5, cost_ms: 20", "rate_hz: 5, cost_ms: 190"),
    "PC011": ("use: gymnasium", "use: gymnasum"),
    "PC012": ("  - { from: dit.chunk, to: robot.action }\n", ""),
    "PC080": ("cores: [0]", "driver: static"),
}


@pytest.fixture(autouse=True)
def two_cores(online):
    """Messages name the cores there are."""
    online("0-1")


@pytest.fixture(scope="module")
def stubs(tmp_path_factory) -> Path:
    """Compiled stand-ins."""
    from iree.compiler import compile_str

    root = tmp_path_factory.mktemp("stubs")
    flags = [
        "--iree-hal-target-device=local",
        "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=host",
    ]
    for name in ("vlm", "action_head", "pair"):
        text = (HERE / "stubs" / f"{name}.mlir").read_text()
        (root / f"{name}.vmfb").write_bytes(compile_str(text, extra_args=flags))
    return root


NAMES = {
    "vlm.vmfb": {"main": (["seed"], ["hidden"])},
    "action_head.vmfb": {"main": (["condition"], ["chunk"])},
    "pair.vmfb": {"main": (["seed"], ["hidden"]), "other": (["hidden"], ["more"])},
}


def checked(stubs: Path, tmp_path: Path, manifest: str):
    root = tmp_path / "bundle"
    shutil.copytree(stubs, root)
    (root / "manifest.yaml").write_text(manifest)
    lock_existing(root, NAMES)
    return check(root)


def rendered(result, root: Path) -> str:
    return render_all(result.diagnostics).replace(f"{root.resolve()}/", "")


def test_the_specification_passes_with_notes_alone(stubs, tmp_path, snapshot):
    result = checked(stubs, tmp_path, SPECIFICATION)
    assert result.plan is not None
    assert rendered(result, tmp_path / "bundle") == snapshot


def test_a_whole_manifest_passes(stubs, tmp_path):
    result = checked(stubs, tmp_path, WHOLE)
    assert result.diagnostics == []
    assert result.plan is not None
    assert result.plan.schedule.ports == {"robot.joints": 3, "vlm.hidden": 3, "dit.chunk": 3}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(stubs, tmp_path, snapshot, name):
    wrong, right = MISTAKES[name]
    assert wrong in WHOLE
    result = checked(stubs, tmp_path, WHOLE.replace(wrong, right))
    assert name.split()[0] in {d.code for d in result.diagnostics}
    assert rendered(result, tmp_path / "bundle") == snapshot


def test_many_mistakes_are_told_at_once(stubs, tmp_path, snapshot):
    text = WHOLE
    for name in ("PC001", "PC004 input", "PC007", "PC009", "PC011", "PC012"):
        text = text.replace(*MISTAKES[name])
    result = checked(stubs, tmp_path, text)
    assert result.plan is None
    assert {"PC001", "PC007", "PC009", "PC011", "PC012"} <= {d.code for d in result.diagnostics}
    assert all(d.where.line for d in result.diagnostics)
    assert rendered(result, tmp_path / "bundle") == snapshot


def test_a_single_action_lasts_until_the_next_is_due(stubs, tmp_path):
    """5 Hz at 50 control ticks a second: ten ticks for the period, ten for the deadline, one to spare."""
    plan = checked(stubs, tmp_path, WHOLE).plan
    assert plan is not None
    vlm = plan.manifest.orchestration.module("vlm")
    assert horizon(plan.manifest, vlm, Tensor("action", "f32", (4,))) == 21
    assert horizon(plan.manifest, vlm, Tensor("chunk", "f32", (8, 4))) == 8
