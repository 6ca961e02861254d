"""Keeps a runtime running beside an island: restarts it when it dies, and tells when the island does."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from polyrhythm.hal.ending import ending_with_me
from polyrhythm.island.counts import LOST_WORDS
from polyrhythm.island.live import LiveIsland

#: How often the supervisor looks whether the island hangs; that it has ended is told at once.
LOOK_S = 0.05
#: How long a runtime may take to end when the island is dead.
PATIENCE_S = 10.0
#: Exit codes of a runtime that is not started again: done, interrupted, and refused what it was given.
FINAL = (0, 130, 2)


@dataclass
class Report:
    """What happened under a supervisor. `exits` are the exit codes of the runtimes, negative for a signal;
    `stopped`: it was told to end."""

    exits: list[int] = field(default_factory=list)
    restarts: int = 0
    island_deaths: int = 0
    lost: list[str] = field(default_factory=list)
    stopped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class Supervisor:
    """Runs a runtime that attaches to `island` until it ends as it should, and again when it dies.

    The island is not restarted: without it the robot has let go already, and a person has to look. A runtime
    never outlives `run`, nor the thread that called it, whatever ends that.

    Args:
        island: a live island.
        commands: the runtime's command line, then those of its restarts. Where there are no more, a runtime
            that dies is given up.
        stopped: asked often whether to end.
        say: told what happens, a line at a time.
        stdout: file descriptor that the runtime prints to; this process's if None.
    """

    def __init__(
        self,
        island: LiveIsland,
        commands: Iterable[Sequence[str]],
        *,
        stopped: Callable[[], bool] = lambda: False,
        say: Callable[[str], None] = lambda line: None,
        stdout: int | None = None,
    ) -> None:
        self._island = island
        self._commands = commands
        self._stopped = stopped
        self._say = say
        self._stdout = stdout
        self.report = Report(lost=island.read_counts()["lost"])

    def run(self) -> Report:
        """Until the runtime has ended for good, has died too often, `stopped`, or the island is dead."""
        report = self.report
        for lost in report.lost:
            self._say(f"the island runs without {LOST_WORDS[lost]}")
        for command in self._commands:
            if self._stopped():  # before there was a runtime, too
                report.stopped = True
                return report
            if report.exits:
                report.restarts += 1
                ended = f"the runtime ended with {report.exits[-1]}"
                self._say(f"{ended}; the island holds the robot; starting it again")
            report.exits.append(self._once(command))
            if report.exits[-1] in FINAL or report.island_deaths or report.stopped:
                return report
        self._say(f"the runtime ended with {report.exits[-1]}, and is not started again")
        return report

    def _once(self, command: Sequence[str]) -> int:
        """Run it, and return its exit code."""
        # In a group of its own: what a terminal sends to all of them reaches it once, through this process.
        with subprocess.Popen(
            ending_with_me(command, signal.SIGTERM), stdout=self._stdout, process_group=0
        ) as runtime:
            try:
                self._watch(runtime)
            finally:
                code = _end(runtime)
        return code

    def _watch(self, runtime: subprocess.Popen[bytes]) -> None:
        """Until it has ended, or is to end."""
        with _ended(runtime.pid) as runtime_ended, _ended(self._island.pid) as island_ended:
            while runtime.poll() is None:
                select.select([*runtime_ended, *island_ended], [], [], LOOK_S)
                if not self._island.alive:
                    self.report.island_deaths += 1
                    self._say("the island is dead: the robot has let go; the runtime is ended")
                    return
                if self._stopped():
                    self.report.stopped = True
                    return


def _end(runtime: subprocess.Popen[bytes]) -> int:
    """End it if it has not ended, by force if need be; returns its exit code."""
    runtime.terminate()
    try:
        return runtime.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        runtime.kill()
        return runtime.wait()


@contextmanager
def _ended(pid: int) -> Iterator[list[int]]:
    """A file descriptor that becomes readable when that process ends; none if there is no such process."""
    try:
        fd = os.pidfd_open(pid)
    except (OSError, OverflowError):  # what the ports say may be no process
        yield []
        return
    try:
        yield [fd]
    finally:
        os.close(fd)
