"""Playing a bundle needs the core's dependencies and nothing else, whatever happens to be installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

from polyrhythm.bundle import host, open_bundle

TINY = Path(__file__).parents[2] / "examples" / "tiny" / "bundle"
#: Runs `polyrhythm ARGUMENTS` where nothing but the given top-level modules can be imported.
BLOCKED = """\
import json, sys
allowed, arguments = set(json.loads(sys.argv[1])) | set(sys.stdlib_module_names), sys.argv[2:]

class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        ours = top in allowed or top.startswith("_sysconfigdata")
        if not ours or name.startswith("iree.compiler"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Block())
from polyrhythm.cli import main
sys.argv = ["polyrhythm", *arguments]
code = 0
try:
    main()
except SystemExit as end:
    code = end.code or 0
sys.exit(code)
"""


def core_modules() -> set[str]:
    """Top-level modules of Polyrhythm and of all that its core requires."""
    found, todo = set(), ["polyrhythm"]
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name in found:
            continue
        found.add(name)
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue
        plain = [text for text in needed if "extra ==" not in text]
        todo += ["".join(c if c.isalnum() or c in "-_." else " " for c in t).split()[0] for t in plain]
    names = {
        module
        for module, owners in packages_distributions().items()
        if any(owner.lower().replace("_", "-") in found for owner in owners)
    }
    assert {"numpy", "iree", "pydantic", "yaml", "typer", "rich"} <= names
    return names | {"polyrhythm"}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKED, json.dumps(sorted(core_modules())), *arguments]
    # An editable install finds its modules by a path that has to be the one under test.
    path = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=environment)


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("check",), ("inspect",), ("run", "--lockstep", "--seconds", "1", "--json"), ("schema",)],
    ids=lambda arguments: arguments[0],
)
def test_nothing_but_the_core_is_needed(arguments: tuple[str, ...]) -> None:
    if not _runs_here():
        pytest.skip("the machine code of examples/tiny is not for this CPU")
    verb, *options = arguments
    bundle = () if verb in ("--help", "schema") else (str(TINY),)
    done = run(verb, *bundle, *options)
    assert done.returncode == 0, done.stderr


def test_the_bundle_brings_its_machine_code() -> None:
    modules = open_bundle(TINY).lock.modules if _runs_here() else {}
    assert all(module.machine_code and module.machine_code.cpu == "x86-64-v3" for module in modules.values())
    assert sum(file.stat().st_size for file in TINY.iterdir()) < 300_000


def _runs_here() -> bool:
    return host().arch == "x86_64" and {"avx2", "fma", "bmi2"} <= set(host().features)


def test_the_blocker_blocks() -> None:
    command = [
        sys.executable,
        "-c",
        BLOCKED.replace("from polyrhythm.cli import main", "import pytest"),
        "[]",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode and "No module named 'pytest'" in done.stderr
