"""Whatever the order of letting go, and whatever runs at exit: no crash, nothing on stderr."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from polyrhythm.hal.conformance import Kit

from .test_iree import URIS, kit  # noqa: F401

SCRIPT = Path(__file__).with_name("exits.py")


def exits(scenario: str, uri: str, kit: Kit) -> subprocess.CompletedProcess[str]:  # noqa: F811
    command = [
        sys.executable,
        "-X",
        "dev",
        str(SCRIPT),
        scenario,
        uri,
        str(kit.artefact),
        str(kit.parameters[0]),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


#: What depends on who computes is tried on both kinds of devices.
SCENARIOS = [
    *itertools.product(("orders", "busy", "hung"), URIS),
    *((scenario, "local-task") for scenario in ("cycle", "idle", "backlog", "gated", "waiting")),
]


@pytest.mark.parametrize(("scenario", "uri"), SCENARIOS)
def test_exit_is_clean(scenario: str, uri: str, kit: Kit) -> None:  # noqa: F811
    done = exits(scenario, uri, kit)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("attempt", range(4))
def test_a_call_that_ends_during_the_exit_does_no_harm(attempt: int, kit: Kit) -> None:  # noqa: F811
    done = exits("late", URIS[attempt % 2], kit)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_exit_code_is_the_programs(kit: Kit) -> None:  # noqa: F811
    done = exits("raise", "local-sync", kit)
    assert (done.returncode, done.stderr) == (3, "")
