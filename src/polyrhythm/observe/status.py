"""A run as others may watch it: a page, JSON and Prometheus' text over HTTP, from a process of its own.

The run writes what `Stats` counts to a small file ten times a second, whole or not at all. The server
(`polyrhythm.observe.status_server`) reads that file, so any number of clients costs the run nothing but the
core they are served on; it runs at the lowest priority, and ends with the run. If that was killed it removes
what was left.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from polyrhythm.observe.stats import Stats
from polyrhythm.observe.summary import counts_of, times_of
from polyrhythm.observe.views import Snapshot
from polyrhythm.runtime.loading import end_of

PERIOD_S = 0.1
#: How long the server may take to be there.
START_S = 30.0
FILE = "status.json"


class StatusError(Exception):
    """The status can't be served; the message says why."""


def describe_status(name: str, view: Snapshot) -> dict[str, Any]:
    """What is served: the shape of a summary, as far as the run has come."""
    episode = view.episode
    control = view.control
    return {
        "bundle": name,
        "running_s": view.running_ns / 1e9,
        "halted": view.halted,
        "profile": view.profile,
        "episode": None if episode is None else {"number": episode.number, "task": episode.task},
        "tick": view.tick,
        "episodes": len(view.finished_episodes),
        "modules": counts_of(view),
        "ports": {port: {"published": count} for port, count in view.published.items()},
        "control": None if control is None else {
            "asked_hz": control.asked_hz, "acts": control.acts,
            "holds": control.holds, "drops": control.drops,
        },
        "times": times_of(view),
    }  # fmt: skip


class StatusBoard:
    """A context manager around a run that feeds `stats`.

    Attributes:
        url: where it is served.
        problem: once it is over, why it was not served to the end; None: it was.

    Args:
        address: ``host:port``, IPv6 as ``[::1]:port``; port 0 takes a free one.

    Raises:
        StatusError: the address is none, or can't be listened at.
    """

    def __init__(self, name: str, stats: Stats, address: str) -> None:
        self.problem: str | None = None
        self._name = name
        self._stats = stats
        host, _, port = address.rpartition(":")
        host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if not host or not (port.isascii() and port.isdecimal()) or int(port) > 65535:
            raise StatusError(f"{address!r} is no address: give host:port, for example 127.0.0.1:8080")
        shared = Path("/dev/shm")
        self._folder = Path(
            tempfile.mkdtemp(prefix="polyrhythm-", dir=shared if os.access(shared, os.W_OK) else None)
        )
        try:
            self._write()
            self._server, self.url = _serve(self._folder / FILE, host, port)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="status", daemon=True)

    def __enter__(self) -> StatusBoard:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        if (code := self._server.poll()) is not None:
            self.problem = f"its server {end_of(code)}"
        self._server.kill()
        self._server.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _keep(self) -> None:
        while not self._over.wait(PERIOD_S):
            self._write()

    def _write(self) -> None:
        """Whole or not at all; if there is no room, the last one stays."""
        new = (self._folder / FILE).with_suffix(".new")
        try:
            new.write_text(json.dumps(describe_status(self._name, self._stats.snapshot())))
            new.replace(self._folder / FILE)
        except OSError:
            return


def _serve(file: Path, host: str, port: str) -> tuple[subprocess.Popen[bytes], str]:
    """Start the server; wait until it says where it listens."""
    command = [sys.executable, "-m", "polyrhythm.observe.status_server", str(file), host, port]
    # A session of its own: Ctrl-C in a terminal is for the run, and the server ends when its input does.
    server = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert server.stdout is not None and server.stderr is not None
    if select.select([server.stdout], [], [], START_S)[0] and (url := server.stdout.readline(4096)):
        return server, url.decode().strip()
    server.kill()
    said = server.stderr.read(65536).decode(errors="replace").strip().splitlines()
    server.wait()
    raise StatusError(f"nothing can be served at {host}:{port}: {said[-1] if said else 'it did not start'}")
