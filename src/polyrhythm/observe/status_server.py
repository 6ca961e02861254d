"""Serves the file that a run keeps its status in: ``/`` a page, ``/status.json``, ``/metrics``.

    python -m polyrhythm.observe.status_server FILE HOST PORT

Prints its URL and serves until its standard input closes: so it ends with the run, however that ends, and
removes FILE, which nobody else is left to do. What a client may send for a request is bounded, how long it
may take for it too, and so is how many there may be.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, RawIOBase
from pathlib import Path
from time import monotonic
from typing import Any

PAGE = Path(__file__).with_name("status.html")
MAX_CLIENTS = 256
#: How long a request may take to come, and an answer to go.
PATIENCE_S = 10.0
#: How long a request may be: its line, of which `http.server` takes half as much, and its headers.
MAX_REQUEST_BYTES = 128 << 10
#: What was read is served again for so long.
FRESH_S = 0.05
_TEXT, _JSON, _HTML = "text/plain; version=0.0.4", "application/json", "text/html; charset=utf-8"


class Board:
    """The file, read at most every `FRESH_S`; safe from any thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._read_at_s = 0.0
        self._content = b"{}"

    @property
    def content(self) -> bytes:
        """The newest status, JSON."""
        with self._lock:
            if (now_s := monotonic()) - self._read_at_s > FRESH_S:
                self._read_at_s, self._content = now_s, self._file.read_bytes()
            return self._content


class Requests(RawIOBase):
    """What a client sends; each request has its own time to come, and its own bytes.

    Raises:
        TimeoutError: that time is over.
        HTTPException: those bytes have come, and the request has not ended.
    """

    def __init__(self, connection: socket.socket, patience_s: float) -> None:
        self._connection = connection
        self._patience_s = patience_s
        self.begin()

    def begin(self) -> None:
        """The next request begins."""
        self._until_s = monotonic() + self._patience_s
        self._left = MAX_REQUEST_BYTES

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """What has come, or will."""
        if not self._left:
            raise HTTPException(f"more than {MAX_REQUEST_BYTES} bytes in one request")
        if (left_s := self._until_s - monotonic()) <= 0:
            raise TimeoutError
        self._connection.settimeout(left_s)
        try:
            count = self._connection.recv_into(memoryview(buffer)[: self._left])
        finally:
            self._connection.settimeout(self._patience_s)  # for the answer
        self._left -= count
        return count


class Handler(BaseHTTPRequestHandler):
    """Answers GET and nothing else."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "polyrhythm", ""
    timeout = PATIENCE_S
    disable_nagle_algorithm = True

    def __init__(self, board: Board, *args: Any) -> None:
        self._board = board
        super().__init__(*args)

    def setup(self) -> None:
        """What the client sends goes through `Requests`."""
        super().setup()
        self.rfile.close()
        self._requests = Requests(self.connection, self.timeout)
        self.rfile = BufferedReader(self._requests)

    def handle_one_request(self) -> None:
        """In its own time."""
        self._requests.begin()
        super().handle_one_request()

    def do_GET(self) -> None:
        """One of the three."""
        path = self.path.partition("?")[0]
        if path == "/":
            self._answer(_HTML, PAGE.read_bytes())
        elif path == "/status.json":
            self._answer(_JSON, self._board.content)
        elif path == "/metrics":
            self._answer(_TEXT, "".join(metrics(json.loads(self._board.content))).encode())
        else:
            self.send_error(HTTPStatus.NOT_FOUND, "there are /, /status.json and /metrics")

    def _answer(self, kind: str, content: bytes) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


class Server(ThreadingHTTPServer):
    """At most `MAX_CLIENTS` at once; one more is sent away at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], board: Board) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._places = threading.Semaphore(MAX_CLIENTS)
        super().__init__(address, partial(Handler, board))

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread, if there is a place."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread can be started
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Then the place is free again."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


def metrics(status: Mapping[str, Any]) -> Iterator[str]:
    """A status as Prometheus' text."""
    modules, control = status["modules"], status["control"]
    yield from _metric("running_seconds", "gauge", "since the run began", [({}, status["running_s"])])
    if status["profile"]:
        rows = [({"profile": status["profile"]}, 1)]
        yield from _metric("power_profile", "gauge", "1 for the power profile asked for last", rows)
    for key in ("finished", "late"):
        rows = [({"module": module}, found[key]) for module, found in modules.items()]
        yield from _metric(f"module_{key}_total", "counter", f"ticks that were {key}", rows)
    drops = [
        ({"module": module, "reason": reason}, count)
        for module, found in modules.items()
        for reason, count in found["drops"].items()
    ]
    yield from _metric("module_dropped_total", "counter", "ticks that were dropped", drops)
    for quantile in ("p50", "p99"):
        rows = [
            ({"module": module}, found["response_ms"][quantile] / 1e3)
            for module, found in status["times"]["modules"].items()
            if found["response_ms"] is not None
        ]
        yield from _metric(f"module_response_{quantile}_seconds", "gauge", "from release to done", rows)
    if control is not None:
        yield from _metric("control_acts_total", "counter", "ticks with an action", [({}, control["acts"])])
        holds = [({"reason": reason}, count) for reason, count in control["holds"].items()]
        yield from _metric("control_holds_total", "counter", "ticks without an action", holds)


def _metric(name: str, kind: str, about: str, rows: list[tuple[dict[str, str], Any]]) -> Iterator[str]:
    yield f"# HELP polyrhythm_{name} {about}\n# TYPE polyrhythm_{name} {kind}\n"
    for labels, value in rows:
        inner = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        if value is not None:
            yield f"polyrhythm_{name}{f'{{{inner}}}' if inner else ''} {value}\n"


def _escaped(text: str) -> str:
    return re.sub(r'([\\"])', r"\\\1", text).replace("\n", r"\n")


def main() -> None:
    """See the module."""
    file, host, port = sys.argv[1:]
    os.nice(19)
    try:
        server = Server((host, int(port)), Board(Path(file)))
    except OSError as error:
        raise SystemExit(f"{error.strerror or error}") from None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown = f"[{host}]" if ":" in host else host
    print(f"http://{shown}:{server.server_address[1]}/", flush=True)
    sys.stdin.read()
    _remove(Path(file))
    os._exit(0)


def _remove(file: Path) -> None:
    """The file, the next one if it was being written, and their folder, if nothing else is in it."""
    with suppress(OSError):
        for left in (file, file.with_suffix(".new")):
            left.unlink(missing_ok=True)
        file.parent.rmdir()


if __name__ == "__main__":
    main()
