"""What `swap.py` and `contexts.py` play: a quick head that drives a robot, and a brain with large weights."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.robots import RobotSpec, StepResult, TensorSpec
from polyrhythm.runtime import Plan, check

POLICY = """
import jax.numpy as jnp
import numpy as np
from polyrhythm.compile import EntrySource, ModuleSource, Policy

SIZE = {size}

def think(p, clock):
    return {think}

def act(p, clock, thought):
    return jnp.broadcast_to(clock + p["zero"], (16, 4)) + 0.0 * thought[0]

def policy():
    rng = np.random.default_rng({seed})
    weights = rng.standard_normal((SIZE, SIZE)).astype(np.float32)
    clock = ("f32", (1,))
    return Policy("manifest.yaml", {{
        "brain": ModuleSource(
            {{"weights": weights}},
            {{"think": EntrySource(think, inputs={{"clock": clock}}, outputs=("thought",))}},
        ),
        "head": ModuleSource(
            {{"zero": np.zeros(1, np.float32)}},
            {{"act": EntrySource(act, {{"clock": clock, "thought": ("f32", (8,))}}, ("chunk",))}},
        ),
    }})
"""

MANIFEST = """
name: {name}
contexts: {contexts}
robot:
  use: gymnasium
  control_hz: {control_hz}
  observations: {{ clock: {{ dtype: f32, shape: [1] }} }}
  action: {{ dtype: f32, shape: [4] }}
devices:
  slow: {{ cores: [{slow}] }}
  fast: {{ cores: [{fast}] }}
orchestration:
  mode: parallel
  modules:
  - {{ id: brain, vmfb: brain.vmfb, parameters: brain.safetensors, rate_hz: 2, device: slow, cost_ms: 60 }}
  - {{ id: head, vmfb: head.vmfb, parameters: head.safetensors, rate_hz: 50, device: fast, cost_ms: 1 }}
  links:
  - {{ from: robot.clock, to: brain.clock }}
  - {{ from: robot.clock, to: head.clock }}
  - {{ from: brain.thought, to: head.thought }}
  - {{ from: head.chunk, to: robot.action }}
"""


#: How the brain uses its weights: read where they are mapped, or in the layout for matrix products that IREE
#: copies them into when the module is loaded.
THINKS = {
    "mapped": """jnp.maximum(p["weights"], clock[0]).sum(axis=0)[:8]""",
    "packed": """(jnp.full((1, SIZE), clock[0]) @ p["weights"])[0, :8]""",
}


def bundle(
    name: str, *, size: int, seed: int, contexts: int = 1, control_hz: int = 50, weights: str = "mapped"
) -> Plan:
    """A bundle with ``4 * size**2`` bytes of weights; made once, kept in the system's temporary directory."""
    from measure import cores

    host, device = cores()
    home = Path(tempfile.gettempdir()) / f"polyrhythm-bench-{name}-{weights}-{size}-{contexts}-{control_hz}"
    if not (home / "bundle" / "bundle.lock").is_file():
        home.mkdir(exist_ok=True)
        (home / "policy.py").write_text(POLICY.format(size=size, seed=seed, think=THINKS[weights]))
        (home / "manifest.yaml").write_text(
            MANIFEST.format(name=name, contexts=contexts, control_hz=control_hz, slow=device, fast=host)
        )
        build(home / "policy.py", home / "bundle")
    prepare(open_bundle(home / "bundle"))
    checked = check(home / "bundle")
    if checked.plan is None:
        raise SystemExit("\n\n".join(diagnostic.render() for diagnostic in checked.diagnostics))
    return checked.plan


class Clockwork:
    """A robot that takes no time and never ends; its clock shows the ticks executed."""

    def __init__(self, control_hz: int = 50) -> None:
        self.spec = RobotSpec(
            control_hz=float(control_hz),
            observations={"clock": TensorSpec("f32", (1,))},
            action=TensorSpec("f32", (4,)),
            tasks=("tick",),
        )
        self._ticks = 0

    def reset(self, *, task: str, seed: int) -> None:
        self._ticks = 0

    def observe(self, name: str, out: np.ndarray) -> None:
        out[0] = self._ticks

    def act(self, action: np.ndarray) -> StepResult:
        self._ticks += 1
        return StepResult(success=None, done=False)

    def hold(self) -> StepResult:
        self._ticks += 1
        return StepResult(success=None, done=False)

    def telemetry(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        pass
