"""Mistakes of the user become a message and an exit code; a traceback always means a bug in Polyrhythm.

So does SIGTERM become an exit code: every `finally` has its turn, as with Ctrl-C.
"""

from __future__ import annotations

import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from polyrhythm.manifest import Diagnostic

FAILED, BAD_INPUT, INTERRUPTED, TERMINATED = 1, 2, 130, 143

#: (module, exception): told as a message. Looked up only among modules that are loaded anyway.
_TOLD = (
    ("polyrhythm.cli._errors", "RefusedError"),
    ("polyrhythm.bundle", "BundleError"),
    ("polyrhythm.manifest", "ManifestError"),
    ("polyrhythm.hal", "HalError"),
    ("polyrhythm.runtime", "RunError"),
    ("polyrhythm.runtime", "CostsError"),
    ("polyrhythm.runtime.remote", "RemoteError"),
    ("polyrhythm.runtime.island_export", "ExportError"),
    ("polyrhythm.island", "IslandError"),
    ("polyrhythm.island", "NoCompilerError"),
    ("polyrhythm.island", "PortsError"),
    ("polyrhythm.memory", "ArenaError"),
    ("polyrhythm.memory", "BudgetError"),
    ("polyrhythm.robots", "UnknownRobotError"),
    ("polyrhythm.robots", "UnknownTaskError"),
    ("polyrhythm.compile.codes", "BuildError"),
    ("polyrhythm.observe", "MissingExtraError"),
    ("polyrhythm.observe.inspection", "UnreadableError"),
    ("polyrhythm.observe.eventlog", "LogError"),
    ("polyrhythm.observe.status", "StatusError"),
    ("polyrhythm.simulate.piece", "PieceError"),
    ("polyrhythm.simulate.compiled", "MachineCodeError"),
)


class RefusedError(Exception):
    """A bundle with errors was asked to do something."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(f"{sum(d.is_error for d in self.diagnostics)} errors")


def guarded(verb: Callable[..., Any]) -> Callable[..., Any]:
    """`verb` with the exceptions that users can cause turned into messages on stderr."""

    @functools.wraps(verb)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            with _terminable():
                return verb(*args, **kwargs)
        except MemoryError as error:  # of other people's limits; every `finally` has had its turn
            typer.echo(f"error: there is no memory left{f': {error}' if str(error) else ''}", err=True)
            raise typer.Exit(FAILED) from None
        except Exception as error:
            if not _tellable(error):
                raise
            typer.echo(message(error), err=True)
            raise typer.Exit(BAD_INPUT) from None

    return run


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM raises, unless a verb does something else with it meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def message(error: Exception) -> str:
    """What the user is told."""
    diagnostics = getattr(error, "diagnostics", ())
    if diagnostics:
        from polyrhythm.manifest import render_all

        return render_all(diagnostics)
    if isinstance(error, OSError) and error.filename is not None:
        return f"error: {error.filename}: {error.strerror}"
    return f"error: {error}"


def _tellable(error: Exception) -> bool:
    if isinstance(error, ImportError) and "pip install 'polyrhythm[" in str(error):
        return True  # of an extra, from whichever room
    if isinstance(error, OSError):
        return not isinstance(error, BrokenPipeError)  # the reader of our output has gone: click handles it
    return isinstance(error, _told())


def _told() -> tuple[type[BaseException], ...]:
    found = []
    for module, name in _TOLD:
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            found.append(kind)
    return tuple(found)
