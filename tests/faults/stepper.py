"""A wall clock that can be set, for the processes of a test."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "step_clock.c"
HOUR_NS = 3600 * 10**9


class Stepper:
    """A wall clock that can be set, for processes that are started with `env`."""

    def __init__(self, folder: Path) -> None:
        library, self._file = folder / "step_clock.so", folder / "step"
        command = [
            "cc",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-shared",
            "-fPIC",
            "-o",
            library,
            SOURCE,
            "-ldl",
        ]
        try:
            subprocess.run(command, check=True, timeout=100)
        except FileNotFoundError:
            pytest.skip("no C compiler here")
        self.step(0)
        self.env = {"LD_PRELOAD": str(library), "STEP_CLOCK": str(self._file)}

    def step(self, shift_ns: int) -> None:
        """From now on the wall clock is so far from what it would be."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("<q", shift_ns))
