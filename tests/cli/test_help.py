from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm import __version__

VERBS = ("build", "check", "demo", "doctor", "inspect", "island", "profile", "run", "schema", "simulate")
STEERING = ("power", "switch", "tune")


def test_help_lists_the_verbs(cli: Callable[..., Result], snapshot: SnapshotAssertion) -> None:
    result = cli("--help")
    assert result.exit_code == 0
    assert result.stdout == snapshot


@pytest.mark.parametrize("verb", (*VERBS, *STEERING))
def test_help_of_a_verb(cli: Callable[..., Result], snapshot: SnapshotAssertion, verb: str) -> None:
    result = cli(verb, "--help")
    assert result.exit_code == 0
    assert result.stdout == snapshot


@pytest.mark.parametrize("verb", ["export", "run"])
def test_help_of_a_verb_of_the_island(
    cli: Callable[..., Result], snapshot: SnapshotAssertion, verb: str
) -> None:
    assert cli("island", verb, "--help").stdout == snapshot


def test_version(cli: Callable[..., Result]) -> None:
    assert cli("--version").stdout == f"polyrhythm {__version__}\n"


def test_help_loads_neither_numbers_nor_drivers_nor_models() -> None:
    code = (
        "import sys\n"
        "from polyrhythm.cli import make_app\n"
        "try:\n    make_app()(['--help'], prog_name='polyrhythm')\n"
        "except SystemExit:\n    pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for heavy in ("numpy", "iree", "pydantic", "yaml", "jax", "plotly", "perfetto", "mujoco"):
        assert f"'{heavy}'" not in done.stderr


def test_python_dash_m() -> None:
    command = [sys.executable, "-m", "polyrhythm", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("polyrhythm ")


@pytest.mark.parametrize(
    "args",
    [("chekc",), ("check",), ("check", "no/such/bundle"), ("run", "--episodes", "0"), ("build",)],
    ids=" ".join,
)
def test_bad_usage_is_exit_code_2(cli: Callable[..., Result], args: tuple[str, ...]) -> None:
    result = cli(*args)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
