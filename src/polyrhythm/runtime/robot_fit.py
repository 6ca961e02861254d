"""Whether a robot is the one that a manifest describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from polyrhythm.bundle.signature import Tensor
from polyrhythm.manifest.schema import Action, Manifest, Observation
from polyrhythm.robots import RobotSpec, TensorSpec


class Unlike(NamedTuple):
    """`path` in the manifest's robot says `wanted`, the robot has `had`; `said` for people."""

    path: tuple[str, ...]
    wanted: str
    had: str
    said: str


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
