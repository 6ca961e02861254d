"""Every reader of files, on damaged ones: only diagnostics, never a traceback, bounded time and memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from polyrhythm.hal import HalError
from tests.fuzz import plans
from tests.fuzz.run import fuzz
from tests.fuzz.targets import TARGETS

FEW = {"manifest": 600, "links": 300, "lock": 600, "log": 400, "records": 400, "costs": 1500, "inspect": 800}


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_told(name: str) -> None:
    fuzz(name, FEW[name], seed=1)


def test_mutants_of_plans_go_on_where_they_stopped(tmp_path, monkeypatch, capsys) -> None:
    pytest.importorskip("iree.compiler")
    monkeypatch.chdir(tmp_path)

    def said(*options: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["plans", "--portion", "20", *options])
        try:
            plans.main()
        except HalError as problem:
            pytest.skip(f"no sanitizers here: {problem}")
        return [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()]

    end = "plans: no harm by mutants {} to {} of seed 5"
    assert said("--count", "30") == ["plans: 20 of 30", "plans: 30 of 30", end.format(0, 30)]
    assert said("--count", "60") == ["plans: 50 of 60", "plans: 60 of 60", end.format(0, 60)]
    assert said("--count", "60") == [end.format(0, 60)]
    assert said("--first", "1000", "--count", "10") == ["plans: 1010 of 1010", end.format(1000, 1010)]


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
