"""The log of a run: every event with the commands that answered it, from which the run can be played again.

A file begins with `MAGIC`; frames follow, each four bytes of length, four of CRC-32 and a piece of one
deflate stream, flushed so that every frame can be unpacked when all before it have been. The first holds the
header (which plan, which player, made by which version), every other one record: ``[event, commands]`` as
JSON, an event or command as its name and its fields. The last says how the log ended. So a log that was cut
off, or spoilt somewhere, can be read up to there, is known for what it is, and never grows beyond its limit.
"""

from __future__ import annotations

import json
import struct
import threading
import zlib
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from importlib.metadata import version
from pathlib import Path
from time import sleep
from types import TracebackType
from typing import IO, Any, BinaryIO, NamedTuple, get_args

from pydantic import TypeAdapter, ValidationError

from polyrhythm.bundle.atomic import NewFile
from polyrhythm.chunks import PlayerPlan
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.runtime import Note, Plan, RunOver, Runtime
from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Admit, Command, Event

MAGIC = b"PRLOG\r\n\x01"
LIMIT_BYTES = 1 << 30
#: No frame is larger, packed or unpacked.
MAX_FRAME_BYTES = 16 << 20
#: The plans that are played again have no more slots in all; each takes memory.
MOST_SLOTS = 1_000_000
#: No clock goes further, either way.
MOST_NS = 1 << 62
#: Records that may wait to be written before the log is given up: the disk is too slow.
MAX_WAITING = 200_000
#: The same of a run that waits for the disk then.
MAX_WAITED_FOR = 20_000
#: How often what has come is written.
INTERVAL_S = 0.05
#: How long the end of a run waits for what has not been written yet.
CLOSE_S = 10.0

_FRAME = struct.Struct("<II")
COMPLETE, CUT_OFF, SPOILT = "complete", "cut off", "spoilt"
#: What every frame ends with, and nothing else has but by chance (`Z_SYNC_FLUSH`, RFC 1951).
_FLUSHED = b"\0\0\xff\xff"
_ROOM_FOR_LAST = 512


class LogError(Exception):
    """This is no log, or it can't be read; the message names the file and what is wrong."""


class Header(NamedTuple):
    """What a log begins with; `context` is the number of the one that plays first."""

    made_by: str
    bundle: str
    plan: SchedulePlan
    player: PlayerPlan
    context: int = 0


_HEADER = TypeAdapter(Header)
_EVENTS = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}


def encode(item: Event | Command) -> list[Any]:
    """An event or a command as its name and its fields."""
    return [type(item).__name__, *item]


def dumps(value: Any) -> bytes:
    """The only JSON text of a value."""
    return json.dumps(value, separators=(",", ":"), default=_plain).encode()


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    raise TypeError(f"a {type(value).__name__} has no place in a log")


class LogWriter:
    """A listener that writes the log of one run; a context manager.

    `step` only queues; a thread packs and writes, and closes the file when the run is over, or the block:
    what comes later has no place in it. What goes wrong there never reaches the run: the log ends, `problem`
    says why.

    Args:
        path: the file; what was there is replaced when the run begins, with its first event. A run that has
            none leaves no log, and what was there is as it was.
        header: what the run is.
        limit_bytes: the file ends before it is larger than that.
        patient: the run waits for a slow disk, and goes on: for virtual time, on which nobody waits.

    Raises:
        OSError: the file can't be made.
        ValueError: the limit is too small for a header.
    """

    def __init__(
        self, path: Path | str, header: Header, limit_bytes: int = LIMIT_BYTES, *, patient: bool = False
    ) -> None:
        self.problem: str | None = None
        self._patient = patient
        self.records = 0
        self._waiting: deque[tuple[Event, list[Command]]] = deque()
        self._left = limit_bytes
        self._packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        self._failure: str | None = None
        self._new = NewFile(path)
        self._file: BinaryIO = self._new.file
        try:
            self._file.write(MAGIC)
            if not self._put(dumps(_HEADER.dump_python(header, mode="json"))):
                raise ValueError(f"a log of {limit_bytes} bytes has no room for its header")
            self._file.flush()
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise OSError(error.errno, error.strerror, str(path)) from None
            raise
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._write, name="event log", daemon=True)
        self._thread.start()

    def step(self, event: Event, commands: list[Command]) -> None:
        """Keep an event and its commands."""
        while self._patient and self.problem is None and len(self._waiting) >= MAX_WAITED_FOR:
            sleep(INTERVAL_S)
        if self.problem is not None or self._ending.is_set():
            return
        if len(self._waiting) >= MAX_WAITING:
            self.problem = f"the disk is too slow: {len(self._waiting)} records waited"
        else:
            self._waiting.append((event, commands))

    def note(self, note: Note) -> None:
        """Notes follow from what the robot did, and a replay needs none; the last one ends the log."""
        if type(note) is RunOver:
            self._end(note.failure)

    def close(self) -> None:
        """Write what is left and how the log ended; may be called twice. A disk that hangs is left behind."""
        self._end(None)

    def _end(self, failure: str | None) -> None:
        if self._ending.is_set():
            return
        if failure is not None:
            self._failure = f"the run ended with {failure}"
        self._ending.set()
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            self.problem = f"the disk hangs: the last records were not written within {CLOSE_S:g} s"

    def _close(self) -> None:
        with suppress(OSError):  # told already; what is left in its buffer does not fit either
            self._file.close()
        with suppress(OSError):
            self._new.discard()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(None if kind is None else kind.__name__)

    def _write(self) -> None:
        """In its own thread."""
        try:
            ending = False
            while not ending and self.problem is None:
                ending = self._ending.wait(INTERVAL_S)
                self._write_waiting()
                self._file.flush()
            self.problem = self.problem or self._failure
            self._put(dumps({"end": self.problem or COMPLETE, "records": self.records}), last=True)
            self._file.flush()
        except OSError as error:
            self.problem = f"{error.strerror or error}"
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self._waiting.clear()
            self._close()

    def _write_waiting(self) -> None:
        while self._waiting and self.problem is None:
            self._new.take_place()
            event, commands = self._waiting.popleft()
            if self._put(dumps([encode(event), [encode(command) for command in commands]])):
                self.records += 1
            else:
                self.problem = "the limit of its size was reached"

    def _put(self, payload: bytes, last: bool = False) -> bool:
        """Write a frame; False, and nothing written, if it would not leave room for the last one."""
        if not last and len(payload) + _ROOM_FOR_LAST > self._left:
            return False
        packed = self._packer.compress(payload) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        self._file.write(_FRAME.pack(len(packed), zlib.crc32(packed)) + packed)
        self._left -= len(packed) + _FRAME.size
        return True


