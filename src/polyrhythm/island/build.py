"""The island's machine code: compiled at first use, found again by what it was made from."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.cpu import host
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.island.layout import c_header, layout_digest

SOURCES = Path(__file__).parent / "native"
COMPILER = "cc"
FLAGS = (
    "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-ftree-vectorize", "-fvect-cost-model=dynamic",
    "-march=native", "-ffp-contract=off",
)  # fmt: skip
_STEP = ("pr_island.c", "pr_network.c")
_TIMEOUT_S = 120


class NoCompilerError(RuntimeError):
    """The island cannot be compiled here; the message says why and how to mend it."""


def program() -> Path:
    """The island's program for this machine.

    Raises:
        NoCompilerError: there is no C compiler, or it refuses.
    """
    return _built("island", (*_STEP, "pr_main.c"), ())


def library() -> Path:
    """Its step alone as a shared library, for virtual time and for tests. Raises `NoCompilerError`."""
    return _built("libisland.so", _STEP, ("-shared", "-fPIC"))


def bare_loop() -> Path:
    """A loop that does nothing but sleep until the next period: what the machine itself can do.

    Raises `NoCompilerError`.
    """
    return _built("bare", ("pr_bare.c", "pr_island.c"), ())


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


def _built(name: str, sources: tuple[str, ...], flags: tuple[str, ...]) -> Path:
    header = f"#define PR_LAYOUT {layout_digest()}ull\n{c_header()}"
    texts = [(SOURCES / file).read_text() for file in (*sources, "pr_island.h")]
    made_from = [header, *texts, *FLAGS, *flags, host().identity, compiler_version()]
    digest = hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:32]
    path = cache_directory().parent / "island" / digest / name
    if not path.exists():
        _compile(path, header, sources, flags)
    return path


def _compile(path: Path, header: str, sources: tuple[str, ...], flags: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory(prefix="polyrhythm-island-") as folder:
        (Path(folder) / "pr_layout.h").write_text(header)
        made = Path(folder) / path.name
        files = [str(SOURCES / file) for file in sources]
        command = [COMPILER, *FLAGS, *flags, "-I", folder, "-o", str(made), *files, "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
        if done.returncode:
            raise NoCompilerError(f"the island does not compile: {' '.join(command)}\n{done.stderr}")
        write_atomically(path, made.read_bytes())
        path.chmod(0o755)
