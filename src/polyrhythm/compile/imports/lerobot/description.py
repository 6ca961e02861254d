"""What an importer of one kind of policy tells of it, and the manifest that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyrhythm.compile.imports.write import rate_text
from polyrhythm.compile.policy import ModuleSource

Spec = tuple[str, tuple[int, ...]]
GUIDANCE = ("none", "identity", "vjp")


@dataclass(frozen=True)
class Description:
    """A policy as a module.

    Attributes:
        source: its entries and weights.
        observations: what it takes of the robot: name of the input -> (dtype, shape).
        action: size of an action.
        horizon: actions of a chunk.
        stages: entries in order, without guidance.
        steps: how often the step is taken, if there is one.
        guided: the stages with guidance, where ``{}`` is the method; empty if the policy takes none.
        notes: what a user should know of it.
    """

    source: ModuleSource
    observations: Mapping[str, Spec]
    action: int
    horizon: int
    stages: tuple[str, ...]
    steps: int | None = None
    guided: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def port(feature: str) -> str:
    """The name of an input: ``observation.images.top`` is ``images_top``."""
    return feature.removeprefix("observation.").replace(".", "_")


def manifest_text(name: str, described: Description, *, control_hz: float, guidance: str) -> str:
    """A manifest that runs the policy on the robot `rehearsal`, to be replaced by the real one.

    A new chunk is planned whenever half of one has been played.
    """
    guided = guidance != "none" and bool(described.guided)
    stages = tuple(s.format(guidance) for s in described.guided) if guided else described.stages
    lines = [
        "# Made by `polyrhythm import lerobot`. `rehearsal` is no robot: put the adapter of yours there,",
        "# then `polyrhythm profile` the bundle where it is to run.",
        "version: 1",
        f"name: {name}",
        "",
        "robot:",
        "  use: rehearsal",
        f"  control_hz: {rate_text(control_hz)}",
        "  observations:",
        *(
            f"    {key}: {{ dtype: {dtype}, shape: [{', '.join(map(str, shape))}] }}"
            for key, (dtype, shape) in described.observations.items()
        ),
        f"  action: {{ dtype: f32, shape: [{described.action}] }}",
        "",
        "orchestration:",
        "  mode: rtc",
        "  modules:",
        "  - id: policy",
        "    vmfb: policy.vmfb",
        "    parameters: policy.safetensors",
        f"    entry: [{', '.join(stages)}]",
        *([f"    steps: {described.steps}"] if described.steps else []),
        f"    rate_hz: {rate_text(control_hz)}/{max(1, described.horizon // 2)}",
        f"    rtc: {{ {_rtc(guided, guidance)} }}",
        "  links:",
        *(f"  - {{ from: robot.{key}, to: policy.{key} }}" for key in described.observations),
        *(f"  - {{ from: runtime.{key}, to: policy.{key} }}" for key in _runtime(described, stages)),
        "  - { from: policy.actions, to: robot.action }",
    ]
    return "\n".join(lines) + "\n"


def _rtc(guided: bool, guidance: str) -> str:
    if guided:
        return f"inpaint: guided, jacobian: {guidance}, late: decelerate"
    return "inpaint: none, late: decelerate"


def _runtime(described: Description, stages: tuple[str, ...]) -> list[str]:
    """What the runtime gives to these stages."""
    taken = {name for stage in stages for name in described.source.entries[stage].inputs}
    return [name for name in ("noise", "previous", "dt", "weights", "beta") if name in taken]
