"""A run that is steered over its socket: what it answers, what it refuses, who may."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from polyrhythm.runtime import Outcome, Runtime, check, run_folders
from polyrhythm.runtime import remote as remote_room
from polyrhythm.runtime.remote import (
    MAX_REQUEST_BYTES,
    Remote,
    RemoteError,
    SetProfile,
    Show,
    Switch,
    Tune,
    ask,
    find,
    runs,
)
from polyrhythm.runtime.run_folders import own_folder
from polyrhythm.schedule.events import Command, Event
from tests.cli.bundles import MANIFEST, make_bundle

#: `slow` comes into force with the next release of vlm; in `never` that is in a quarter of an hour.
PROFILES = """\
contexts: 2
power:
  profiles: { normal: {}, slow: { rate_scale: { head: 0.5 } }, never: { rate_hz: { vlm: 0.001 } } }
"""


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Nobody else's runs; the path of a socket is to be short."""
    made = Path(tempfile.mkdtemp(prefix="pr-"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(made))
    monkeypatch.setattr(run_folders, "gettempdir", lambda: str(made / "tmp"))
    monkeypatch.setattr(run_folders, "SESSIONS", made / "user")
    (made / "tmp").mkdir()
    yield made
    shutil.rmtree(made)


class Began(threading.Event):
    """Set when a run has begun."""

    def step(self, event: Event, commands: list[Command]) -> None:
        self.set()

    def note(self, note: object) -> None:
        pass


class Play(SimpleNamespace):
    """A run in another thread."""

    runtime: Runtime
    remote: Remote
    outcome: Outcome | None = None


@contextmanager
def playing(root: Path, text: str = PROFILES + MANIFEST) -> Iterator[Play]:
    plan = check(make_bundle(root, text)).plan
    assert plan is not None
    began = Began()
    with Runtime(plan) as runtime, Remote(runtime) as remote:
        play = Play(runtime=runtime, remote=remote)

        def run() -> None:
            play.outcome = runtime.run(seconds=600, listeners=[began])

        thread = threading.Thread(target=run)
        thread.start()
        began.wait()
        try:
            yield play
        finally:
            runtime.stop("seen enough")
            thread.join()


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    with playing(tmp_path / "duet") as play:
        yield play


def path() -> Path:
    ((path, _),) = runs()
    return path


def test_what_it_shows(play: Play, tmp_path: Path) -> None:
    ((_, run),) = runs()
    assert run == {
        "process": os.getpid(), "bundle": "duet", "folder": str((tmp_path / "duet").resolve()),
        "profile": "normal", "settled": True, "profiles": ["normal", "slow", "never"],
        "context": 0, "contexts": run["contexts"],
    }  # fmt: skip
    assert run["contexts"]["0"] == "live"
    for name in ("duet", str(os.getpid()), str(tmp_path / "duet")):
        assert find(name)[1]["folder"] == run["folder"]


def test_a_profile_comes_into_force(play: Play) -> None:
    """A bundle without a robot has no control ticks: the instant is told."""
    answer = ask(path(), SetProfile(profile="slow"))
    came, run = answer["in_force"], answer["run"]
    assert came["at_s"] > 0 and came["tick"] is None and came["problem"] == ""
    assert (run["profile"], run["settled"]) == ("slow", True)
    assert ask(path(), SetProfile(profile="slow"))["in_force"]["at_s"] >= came["at_s"], "it is already"


def test_what_does_not_come_into_force_in_time_is_told_as_that(play: Play) -> None:
    assert ask(path(), SetProfile(profile="never"))["in_force"]["at_s"] > 0
    answer = ask(path(), SetProfile(profile="slow", wait_s=0))
    assert answer["in_force"] == {"tick": None, "at_s": None, "problem": ""}
    while (run := ask(path(), Show())["run"])["profile"] != "slow":
        pass
    assert not run["settled"]


def test_the_last_one_asked_for_counts(play: Play) -> None:
    """Where nothing is released a profile is in force at once: so it is when the run ends."""
    play.runtime.set_profile("never").wait()
    slow, normal = play.runtime.set_profile("slow"), play.runtime.set_profile("normal")
    assert not slow.over and not normal.over
    play.runtime.stop("seen enough")
    assert slow.wait(20) and slow.problem == "normal was asked for before it was in force"
    assert normal.wait(20) and normal.at_ns is not None


def test_contexts_switch(play: Play) -> None:
    answer = ask(path(), Switch(context=1))
    assert answer["context"] == {"number": 1, "state": "live", "problem": ""}
    assert answer["run"]["context"] == play.runtime.live.number == 1
    with pytest.raises(RemoteError, match="there is no context 7; there are 0, 1"):
        ask(path(), Switch(context=7))


def test_what_the_runtime_refuses_is_told(play: Play, snapshot) -> None:
    said = []
    for request in (SetProfile(profile="slwo"), Tune(knobs={"beta": 2})):
        with pytest.raises(RemoteError) as refused:
            ask(path(), request)
        said.append(str(refused.value))
    assert said == snapshot


def test_a_run_without_profiles(tmp_path: Path) -> None:
    with playing(tmp_path / "plain", MANIFEST):
        assert ask(path(), Show())["run"]["profiles"] == []
        with pytest.raises(RemoteError, match="no power profile is called 'saver'; there are none"):
            ask(path(), SetProfile(profile="saver"))


def sent(line: bytes) -> dict | None:
    """What is answered to that; None: nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(path()))
        client.sendall(line)
        client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    return json.loads(answer) if answer else None


JUNK = {
    "nothing": b"",
    "no end": b'{"do": "show"}',
    "no JSON": b"show\n",
    "deep": b"[" * (MAX_REQUEST_BYTES - 2) + b"\n",
    "long": b" " * (MAX_REQUEST_BYTES + 1),
    "another": b'{"do": "stop"}\n',
    "more": b'{"do": "show", "pid": 1}\n',
    "no profile": b'{"do": "power"}\n',
    "for ever": b'{"do": "power", "profile": "slow", "wait_s": 1e9}\n',
    "no text": b'{"do": "power", "profile": "\xff"}\n',
}


def test_junk_is_refused_and_disturbs_nobody(play: Play, snapshot) -> None:
    assert {name: (sent(line) or {}).get("error") for name, line in JUNK.items()} == snapshot
    assert play.runtime.profile == "normal" and play.outcome is None


def test_clients_that_say_nothing_hold_nobody_up(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    where = path()
    silent = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(remote_room.MAX_CLIENTS - 2)]
    for client in silent:
        client.connect(str(where))
    assert ask(where, Show())["run"]["bundle"] == "duet"
    for client in silent:
        client.close()


def test_it_is_the_users_alone(play: Play, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = path()
    assert stat.S_IMODE(where.stat().st_mode) == 0o600
    assert stat.S_IMODE(where.parent.stat().st_mode) == 0o700
    peer = remote_room._peer

    def stranger(connection: socket.socket) -> int:
        """At the run's end of a connection."""
        return 12345 if connection.getsockname() else peer(connection)

    monkeypatch.setattr(remote_room, "_peer", stranger)
    with pytest.raises(RemoteError, match="not steered by user 12345"):
        ask(where, Show())


@pytest.mark.parametrize("mode", [0o755, 0o720, 0o707])
def test_a_folder_that_others_reach_is_not_used(mode: int, home: Path, tmp_path: Path) -> None:
    folder = home / f"polyrhythm-{os.geteuid()}"
    folder.mkdir()
    folder.chmod(mode)
    assert list(runs()) == []
    with pytest.raises(RemoteError, match=f"there are none in .*; {folder} is not a folder of user"):
        find("duet")
    with playing(tmp_path / "duet") as play:
        assert play.remote.problem.startswith("no other program can steer this run: ")
    assert play.outcome is not None and not list(folder.iterdir())


def test_where_nothing_runs(home: Path) -> None:
    assert list(runs()) == [] and sorted(home.iterdir()) == [home / "tmp"], "looking leaves nothing behind"
    places = [home, home / "tmp", home / "user" / str(os.geteuid())]
    with pytest.raises(RemoteError) as refused:
        find("duet")
    where = ", ".join(str(place / f"polyrhythm-{os.geteuid()}") for place in places)
    assert str(refused.value) == f"no run is called 'duet'; there are none in {where}"


@pytest.mark.parametrize("base", ["tmp", "user"])
def test_a_run_is_found_from_another_environment(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    """It was started without a session, or with one."""
    session = home / "user" / str(os.geteuid())
    session.mkdir(parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(session) if base == "user" else "")
    with playing(tmp_path / "duet"):
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
        assert (home / base) in path().parents and find("duet")[1]["bundle"] == "duet"


SOMEBODY = """
import json, os, socket, sys
os.setuid(int(sys.argv[1]))
folder = f"{sys.argv[2]}/polyrhythm-{os.getuid()}"
os.mkdir(folder, 0o700)
with socket.socket(socket.AF_UNIX) as server:
    server.bind(f"{folder}/7.1")
    server.listen()
    print("ready", flush=True)
    while True:
        client, _ = server.accept()
        client.recv(4096)
        client.sendall(sys.argv[3].encode() + b"\\n")
        client.close()
"""


@pytest.fixture
def somebody(home: Path) -> Iterator[Callable[[str], Path]]:
    """Runs of another user that answer so; where their sockets are."""
    if os.geteuid() != 0:
        pytest.skip("only root finds what others run")
    home.chmod(0o755)
    (home / "tmp").chmod(0o777)
    with ExitStack() as stack:

        def run(answer: str) -> Path:
            command = [sys.executable, "-c", SOMEBODY, "65534", str(home / "tmp"), answer]
            process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            stack.callback(process.kill)
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            return home / "tmp" / "polyrhythm-65534" / "7.1"

        yield run


STATE = {
    "process": 7, "bundle": "duet\x1b[2J", "folder": "/duet", "profile": "", "settled": True,
    "profiles": [], "context": 0, "contexts": {"0": "live"},
}  # fmt: skip


def test_root_finds_what_others_run(somebody: Callable[[str], Path]) -> None:
    """And does not believe that all they say is fit for a terminal."""
    where = somebody(json.dumps({"run": STATE}))
    assert list(runs()) == [(where, STATE | {"bundle": "duet\ufffd[2J"})]


@pytest.mark.parametrize("answer", ["5", "[]", "{}", '"error"', '{"run": 5}', '{"run": {}}', "[" * 60_000])
def test_what_is_no_answer_is_told(somebody: Callable[[str], Path], answer: str) -> None:
    where = somebody(answer)
    assert list(runs()) == []
    with pytest.raises(RemoteError, match="process 7 does not answer: "):
        ask(where, Show())


def test_what_others_have_left_is_theirs(home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root looks there")
    folder = home / "tmp" / "polyrhythm-65534"
    folder.mkdir(0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(folder / "7.1"))
    os.chown(folder, 65534, 65534)
    assert list(runs()) == [] and (folder / "7.1").exists()


def test_a_socket_that_leads_to_somebody_else_is_not_asked(play: Play, home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    real, folder = path(), home / "tmp" / "polyrhythm-65534"
    folder.mkdir(0o700)
    (folder / "7.1").symlink_to(real)
    os.chown(folder, 65534, 65534)
    assert [found for found, _ in runs()] == [real]
    with pytest.raises(RemoteError, match="leads to a process of user 0"):
        ask(folder / "7.1", Show())


def test_names_that_are_not_one_run(tmp_path: Path, snapshot) -> None:
    said = []
    with playing(tmp_path / "one"), playing(tmp_path / "two"):
        for name in ("duet", "duett"):
            with pytest.raises(RemoteError) as refused:
                find(name)
            said.append(str(refused.value).replace(str(os.getpid()), "PROCESS"))
        assert find(str(tmp_path / "two"))[1]["folder"] == str((tmp_path / "two").resolve())
    assert said == snapshot


def test_it_is_gone_afterwards(tmp_path: Path) -> None:
    with playing(tmp_path / "duet"):
        where = path()
    assert not where.exists() and not list(where.parent.iterdir())
    assert not any(thread.name == "remote" for thread in threading.enumerate())


def test_the_socket_of_a_run_that_was_killed_is_removed(play: Play) -> None:
    left = own_folder() / "4000000.1"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(left))
    assert len(list(runs())) == 1 and not left.exists()
