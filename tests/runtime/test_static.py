"""Modules on static plans: what the runtime does with them, and what `check` says when it can't be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.bundle.static_code import store
from polyrhythm.compile import prepare
from polyrhythm.hal import native
from polyrhythm.manifest import render_all
from polyrhythm.runtime import RunError, Runtime, check
from polyrhythm.runtime.ledger import ledger_of
from tests.runtime.flow import Flown, checked, compiled, varied

#: The flow's module on a device that runs static plans.
STATIC = ("orchestration:\n", "devices: { fast: { driver: static } }\norchestration:\n")
ON_IT = ("    rate_hz: 20\n", "    rate_hz: 20\n    device: fast\n")
GUIDED = ("[start, step, finish]", "[start, step_vjp, finish]")
BETA = ("to: head.dt }\n", "to: head.dt }\n  - { from: runtime.beta, to: head.beta }\n")


@pytest.fixture(scope="module")
def flow(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.getbasetemp() / "flow")


def moves(flow: Path, root: Path, *changes: tuple[str, str]):
    """What the robot was told in one run, and the plan."""
    root.mkdir(exist_ok=True)
    bundle = varied(flow, root, *changes)
    prepare(open_bundle(bundle))
    result = check(bundle)
    assert result.plan is not None, render_all(result.diagnostics)
    robot = Flown(length=60)
    with Runtime(result.plan) as runtime:
        assert runtime.run(robot, episodes=1, lockstep=True).reason == "complete"
    return robot.moves, result.plan


def test_a_module_on_a_static_plan_gives_the_same_actions(flow, tmp_path):
    theirs, _ = moves(flow, tmp_path / "iree", GUIDED, BETA)
    ours, plan = moves(flow, tmp_path / "static", GUIDED, BETA, STATIC, ON_IT)
    assert len(ours) > 40 and ours == theirs
    (module,) = plan.manifest.orchestration.modules
    assert plan.bundle.planned(module) and not plan.bundle.missing
    made = plan.bundle.plans[module.artefact]
    assert plan.bundle.artefacts_of(module) == (made.path, made.library)
    # The account counts the arena of the plan, whatever the machine code of the same entry would need.
    assert made.scratch_bytes["step_vjp"] > 0
    found = plan.bundle.running(module)
    assert {n: e.scratch_bytes for n, e in found.entries.items()} == dict(made.scratch_bytes)
    lines = {line.kind: line.nbytes for line in ledger_of(plan).lines if line.owners == ("head",)}
    assert lines["code"] == made.path.stat().st_size + made.library.stat().st_size
    assert lines.get("packed", 0) == made.state_bytes == found.loaded_bytes


def test_a_plan_is_made_at_first_use_and_a_run_without_it_says_so(flow, tmp_path, monkeypatch):
    bundle = varied(flow, tmp_path, STATIC, ON_IT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fresh = check(bundle)
    assert fresh.plan is not None and fresh.plan.bundle.missing_plans == ("head.vmfb",)
    assert fresh.plan.bundle.missing_artefacts == (), "nobody loads its machine code"
    with pytest.raises(RunError, match=r"no machine code for this CPU yet: head\.vmfb"):
        Runtime(fresh.plan)


def said(result, root: Path) -> str:
    return render_all(result.diagnostics).replace(f"{(root / 'bundle').resolve()}/", "")


def test_a_stage_that_cannot_be_planned_is_named_with_its_operation(flow, tmp_path, monkeypatch, snapshot):
    bundle = varied(flow, tmp_path, STATIC, ON_IT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    reason = "cf.cond_br: it depends on a number of the device, read by hal.buffer.load"
    known = open_bundle(bundle).lock.files["head.mlir"].sha256
    able = {"start": 0, "finish": 0}
    store(known, b"plan", b"kernels", b"work", scratch_bytes=able, refused={"step": reason}, state_bytes=0)
    result = check(bundle)
    assert [d.code for d in result.diagnostics] == ["PC081"]
    assert said(result, tmp_path) == snapshot


def test_a_machine_without_a_compiler_is_told_what_it_lacks(flow, tmp_path, monkeypatch, snapshot):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert native.missing() == "a C compiler (cc, gcc or clang)"
    result = checked(flow, tmp_path, STATIC, ON_IT)
    assert [d.code for d in result.diagnostics] == ["PC082"]
    assert said(result, tmp_path) == snapshot
