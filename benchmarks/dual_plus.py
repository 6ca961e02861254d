"""The dual system with company, for benchmarks: a perception module, and a hog that nobody needs.

``fast`` (core 0) holds the action head, perception and the hog, in this order of urgency; ``slow`` (core 1)
holds System 2, and benchmarks pin the host there too: its stage is long enough to bear that. The hog comes in
stages.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from measure import compiled, temporary

from polyrhythm.bundle import LOCK_FILE, Lock, open_bundle, read_lock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile import lock_existing, prepare
from polyrhythm.robots import RobotSpec, StepResult, TensorSpec

BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"
HOG_STAGES = 16
#: Products of 64 x 64 matrices in a stage.
WORK = 192

STAGE = """
func.func @NAME(%x: tensor<64x64xf32>, %storage: tensor<64x64xf32> {iree.abi.output = 0 : index},
                %scratch: !hal.buffer {iree.abi.transients}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.015625 : f32
  %many = tensor.empty() : tensor<WORKx64x64xf32>
  %one = tensor.empty() : tensor<64x64xf32>
  %mean = linalg.fill ins(%part : f32) outs(%many : tensor<WORKx64x64xf32>) -> tensor<WORKx64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%many : tensor<WORKx64x64xf32>) -> tensor<WORKx64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%one : tensor<64x64xf32>) -> tensor<64x64xf32>
  %all = linalg.broadcast ins(%x : tensor<64x64xf32>) outs(%many : tensor<WORKx64x64xf32>) dimensions = [0]
  %products = linalg.batch_matmul ins(%all, %mean : tensor<WORKx64x64xf32>, tensor<WORKx64x64xf32>)
                                  outs(%init : tensor<WORKx64x64xf32>) -> tensor<WORKx64x64xf32>
  %y = linalg.reduce ins(%products : tensor<WORKx64x64xf32>) outs(%none : tensor<64x64xf32>) dimensions = [0]
    (%a: f32, %b: f32) { %most = arith.maximumf %a, %b : f32
                         linalg.yield %most : f32 }
  return %y : tensor<64x64xf32>
}
"""
#: The entries of each added module, and what its tensors are called.
NAMES = {
    "perception.vmfb": {"see": (["x"], ["seen"])},
    "hog.vmfb": {f"s{i}": (["x"], ["x"]) for i in range(HOG_STAGES)},
}


def bundle(compiled_parts: Mapping[str, Path], *, hog: bool) -> Path:
    """Make the bundle, ready to run.

    Args:
        compiled_parts: see `parts`.
        hog: with or without it.
    """
    root = temporary() / "dual_plus"
    shutil.copytree(BUNDLE, root)
    manifest = yaml.safe_load((root / "manifest.yaml").read_text())
    added = [_perception(), *([_hog()] if hog else [])]
    _add(manifest, added)
    modules = dict(read_lock(root).modules)
    for module in added:
        alone = temporary()
        shutil.copy(compiled_parts[module["vmfb"]], alone / module["vmfb"])
        shutil.copy(alone / module["vmfb"], root / module["vmfb"])
        declared = {key: value for key, value in module.items() if key != "device"}
        (alone / "manifest.yaml").write_text(yaml.safe_dump({"orchestration": {"modules": [declared]}}))
        modules |= lock_existing(alone, NAMES).lock.modules
    (root / "manifest.yaml").write_text(yaml.safe_dump(manifest, sort_keys=False))
    files = sorted(path for path in root.iterdir() if path.name != LOCK_FILE)
    write_lock(Lock(files={path.name: locked_file(path) for path in files}, modules=modules), root)
    prepare(open_bundle(root))
    return root


def parts() -> dict[str, Path]:
    """The added modules, compiled for this machine, by the names they have in a bundle."""
    return {
        vmfb: compiled("\n".join(STAGE.replace("WORK", str(WORK)).replace("NAME", name) for name in entries))
        for vmfb, entries in NAMES.items()
    }


def _perception() -> dict[str, Any]:
    return {"id": "perception", "vmfb": "perception.vmfb", "rate_hz": 30, "device": "fast", "cost_ms": 2}


def _hog() -> dict[str, Any]:
    stages = [f"s{i}" for i in range(HOG_STAGES)]
    return {
        "id": "hog", "vmfb": "hog.vmfb", "entry": stages, "rate_hz": 5, "device": "fast",
        "cost_ms": [2] * HOG_STAGES,
    }  # fmt: skip


def _add(manifest: dict[str, Any], added: list[dict[str, Any]]) -> None:
    """Only what the robot and System 2 need is linked; company reads the picture."""
    plan = manifest["orchestration"]
    plan["modules"] += added
    plan["links"] += [{"from": "robot.depth", "to": f"{module['id']}.x"} for module in added]
    plan["qos"] = {"dit": 0, "vlm": 0, "perception": 1} | ({"hog": 2} if len(added) > 1 else {})


class Still:
    """The example's robot without its physics: it sees the same picture always, and does not move."""

    spec = RobotSpec(
        control_hz=80.0,
        observations={
            "depth": TensorSpec("f32", (64, 64)),
            "instruction": TensorSpec("i32", (16,)),
            "proprio": TensorSpec("f32", (8,)),
        },
        action=TensorSpec("f32", (4,)),
        tasks=("stand",),
    )

    def __init__(self) -> None:
        self._depth = np.random.default_rng(0).random((64, 64), np.float32)

    def reset(self, *, task: str | None, seed: int) -> None:
        """Nothing to reset."""

    def observe(self, name: str, out: np.ndarray) -> None:
        """The picture, the first words, the middle of the workspace."""
        out[...] = self._depth if name == "depth" else 1 if name == "instruction" else 0.5

    def act(self, action: np.ndarray) -> StepResult:
        """Nothing moves."""
        return StepResult(success=None, done=False)

    def hold(self) -> StepResult:
        """Nothing moves."""
        return StepResult(success=None, done=False)

    def telemetry(self) -> Mapping[str, float]:
        """Nothing."""
        return {}

    def close(self) -> None:
        """Nothing."""
