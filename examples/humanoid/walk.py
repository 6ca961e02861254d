"""Somebody else's humanoid walks through a manifest: an ONNX file of PyPI, imported, checked, run in MuJoCo.

    python examples/humanoid/walk.py                   # 10 s of virtual time
    python examples/humanoid/walk.py --real-time --seconds 20

Needs the extras `onnx` and `metaworld` (for MuJoCo and Gymnasium). The policy and the robot's model are
installed by pip into `.venv-humanoid`, without what they depend on; nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from polyrhythm.bundle import relock
from polyrhythm.compile.imports.onnx_edit import Edits
from polyrhythm.compile.imports.onnx_import import import_onnx
from polyrhythm.compile.imports.onnx_model import read
from polyrhythm.robots import load_robot
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.listener import EpisodeOver

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / ".venv-humanoid"
PACKAGES = ("holosoma==0.0.3", "holosoma-inference==0.1.3")
POLICY = "holosoma_inference/models/loco/g1_29dof/ppo_g1_29dof.onnx"
SCENE = "holosoma/data/robots/g1/scenes/scene_g1_29dof_wbt_plane.xml"
MANIFEST = """\
name: humanoid
robot:
  use: gymnasium
  control_hz: 50
  options:
    env_id: g1:G1Walk-v0
    env_options: {options}
  observations: {{ observation: {{ dtype: f32, shape: [100] }} }}
  action: {{ dtype: f32, shape: [29] }}
devices:
  cpu: {{ driver: {driver}, uri: {uri} }}
orchestration:
  mode: parallel
  modules:
  - {{ id: policy, {key}: {artefact}, rate_hz: 50, cost_ms: 2 }}
  links:
  - {{ from: robot.observation, to: policy.actor_obs }}
  - {{ from: policy.action, to: robot.action }}
"""


def fetch() -> None:
    """Install the packages, unless they are here."""
    if not (PLACE / POLICY).exists() or not (PLACE / SCENE).exists():
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
        subprocess.run([*pip, "--target", str(PLACE), *PACKAGES], check=True)


def bundle(out: Path, command: tuple[float, float, float], seconds: float) -> Path:
    """Import the policy, and give its bundle a manifest with the robot."""
    policy = PLACE / POLICY
    for line in import_onnx(policy, out, edits=Edits(no_batch=True), force=True).lines():
        print(line)
    said = {item.key: json.loads(item.value) for item in read(policy).proto.metadata_props}
    options = {
        "scene": str(PLACE / SCENE), "joints": said["dof_names"], "kp": said["kp"], "kd": said["kd"],
        "command": list(command), "seconds": seconds,
    }  # fmt: skip
    made = check(out).plan
    assert made is not None
    (module,), (device,) = made.manifest.orchestration.modules, made.manifest.devices.values()
    text = MANIFEST.format(
        options=json.dumps(options), driver=device.driver, uri=device.uri,
        key=module.artefact_key, artefact=module.artefact,
    )  # fmt: skip
    (out / "manifest.yaml").write_text(text)
    relock(out)
    return out


def walk(out: Path, *, real_time: bool) -> tuple[EpisodeOver, dict[str, Any]]:
    """Run the bundle for one episode: what came of it, and what the environment says of its last step."""
    sys.path.insert(0, str(HERE))  # where Gymnasium finds `g1`
    checked = check(out)
    if checked.plan is None:
        raise SystemExit("\n\n".join(d.render() for d in checked.diagnostics if d.is_error))
    declared = checked.plan.manifest.robot
    assert declared is not None
    robot = load_robot(declared.use, declared.options, control_hz=float(declared.control_hz))
    with Runtime(checked.plan) as runtime:
        outcome = runtime.run(robot, episodes=1, lockstep=not real_time)
    (episode,) = outcome.episodes
    return episode, robot.info  # type: ignore[attr-defined]


def main() -> int:
    """Import and walk; 1 if it falls or stays where it is."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, default=Path("out/humanoid"))
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--speed", type=float, default=0.6, help="m/s, forward")
    options.add_argument("--real-time", action="store_true")
    given = options.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    fetch()
    bundle(given.out, (given.speed, 0.0, 0.0), given.seconds)
    episode, info = walk(given.out, real_time=given.real_time)
    verdict = "walks" if episode.success else "fails"
    print(f"{episode.ticks} ticks, {episode.held} held, {info['walked_m']:.2f} m: {verdict}")
    return 0 if episode.success else 1


if __name__ == "__main__":
    sys.exit(main())
