"""Static plans made with the bundle, for the CPU that its machine code is for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from polyrhythm.bundle import LockedPlan
from polyrhythm.bundle.open import on_plans
from polyrhythm.compile.iree_compiler import version
from polyrhythm.compile.static_plan import plan_source
from polyrhythm.hal.drivers.static_native import read_weights
from polyrhythm.manifest import Manifest

#: What the lock calls the plans of a module, and how their files' names end.
ON_DEVICE, IN_ISLAND = "plan", "island_plan"
_ENDINGS = {ON_DEVICE: ".plan", IN_ISLAND: ".island.plan"}


def wanted(manifest: Manifest, vmfb: str) -> tuple[str, ...]:
    """The plans that the module with that artefact runs as."""
    modules = [module for module in manifest.orchestration.modules if module.artefact == vmfb]
    on_device = any(on_plans(manifest, module) for module in modules)
    in_island = manifest.policy is not None and manifest.policy.artefact == vmfb
    return (ON_DEVICE,) * on_device + (IN_ISLAND,) * in_island


def plan_name(vmfb: str, kind: str) -> str:
    """The file of a plan of the module with that artefact."""
    return str(PurePosixPath(vmfb).with_suffix(_ENDINGS[kind]))


def write_plans(
    kinds: Sequence[str], text: str, place: Path, vmfb: str, target: str, weights: Sequence[Path], where: str
) -> dict[str, LockedPlan]:
    """Make these plans of a portable source and write them below `place`; what the lock says of each.

    Args:
        target, where: see `polyrhythm.compile.iree_compiler.compile_source`.
        weights: files that the island's plan is to hold.

    Raises:
        Refused, BuildError: see there.
    """
    found = {}
    for kind in kinds:
        embedded = read_weights(weights) if kind == IN_ISLAND else None
        made = plan_source(text, where=where, target=target, embedded=embedded)
        locked = LockedPlan(
            file=plan_name(vmfb, kind), compiler=version(), machine_code=made.target,
            scratch_bytes=dict(made.scratch_bytes), refused=dict(made.refused), state_bytes=made.state_bytes,
        )  # fmt: skip
        for name, content in zip(locked.files, (made.plan, made.library, made.work), strict=True):
            (place / name).write_bytes(content)
        found[kind] = locked
    return found
