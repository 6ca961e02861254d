"""The pure rooms as machine code: made from their Python source at first use, kept in the cache.

The source stays the one truth, and is what runs where mypyc or a C compiler is missing. What is made of it
gives the same commands, only sooner; `POLYRHYTHM_COMPILED` has a process import it (`environment`). Only
simulations do: a robot is driven by the source.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import polyrhythm
from polyrhythm._compiled import VARIABLE
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.hal.native import compiler
from polyrhythm.simulate.records import written_out

#: What is compiled, as one group: calls within it cost next to nothing.
MODULES = (
    "schedule/budget", "schedule/clocks", "schedule/contexts", "schedule/control", "schedule/deck",
    "schedule/events", "schedule/grid", "schedule/jobs", "schedule/lanes", "schedule/plan",
    "schedule/playback", "schedule/policy", "schedule/profiles", "schedule/scheduler", "schedule/slots",
    "chunks/delay", "chunks/player",
    "simulate/harness", "simulate/chance", "simulate/cast", "simulate/trial",
    "simulate/audit/account", "simulate/audit/auditor", "simulate/audit/books", "simulate/audit/bounds",
    "simulate/audit/budgets", "simulate/audit/chunks", "simulate/audit/contexts", "simulate/audit/control",
    "simulate/audit/devices", "simulate/audit/fences", "simulate/audit/profiles", "simulate/audit/progress",
    "simulate/audit/reasons", "simulate/audit/releases", "simulate/audit/slots",
)  # fmt: skip
#: What lies around them is not looked into.
_CONFIG = """[mypy]
follow_imports = silent
ignore_missing_imports = True
[mypy-polyrhythm.simulate.piece,polyrhythm.simulate.memory,polyrhythm.simulate.faults.*,polyrhythm.memory.*]
follow_imports = skip
"""
_TIMEOUT_S = 1800
#: Run in the folder of sources; the arguments are where to put what was made, and the files.
_BUILD = """
import sys
from setuptools import setup
from mypyc.build import mypycify
modules = mypycify(["--config-file=mypy.ini", *sys.argv[2:]], opt_level="2", debug_level="0")
setup(name="polyrhythm", ext_modules=modules, script_args=["-q", "build_ext", "--build-lib", sys.argv[1]])
"""


class NotCompiledError(RuntimeError):
    """The pure rooms can't be compiled here; the message says why and how to mend it."""


def missing() -> str | None:
    """What this machine lacks to compile them; None if nothing."""
    for package in ("mypy", "setuptools"):
        try:
            version(package)
        except PackageNotFoundError:
            return f"the package {package} (`pip install polyrhythm[fast]`)"
    return None if compiler() is not None else "a C compiler (cc, gcc or clang)"


def compiled() -> Path:
    """The folder of compiled modules; made if need be, which takes a minute.

    Raises:
        NotCompiledError: something is missing, or the source is refused.
    """
    if (lacks := missing()) is not None:
        raise NotCompiledError(f"the simulation can't be compiled: this machine lacks {lacks}")
    root = Path(polyrhythm.__file__).parent
    sources = {name: written_out((root / f"{name}.py").read_text()) for name in MODULES}
    made_from = [*sources.values(), _BUILD, _CONFIG, version("mypy"), str(sysconfig.get_config_var("SOABI"))]
    digest = hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:32]
    target = cache_directory().with_name("simulate") / digest
    if not target.is_dir():
        _make(root, sources, target)
    return target


def environment() -> dict[str, str]:
    """The environment of a process that simulates with compiled modules. Raises `NotCompiledError`."""
    return os.environ | {VARIABLE: str(compiled())}


def restart(arguments: Sequence[str]) -> None:
    """Have this process begin again with compiled modules; comes back if it has.

    Args:
        arguments: of the command `polyrhythm`.

    Raises:
        NotCompiledError: see `compiled`.
    """
    if VARIABLE not in os.environ:
        sys.stdout.flush()
        os.execve(sys.executable, [sys.executable, "-m", "polyrhythm", *arguments], environment())


def _make(root: Path, sources: dict[str, str], target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="polyrhythm-compile-") as folder:
        copy = Path(folder) / "source" / "polyrhythm"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for name, source in sources.items():
            (copy / f"{name}.py").write_text(source)
        (copy.parent / "mypy.ini").write_text(_CONFIG)
        made = Path(folder) / "made"
        files = [f"polyrhythm/{name}.py" for name in sources]
        try:
            done = subprocess.run(
                [sys.executable, "-c", _BUILD, str(made), *files],
                cwd=copy.parent, env={k: v for k, v in os.environ.items() if k not in (VARIABLE, "MYPYPATH")},
                capture_output=True, text=True, timeout=_TIMEOUT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotCompiledError(f"the simulation was not compiled within {_TIMEOUT_S} s") from None
        if done.returncode:
            said = "\n".join((done.stdout + done.stderr).splitlines()[-40:])
            raise NotCompiledError(f"the simulation does not compile:\n{said}")
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
        shutil.copytree(made, beside, dirs_exist_ok=True)
        try:
            beside.rename(target)
        except OSError as error:
            shutil.rmtree(beside, ignore_errors=True)
            if not target.is_dir():  # or somebody else was sooner
                raise NotCompiledError(f"what was compiled can't be kept in {target}: {error}") from None
