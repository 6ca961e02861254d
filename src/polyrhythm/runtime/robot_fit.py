"""Whether a robot is the one that a manifest describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from polyrhythm.bundle.signature import Tensor
from polyrhythm.manifest.schema import Action, Manifest, Observation
from polyrhythm.robots import Robot, RobotSpec, TensorSpec
from polyrhythm.runtime.hands import failure
from polyrhythm.runtime.outcome import RunError


class Unlike(NamedTuple):
    """`path` in the manifest's robot says `wanted`, the robot has `had`; `said` for people."""

    path: tuple[str, ...]
    wanted: str
    had: str
    said: str


def spec_of(robot: Robot) -> RobotSpec:
    """The robot's specification.

    Raises:
        RunError: it has none.
    """
    try:
        spec: object = robot.spec
    except Exception as error:  # adapters are other people's code
        raise RunError(
            f"the robot tells no `spec`: {failure(error)}; it has to have one, a polyrhythm.robots.RobotSpec"
        ) from error
    if not isinstance(spec, RobotSpec):
        had = "None" if spec is None else f"of type {type(spec).__name__}"
        raise RunError(f"the robot's `spec` is {had}; it has to be a polyrhythm.robots.RobotSpec")
    return spec


def unlike(spec: RobotSpec, manifest: Manifest) -> Iterator[Unlike]:
    """All that differs; a robot may have more observations than the manifest names."""
    declared = manifest.robot
    assert declared is not None
    if float(declared.control_hz) != spec.control_hz:
        yield _unlike(
            "control_hz", ("control_hz",), f"{float(declared.control_hz):g}", f"{spec.control_hz:g}"
        )
    for name, want in declared.observations.items():
        have, path, what = spec.observations.get(name), ("observations", name), f"observation {name}"
        if have is None:
            has = ", ".join(spec.observations)
            yield Unlike(path, _tensor(want), has, f"{what}: the robot has {has}")
        elif _tensor(want) != _tensor(have):
            yield _unlike(what, path, _tensor(want), _tensor(have))
    if _tensor(declared.action) != _tensor(spec.action):
        yield _unlike("action", ("action",), _tensor(declared.action), _tensor(spec.action))


def _unlike(what: str, path: tuple[str, ...], wanted: str, had: str) -> Unlike:
    return Unlike(path, wanted, had, f"{what}: {wanted} in the manifest, {had} in the robot")


def _tensor(spec: Observation | Action | TensorSpec) -> str:
    return str(Tensor("", spec.dtype, spec.shape))
