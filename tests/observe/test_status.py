"""The status of a run over HTTP: a real server process, real sockets, many clients."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe import Stats, status_server
from polyrhythm.observe.status import StatusBoard, StatusError, describe_status
from polyrhythm.observe.status_server import (
    MAX_REQUEST_BYTES,
    PAGE,
    Board,
    Handler,
    Requests,
    Server,
    metrics,
)
from polyrhythm.schedule import Profile
from polyrhythm.schedule.events import SetProfile, Wake
from tests.observe.conftest import Played
from tests.observe.harness import dual_plan

LOCAL = "127.0.0.1:0"


@pytest.fixture(scope="module")
def board(played: Played) -> Iterator[StatusBoard]:
    with StatusBoard("duet", played.stats, LOCAL) as board:
        yield board


def connect(board: StatusBoard) -> HTTPConnection:
    return HTTPConnection(urlsplit(board.url).netloc, timeout=30)


def get(connection: HTTPConnection, path: str) -> tuple[int, bytes]:
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_what_is_served(board: StatusBoard, played: Played) -> None:
    connection = connect(board)
    status, content = get(connection, "/status.json")
    assert status == 200 and json.loads(content) == json.loads(
        json.dumps(describe_status("duet", played.stats.snapshot()))
    )
    assert b"<title>polyrhythm</title>" in get(connection, "/")[1]
    assert get(connection, "/etc/passwd")[0] == 404
    assert get(connection, "/metrics?x")[1].startswith(b"# HELP polyrhythm_running_seconds")


def test_metrics(played: Played, snapshot: SnapshotAssertion) -> None:
    status = json.loads(json.dumps(describe_status("duet", played.stats.snapshot())))
    assert "".join(metrics(status)) == snapshot


def test_the_power_profile_is_told() -> None:
    plan = dual_plan(profiles={"full": Profile(), "saver": Profile({"vlm": None})}, profile="full")
    stats = Stats(plan)
    for name, event in (("full", Wake(1)), ("saver", SetProfile(2, "saver"))):
        stats.step(event, [])
        status = describe_status("duet", stats.snapshot())
        assert status["profile"] == name
        assert f'polyrhythm_power_profile{{profile="{name}"}} 1\n' in "".join(metrics(status))
    assert "polyrhythm_power_profile" not in "".join(metrics(status | {"profile": ""}))
    assert "status.profile" in PAGE.read_text()


def test_sixty_four_clients(board: StatusBoard) -> None:
    answers: list[int] = []

    def ask() -> None:
        connection = connect(board)
        answers.extend(get(connection, "/status.json")[0] for _ in range(20))

    clients = [threading.Thread(target=ask) for _ in range(64)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert answers == [200] * 64 * 20


@pytest.mark.parametrize(
    "junk",
    [
        b"\x80\x04pickle\r\n\r\n",
        b"GET " + b"/" * 70_000,
        b"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 4294967296\r\n\r\n",
    ],
    ids=["no HTTP", "an endless line", "a body", "4 GB of it"],
)
def test_case_6_junk_is_sent_away(board: StatusBoard, junk: bytes) -> None:
    with socket.create_connection(urlsplit(board.url).netloc.split(":")) as client:
        client.sendall(junk)
        assert b" 200 " not in client.recv(64)
    assert get(connect(board), "/status.json")[0] == 200


def address(board: StatusBoard) -> tuple[str, int]:
    found = urlsplit(board.url)
    assert found.hostname is not None and found.port is not None
    return found.hostname, found.port


def test_headers_have_an_end(board: StatusBoard) -> None:
    line, header = b"GET / HTTP/1.1\r\n", b"X: " + b"x" * 20_000 + b"\r\n"
    request = line + header * (MAX_REQUEST_BYTES // len(header) + 1)
    with socket.create_connection(address(board)) as client:
        client.sendall(request[:MAX_REQUEST_BYTES])
        assert b" 431 " in client.recv(64)


def test_every_request_has_bytes_of_its_own(board: StatusBoard) -> None:
    """As long as a connection asks one thing after the other."""
    connection = connect(board)
    for _ in range(3):
        connection.request("GET", "/status.json", headers={"X": "x" * 60_000, "Y": "y" * 60_000})
        answer = connection.getresponse()
        assert (answer.status, answer.read()[:1]) == (200, b"{")


def test_a_request_has_its_time_and_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    at_s = iter([0.0, 4.0, 9.0, 13.0, 100.0, 104.0, 109.0, 113.0, 200.0, 200.0])  # the clock, as it is read
    monkeypatch.setattr(status_server, "monotonic", lambda: next(at_s))
    one, other = socket.socketpair()
    with one, other, Requests(one, 10.0) as requests:
        for turn in range(2):
            if turn:
                requests.begin()
            for _ in range(2):
                other.send(b"x")
                assert requests.read(1) == b"x"
                assert one.gettimeout() == 10.0, "an answer has its own time"
            with pytest.raises(TimeoutError):  # it was never silent for as much as 10 s
                requests.read(1)
        requests.begin()
        other.send(b"yy")
        monkeypatch.setattr(requests, "_left", 1)
        assert requests.read(8) == b"y"
        with pytest.raises(HTTPException, match="bytes in one request"):
            requests.read(8)


def test_who_sends_a_byte_now_and_then_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Handler, "timeout", 0.05)
    with Server(("127.0.0.1", 0), Board(tmp_path / "status")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with socket.create_connection(server.server_address[:2]) as client:
                client.settimeout(0.01)
                assert any(_is_sent_away(client) for _ in range(1000))
        finally:
            server.shutdown()


def test_who_finds_no_thread_takes_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(status_server, "MAX_CLIENTS", 1)
    with Server(("127.0.0.1", 0), Board(tmp_path / "status")) as server, monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with socket.create_connection(server.server_address[:2]) as client:
            server.handle_request()
            assert client.recv(1) == b""
        assert server._places.acquire(blocking=False)


def _is_sent_away(client: socket.socket) -> bool:
    """Send another byte and wait a moment for what the server does."""
    try:
        client.sendall(b"x")
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_an_address_that_is_none_or_taken(played: Played, snapshot: SnapshotAssertion) -> None:
    said = {}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for address in ("8080", "localhost:http", "127.0.0.1:99999", f"127.0.0.1:{port}"):
            with pytest.raises(StatusError) as raised:
                StatusBoard("duet", played.stats, address)
            said[address.replace(str(port), "TAKEN")] = str(raised.value).replace(str(port), "TAKEN")
    assert said == snapshot


@pytest.mark.parametrize("address", ["[::1]:0", "::1:0"])
def test_an_address_of_ipv6(played: Played, address: str) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("there is no IPv6 here")
    with StatusBoard("duet", played.stats, address) as board:
        assert board.url.startswith("http://[::1]:") and get(connect(board), "/")[0] == 200


RUN = f"""
import sys
from polyrhythm.observe import Stats
from polyrhythm.observe.status import StatusBoard
from tests.observe.harness import dual_plan
with StatusBoard("duet", Stats(dual_plan()), "{LOCAL}") as board:
    print(board._server.pid, board._folder, flush=True)
    sys.stdin.read()