@dataclass(slots=True)
class Log:
    """A log being read: its header at once, its records one by one. Use it once.

    `end` is None until all records were read: `COMPLETE`, what stopped the writer, `CUT_OFF` (its writer was
    killed) or `SPOILT` (what comes after cannot be read).
    """

    path: Path
    header: Header
    _frames: Generator[bytes, None, str]
    end: str | None = None

    def __iter__(self) -> Iterator[tuple[Event, bytes]]:
        """Every event with the JSON text of the commands that answered it.

        Raises:
            LogError: a whole record that makes no sense, or a plan that is too large.
        """
        slots = _slots(self.header.plan)
        for number, payload in enumerate(self._payloads()):
            record = _json(payload, self.path)
            if isinstance(record, dict):
                self.end = printable(str(record.get("end")))
                return
            try:
                (name, *fields), commands = record
                event = _EVENTS[name].validate_python(fields)
                if abs(event.now_ns) > MOST_NS:
                    raise ValueError("an instant that no clock has")
                if not isinstance(commands, list) or not all(map(_is_item, commands)):
                    raise ValueError("its commands are none")
            except (KeyError, TypeError, ValueError) as error:
                raise LogError(
                    f"{self.path}: record {number} makes no sense to this version ({_first_line(error)}); "
                    f"it was made by polyrhythm {printable(self.header.made_by)}"
                ) from None
            if isinstance(event, Admit):
                slots += _slots(event.plan)
                _check_slots(self.path, slots)
            yield event, dumps(commands)

    def _payloads(self) -> Iterator[bytes]:
        self.end = yield from self._frames


def read_log(path: Path | str) -> Log:
    """Open a log.

    Raises:
        LogError: it is none, or its header can't be read.
        OSError: the file can't be opened.
    """
    path = Path(path)
    frames = _frames(path)
    try:
        header = _HEADER.validate_python(_json(next(frames), path))
    except StopIteration as over:
        raise LogError(
            f"{path}: {over.value} before the end of its header: nothing can be replayed"
        ) from None
    except ValidationError as error:
        raise LogError(f"{path}: its header makes no sense to this version: {_first_line(error)}") from None
    _check_slots(path, _slots(header.plan))
    return Log(path, header, frames)


def _is_item(value: object) -> bool:
    """Whether it may be an event or a command."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _slots(plan: SchedulePlan) -> int:
    return sum(map(abs, plan.ports.values()))


def _check_slots(path: Path, slots: int) -> None:
    if slots > MOST_SLOTS:
        raise LogError(f"{path}: its plans have {slots} slots; at most {MOST_SLOTS} are played again")


def record_to(
    path: Path | str, played: Plan | Runtime, limit_bytes: int = LIMIT_BYTES, *, patient: bool = False
) -> LogWriter:
    """A writer for a run; see `LogWriter`.

    Args:
        played: the runtime whose next run is recorded, or the plan that it was made of, as long as its
            first context plays.
    """
    context, plan = (0, played) if isinstance(played, Plan) else (played.live.number, played.plan)
    name = plan.manifest.name or plan.bundle.root.name
    header = Header(version("polyrhythm"), name, plan.schedule, plan.player, context)
    return LogWriter(path, header, limit_bytes, patient=patient)


def _frames(path: Path) -> Generator[bytes, None, str]:
    """The whole frames of a file, unpacked, to the first that is not; returns `CUT_OFF` or `SPOILT`."""
    unpacker = zlib.decompressobj(-15)
    with path.open("rb") as file:
        if (magic := file.read(len(MAGIC))) != MAGIC:
            known = magic[:-1] == MAGIC[:-1]
            raise LogError(
                f"{path}: format {magic[-1]} of a log, this version reads {MAGIC[-1]}" if known
                else f"{path}: this is not a log that `polyrhythm run --record` wrote"
            )  # fmt: skip
        while len(head := file.read(_FRAME.size)) == _FRAME.size:
            length, checksum = _FRAME.unpack(head)
            packed = file.read(length) if length <= MAX_FRAME_BYTES else b""
            payload = b""
            if len(packed) == length and zlib.crc32(packed) == checksum:
                with suppress(zlib.error):
                    payload = unpacker.decompress(packed, MAX_FRAME_BYTES)
            if not payload or unpacker.unconsumed_tail:
                return SPOILT if _goes_on(file) or (len(packed) < length and _FLUSHED in packed) else CUT_OFF
            yield payload
    return CUT_OFF


def _goes_on(file: IO[bytes]) -> bool:
    """Whether there is more; not the zeros that a disk which lost its power leaves."""
    return any(part.strip(b"\0") for part in iter(lambda: file.read(1 << 16), b""))


def _json(payload: bytes, path: Path) -> Any:
    try:
        return json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise LogError(f"{path}: a record is no JSON: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{error!r}".splitlines()[0]
