"""Every reader of files, on damaged ones: only diagnostics, never a traceback, bounded time and memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fuzz.run import fuzz
from tests.fuzz.targets import TARGETS

FEW = {"manifest": 600, "links": 300, "lock": 600, "log": 400, "records": 400, "costs": 1500, "inspect": 800}


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_told(name: str) -> None:
    fuzz(name, FEW[name], seed=1)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", TARGETS)
def test_a_great_many_damaged_files_are_told(name: str) -> None:
    count = 1_000_000 if name == "manifest" else 100_000
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.run",
        name,
        "--count",
        str(count),
        "--jobs",
        "2",
        "--seed",
        "2",
    ]
    subprocess.run(command, check=True)