"""


def test_the_server_ends_with_a_run_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        pid, folder = run.stdout.readline().split()
        server = psutil.Process(int(pid))
        assert Path(folder.decode()).is_dir()
        os.kill(run.pid, signal.SIGKILL)
    server.wait(30)
    assert not Path(folder.decode()).exists(), "nobody else is left to remove it"


INTERRUPTED = f"""
import os, signal
from http.client import HTTPConnection
from urllib.parse import urlsplit
from polyrhythm.observe import Stats
from polyrhythm.observe.status import StatusBoard
from tests.observe.harness import dual_plan
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever was inherited
signal.pthread_sigmask(signal.SIG_UNBLOCK, {{signal.SIGINT}})
with StatusBoard("duet", Stats(dual_plan()), "{LOCAL}") as board:
    assert os.getpgid(board._server.pid) != os.getpgid(0)
    try:
        os.killpg(0, signal.SIGINT)
        signal.pause()
    except KeyboardInterrupt:
        asked = HTTPConnection(urlsplit(board.url).netloc, timeout=30)
        asked.request("GET", "/status.json")
        print(asked.getresponse().status)
print(board.problem)
"""


def test_ctrl_c_in_a_terminal_leaves_the_server_to_the_run() -> None:
    run = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(run, capture_output=True, text=True, start_new_session=True, check=False)
    assert done.stdout.split() == ["200", "None"], done.stderr


def test_it_is_gone_afterwards(played: Played) -> None:
    with StatusBoard("duet", Stats(played.info.schedule), LOCAL) as board:
        folder = board._folder
        assert get(connect(board), "/status.json")[0] == 200
    assert not folder.exists()
    with pytest.raises(ConnectionRefusedError):
        get(connect(board), "/")
