"""Power profiles in a run: what came of asking for one, and what switches them by itself.

A source is a file that is read now and then, far from the scheduler's path.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable
from types import TracebackType

from polyrhythm.manifest.power import PowerSource

#: More of a file is not looked at.
MAX_READ_BYTES = 256
#: How long the end of a run waits for a reading that hangs.
PATIENCE_S = 1.0
_MILLIDEGREES = 1000


class ProfileChange:
    """A power profile that was asked for, and what came of it.

    Attributes:
        name: of the profile.
        at_ns: when it was wholly in force, since the run began; None: it is not.
        tick: the control tick that was the next one then; None without a robot.
        problem: why it will not be, or not in this run; empty: it is, or it may yet be.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.at_ns: int | None = None
        self.tick: int | None = None
        self.problem = ""
        self._over = threading.Event()

    def in_force(self, at_ns: int, tick: int | None) -> None:
        """It is wholly in force; what was told first counts."""
        if not self.over:
            self.at_ns, self.tick = at_ns, tick
            self._over.set()

    def fail(self, problem: str) -> None:
        """It will not be; what was told first counts."""
        if not self.over:
            self.problem = problem
            self._over.set()

    @property
    def over(self) -> bool:
        """Whether it is known what came of it."""
        return self._over.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is known what came of it; False if it is not in time."""
        return self._over.wait(timeout_s)


class Chooser:
    """Which profile a reading asks for, with hysteresis.

    Args:
        source: kind and levels.
        profiles: names that a file may hold.
        base: the profile as long as no level is reached.
    """

    def __init__(self, source: PowerSource, profiles: Iterable[str], base: str) -> None:
        self._source = source
        self._profiles = frozenset(profiles)
        self._base = base
        self._reached: set[int] = set()

    def choose(self, text: str) -> str:
        """The profile for what was read.

        Raises:
            ValueError: it is neither a number that levels could be reached by nor, in a file, a profile.
        """
        text = text.strip()
        if self._source.kind == "file" and text in self._profiles:
            return text
        if not self._source.levels:
            raise ValueError(text)
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(text)
        if self._source.kind == "thermal":
            value /= _MILLIDEGREES
        return self._at(value)

    def _at(self, value: float) -> str:
        """The farthest level that was reached and not yet left."""
        sign = -1 if self._source.falls else 1
        for i, level in enumerate(self._source.levels):
            if sign * value >= sign * level.at:
                self._reached.add(i)
            elif sign * value < sign * level.back:
                self._reached.discard(i)
        levels = self._source.levels
        farthest = max(self._reached, key=lambda i: sign * levels[i].at, default=None)
        return self._base if farthest is None else levels[farthest].profile


class PowerWatch:
    """A context manager: a thread that reads the source and asks for a profile when another is due.

    It asks only when its own choice changes, so what somebody asks for meanwhile stays. What can't be read,
    or makes no sense, is counted and changes nothing.
    """

    def __init__(
        self, source: PowerSource, profiles: Iterable[str], base: str, ask: Callable[[str], object]
    ) -> None:
        self.unreadable = 0
        self._source = source
        self._chooser = Chooser(source, profiles, base)
        self._chosen = base
        self._ask = ask
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="power", daemon=True)

    def __enter__(self) -> PowerWatch:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(PATIENCE_S)

    def look(self) -> None:
        """Read once."""
        try:
            chosen = self._chooser.choose(read(self._source.path))
        except (OSError, ValueError):
            self.unreadable += 1
            return
        if chosen != self._chosen and not self._over.is_set():
            self._chosen = chosen
            self._ask(chosen)

    def _serve(self) -> None:
        self.look()
        while not self._over.wait(self._source.every_ns / 1e9):
            self.look()


def read(path: str) -> str:
    """The beginning of a small file; a pipe that nobody writes to is empty.

    Raises:
        OSError: it can't be read.
        ValueError: it is no text.
    """
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(file, MAX_READ_BYTES).decode()
    finally:
        os.close(file)
