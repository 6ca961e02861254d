"""Everything busy: collections and allocations in the run's own process, hogs on every core, many clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.faults.world import ROOT, Run, check_books, check_summary, until

pytestmark = pytest.mark.slow
HOG = "x = 1\nwhile True: x = (x * 1103515245 + 12345) & 0x7fffffff"
#: Asks 100 times a second each, as far as it is answered, until its standard input closes.
CLIENTS = """
import json, sys, threading, time
from http.client import HTTPConnection
address, over, answers, wrong = sys.argv[1], threading.Event(), [], []

def ask():
    connection, seen, due = HTTPConnection(address, timeout=60), -1.0, time.monotonic()
    try:
        while not over.is_set():
            connection.request("GET", "/status.json")
            answer = connection.getresponse()
            found = json.loads(answer.read())
            assert answer.status == 200 and found["running_s"] >= seen, (answer.status, seen)
            seen = found["running_s"]
            answers.append(found["tick"])
            due = max(due + 0.01, time.monotonic())
            over.wait(due - time.monotonic())
    except Exception as error:
        wrong.append(repr(error))
    finally:
        connection.close()

clients = [threading.Thread(target=ask) for _ in range(64)]
[client.start() for client in clients]
print("asking", flush=True)
sys.stdin.read()
over.set()
[client.join() for client in clients]
print(json.dumps({"answers": len(answers), "wrong": wrong, "ticks": [min(answers), max(answers)]}))
"""


@contextmanager
def hogs() -> Iterator[None]:
    """One process that computes for each core."""
    running = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_garbage_and_allocations(bundle: Path, tmp_path: Path) -> None:
    """A thread of the robot's own makes cycles and big arrays, and has all of it collected, over and over."""
    with Run(tmp_path, bundle, env={"FAULTS_MODE": "storm"}) as run:
        run.goes_on(150)
        ended = run.end()
    assert ended.code == 0
    check_summary(ended.summary, check_books(run.log))


def test_a_hog_on_every_core(bundle: Path, tmp_path: Path) -> None:
    with Run(tmp_path, bundle) as run:
        run.goes_on()
        with hogs():
            run.goes_on(150)
        run.goes_on()
        ended = run.end()
    assert ended.code == 0
    check_summary(ended.summary, check_books(run.log))


def test_sixty_four_clients_that_ask_a_hundred_times_a_second(bundle: Path, tmp_path: Path) -> None:
    with Run(tmp_path, bundle, ("--status", "127.0.0.1:0")) as run:
        run.goes_on(1)
        url = run.said.split()[1]
        command = [sys.executable, "-c", CLIENTS, url.removeprefix("http://").strip("/")]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as clients:
            assert clients.stdout is not None and clients.stdout.readline() == "asking\n"
            server = run.child("polyrhythm.observe.status_server")
            until(lambda: len(server.net_connections()) > 60)
            run.goes_on(150)
            found = json.loads(clients.communicate()[0])
            assert server.num_fds() < 200
        until(lambda: _only_listens(server))
        ended = run.end()
    assert found["wrong"] == [] and found["answers"] >= 64
    assert found["ticks"][0] < found["ticks"][1] <= ended.summary["control"]["ticks"]
    assert ended.code == 0 and "warning" not in ended.err
    check_summary(ended.summary, check_books(run.log))


def _only_listens(server: psutil.Process) -> bool:
    return all(c.status in ("LISTEN", "TIME_WAIT") for c in server.net_connections())
