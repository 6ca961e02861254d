"""The pure rooms as machine code: made from their Python source at first use, kept in the cache.

The source stays the one truth, and is what runs where mypyc or a C compiler is missing. What is made of it
gives the same commands, only sooner. A robot is driven by the source: only a process that imports this room
takes machine code, and only if `POLYRHYTHM_COMPILED` (`environment`) names the digest of the sources at hand.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import polyrhythm
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.hal.native import compiler
from polyrhythm.manifest import Diagnostic
from polyrhythm.manifest.diagnostics import Location
from polyrhythm.simulate.records import written_out

#: Names the machine code to take, by the digest of what it was made of.
VARIABLE = "POLYRHYTHM_COMPILED"
#: What is compiled, as one group: calls within it cost next to nothing.
MODULES = (
    "schedule/budget", "schedule/clocks", "schedule/contexts", "schedule/control", "schedule/deck",
    "schedule/events", "schedule/grid", "schedule/jobs", "schedule/lanes", "schedule/plan",
    "schedule/playback", "schedule/policy", "schedule/profiles", "schedule/scheduler", "schedule/slots",
    "schedule/work",
    "chunks/delay", "chunks/player",
    "simulate/harness", "simulate/chance", "simulate/cast", "simulate/trial",
    "simulate/audit/account", "simulate/audit/auditor", "simulate/audit/books", "simulate/audit/bounds",
    "simulate/audit/budgets", "simulate/audit/chunks", "simulate/audit/contexts", "simulate/audit/control",
    "simulate/audit/devices", "simulate/audit/fences", "simulate/audit/profiles", "simulate/audit/progress",
    "simulate/audit/reasons", "simulate/audit/releases", "simulate/audit/slots",
    "simulate/state/audited", "simulate/state/delays", "simulate/state/looks", "simulate/state/view",
)  # fmt: skip
#: What lies around them is not looked into.
_CONFIG = """[mypy]
follow_imports = silent
ignore_missing_imports = True
[mypy-polyrhythm.simulate.piece,polyrhythm.simulate.memory,polyrhythm.simulate.faults.*,polyrhythm.memory.*]
follow_imports = skip
"""
_TIMEOUT_S = 1800
_ROOT = Path(polyrhythm.__file__).parent
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


class MachineCodeError(Exception):
    """What `POLYRHYTHM_COMPILED` names is not to be taken; `diagnostics` says why."""

    def __init__(self, what: str, value: str, allowed: str) -> None:
        mend = f"unset {VARIABLE}: `polyrhythm simulate --fast` sets it for itself alone"
        self.diagnostics = (Diagnostic("PS008", "error", what, Location(VARIABLE), value, allowed, mend),)
        super().__init__(what)


class _Finder(MetaPathFinder):
    """Finds the modules of a folder."""

    def __init__(self, folder: Path) -> None:
        self.files = {
            str(file.relative_to(folder)).removesuffix(EXTENSION_SUFFIXES[0]).replace("/", "."): str(file)
            for file in folder.rglob(f"*{EXTENSION_SUFFIXES[0]}")
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, file))


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
    if not (target := _place()).is_dir():
        _make(target)
    return target


def use(digest: str) -> None:
    """Import from now on the machine code made of what has this digest.

    Raises:
        MachineCodeError: PS008: it is not that of the sources at hand, or there is none.
    """
    place = _place()
    if digest != place.name:
        what = f"the machine code {digest!r} was not made of the sources at hand"
        raise MachineCodeError(what, digest, place.name)
    finder = _Finder(place)
    if not finder.files:
        raise MachineCodeError(f"{place} holds no machine code", digest, "what `--fast` has made")
    if early := sorted(finder.files.keys() & sys.modules.keys()):
        raise ImportError(f"{early[0]} was imported as source before polyrhythm.simulate was")
    sys.meta_path.insert(0, finder)


def environment() -> dict[str, str]:
    """The environment of a process that simulates with compiled modules. Raises `NotCompiledError`."""
    return os.environ | {VARIABLE: compiled().name}


def restart(arguments: Sequence[str]) -> None:
    """Have this process begin again with compiled modules; comes back if it has.

    Args:
        arguments: of the command `polyrhythm`.

    Raises:
        NotCompiledError: see `compiled`.
    """
    if not os.environ.get(VARIABLE):
        sys.stdout.flush()
        os.execve(sys.executable, [sys.executable, "-m", "polyrhythm", *arguments], environment())


def _place() -> Path:
    """Where what is made of the sources at hand is kept."""
    files = (_ROOT / f"{name}.py" for name in (*MODULES, "simulate/records", "simulate/compiled"))
    found = hashlib.sha256()
    for part in (*(file.read_bytes() for file in files), *_makers()):
        found.update(hashlib.sha256(part).digest())
    return cache_directory().with_name("simulate") / found.hexdigest()[:32]


def _makers() -> tuple[bytes, ...]:
    with contextlib.suppress(PackageNotFoundError):
        return version("mypy").encode(), str(sysconfig.get_config_var("SOABI")).encode()
    return ()


def _make(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="polyrhythm-compile-") as folder:
        copy = Path(folder) / "source" / "polyrhythm"
        shutil.copytree(_ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for name in MODULES:
            (copy / f"{name}.py").write_text(written_out((_ROOT / f"{name}.py").read_text()))
        (copy.parent / "mypy.ini").write_text(_CONFIG)
        made = Path(folder) / "made"
        files = [f"polyrhythm/{name}.py" for name in MODULES]
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
