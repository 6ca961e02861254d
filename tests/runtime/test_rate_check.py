"""What `check` says of the time that devices are asked for, by costs and rates alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.runtime import Checked, check
from polyrhythm.runtime.planning import sketch
from tests.cli.bundles import MANIFEST, make_bundle
from tests.runtime.said import rendered

ROBOT = """\
robot:
  use: gymnasium
  control_hz: 50
  action: { dtype: f32, shape: [4] }
"""


def on_demand(tmp_path: Path, cost_ms: str, buffers: int = 2, vmfb: str = "head") -> Checked:
    """`head` makes a chunk of 16 ticks, 320 ms, when one is wanted; its rate says 50 Hz. vlm takes 15 %."""
    text = MANIFEST.replace("orchestration:", "orchestration:\n  mode: rtc").replace(
        "cost_ms: [1, 2]", f"cost_ms: {cost_ms}\n    rtc: {{ swap: boundary, buffer_depth: {buffers} }}"
    )
    robot = "  - { from: head.actions, to: robot.action }\n"
    text = text.replace("head.vmfb", f"{vmfb}.vmfb")
    return check(make_bundle(tmp_path / "bundle", ROBOT + text + robot))


def codes(found: Checked) -> list[str]:
    return [d.code for d in found.diagnostics if d.code.startswith("PC")]


def errors(found: Checked, tmp_path: Path) -> str:
    return rendered((d for d in found.diagnostics if d.is_error), tmp_path / "bundle")


@pytest.mark.parametrize("cost_ms", ["[5, 20]", "[20, 60]"])
def test_what_is_made_on_demand_is_not_judged_by_its_rate(cost_ms: str, tmp_path: Path) -> None:
    """It costs more than its period and its deadline, 20 ms, and comes once in 300."""
    found = on_demand(tmp_path, cost_ms)
    assert codes(found) == [] and found.plan is not None
    assert found.proof is not None and found.proof.punctual


@pytest.mark.parametrize(("buffers", "cost_ms"), [(2, "[10, 250]"), (1, "[1000, 5000]")])
def test_chunks_that_leave_too_little_to_others_are_refused(
    buffers: int, cost_ms: str, tmp_path: Path, snapshot
) -> None:
    """260 ms of every 300 are 87 %; with one buffer it is of as many more as they take: 6000 of 6300."""
    found = on_demand(tmp_path, cost_ms, buffers)
    assert [d.code for d in found.diagnostics if d.is_error] == ["PC018"] and found.plan is None
    assert errors(found, tmp_path) == snapshot


def test_a_module_that_the_lock_does_not_know_is_told(tmp_path: Path) -> None:
    found = on_demand(tmp_path, "[5, 20]", vmfb="other")
    assert [d.code for d in found.diagnostics if d.is_error] == ["PB014"]


def test_alone_they_only_make_the_robot_wait(tmp_path: Path) -> None:
    text = MANIFEST[: MANIFEST.index("  - id: vlm")] + MANIFEST[MANIFEST.index("  - id: head") :]
    text = text[: text.index("  links:")].replace("entry: [encode, step]", "entry: [step]")
    text = text.replace("orchestration:", "orchestration:\n  mode: rtc")
    text = text.replace("cost_ms: [1, 2]", "cost_ms: 400\n    rtc: { swap: boundary }")
    links = (
        "  links:\n  - { from: robot.state, to: head.state }\n  - { from: head.actions, to: robot.action }\n"
    )
    seen = ROBOT + "  observations: { state: { dtype: f32, shape: [16] } }\n"
    found = check(make_bundle(tmp_path / "bundle", seen + text + links))
    assert codes(found) == ["PC016"] and found.plan is not None
    alone, _ = sketch(tmp_path / "bundle" / "manifest.yaml")
    assert codes(alone) == [] and alone.proof is not None and alone.proof.punctual


#: `hog` may have half of the device, and takes what is left of it.
SERVED = """\
devices: { cpu: { driver: "null", uri: immediate } }
orchestration:
  qos: { ctl: 0, hog: 1 }
  modules:
  - { id: ctl, vmfb: vlm.vmfb, rate_hz: 100, cost_ms: 6 }
  - { id: hog, vmfb: vlm.vmfb, rate_hz: 200, cost_ms: 3, budget: { ms: 50, period_ms: 100 } }
"""


def test_a_module_with_a_budget_needs_no_time(tmp_path: Path) -> None:
    """110 % with what it may have; ctl is in time all the same, behind a stage of it."""
    found = check(make_bundle(tmp_path / "bundle", SERVED))
    assert codes(found) == [] and found.plan is not None
    assert found.proof is not None and found.proof.modules["ctl"].verdict.bound_ns == 9_000_000


def test_others_are_told_without_it(tmp_path: Path, snapshot) -> None:
    more = "  - { id: eye, vmfb: vlm.vmfb, rate_hz: 50, cost_ms: 9 }\n"
    found = check(make_bundle(tmp_path / "bundle", SERVED.replace("hog: 1 }", "hog: 1, eye: 1 }") + more))
    assert "PC010" in codes(found) and found.plan is None
    assert errors(found, tmp_path) == snapshot
