"""A program that ends with the thread that started it, however that ends.

``python ending.py PARENT SIGNAL KIB COMMAND...`` becomes COMMAND, which gets SIGNAL from the system when the
thread of process PARENT that started it is no more, and at most KIB of memory (0: no limit). Between fork and
exec nothing of the sort can be done safely: the process that forks has threads. Nothing of Polyrhythm is
imported, so that it takes no time.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def ending_with_me(
    command: Sequence[str], number: signal.Signals = signal.SIGKILL, memory_kib: int = 0
) -> list[str]:
    """The command line that runs `command` for the calling thread, which ends it with that signal."""
    mine = [str(os.getpid()), str(int(number)), str(memory_kib)]
    return [sys.executable, "-I", "-S", __file__, *mine, *command]


def _become(parent: int, number: int, memory_kib: int, command: list[str]) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(number))
    if os.getppid() != parent:
        sys.exit(1)  # it has ended already
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and who is executed would inherit it
        signal.signal(ignored, signal.SIG_DFL)
    if memory_kib:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = memory_kib << 10 if most == resource.RLIM_INFINITY else min(memory_kib << 10, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.execvp(command[0], command)


if __name__ == "__main__":
    _parent, _number, _memory_kib = map(int, sys.argv[1:4])
    _become(_parent, _number, _memory_kib, sys.argv[4:])
