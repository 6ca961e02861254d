"""`polyrhythm power`, `switch` and `tune` on a run in another process, and the replay of what they did."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe.eventlog import read_log
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import remote, run_folders
from polyrhythm.schedule.events import SetProfile
from tests.cli.bundles import MANIFEST, make_bundle
from tests.cli.test_verbs import Cli

PROFILES = (
    "contexts: 2\npower:\n  profiles: { normal: {}, saver: { drop: vlm, rate_scale: { head: 0.5 } } }\n"
)
#: As `polyrhythm run --record` does it; says when it has begun.
RUN = """
import sys
from pathlib import Path
from polyrhythm.observe.eventlog import record_to
from polyrhythm.runtime import check, play

class Ready:
    told = False
    def step(self, event, commands):
        if not self.told:
            self.told = True
            print("ready", flush=True)
    def note(self, note):
        pass

plan = check(Path(sys.argv[1])).plan
with record_to(Path(sys.argv[2]), plan) as log:
    outcome = play(plan, seconds=600, listeners=[log, Ready()], reachable=True)
print(outcome.profile, outcome.profile_changes, outcome.notes, flush=True)
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Nobody else's runs; the path of a socket is to be short."""
    made = Path(tempfile.mkdtemp(prefix="pr-"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(made))
    monkeypatch.setattr(run_folders, "gettempdir", lambda: str(made / "tmp"))
    monkeypatch.setattr(run_folders, "SESSIONS", made / "user")
    (made / "tmp").mkdir()
    yield made
    shutil.rmtree(made)


def test_a_run_is_steered_from_another_process(
    cli: Cli, home: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    root, log = make_bundle(tmp_path / "duet", PROFILES + MANIFEST), tmp_path / "run.log"
    with subprocess.Popen(
        [sys.executable, "-c", RUN, root, log], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None and run.stdout.readline() == "ready\n"
        told = [cli(*args).output for args in (("power",), ("power", "duet", "saver"), ("power", root))]
        came = json.loads(cli("power", run.pid, "normal", "--json").stdout)["in_force"]
        told += [cli("switch", "duet", 1).output, cli("switch", "duet").output]
        refused = [
            cli(*args)
            for args in (("power", "duet", "savr"), ("power", "duo", "saver"), ("power", "xyz"),
                         ("tune", "duet", "beta=2"), ("tune", "duet", "beta"), ("switch", "duet", 5))
        ]  # fmt: skip
        run.send_signal(signal.SIGINT)
        assert run.stdout.read() == "normal 2 []\n"
    assert [result.exit_code for result in refused] == [2] * len(refused)
    words = "".join(told) + "".join(result.output for result in refused)
    at = " IN s after"
    words = "\n".join(
        line.partition("in force ")[0] + "in force" + at if " s after" in line else line
        for line in words.replace(str(run.pid), "PROCESS").splitlines()
    )
    assert words == snapshot
    played = read_log(log)
    asked = [(event.now_ns, event.name) for event, _ in played if isinstance(event, SetProfile)]
    assert [name for _, name in asked] == ["saver", "normal"] and came["at_s"] > 0
    found = replay(log)
    assert (found.difference, found.end) == (None, "complete")
    places = ", ".join(str(base / f"polyrhythm-{os.geteuid()}") for base in places_of(home))
    assert cli("power").output == f"no run is under way in {places}\n"


def places_of(home: Path) -> list[Path]:
    """Where runs are looked for."""
    return [home, home / "tmp", home / "user" / str(os.geteuid())]


STATE = {
    "process": 7, "bundle": "duet", "folder": "/duet", "profile": "normal", "settled": False,
    "profiles": ["normal", "saver"], "context": 0, "contexts": {"0": "live", "1": "ready"},
}  # fmt: skip


@pytest.mark.parametrize("wait", ["0", "2"])
@pytest.mark.parametrize("verb", ["power", "switch"])
def test_what_has_not_happened_is_a_failure_if_one_waited(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, verb: str, wait: str, snapshot: SnapshotAssertion
) -> None:
    answer = {
        "in_force": {"tick": None, "at_s": None, "problem": ""},
        "context": {"number": 1, "state": "ready", "problem": ""},
        "run": STATE,
    }
    monkeypatch.setattr(remote, "find", lambda name: (Path("7.1"), STATE))
    monkeypatch.setattr(remote, "ask", lambda path, request: answer)
    ask = (verb, "duet", {"power": "saver", "switch": 1}[verb], "--wait", wait)
    told, spoken = cli(*ask), cli(*ask, "--json")
    assert told.exit_code == spoken.exit_code == (wait != "0")
    assert told.output == snapshot
    assert json.loads(spoken.stdout) == answer


def test_polyrhythm_run_can_be_steered_or_says_why_not(cli: Cli, home: Path, bundle: Path) -> None:
    (home / f"polyrhythm-{home.stat().st_uid}").touch()
    run = cli("run", bundle, "--seconds", 0.1, "--quiet", "--json")
    assert run.exit_code == 0
    (note,) = json.loads(run.stdout)["run"]["notes"]
    assert note.startswith("no other program can steer this run: ")
    still = cli("run", bundle, "--seconds", 0.1, "--quiet", "--json", "--lockstep")
    assert json.loads(still.stdout)["run"]["notes"] == []
