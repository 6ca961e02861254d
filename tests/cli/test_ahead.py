"""A bundle that was built ahead for a named CPU: its static plans run where no compiler is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

pytest.importorskip("jax")

from polyrhythm.bundle import open_bundle
from polyrhythm.bundle.machine_code import cache_directory, compiler_version
from polyrhythm.hal import native
from polyrhythm.island import Ports, RobotSide, counts_of, ports_path
from polyrhythm.island.build import program
from polyrhythm.island.live import running
from polyrhythm.runtime import island_export
from polyrhythm.runtime.island_export import CODES
from tests.cli.test_core_alone import BLOCKED, _runs_here, core_modules
from tests.robots.flywheel import SENSORS, installed

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NAME = f"ahead-{os.getpid()}"
CPU = "x86-64-v3"
MANIFEST = f"""\
name: ahead
robot: {{ use: flywheels, control_hz: 50, action: {{ dtype: f32, shape: [4] }} }}
island:
  policy: {{ vmfb: prior.vmfb, budget_ms: 0.9 }}
  joints:
    left: {{ velocity: 40, torque: 1, torque_rate: 100000, kp: 1, kd: 0 }}
    right: {{ velocity: 40, torque: 1, torque_rate: 100000, kp: 1, kd: 0 }}
  sensors: 2
  blind_ms: 60000
  ladder_ms: {{ stop: 60000 }}
  priority: 0
  ports: {NAME}
devices:
  fast: {{ driver: static }}
orchestration:
  modules:
  - {{ id: drive, vmfb: drive.vmfb, rate_hz: 50 }}
  links:
  - {{ from: drive.targets, to: robot.action }}
"""
POLICY = """\
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy


def policy():
    drive = EntrySource(lambda p: jnp.tanh(p["gain"] * 0), {}, ("targets",))
    act = EntrySource(lambda p, sensors: p["gain"] * sensors, {"sensors": ("f32", (2,))}, ("residual",))
    return Policy(
        "manifest.yaml",
        {
            "drive": ModuleSource({"gain": np.ones(4, np.float32)}, {"drive": drive}),
            "prior": ModuleSource({"gain": np.array([0.5, 2], np.float32)}, {"act": act}),
        },
    )
"""

pytestmark = [
    pytest.mark.skipif(not _runs_here(), reason=f"plans are made for {CPU}"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(tmp_path_factory.mktemp("robot"))


@pytest.fixture(scope="module")
def ahead(robot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ahead")
    (root / "manifest.yaml").write_text(MANIFEST)
    (root / "policy.py").write_text(POLICY)
    command = ["-m", "polyrhythm", "build", root / "policy.py", "--out", root / "bundle"]
    with python(robot, *command, "--target-cpu", CPU) as build:
        err = build.communicate(timeout=500)[1]
    assert build.returncode == 0, err
    return root / "bundle"


def python(robot: Path, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "src", robot)))}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment)


@pytest.fixture
def elsewhere(robot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with native code of this package and nothing of any bundle."""
    native.compile_c(native.RUNNER, name="runner")
    program()
    known = cache_directory().parent
    (tmp_path / "cache" / "polyrhythm").mkdir(parents=True)
    for name in ("native", "island"):
        (tmp_path / "cache" / "polyrhythm" / name).symlink_to(known / name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(robot)
    return tmp_path


@pytest.fixture
def no_island() -> Iterator[None]:
    yield
    assert running(ports_path(NAME)) is None, "an island was left behind"


def test_the_plans_lie_in_the_bundle(ahead: Path, elsewhere: Path) -> None:
    bundle = open_bundle(ahead)
    assert bundle.missing == () and bundle.diagnostics == ()
    drive, prior = bundle.lock.modules["drive.vmfb"], bundle.lock.modules["prior.vmfb"]
    assert drive.plan is not None and drive.island_plan is None
    assert prior.island_plan is not None and prior.plan is None
    assert bundle.plans["drive.vmfb"].path == bundle.root / "drive.plan"
    assert bundle.policy is not None and bundle.policy.path == bundle.root / "prior.island.plan"
    for plan in (drive.plan, prior.island_plan):
        assert plan.machine_code.cpu == CPU and "avx2" in plan.machine_code.features
        assert set(plan.files) <= set(bundle.lock.files)
    assert not (cache_directory()).exists(), "nothing was made here"


def core_alone(robot: Path, *arguments: object) -> subprocess.Popen[str]:
    allowed = core_modules() | {"tests"}  # where the robot is
    return python(robot, "-c", BLOCKED, json.dumps(sorted(allowed)), *arguments)


def test_the_core_alone_runs_static_plans_and_the_islands_policy(
    ahead: Path, robot: Path, elsewhere: Path, no_island: None
) -> None:
    with core_alone(robot, "run", ahead, "--seconds", 1, "--json", "--quiet") as run:
        out, err = run.communicate(timeout=300)
    assert (run.returncode, err) == (0, "")
    summary = json.loads(out)
    drive = summary["modules"]["drive"]
    assert drive["finished"] > 10 and drive["isolated"] is None
    assert summary["island"]["policy"]["runs"] > 10 and summary["island"]["not_finite"] == 0
    assert not cache_directory().exists()


def test_a_plan_for_another_machine_is_told_and_needs_the_compiler(
    ahead: Path, robot: Path, elsewhere: Path, snapshot: SnapshotAssertion
) -> None:
    lock = json.loads((ahead / "bundle.lock").read_text())
    lock["modules"]["drive.vmfb"]["plan"]["compiler"] = "2.0.0"
    copy = elsewhere / "bundle"
    copy.mkdir()
    for file in ahead.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / "bundle.lock").write_text(json.dumps(lock))
    with core_alone(robot, "run", copy, "--seconds", 1) as run:
        err = run.communicate(timeout=300)[1]
    assert run.returncode == 2
    said = [line for line in err.splitlines() if "planning drive.vmfb" not in line]  # shown with its time
    text = "\n".join(said).replace(str(copy.resolve()), "BUNDLE").replace(compiler_version(), "VERSION")
    assert text == snapshot


