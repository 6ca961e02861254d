"""Bundles around the one compiled flow of `flow_policy`, each with a manifest of its own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

from polyrhythm.bundle import LOCK_FILE, open_bundle, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import read_lock
from polyrhythm.compile import build, prepare
from polyrhythm.robots import RobotSpec, TensorSpec
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.plan import Checked, Plan
from tests.runtime.robot import Diary

HERE = Path(__file__).parent
MANIFEST = (HERE / "flow_manifest.yaml").read_text()
PERIOD_NS = 10_000_000


class Flown(Diary):
    """A diary for actions of six numbers."""

    spec = RobotSpec(
        control_hz=100.0,
        observations={"clock": TensorSpec("f32", (1,))},
        action=TensorSpec("f32", (6,)),
        tasks=("fly",),
    )

    @property
    def moves(self) -> list[tuple[int, tuple[float, ...]]]:
        """(tick, action) of this episode where there was one."""
        return [(tick, action) for tick, action in self.entries if action is not None]


@cache
def compiled(root: Path) -> Path:
    """Build the bundle in `root`, once."""
    root.mkdir(exist_ok=True)
    build(HERE / "flow_policy.py", root / "flow")
    prepare(open_bundle(root / "flow"))
    return root / "flow"


def varied(flow: Path, root: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the bundle in `root` with texts of its manifest replaced."""
    text = MANIFEST
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in the manifest"
        text = text.replace(old, new)
    out = root / "bundle"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(flow, out)
    (out / "manifest.yaml").write_text(text)
    lock = read_lock(out)
    files = {**lock.files, "manifest.yaml": locked_file(out / "manifest.yaml")}
    (out / LOCK_FILE).unlink()
    write_lock(lock.model_copy(update={"files": files}), out)
    return out


def checked(flow: Path, root: Path, *changes: tuple[str, str]) -> Checked:
    """What `check` says of such a copy."""
    return check(varied(flow, root, *changes))


def opened(flow: Path, root: Path, *changes: tuple[str, str], cost_ms: int | None = None) -> Runtime:
    """A runtime of such a copy; the caller closes it.

    Args:
        cost_ms: what a job takes all the same, whatever `check` was told.
    """
    result = checked(flow, root, *changes)
    assert result.plan is not None, "\n\n".join(d.render() for d in result.diagnostics)
    return Runtime(result.plan if cost_ms is None else slowed(result.plan, cost_ms))


def slowed(plan: Plan, cost_ms: int) -> Plan:
    """The plan with a job that takes so long, whatever `check` was told."""
    (head,) = plan.schedule.modules
    costs_ns = (*(0 for _ in head.costs_ns[1:]), cost_ms * 1_000_000)
    slow = replace(head, costs_ns=costs_ns, deadline_ns=10**9)
    return replace(plan, schedule=replace(plan.schedule, modules=(slow,)))
