"""Signals that ask for the end of a run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stopping_on_signals(stop: Callable[[str], None]) -> Iterator[None]:
    """SIGINT and SIGTERM call `stop`.

    Begin with this, and an island after it: a signal that comes while the island starts or ends is not to
    leave it behind.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, lambda number, _frame: stop("interrupted"))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
