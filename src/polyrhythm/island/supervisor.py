"""Keeps a runtime running beside an island: restarts it when it dies, and tells when the island does."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from polyrhythm.island.counts import LOST_WORDS
from polyrhythm.island.live import LiveIsland

#: How often the supervisor looks whether the island hangs; that it has ended is told at once.
LOOK_S = 0.05
#: How long a runtime may take to end when the island is dead.
PATIENCE_S = 10.0
#: Exit codes of a runtime that ended because it was to: done, and interrupted.
WANTED = (0, 130)


@dataclass
class Report:
    """What happened under a supervisor. `exits` are the exit codes of the runtimes, negative for a signal."""

    exits: list[int] = field(default_factory=list)
    restarts: int = 0
    island_deaths: int = 0
    lost: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class Supervisor:
    """Runs `command`, a runtime that attaches to `island`, until it ends as it should.

    The island is not restarted: without it the robot has let go already, and a person has to look.

    Args:
        island: a live island.
        command: the runtime's command line.
        max_restarts: a runtime that dies more often than this is given up.
        say: told what happens, a line at a time.
        stdout: file descriptor that the runtime prints to; this process's if None.
    """

    def __init__(
        self,
        island: LiveIsland,
        command: Sequence[str],
        *,
        max_restarts: int = 5,
        say: Callable[[str], None] = lambda line: None,
        stdout: int | None = None,
    ) -> None:
        self._island = island
        self._command = list(command)
        self._max_restarts = max_restarts
        self._say = say
        self._stdout = stdout
        self.runtime: subprocess.Popen[bytes] | None = None
        self.report = Report(lost=island.read_counts()["lost"])

    def run(self) -> Report:
        """Until the runtime has ended as it should, has died too often, or the island is dead."""
        for lost in self.report.lost:
            self._say(f"the island runs without {LOST_WORDS[lost]}")
        while True:
            code = self._once()
            self.report.exits.append(code)
            if code in WANTED or self.report.island_deaths:
                return self.report
            if self.report.restarts == self._max_restarts:
                self._say(f"the runtime ended with {code}, and has been restarted often enough")
                return self.report
            self.report.restarts += 1
            self._say(f"the runtime ended with {code}; the island holds the robot; starting it again")

    def _once(self) -> int:
        self.runtime = runtime = subprocess.Popen(self._command, stdout=self._stdout)
        with _ended(runtime.pid) as runtime_ended, _ended(self._island.pid) as island_ended:
            while runtime.poll() is None:
                select.select([*runtime_ended, *island_ended], [], [], LOOK_S)
                if not self._island.alive:
                    self.report.island_deaths += 1
                    self._say("the island is dead: the robot has let go; the runtime is ended")
                    runtime.terminate()
                    break
        try:
            return runtime.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            runtime.kill()
            return runtime.wait()


@contextmanager
def _ended(pid: int) -> Iterator[list[int]]:
    """A file descriptor that becomes readable when that process ends; none if it has ended already."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        yield []
        return
    try:
        yield [fd]
    finally:
        os.close(fd)
