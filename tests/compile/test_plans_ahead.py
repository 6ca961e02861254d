"""Static plans that are made with the bundle: for which modules, for which CPU, with which files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polyrhythm.compile.plans_ahead import IN_ISLAND, ON_DEVICE, plan_name, wanted, write_plans
from polyrhythm.compile.weights import write_weights
from polyrhythm.manifest import loads

pytest.importorskip("iree.compiler")

SOURCE = """\
util.global private @"$gain" = #flow.parameter.named<"model"::"gain"> : tensor<16xf32>
func.func public @act(%x: tensor<16xf32>, %out: tensor<16xf32> {iree.abi.output = 0 : index},
                      %scratch: !hal.buffer {iree.abi.transients}) -> tensor<16xf32> attributes {
    iree.reflection = {polyrhythm.inputs = "x", polyrhythm.outputs = "y"}} {
  %gain = util.global.load @"$gain" : tensor<16xf32>
  %y = stablehlo.multiply %x, %gain : tensor<16xf32>
  return %y : tensor<16xf32>
}
"""
ISLAND = """\
robot: { use: arm, control_hz: 50, action: { dtype: f32, shape: [1] } }
island:
  policy: { vmfb: prior.vmfb }
  joints: { knee: { velocity: 20, torque: 2.5, torque_rate: 500, kp: 20, kd: 0.5 } }
"""
MANIFEST = """\
devices: { cpu: { driver: iree }, fast: { driver: static }, npu: { driver: dsa } }
orchestration:
  modules:
  - { id: eye, vmfb: eye.vmfb, rate_hz: 3 }
  - { id: hand, vmfb: hand.vmfb, rate_hz: 20, device: fast }
  - { id: other, vmfb: eye.vmfb, rate_hz: 3, device: npu }
  - { id: prior, vmfb: prior.vmfb, rate_hz: 3 }
"""


def test_a_module_gets_the_plans_that_it_runs_as() -> None:
    manifest = loads(ISLAND + MANIFEST).manifest
    assert manifest is not None
    found = {name: wanted(manifest, f"{name}.vmfb") for name in ("eye", "hand", "prior", "none")}
    # One that runs as machine code, too, has a plan beside it.
    assert found == {"eye": (ON_DEVICE,), "hand": (ON_DEVICE,), "prior": (IN_ISLAND,), "none": ()}
    both = loads(ISLAND.replace("prior", "hand") + MANIFEST).manifest
    assert both is not None and wanted(both, "hand.vmfb") == (ON_DEVICE, IN_ISLAND)


def test_their_files_for_another_architecture(tmp_path: Path) -> None:
    weights = tmp_path / "hand.safetensors"
    write_weights({"gain": np.full(16, 0.25, np.float32)}, weights)
    found = write_plans(
        (ON_DEVICE, IN_ISLAND), SOURCE, tmp_path, "hand.vmfb", "aarch64/cortex-a78", [weights], "hand"
    )
    names = {path.name for path in tmp_path.iterdir()} - {"hand.safetensors"}
    plain, island = found[ON_DEVICE], found[IN_ISLAND]
    assert names == {*plain.files, *island.files} and len(names) == 6
    assert plain.files == ("hand.plan", "hand.so", "hand.work.json")
    assert island.file == plan_name("hand.vmfb", IN_ISLAND) == "hand.island.plan"
    for plan in found.values():
        assert (plan.machine_code.arch, plan.machine_code.cpu) == ("aarch64", "cortex-a78")
        assert "asimddp" in plan.machine_code.features
        assert plan.scratch_bytes.keys() == {"act"} and not plan.refused
    held = np.full(16, 0.25, np.float32).tobytes()
    assert held in (tmp_path / island.file).read_bytes()
    assert held not in (tmp_path / plain.file).read_bytes()
