"""The processes of `examples/three_rates`: the island and the body, stopped and killed under a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from syrupy.assertion import SnapshotAssertion

pytest.importorskip("mujoco")

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.island import LiveIsland, Ports, PortsError, config_record, counts_of, ports_path
from polyrhythm.island.live import running
from polyrhythm.manifest import load_or_raise
from polyrhythm.observe.replay import replay
from tests.faults.world import ROOT, Run, check_summary, until
from tests.island.witness import Witness
from tests.runtime.test_contexts import edited

pytestmark = pytest.mark.slow
NAME = f"faults-{os.getpid()}"
BODY = "polyrhythm.robots.balancer"


class Balancing(Run):
    """A run of the example, for longer than any test."""

    @property
    def ticks(self) -> int:
        """Targets that the island has been sent."""
        try:
            ports = Ports.attach(ports_path(NAME))
        except PortsError:
            return 0
        target = ports.read("target")
        ports.close()
        return 0 if target is None else int(target["seq"])

    def island(self) -> psutil.Process:
        """Its island's process."""
        ports = until(lambda: running(ports_path(NAME)))
        pid = int(ports.read_record("counts")["pid"])
        ports.close()
        return psutil.Process(pid)


@pytest.fixture(scope="module")
def balancing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's bundle, with an island of its own."""
    committed = ROOT / "examples" / "three_rates" / "bundle"
    made = edited(
        committed, tmp_path_factory.mktemp("three") / "bundle", ("ports: three-rates", f"ports: {NAME}")
    )
    prepare(open_bundle(made))
    return made


@pytest.fixture
def run(balancing: Path, tmp_path: Path) -> Iterator[Balancing]:
    with Balancing(tmp_path, balancing, ("--episodes", 1000, "--task", "wait")) as run:
        run.goes_on()
        yield run
    assert running(ports_path(NAME)) is None, "no island is left behind"


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP], ids=lambda fault: fault.name)
@pytest.mark.parametrize("who", ["island", "body"])
def test_who_is_gone_is_told(
    run: Balancing, who: str, fault: signal.Signals, snapshot: SnapshotAssertion
) -> None:
    """Without island or body there is nothing to play on: the run ends, with its books in order."""
    process = run.island() if who == "island" else run.child(BODY)
    process.send_signal(fault)
    ended = run.ended()
    with suppress(psutil.NoSuchProcess):  # a body that is stopped does not see that it is alone
        process.kill()
    assert (ended.code, ended.err) == (1, "")
    assert ended.summary["run"]["reason"] == snapshot(name=who)
    found = replay(run.log)
    assert (found.difference, found.end) == (None, "complete")
    check_summary(ended.summary, ended.summary["control"]["ticks"])


def test_an_island_that_hangs_when_it_is_told_to_stop(balancing: Path, snapshot: SnapshotAssertion) -> None:
    """Whoever found it says so; whoever started it kills it."""
    section = load_or_raise(balancing).island
    assert section is not None
    island = LiveIsland.open(ports_path(NAME), config_record(section, balancing))
    os.kill(island.pid, signal.SIGSTOP)
    command = [sys.executable, "-m", "polyrhythm", "island", "stop", str(balancing)]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    said = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=100)
    assert (said.returncode, said.stderr.replace(str(island.pid), "N")) == (2, snapshot)
    island.stop()
    assert running(ports_path(NAME)) is None and not ports_path(NAME).exists()


@pytest.mark.timeout(900)
def test_a_bundle_that_is_swapped_in_beside_the_island(balancing: Path, tmp_path: Path) -> None:
    """The island goes on: every command is within its limits and on its rung, before, meanwhile and after."""
    other = edited(balancing, tmp_path / "other", ("name: three rates", "name: three other rates"))
    prepare(open_bundle(other))
    options = ("--episodes", 1000, "--task", "wait", "--swap-to", other, "--swap-at", "2")
    with Balancing(tmp_path, balancing, options) as run:
        run.goes_on()
        island = run.island()
        with Witness(ports_path(NAME)) as witness:
            run.child("polyrhythm.compile.loader")
            # At the lowest priority, it gets what others leave.
            until(lambda: not run.children("polyrhythm.compile.loader"), patience_s=600)
            run.goes_on(3000)  # warmed up behind what plays, and then swapped in
        ports = Ports.attach(ports_path(NAME))
        counts = counts_of(ports.read_record("counts"))
        ports.close()
        assert run.island().pid == island.pid
        ended = run.interrupt(signal.SIGTERM)
    assert ended.code == 130 and json.loads(ended.out)["swap"]["played"]
    assert counts["entered"]["stop"] == 0 and counts["writers"] == 1 and counts["not_finite"] == 0
    assert witness.commands > 500
    assert running(ports_path(NAME)) is None


def test_a_run_that_is_interrupted_takes_them_with_it(run: Balancing) -> None:
    island, body = run.island(), run.child(BODY)
    ended = run.interrupt(signal.SIGTERM)
    assert (ended.code, ended.err) == (130, "")
    assert json.loads(ended.out)["run"]["reason"] == "interrupted"
    for process in (island, body):
        process.wait(60)