# -- the island without Python -------------------------------------------------------------------------------


def test_the_island_goes_to_a_machine_without_python(
    ahead: Path, elsewhere: Path, cli: Callable[..., Result], no_island: None
) -> None:
    out = elsewhere / "robot"
    found = json.loads(cli("island", "export", ahead, out, "--target-cpu", CPU, "--json").stdout)
    names = {"README", "island", "policy.plan", "policy.so", "pr_layout.h", "settings"}
    assert set(found["files"]) == names == {path.name for path in out.iterdir()}
    assert found["bytes"] == sum(path.stat().st_size for path in out.iterdir()) < 1 << 20
    moved = out.rename(elsewhere / "moved")  # it needs no bundle, and no path of this machine
    (line,) = (line for line in (moved / "README").read_text().splitlines() if "./island" in line)
    # An empty environment: no path, no Python, no cache.
    with subprocess.Popen(["/bin/sh", "-c", f"exec {line.replace('$(id -u)', str(os.getuid()))}"],
                          cwd=moved, env={}) as island:  # fmt: skip
        while running(ports_path(NAME)) is None and island.poll() is None:
            pass
        ports = Ports.attach(ports_path(NAME))
        side = RobotSide(ports)
        command = None
        while island.poll() is None and (command is None or abs(command["torque"][1] - 0.25) > 1e-6):
            side.send((0.0, 0.0), (0.0, 0.0), SENSORS)
            ports.write("target", {"position": (0.0, 0.0), "velocity": (0.0, 0.0), "writer": 1})
            command = ports.read("command")
        # What the policy adds to the targets, times the gain of the joints.
        assert command is not None and command["torque"][:2].tolist() == [0.125, 0.25]
        mapped = Path(f"/proc/{island.pid}/maps").read_text()
        assert "python" not in mapped and "iree" not in mapped.lower()
        counts = counts_of(ports.read_record("counts"))
        assert counts["policy"]["runs"] > 0 and counts["targets"] > 0
        ports.close()
        island.terminate()
    assert island.returncode == 0


def exported(cli: Callable[..., Result], *arguments: object) -> str:
    result = cli("island", "export", *arguments)
    assert result.exit_code == 2
    return result.output


def test_what_cannot_be_exported(
    ahead: Path,
    elsewhere: Path,
    cli: Callable[..., Result],
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def somebody_is_quicker(cpu: str) -> Path:
        (elsewhere / "taken" / "file").mkdir(parents=True)
        return program(cpu)

    (elsewhere / "empty").mkdir()
    (elsewhere / "link").symlink_to(elsewhere / "empty")

    def said(*arguments: object) -> str:
        text = exported(cli, *arguments)
        return text.replace(str(ahead.resolve()), "BUNDLE").replace(str(elsewhere), "HERE")

    told = {
        "PC146": said(ahead, elsewhere / "out", "--target-cpu", "znver4"),
        "PC147": said(ahead, elsewhere / "cache"),
        "PC147 parent": said(ahead, elsewhere / "no" / "out"),
        "PC147 link": said(ahead, elsewhere / "link"),
    }
    monkeypatch.setattr(island_export, "program", somebody_is_quicker)
    told["PC147 meanwhile"] = said(ahead, elsewhere / "taken", "--target-cpu", CPU)
    assert told == snapshot
    assert {name.partition(" ")[0] for name in told} == set(CODES)
    assert not (elsewhere / "out").exists()
