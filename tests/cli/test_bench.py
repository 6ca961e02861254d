"""`bench`: what may be asked for, and that the comparison measures what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]


@pytest.mark.parametrize(
    "options", [("orchestration", "--episodes", "3"), ("orchestration", "--case", "x"), ("chunks", "--json")]
)
def test_options_of_the_other_are_refused(cli: Cli, options: tuple[str, ...]) -> None:
    result = cli("bench", *options)
    assert result.exit_code == 2
    assert "chunks" in result.stderr


@pytest.mark.slow
def test_orchestration_tells_of_all_three(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "polyrhythm", "bench", "orchestration", "--quick", "--json", "--out"]
    done = subprocess.run([*command, str(tmp_path)], stdout=subprocess.PIPE, check=True, timeout=110)
    runs = json.loads(done.stdout)
    assert runs == json.loads((tmp_path / "orchestration.json").read_text())
    assert {(r["way"], r["memory"]["processes"]) for r in runs} == {("A", 1), ("B", 1), ("C", 3)}
    for found in runs:
        assert found["before"]["response_ms"]["p50"] > 0
        assert found["memory"]["rss_mb"] >= found["memory"]["pss_mb"] > 10
    broken = {(r["way"], r["fault"]): r["after"] for r in runs}
    stuck = broken.pop(("B", "hangs"))
    assert stuck["misses"] >= stuck["ticks"] - stuck["chunks"] > stuck["ticks"] // 2
    assert all(found["chunks"] > stuck["chunks"] for found in broken.values()), "System 1 goes on"
