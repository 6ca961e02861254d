"""What a run was: the facts about bundle and machine that summaries, traces and reports carry along."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from polyrhythm.bundle.cpu import processor
from polyrhythm.bundle.lock import LOCK_FILE
from polyrhythm.manifest import MANIFEST_FILE
from polyrhythm.runtime.plan import Plan
from polyrhythm.schedule.plan import SchedulePlan

_PACKAGES = ("polyrhythm", "iree-base-runtime", "numpy")


@dataclass(frozen=True)
class RunInfo:
    """One run of one plan.

    Attributes:
        name: what the bundle is called.
        lockstep: virtual time (True) or the monotonic clock.
        digest: of the bundle's lock, which holds the digests of everything else.
        manifest: the manifest's text.
    """

    name: str
    schedule: SchedulePlan
    lockstep: bool = False
    seed: int = 0
    digest: str = ""
    manifest: str = ""
    machine: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, *, lockstep: bool, seed: int) -> RunInfo:
        """The facts about a run of `plan` on this machine."""
        root = plan.bundle.root
        return cls(
            name=plan.manifest.name or root.name,
            schedule=plan.schedule,
            lockstep=lockstep,
            seed=seed,
            digest=sha256((root / LOCK_FILE).read_bytes()).hexdigest(),
            manifest=(root / MANIFEST_FILE).read_text(),
            machine=machine(),
        )

    @property
    def clock(self) -> str:
        """``lockstep`` or ``real time``."""
        return "lockstep" if self.lockstep else "real time"


def machine() -> dict[str, Any]:
    """This machine: processor, cores that this process may use, kernel, Python, versions of packages."""
    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "packages": packages,
    }
