"""The island's shared memory seen from Python: messages in, messages out, whole or not at all.

A file in ``/dev/shm`` of the layout that `polyrhythm.island.layout` defines. The island maps it; here it is
read and written by system calls (`pread`, `pwrite`), a microsecond each, because memory that is mapped kills
whoever touches it after somebody has cut the file short. A read then merely comes back short, and is refused.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic_ns
from typing import Any

import numpy as np

from polyrhythm.island.layout import (
    DTYPES,
    FILE_BYTES,
    ISLAND_LOCK,
    MAGIC,
    PLACES,
    WRITER_LOCK,
    layout_digest,
)

DIRECTORY = Path("/dev/shm")
_TRIES = 8
_FLOCK = "hhqqi4x"  # struct flock of fcntl(2)


class PortsError(RuntimeError):
    """The ports cannot be used; the message says why and how to mend it."""


class ForeignPortsError(PortsError):
    """Another user's file lies where the ports would be: in ``/dev/shm`` anybody may make one."""

    def __init__(self, path: Path, uid: int) -> None:
        super().__init__(
            f"{path} belongs to user {uid}, and not to user {os.geteuid()}: let them remove it, or give this "
            "island another name in `island.ports`"
        )


class OtherVersionError(PortsError):
    """An island plays on ports that another version of Polyrhythm has made."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"an island of another version of Polyrhythm plays at {path}: stop it with that version, or end "
            f"its process (`pgrep -f {path}` names it)"
        )


def ports_path(name: str) -> Path:
    """Where the ports of that name lie."""
    return DIRECTORY / f"polyrhythm-{os.getuid()}-{name}"


class Ports:
    """One open file of ports. Use `Ports.create` or `Ports.attach`."""

    def __init__(self, fd: int, path: Path) -> None:
        self._fd = fd
        self.path = path
        self._seqs: dict[str, int] = {}
        self._closing = Lock()

    @classmethod
    def create(cls, path: Path, config: np.ndarray) -> Ports:
        """New ports that say `config` (a record of `DTYPES`); what was there before is left to its users.

        Raises:
            PortsError: the file cannot be made, for example because shared memory is full.
            ForeignPortsError: another user's is in the way.
        """
        new = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            new.unlink(missing_ok=True)
            fd = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                # All of it now: a full file system is an error here, and not a bus error in mid-motion.
                os.posix_fallocate(fd, 0, FILE_BYTES)
                ports = cls(fd, path)
                ports.write_record("config", config)
                ports.write_record("header", header_record())
                new.replace(path)
            except BaseException:
                os.close(fd)
                new.unlink(missing_ok=True)
                raise
        except OSError as error:
            with suppress(OSError):
                _judge_owner(path, path.lstat())
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            mend = f"free some of {path.parent}" if full else f"look who may write to {path.parent}"
            raise PortsError(
                f"no ports at {path}: {error.strerror} ({FILE_BYTES} bytes needed); {mend}"
            ) from None
        return ports

    @classmethod
    def attach(cls, path: Path) -> Ports:
        """Ports that are there already.

        Raises:
            PortsError: there are none, or they are truncated, corrupted or of another layout.
            ForeignPortsError: they are another user's.
            OtherVersionError: they are of another layout, and an island plays on them.
        """
        try:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            raise PortsError(f"no ports at {path}: {error.strerror}; is the island running?") from None
        try:
            _judge(fd, path)
        except BaseException:
            os.close(fd)
            raise
        return cls(fd, path)

    @property
    def played(self) -> bool:
        """Whether an island has these ports; it may hang."""
        return _played(self._fd)

    def claim(self) -> int | None:
        """Become the one who sends targets, until these ports are closed or this process ends.

        Returns:
            The process that is it already; None if this one is now.
        """
        try:
            fcntl.fcntl(self._fd, fcntl.F_OFD_SETLK, _lock(WRITER_LOCK))
        except BlockingIOError:
            return int(self.read_record("writer")["pid"])
        self.write_record("writer", record("writer", pid=os.getpid()))
        return None

    def close(self) -> None:
        """Close the file; may be called twice, and by two threads at once."""
        with self._closing:  # a number that was closed may be another file's at once
            fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def unlink(self) -> None:
        """Remove the file, unless somebody has put another in its place."""
        try:
            if os.path.samestat(os.fstat(self._fd), self.path.stat()):
                self.path.unlink()
        except OSError:
            pass

    # -- records ------------------------------------------------------------------------------------------

    def read_record(self, name: str) -> Any:
        """A record as it is, torn or not. Raises `PortsError` if the file has become too short."""
        dtype = DTYPES[name]
        data = os.pread(self._fd, dtype.itemsize, PLACES[name])
        if len(data) < dtype.itemsize:
            raise PortsError(f"{self.path} was cut short; start the island again")
        return np.frombuffer(data, dtype)[0]

    def write_record(self, name: str, value: np.ndarray) -> None:
        """Write a record whole."""
        os.pwrite(self._fd, value.tobytes(), PLACES[name])

    # -- messages -----------------------------------------------------------------------------------------

    def read(self, name: str) -> Any:
        """The newest whole message of that port; None if there is none (yet), or it stays broken."""
        size = DTYPES[name].itemsize
        for _ in range(_TRIES):
            data = os.pread(self._fd, size, PLACES[name])
            if len(data) == size and data[:8] == data[-8:] and any(data[:8]):
                found = np.frombuffer(data, DTYPES[name])[0]
                if zlib.crc32(data[8:-16]) == found["check"]:
                    return found
        return None

    def write(self, name: str, fields: Mapping[str, Any], stamp_ns: int | None = None) -> int:
        """Send a message; arrays may be shorter than the layout's. Returns its sequence number."""
        seq = self._seqs.get(name)
        if seq is None:  # whoever wrote here before, even half a message, is followed
            before = self.read_record(name)
            seq = max(int(before["seq"]), int(before["last"]))
        seq = self._seqs[name] = (seq + 1) & (2**63 - 1)
        message = record(name, **fields)
        message["seq"] = message["last"] = seq
        message["stamp_ns"] = monotonic_ns() if stamp_ns is None else stamp_ns
        message["check"] = zlib.crc32(message.tobytes()[8:-16])
        os.pwrite(self._fd, message.tobytes(), PLACES[name])
        return seq


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """No other process finds, makes or removes the ports at `path` meanwhile. Waits for its turn.

    Raises:
        PortsError: the lock's file, beside the ports, cannot be made.
        ForeignPortsError: it is another user's.
    """
    lock = path.with_name(f"{path.name}.lock")
    fd = _locked(lock)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(fd)


