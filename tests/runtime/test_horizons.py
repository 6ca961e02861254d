"""Single actions last until the next one is there, however old what they are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.manifest import render_all
from polyrhythm.robots import RobotSpec, TensorSpec
from polyrhythm.runtime import Checked, Runtime, check
from polyrhythm.runtime.planning import sketch
from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Act, Hold, SetProfile
from polyrhythm.simulate.harness import Harness
from tests.cli.bundles import make_bundle
from tests.runtime.robot import Diary

MS = 1_000_000
#: A policy five times as fast as the camera that it sees with.
MANIFEST = """\
robot:
  use: gymnasium
  control_hz: 100
  observations: { cam: { dtype: f32, shape: [4], rate_hz: 10 } }
  action: { dtype: f32, shape: [4] }
devices:
  cpu: { driver: "null", uri: immediate }
  npu: { driver: "null", uri: immediate }
orchestration:
  mode: parallel
  modules:
  - { id: policy, vmfb: policy.vmfb, rate_hz: 50, cost_ms: 5 }
  links:
  - { from: robot.cam, to: policy.cam }
  - { from: policy.action, to: robot.action }
"""
ENCODER = "  - { id: encoder, vmfb: encoder.vmfb, rate_hz: 30, cost_ms: 20, device: npu }\n"
#: The same behind an encoder, which sees 100 times a second and needs its time.
ENCODED = (
    MANIFEST.replace("rate_hz: 10 ", "rate_hz: 100 ")
    .replace("rate_hz: 50", "rate_hz: 100")
    .replace("to: policy.cam", "to: encoder.cam")
    .replace("  links:\n", f"{ENCODER}  links:\n")
    + "  - { from: encoder.seen, to: policy.cam }\n"
)  # fmt: skip
CASES = pytest.mark.parametrize("text", [MANIFEST, ENCODED], ids=["camera", "encoder"])


def checked(tmp_path: Path, text: str) -> Checked:
    cam, seen, action = (LockedTensor(name=n, dtype="f32", shape=[4]) for n in ("cam", "seen", "action"))
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    found = {
        "policy.vmfb": LockedEntry(inputs=[cam], outputs=[action]),
        "encoder.vmfb": LockedEntry(inputs=[cam], outputs=[seen]),
    }
    modules = {
        name: LockedModule(machine_code=code, loaded_bytes=0, entries={"main": entry})
        for name, entry in found.items()
        if name in text
    }
    return check(make_bundle(tmp_path / "bundle", text, modules))


class Seer(Diary):
    """A robot with that camera."""

    spec = RobotSpec(100.0, {"cam": TensorSpec("f32", (4,))}, TensorSpec("f32", (4,)), ("look",))

    def observe(self, name, out) -> None:
        out[:] = len(self.entries)


def held(harness: Harness) -> list[float]:
    """When the robot was given nothing after it had begun to move, in ms."""
    begun_ns = harness.all(Act)[0][0]
    return [at_ns / MS for at_ns, _ in harness.all(Hold) if at_ns > begun_ns]


def played(schedule: SchedulePlan) -> Harness:
    return Harness(schedule).start().run(2000 * MS)


@CASES
def test_a_robot_that_is_proven_to_move_is_never_held(text: str, tmp_path: Path) -> None:
    result = checked(tmp_path, text)
    assert result.plan is not None and result.proof is not None and result.proof.complete
    assert held(played(result.plan.schedule)) == []
    _, drawn = sketch(tmp_path / "bundle")
    assert drawn is not None and drawn.schedule.modules == result.plan.schedule.modules


def test_nor_in_the_real_runtime(tmp_path: Path) -> None:
    plan = checked(tmp_path, MANIFEST).plan
    assert plan is not None
    robot = Seer(length=200)
    with Runtime(plan) as runtime:
        outcome = runtime.run(robot, episodes=1, lockstep=True)
    assert [tick for tick, action in robot.entries if action is None] == [0]
    assert outcome.drops.get("policy.action", {}) == {}


def test_nor_while_one_power_profile_gives_way_to_another(tmp_path: Path) -> None:
    """What the encoder made at 5 Hz is as old as that for a while after it makes 30."""
    power = "power:\n  profiles: { slow: { rate_hz: { encoder: 5 } }, fast: {} }\n"
    plan = checked(tmp_path, ENCODED + power).plan
    assert plan is not None
    for at_ms in range(500, 700, 7):
        harness = Harness(plan.schedule).start()
        harness.at(at_ms * MS, lambda now_ns: SetProfile(now_ns, "fast"))
        assert held(harness.run(1500 * MS)) == []


def test_what_is_made_on_demand_begins_when_it_plays(tmp_path: Path) -> None:
    """However old: a longer horizon would only make the robot slower."""
    asked = "rate_hz: 50, rtc: { swap: boundary }"
    plan = checked(tmp_path, MANIFEST.replace("parallel", "rtc").replace("rate_hz: 50", asked)).plan
    assert plan is not None and plan.schedule.modules[0].chunk == ("policy.action", 5)


STALE = ("to: policy.cam }", "to: policy.cam, max_age_ms: 90, on_stale: skip }")


def test_single_actions_that_may_not_come_are_refused(tmp_path: Path, snapshot) -> None:
    """What the camera saw is up to 100 ms old: a tick of ten is left out, and nobody knows for how long."""
    result = checked(tmp_path, MANIFEST.replace("parallel", "rtc").replace(*STALE))
    assert [d.code for d in result.diagnostics if d.is_error] == ["PC015"] and result.plan is None
    root = f"{(tmp_path / 'bundle').resolve()}/"
    assert render_all(result.diagnostics).replace(root, "") == snapshot


def test_without_real_time_chunking_it_is_only_not_proven(tmp_path: Path) -> None:
    proof = checked(tmp_path, MANIFEST.replace(*STALE)).proof
    assert proof is not None and proof.chunks == {"policy": None}
    assert proof.punctual and not proof.complete
