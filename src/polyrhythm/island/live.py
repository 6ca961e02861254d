"""The island's process: started or found, given targets, watched, stopped.

It belongs to nobody: it is started in a session of its own and outlives whoever started it. Whoever comes
next finds it by the name of its ports, reads its present command and goes on from there.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic_ns, sleep
from typing import Any

import numpy as np

from polyrhythm.island.build import program
from polyrhythm.island.counts import counts_of
from polyrhythm.island.layout import DTYPES
from polyrhythm.island.ports import ForeignPortsError, OtherVersionError, Ports, PortsError, alone

#: How long a new island may take for its first period, and an old one for its last.
GRACE_NS = 5_000_000_000
#: An island that has not beaten for this long, and for so many periods, hangs.
HUNG_NS, HUNG_PERIODS = 1_000_000_000, 3


class IslandError(RuntimeError):
    """The island does not start, or another one is in the way; the message says why and how to mend it."""


class TakenError(IslandError):
    """Another runtime sends this island its targets, and two would fight over the robot."""


class LiveIsland:
    """A running island, seen from the runtime. Use `LiveIsland.open`.

    Attributes:
        attached: it ran already, and was found.
        pid: of its process.
    """

    def __init__(self, ports: Ports, process: subprocess.Popen[bytes] | None) -> None:
        self.ports = ports
        self.attached = process is None
        self._process = process
        self._mine = False
        self._writer = int.from_bytes(os.urandom(7), "little")
        self.config = ports.read_record("config")
        self.pid = int(ports.read_record("counts")["pid"])

    @classmethod
    def open(cls, path: Path, config: np.ndarray) -> LiveIsland:
        """Find the island with the ports at `path`, or start one; `config` is a record ``config``.

        Raises:
            IslandError: it does not start, or one with another configuration runs there.
            NoCompilerError: it cannot be compiled here.
            PortsError: its shared memory cannot be made, or an island of another version plays there.
        """
        with alone(path):  # between finding none and having one, nobody else finds none
            if (found := running(path)) is None:
                return cls(*_start(path, config))
        plays = found.read_record("config")
        if _hangs(found, plays):
            pid = int(found.read_record("counts")["pid"])
            found.close()
            raise IslandError(f"the island at {path} hangs: kill process {pid}")
        if plays.tobytes() != config.tobytes():
            found.close()
            raise IslandError(
                f"an island with other settings, or made from other files, runs at {path}: stop it with "
                "`polyrhythm island stop`, or give this one another name in `island.ports`"
            )
        return cls(found, None)

    def claim(self) -> None:
        """Become the one who sends targets, until `detach`, `stop` or the end of this process.

        Raises:
            TakenError: another process is it.
        """
        if self._mine:
            return
        if (other := self.ports.claim()) is not None:
            raise TakenError(
                f"another runtime, process {other}, drives the island at {self.ports.path}: end it first"
            )
        self._mine = True

    def target(self, position: Sequence[float] | np.ndarray, velocity: Sequence[float] | np.ndarray) -> None:
        """Send where the joints are to be now, and how fast they are to move on from there.

        Raises:
            TakenError: another process does, see `claim`.
        """
        self.claim()
        fields = {"position": position, "velocity": velocity, "writer": self._writer}
        self.ports.write("target", fields)

    def state(self) -> Any:
        """What the robot said last (a record ``state``); None if it has not said anything."""
        return self.ports.read("state")

    def command(self) -> Any:
        """What the island said last (a record ``command``); None before its first period."""
        return self.ports.read("command")

    @property
    def alive(self) -> bool:
        """Whether its process is there, its heart has beaten lately, and it can be heard."""
        try:
            return self.ports.played and not _hangs(self.ports, self.config)
        except PortsError:  # cut short: what it says reaches nobody
            return False

    def read_counts(self) -> dict[str, Any]:
        """Everything that the island has counted since its start, see `counts_of`."""
        return counts_of(self.ports.read_record("counts"))

    def stop(self) -> None:
        """Let the island end, and remove its ports. One that was started here and hangs is killed.

        Raises:
            IslandError: it was found here, and does not end.
        """
        if self._process is None:
            stop(self.ports)
        else:  # by a signal, which reaches it through ports that are broken too
            self._process.terminate()
            try:
                self._process.wait(GRACE_NS / 1e9)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            _remove(self.ports)

    def detach(self) -> None:
        """Leave it running, and the robot on the ladder."""
        self.ports.close()


def running(path: Path) -> Ports | None:
    """The ports of the island that runs at `path`; None if none does.

    Raises:
        ForeignPortsError: another user's file lies there.
        OtherVersionError: an island of another version runs there.
    """
    try:
        ports = Ports.attach(path)
    except (ForeignPortsError, OtherVersionError):
        raise
    except PortsError:
        return None
    if ports.played:
        return ports
    ports.close()
    return None


def silent_ns(ports: Ports) -> int:
    """How long ago the island of these ports began its last period; the age of the clock if never."""
    return monotonic_ns() - int(ports.read_record("counts")["heartbeat_ns"])


def _hangs(ports: Ports, config: Any) -> bool:
    return silent_ns(ports) > max(HUNG_NS, HUNG_PERIODS * int(config["period_ns"]))


def stop(ports: Ports) -> None:
    """Tell the island of these ports to end, wait until it has, and remove them.

    Raises:
        IslandError: it does not end.
    """
    with alone(ports.path):  # one that is being started has no number yet
        pid = int(ports.read_record("counts")["pid"])
    told = np.zeros((), DTYPES["control"])
    told["stop"] = pid
    ports.write_record("control", told)
    began_ns = monotonic_ns()
    while ports.played:
        if monotonic_ns() - began_ns > GRACE_NS:
            raise IslandError(f"the island (process {pid}) does not end: kill it")
        sleep(0.01)
    _remove(ports)


def _remove(ports: Ports) -> None:
    with alone(ports.path):
        ports.unlink()
    ports.close()


def _start(path: Path, config: np.ndarray) -> tuple[Ports, subprocess.Popen[bytes]]:
    executable = program()
    ports = Ports.create(path, config)
    try:
        process = _spawned(executable, path)
        _await_first_period(process, ports)
    except BaseException:
        ports.unlink()
        ports.close()
        raise
    return ports, process


def _spawned(executable: Path, path: Path) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [str(executable), str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True, cwd="/",
        )  # fmt: skip
    except OSError as error:
        mend = ""
        if error.errno in (errno.ENOEXEC, errno.EACCES):
            with suppress(OSError):
                executable.unlink()
            mend = f"; start it again, it is compiled anew (may programs run in {executable.parent}?)"
        raise IslandError(f"the island does not start: {executable}: {error.strerror}{mend}") from None


def _await_first_period(process: subprocess.Popen[bytes], ports: Ports) -> None:
    assert process.stderr is not None
    began_ns = monotonic_ns()
    try:
        while not ports.read_record("counts")["heartbeat"]:
            if process.poll() is not None or monotonic_ns() - began_ns > GRACE_NS:
                process.kill()
                said = process.stderr.read().decode(errors="replace").strip()
                raise IslandError(f"the island does not start: {said or 'it says nothing'}")
            sleep(0.001)
    except BaseException:  # an interrupt too: nobody would know of this island
        process.kill()
        process.wait()
        raise
    finally:
        process.stderr.close()
