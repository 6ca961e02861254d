"""``docs/howto/write-a-driver.md``: its package is installed, its blocks run and print what the page says,
its driver passes the suite, its bundle is checked and runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import Result

from polyrhythm.hal import driver_names
from polyrhythm.hal.dsa import KEYS
from polyrhythm.hal.registry import driver
from tests.cli.conftest import cli  # noqa: F401

from .howto import PAGE, blocks, install

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package, installed where this process finds it, and the current directory."""
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    driver.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_package"]:
        del sys.modules[name]


def test_every_block_runs_and_prints_what_stands_below_it(
    folder: Path,
    cli: Callable[..., Result],  # noqa: F811
) -> None:
    assert "tiny" in driver_names()
    names: dict[str, object] = {}
    printed, ran = "", 0
    for number, (kind, content) in enumerate(blocks()):
        if kind == "text":
            assert printed == content, f"block {number}"
            printed, ran = "", ran + 1
        if kind != "python":
            continue
        assert not printed, f"block {number - 1} prints {printed!r}"
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(content, f"{PAGE.name}, block {number}", "exec"), names)
        printed = output.getvalue()
    assert ran > 8
    names["device"].close()  # type: ignore[attr-defined]
    for verb in (["check"], ["run", "--seconds", "1", "--lockstep", "--quiet"]):
        told = cli(verb[0], folder / "bundle", *verb[1:])
        assert told.exit_code == 0, told.output


def test_its_driver_passes_the_suite(folder: Path) -> None:
    """In a process of its own, as its makers would run it: nothing of our tests is in reach."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_tiny.py"]
    # One thread: several of BLAS spin while they wait for each other, for half a minute on a machine in use.
    more = {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")]), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, cwd=folder,
        env={**os.environ, **more},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) > 60, "both kinds of queue"


def test_the_table_has_every_key_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (\S.*?) \|$", PAGE.read_text(), re.MULTILINE))
    assert rows == {name: key.default or "a quarter" for name, key in KEYS.items()}
