"""A run that other programs of the same user may look at and steer, over a socket that nobody else reaches.

A connection is one request and one answer, each a line of JSON. The socket lies in a folder of that user's
alone, and who connects is looked at as well; what may be sent is bounded, how long it may take, and how many
may be there at once. A request goes the way of `Runtime.set_profile`, `retune` and `switch`: so it is refused
as they refuse it, and what the scheduler is told stands in the run's log.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from polyrhythm.manifest import nearest
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.runtime.chunk_check import GUIDANCE
from polyrhythm.runtime.outcome import RunError
from polyrhythm.runtime.run_folders import folders, looked, own_folder, user_of

if TYPE_CHECKING:
    from polyrhythm.runtime.play import Runtime

MAX_REQUEST_BYTES, MAX_ANSWER_BYTES = 4096, 1 << 16
#: How long a request may take to come, and an answer to go.
PATIENCE_S = 2.0
MAX_CLIENTS = 16
#: How long what was asked for may take to come into force before it is answered that it has not.
WAIT_S = 10.0
#: How long the end of a run waits for answers that are on their way.
_GRACE_S = 1.0
_CREDENTIALS = struct.Struct("iII")  # struct ucred of unix(7)


class RemoteError(Exception):
    """A run can't be reached, or refuses what it is asked; the message says why and how to mend it."""


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Show(_Asked):
    """What the run is, and how it stands; every other request is answered with that too."""

    do: Literal["show"] = "show"


class SetProfile(_Asked):
    """Change to a power profile; answered when it is wholly in force, or has not been for so long."""

    do: Literal["power"] = "power"
    profile: str
    wait_s: float = Field(default=WAIT_S, ge=0, le=3600)


class Switch(_Asked):
    """Let another context play; answered when it does, or has not for so long."""

    do: Literal["switch"] = "switch"
    context: int
    wait_s: float = Field(default=WAIT_S, ge=0, le=3600)


class Tune(_Asked):
    """Make chunks differently from the next one on, see `Runtime.retune`."""

    do: Literal["tune"] = "tune"
    knobs: dict[str, Any]


Request = Show | SetProfile | Switch | Tune


class _Run(BaseModel):
    """How a run stands: what every answer has."""

    process: int
    bundle: str
    folder: str
    profile: str
    settled: bool
    profiles: list[str]
    context: int
    contexts: dict[str, str]


_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="do")])
_numbers = count(1)


