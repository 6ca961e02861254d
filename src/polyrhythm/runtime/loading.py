"""A bundle for a runtime that is busy: verified by another process, then checked here by its digests.

What a killed or broken loader leaves behind is a `LoadError`, nothing else.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import monotonic

from polyrhythm.bundle.files import trust
from polyrhythm.hal.ending import ending_with_me
from polyrhythm.runtime.plan import Plan, check

#: The loader's answer may be this long; a bundle has at most some 10,000 files.
MAX_ANSWER_BYTES = 16 << 20
#: So much of what it writes to its stderr is kept, the end.
COMPLAINT_BYTES = 4096
#: Compiling for this machine may take so long.
PATIENCE_S = 1800.0
_LOADER = "polyrhythm.compile.loader"
_READ_BYTES = 1 << 16


class LoadError(Exception):
    """A bundle can't be loaded; the message says why and how to mend it."""


def verified(path: Path | str, started: Callable[[subprocess.Popen[bytes]], None] | None = None) -> Plan:
    """The plan of a bundle that a process of its own has verified.

    Args:
        started: told the process, so that it can be killed.

    Raises:
        LoadError: what is wrong with the bundle, or what became of the loader.
    """
    command = [sys.executable, "-m", _LOADER, str(Path(path).absolute())]
    with subprocess.Popen(
        ending_with_me(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as loader:
        if started is not None:
            started(loader)
        trust_answer(loader)
    result = check(path)
    if result.plan is None:  # it has changed since
        raise LoadError("\n\n".join(d.render() for d in result.diagnostics if d.is_error))
    return result.plan


def trust_answer(loader: subprocess.Popen[bytes]) -> None:
    """Wait for the loader and take over the digests that it found."""
    try:
        said, complaint = _heard(loader)
    except subprocess.TimeoutExpired:
        raise LoadError(f"the loader did not answer within {PATIENCE_S:.0f} s") from None
    finally:
        loader.kill()  # nothing happens to one that has ended
    if loader.returncode:
        raise LoadError(f"the loader {end_of(loader.returncode)}{_last_line(complaint)}")
    try:
        answer = json.loads(said)
        problems, digests = answer.get("problems"), answer.get("digests")
        if problems:
            raise LoadError("\n\n".join(map(str, problems)))
        trust(tuple(entry) for entry in digests)
    except (ValueError, TypeError, AttributeError) as error:
        raise LoadError(f"the loader's answer makes no sense: {error}") from None


def _heard(loader: subprocess.Popen[bytes]) -> tuple[bytearray, bytes]:
    """Its answer and the end of what it complained of, when it has ended.

    Raises:
        LoadError: the answer is too long.
        TimeoutExpired: it has not ended within `PATIENCE_S`.
    """
    until_s, said, complaint = monotonic() + PATIENCE_S, bytearray(), b""
    with DefaultSelector() as pipes:
        for pipe in (loader.stdout, loader.stderr):
            assert pipe is not None
            pipes.register(pipe, EVENT_READ)
        while pipes.get_map():
            if (left_s := until_s - monotonic()) <= 0:
                raise subprocess.TimeoutExpired(loader.args, PATIENCE_S)
            for key, _ in pipes.select(left_s):
                more = os.read(key.fd, _READ_BYTES)
                if not more:
                    pipes.unregister(key.fileobj)
                elif key.fileobj is loader.stdout:
                    said += more
                else:
                    complaint = (complaint + more)[-COMPLAINT_BYTES:]
            if len(said) > MAX_ANSWER_BYTES:
                raise LoadError(f"the loader's answer is longer than {MAX_ANSWER_BYTES} bytes")
    loader.wait(max(0.0, until_s - monotonic()))
    return said, complaint


def end_of(code: int) -> str:
    """How a process ended, from its return code, as the end of a sentence about it."""
    if code > 0:
        return f"failed with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""
