"""A verb that is told to end while it makes something."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compile.conftest import write_policy

POLICY = """
from neighbour import sleep
from polyrhythm.compile import EntrySource, ModuleSource, Policy


def policy():
    return Policy("manifest.yaml", {"eye": ModuleSource({}, {"see": EntrySource(sleep, {}, ("x",))})})
"""
#: Sleeps while it is lowered.
NEIGHBOUR = """
import time
from pathlib import Path


def sleep(p):
    Path(__file__).with_name("up").write_text("up")
    time.sleep(600)
"""
MANIFEST = "orchestration: { modules: [{ id: eye, vmfb: eye.vmfb, rate_hz: 3 }] }\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_build_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    policy = write_policy(tmp_path / "policy", POLICY, MANIFEST, NEIGHBOUR)
    os.mkfifo(policy.with_name("up"))
    folder = tmp_path / "bundles"
    folder.mkdir()
    command = [sys.executable, "-m", "polyrhythm", "build", str(policy), "--out", str(folder / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert policy.with_name("up").read_text() == "up" and list(folder.iterdir())
        process.send_signal(number)
        _, said = process.communicate()
    assert process.returncode == 128 + number and "Traceback" not in said
    assert list(folder.iterdir()) == []