class Remote:
    """A context manager around a runtime: answers as long as it is open, from threads of its own.

    Attributes:
        problem: why the runtime can't be reached after all; empty: it can. It runs all the same.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.problem = ""
        self._runtime = runtime
        self._places = threading.Semaphore(MAX_CLIENTS)
        self._serving: set[threading.Thread] = set()
        self._over = threading.Event()
        self._path: Path | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._listen, name="remote", daemon=True)

    def __enter__(self) -> Remote:
        try:
            self._open(own_folder() / f"{os.getpid()}.{next(_numbers)}")
        except OSError as error:
            self.problem = f"no other program can steer this run: {error}"
            self._socket.close()
            return self
        self._thread.start()
        return self

    def _open(self, path: Path) -> None:
        """Whoever finds the socket under its name is answered."""
        new = path.with_name(f".{path.name}")
        new.unlink(missing_ok=True)  # of a process that had this number before
        self._socket.bind(str(new))
        new.chmod(0o600)
        self._socket.listen(MAX_CLIENTS)
        self._path = new.replace(path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._path is None:
            return
        self._path.unlink(missing_ok=True)
        self._over.set()
        self._socket.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for clients
        self._thread.join()
        self._socket.close()
        until_s = monotonic() + _GRACE_S
        for thread in tuple(self._serving):
            thread.join(max(0.0, until_s - monotonic()))

    # -- in its own threads -------------------------------------------------------------------------------

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:  # it is over, or there is no room for another file
                self._over.wait(PATIENCE_S)
                continue
            if not self._places.acquire(blocking=False):
                connection.close()
                continue
            thread = threading.Thread(target=self._serve, args=(connection,), name="remote", daemon=True)
            self._serving.add(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError):  # a client that went away is no news
                _send(connection, self._answered(connection))
        finally:
            self._serving.discard(threading.current_thread())
            self._places.release()

    def _answered(self, connection: socket.socket) -> dict[str, Any]:
        try:
            line = _line(connection, MAX_REQUEST_BYTES)  # first: who still writes does not hear an answer
            if (user := _peer(connection)) not in (os.geteuid(), 0):
                raise RemoteError(f"this run is not steered by user {user}")
            return self.answer(_REQUEST.validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            return {"error": ": ".join(filter(None, ("no such request", where, first["msg"])))}
        except (RunError, RemoteError) as error:
            return {"error": str(error)}

    def answer(self, request: Request) -> dict[str, Any]:
        """Do what is asked for, and say what came of it and how the run stands then; for `json.dumps`.

        Raises:
            RunError: the runtime refuses it.
        """
        match request:
            case SetProfile():
                came = self._set_profile(request)
            case Switch():
                came = self._switch(request)
            case Tune():
                tuning = self._runtime.retune(**request.knobs)
                rtc = tuning.rtc.model_dump(mode="json", include=set(GUIDANCE))
                came = {"tuned": {"steps": tuning.steps, **rtc}}
            case Show():
                came = {}
        return {**came, "run": self._shown()}

    def _set_profile(self, request: SetProfile) -> dict[str, Any]:
        change = self._runtime.set_profile(request.profile)
        change.wait(request.wait_s)
        at_s = None if change.at_ns is None else change.at_ns / 1e9
        return {"in_force": {"tick": change.tick, "at_s": at_s, "problem": change.problem}}

    def _switch(self, request: Switch) -> dict[str, Any]:
        context = self._runtime.switch(request.context)
        state = context.wait("live", timeout_s=request.wait_s)
        return {"context": {"number": context.number, "state": state, "problem": context.reason}}

    def _shown(self) -> dict[str, Any]:
        runtime = self._runtime
        plan = runtime.plan
        return {
            "process": os.getpid(),
            "bundle": plan.manifest.name or plan.bundle.root.name,
            "folder": str(plan.bundle.root.resolve()),
            "profile": runtime.profile,
            "settled": runtime.profile_settled,
            "profiles": list(plan.schedule.profiles),
            "context": runtime.live.number,
            "contexts": {number: context.state for number, context in runtime.contexts.items()},
        }


# -- the other side ---------------------------------------------------------------------------------------


def ask(path: Path, request: Request) -> dict[str, Any]:
    """Send a request to the run behind a socket; returns its answer, with all that is said in it printable.

    Raises:
        RemoteError: it refuses, or does not answer, or it is not of the user whose folder this is.
        OSError: it can't be reached.
    """
    wait_s = getattr(request, "wait_s", 0.0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE_S)
        connection.connect(str(path))
        if (user := _peer(connection)) != path.parent.stat().st_uid:
            raise RemoteError(f"{path} leads to a process of user {user}")
        try:
            _send(connection, request.model_dump())
            answer = dict(_plain(json.loads(_line(connection, MAX_ANSWER_BYTES, PATIENCE_S + wait_s))))
            if "error" not in answer:
                return {**answer, "run": _Run.model_validate(answer["run"]).model_dump()}
        except (OSError, ValueError, TypeError, LookupError, RecursionError, RemoteError) as error:
            raise RemoteError(f"process {path.stem} does not answer: {error}") from None
    raise RemoteError(str(answer["error"]))


def _plain(value: Any) -> Any:
    """The same with every text printable: it is another user's, if root asks."""
    match value:
        case str():
            return printable(value)
        case list():
            return list(map(_plain, value))
        case dict():
            return {printable(key): _plain(inner) for key, inner in value.items()}
    return value


def runs() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The sockets of all runs that answer, with how each stands; those of runs that were killed are removed.

    Those of this user, in all folders where they may lie; root finds those of others too.
    """
    for folder in folders():
        for path in sorted(folder.glob("[0-9]*")):
            try:
                yield path, ask(path, Show())["run"]
            except ConnectionRefusedError:
                if user_of(folder) == os.geteuid():  # what is in another's may be elsewhere by now
                    path.unlink(missing_ok=True)
            except (OSError, RemoteError):
                continue  # it ends just now, or it was stopped


def find(name: str) -> tuple[Path, dict[str, Any]]:
    """The run of this name: the bundle's, its folder, or the number of its process.

    Raises:
        RemoteError: there is none, or more than one.
    """
    there = list(runs())
    folder = str(Path(name).resolve())
    found = [
        (path, run)
        for path, run in there
        if name in (str(run["process"]), run["bundle"]) or folder == run["folder"]
    ]
    if len(found) == 1:
        return found[0]
    told = ", ".join(f"{run['bundle']} (process {run['process']})" for _, run in found or there)
    if found:
        raise RemoteError(f"more than one run is called {name!r}: {told}; give its folder or process")
    guess = nearest(name, [run["bundle"] for _, run in there])
    raise RemoteError(
        f"no run is called {name!r}; there are {told or f'none {looked()}'}"
        + (f" (did you mean {guess}?)" if guess else "")
    )


def _peer(connection: socket.socket) -> int:
    """The user who is at the other end."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(found)[1])


def _send(connection: socket.socket, message: dict[str, Any]) -> None:
    connection.settimeout(PATIENCE_S)
    connection.sendall(json.dumps(message).encode() + b"\n")


def _line(connection: socket.socket, limit: int, patience_s: float = PATIENCE_S) -> bytes:
    """What comes up to the end of a line.

    Raises:
        RemoteError: it is longer than so many bytes, or was cut off.
        TimeoutError: it takes too long.
    """
    until_s, line = monotonic() + patience_s, b""
    while not line.endswith(b"\n"):
        connection.settimeout(max(1e-3, until_s - monotonic()))
        if not (part := connection.recv(limit + 1 - len(line))):
            raise RemoteError("it was cut off before its line ended")
        line += part
        if len(line) > limit:
            raise RemoteError(f"more than {limit} bytes in one line")
    return line
