"""Whose code it was that raised."""

from __future__ import annotations

from types import TracebackType

from polyrhythm.hal.api import HalError
from polyrhythm.hal.worker import first_line


class blaming:
    """``with blaming("device", name):`` what a driver raises in here is a `HalError` that names it.

    Its own `HalError`s go through as they are, and so does memory that is out.
    """

    __slots__ = ("_kind", "_name")

    def __init__(self, kind: str, name: str) -> None:
        self._kind, self._name = kind, name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(problem, Exception) and not isinstance(problem, HalError | MemoryError):
            what = f"{self._kind} {self._name!r}"
            raise HalError(f"{what} failed ({type(problem).__name__}): {first_line(problem)}") from problem
