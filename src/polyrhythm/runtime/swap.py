"""A swap whose time comes while a runtime plays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from polyrhythm.runtime.context import Context
from polyrhythm.runtime.outcome import Swapped


class SwapAt(NamedTuple):
    """Another bundle is swapped in so many seconds after the start."""

    seconds: float
    bundle: Path


class Swapping:
    """Waits for its time, then calls `swap` with the bundle.

    Raises:
        ValueError: that time never comes.
    """

    def __init__(self, at: SwapAt, swap: Callable[[Path], Context]) -> None:
        if not 0 <= at.seconds <= threading.TIMEOUT_MAX:
            raise ValueError(
                f"a swap after {at.seconds:g} s: from 0 to {threading.TIMEOUT_MAX:g} s can be waited for"
            )
        self._bundle, self._swap = at.bundle, swap
        self._context: Context | None = None
        self._timer = threading.Timer(at.seconds, self._begin)
        self._timer.daemon = True
        self._timer.start()

    def _begin(self) -> None:
        self._context = self._swap(self._bundle)

    def call_off(self) -> None:
        """Do not begin with it any more."""
        self._timer.cancel()
        self._timer.join()

    def outcome(self) -> Swapped:
        """What came of it, when the run is over."""
        return Swapped.of(self._bundle, self._context)
