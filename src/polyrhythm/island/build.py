"""The island's machine code: compiled at first use, found again by what it was made from."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from polyrhythm.bundle.atomic import replacing
from polyrhythm.bundle.cpu import host
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.hal import native
from polyrhythm.island.layout import c_header, layout_digest

SOURCES = Path(__file__).parent / "native"
COMPILER = "cc"
#: Known to gcc and to clang.
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O3", "-ffp-contract=off")
_STEP = (*(SOURCES / name for name in ("pr_island.c", "pr_network.c", "pr_policy.c")), *native.RUNNER)
#: What the island's program is made of.
PROGRAM = (*_STEP, SOURCES / "pr_main.c", SOURCES / "pr_ports.c")
_STRIPPED = ("-s",)
#: The CPU of this machine, as the C compiler calls it.
NATIVE = "native"
_TIMEOUT_S = 120


class NoCompilerError(RuntimeError):
    """The island cannot be compiled here; the message says why and how to mend it."""


def program(cpu: str = NATIVE) -> Path:
    """The island's program for this machine, or for another CPU that the C compiler knows.

    Raises:
        NoCompilerError: there is no C compiler, it refuses, or the cache can't be written.
    """
    return _built("island", PROGRAM, _STRIPPED, cpu)


def identity() -> str:
    """A digest of what the program for this machine is made from; it may not be there yet."""
    return _identity(PROGRAM, _STRIPPED, NATIVE)


def library() -> Path:
    """Its step alone as a shared library, for virtual time and for tests. Raises `NoCompilerError`."""
    return _built("libisland.so", _STEP, ("-shared", "-fPIC"))


def bare_loop() -> Path:
    """A loop that does nothing but sleep until the next period: what the machine itself can do.

    Raises `NoCompilerError`.
    """
    return _built("bare", (SOURCES / "pr_bare.c", SOURCES / "pr_island.c"), ())


def compiler_version() -> str:
    """The first line that the C compiler says of itself.

    Raises:
        NoCompilerError: there is none.
    """
    if (found := shutil.which(COMPILER)) is None:
        raise NoCompilerError(
            f"no C compiler: `{COMPILER}` is not on the path; the island is compiled at first use: "
            "apt install gcc libc6-dev, or clang"
        )
    return _say_version(found)


@cache
def _say_version(compiler: str) -> str:
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, timeout=60, check=False)
    return said.stdout.partition("\n")[0]


def layout_header() -> str:
    """``pr_layout.h``, which the sources include."""
    return f"#define PR_LAYOUT {layout_digest()}ull\n{c_header()}"


def command(
    folder: Path, sources: Sequence[Path], flags: Sequence[str], made: Path, cpu: str = NATIVE
) -> list[str]:
    """The compiler's command line; `folder` is where ``pr_layout.h`` lies."""
    include = ["-I", str(folder), "-I", str(SOURCES), "-I", str(native.HERE)]
    flags = [*FLAGS, f"{'-mcpu' if host().arch == 'aarch64' else '-march'}={cpu}", *flags]
    return [COMPILER, *flags, *include, "-o", str(made), *map(str, sources), "-lm", *native.LIBRARIES]


def _built(name: str, sources: tuple[Path, ...], flags: tuple[str, ...], cpu: str = NATIVE) -> Path:
    path = cache_directory().parent / "island" / _identity(sources, flags, cpu) / name
    try:
        if not path.exists():
            _compile(path, sources, flags, cpu)
    except OSError as problem:
        raise NoCompilerError(
            f"the island can't be compiled into {path.parent}: {problem.strerror}; make room, look at its "
            "rights, or set XDG_CACHE_HOME"
        ) from problem
    return path


def _identity(sources: tuple[Path, ...], flags: tuple[str, ...], cpu: str) -> str:
    """A digest of what is compiled, and how. Not by whom: what was compiled once needs no compiler again."""
    made_from = [layout_header(), *_texts(sources), *FLAGS, *flags, cpu, host().identity]
    return hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:32]


@cache
def _texts(sources: tuple[Path, ...]) -> list[str]:
    """Of the sources and of all headers."""
    headers = (*sorted(SOURCES.glob("*.h")), *sorted(native.HERE.glob("*.h")))
    return [file.read_text() for file in (*sources, *headers)]


def _compile(path: Path, sources: Sequence[Path], flags: tuple[str, ...], cpu: str) -> None:
    compiler_version()
    with tempfile.TemporaryDirectory(prefix="polyrhythm-island-") as folder:
        (Path(folder) / "pr_layout.h").write_text(layout_header())
        made = Path(folder) / path.name
        line = command(Path(folder), sources, flags, made, cpu)
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            raise NoCompilerError(f"{COMPILER} did not compile the island in {_TIMEOUT_S} s") from None
        if done.returncode:
            said = done.stderr.strip() or f"exit code {done.returncode}"
            raise NoCompilerError(f"{COMPILER} does not compile the island: {said}\n{' '.join(line)}")
        # Whole and with its rights before it has its name: whoever finds it there never makes it again.
        with replacing(path) as file:
            os.fchmod(file.fileno(), 0o755)
            file.write(made.read_bytes())
            file.flush()
            os.fsync(file.fileno())
