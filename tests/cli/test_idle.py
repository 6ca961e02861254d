"""Options that would do nothing as they are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.test_verbs import Cli

IDLE = {
    "a margin": ("check", "BUNDLE", "--margin", "1.5"),
    "a quantile": ("check", "BUNDLE", "--plan", "--costs-at", "p99"),
    "foreign costs": ("run", "BUNDLE", "--seconds", "600", "--foreign-costs"),
    "a margin for an island": ("island", "run", "BUNDLE", "--margin", "2"),
    "a margin in a simulation": ("simulate", "BUNDLE", "--margin", "2"),
    "a task": ("run", "BUNDLE", "--seconds", "600", "--task", "dance"),
    "episodes": ("run", "BUNDLE", "--seconds", "600", "--episodes", "3"),
    "when to swap": ("run", "BUNDLE", "--seconds", "600", "--swap-at", "0"),
    "an explanation": ("check", "BUNDLE", "--json", "--explain", "vlm"),
    "waiting for a profile": ("power", "duet", "--wait", "0"),
    "waiting for a context": ("switch", "duet", "--wait", "0"),
    "hours": ("simulate", "BUNDLE", "--only", "late@12", "--hours", "5"),
    "seconds": ("simulate", "BUNDLE", "--only", "late@12", "--seconds", "5"),
    "faults": ("simulate", "BUNDLE", "--only", "late@12", "--faults", "all"),
    "how often": ("simulate", "BUNDLE", "--only", "late@12", "--often", "1"),
    "costs of a swarm": ("simulate", "--swarm", "--costs", "MANIFEST"),
    "a sample": ("import", "onnx", "net.onnx", "--sample", "rate=1", "--set", "rate=2"),
}


@pytest.mark.parametrize("name", IDLE)
def test_what_would_do_nothing_is_refused(
    cli: Cli, bundle: Path, name: str, snapshot: SnapshotAssertion
) -> None:
    places = {"BUNDLE": bundle, "MANIFEST": bundle / "manifest.yaml"}
    result = cli(*(places.get(word, word) for word in IDLE[name]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == snapshot