def _locked(lock: Path) -> int:
    while True:
        try:
            fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            with suppress(OSError):
                _judge_owner(lock, lock.lstat())
            raise PortsError(f"{lock}: {error.strerror}; look who may write to {lock.parent}") from None
        try:
            _judge_owner(lock, os.fstat(fd))
            fcntl.flock(fd, fcntl.LOCK_EX)
            # Whoever had it before has removed it: then the lock that counts is another file's.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(fd), lock.stat()):
                    return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)


def record(name: str, **fields: Any) -> np.ndarray:
    """A record with these fields; what is left out is zero, and arrays may be shorter than the layout's."""
    made = np.zeros((), DTYPES[name])
    for field, value in fields.items():
        if made[field].ndim:
            made[field][: len(value)] = value
        else:
            made[field] = value
    return made


def header_record() -> np.ndarray:
    """The record ``header`` of new ports."""
    return record("header", magic=MAGIC, layout=layout_digest(), bytes=FILE_BYTES)


def _lock(byte: int) -> bytes:
    """A lock on one byte, for fcntl(2)."""
    return struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)


def _judge_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise ForeignPortsError(path, status.st_uid)


def _played(fd: int) -> bool:
    found = fcntl.fcntl(fd, fcntl.F_OFD_GETLK, _lock(ISLAND_LOCK))
    return bool(struct.unpack(_FLOCK, found)[0] != fcntl.F_UNLCK)


def _judge(fd: int, path: Path) -> None:
    again = "stop what uses them and start the island again"
    status = os.fstat(fd)
    _judge_owner(path, status)
    size = status.st_size
    # The header and the lock are where they are in every version.
    data = os.pread(fd, DTYPES["header"].itemsize, 0).ljust(DTYPES["header"].itemsize, b"\0")
    header = np.frombuffer(data, DTYPES["header"])[0]
    whole = header["magic"] == MAGIC and header["bytes"] == size
    if whole and header["layout"] != layout_digest():
        if _played(fd):
            raise OtherVersionError(path)
        raise PortsError(f"{path} was made by another version of Polyrhythm; {again}")
    if size != FILE_BYTES:
        raise PortsError(f"{path} has {size} bytes, ports have {FILE_BYTES}; {again}")
    if not whole:
        raise PortsError(f"{path} holds no ports, or they are corrupted; {again}")
