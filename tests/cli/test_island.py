"""`polyrhythm island` on an island that plays, and where there is none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from polyrhythm.cli.island import run as verb
from polyrhythm.island import LiveIsland, config_record
from polyrhythm.island.live import running, stop
from polyrhythm.manifest import load_or_raise
from polyrhythm.runtime.island import ports_of

NAME = f"cli-test-{os.getpid()}"
MANIFEST = f"""\
robot: {{ use: balancer, control_hz: 100, action: {{ dtype: f32, shape: [1] }} }}
island:
  joints: {{ wheel: {{ velocity: 40, torque: 1, torque_rate: 200, kp: 1, kd: 0.05 }} }}
  priority: 0
  ports: {NAME}
orchestration:
  modules: [{{ id: dit, vmfb: dit.vmfb, rate_hz: 10 }}]
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "manifest.yaml").write_text(MANIFEST)
    yield tmp_path
    island = load_or_raise(tmp_path).island
    if island is not None and (ports := running(ports_of(island))) is not None:
        stop(ports)


def start(bundle: Path) -> LiveIsland:
    island = load_or_raise(bundle).island
    assert island is not None
    return LiveIsland.open(ports_of(island), config_record(island, bundle))


def test_status_and_stop(cli: Callable[..., Result], bundle: Path) -> None:
    start(bundle).detach()
    counts = json.loads(cli("island", "status", str(bundle), "--json").stdout)
    assert counts["rung"] == "hold" and counts["targets"] == 0
    shown = cli("island", "status", str(bundle))
    assert shown.exit_code == 0
    for row in ("periods", "on the ladder", "targets", "late wake-up"):
        assert row in shown.stdout
    assert cli("island", "stop", str(bundle)).exit_code == 0
    gone = cli("island", "status", str(bundle))
    assert gone.exit_code == 1
    assert f"no island runs at /dev/shm/polyrhythm-{os.getuid()}-{NAME}" in gone.output


def test_every_start_of_a_supervised_run_has_files_of_its_own_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [100.0]
    monkeypatch.setattr(verb, "monotonic", lambda: now_s[0])
    files = {"--record": Path("out/run.log"), "--trace": Path("trace")}
    commands = verb._commands(["bundle", "--seed", 3], files, 10.0)
    first = next(commands)
    assert first[1:4] == ["-m", "polyrhythm", "run"]
    assert first[4:] == [
        "bundle",
        "--seed",
        "3",
        "--record",
        "out/run.log",
        "--trace",
        "trace",
        "--seconds",
        "10.0",
    ]
    now_s[0] += 7.5
    assert next(commands)[7:] == ["--record", "out/run-1.log", "--trace", "trace-1", "--seconds", "2.5"]
    now_s[0] += 3
    assert list(commands) == []
    assert len(list(verb._commands([], {}, None))) == 6


@pytest.mark.parametrize("action", ["status", "stop"])
def test_a_manifest_without_an_island(cli: Callable[..., Result], bundle: Path, action: str) -> None:
    text = MANIFEST[: MANIFEST.index("island:")] + MANIFEST[MANIFEST.index("orchestration:") :]
    (bundle / "manifest.yaml").write_text(text)
    result = cli("island", action, str(bundle))
    assert result.exit_code == 2
    assert "has no `island`" in result.output
