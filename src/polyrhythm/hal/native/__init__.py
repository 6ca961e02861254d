"""Native code of this package: C sources, compiled at first use and kept in a cache.

``$XDG_CACHE_HOME/polyrhythm/native`` holds what was compiled, by a digest of sources, flags and architecture,
so a new version of the package never runs old code. Installing the package needs no compiler; running a
static plan does, once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from polyrhythm.bundle.atomic import replacing
from polyrhythm.bundle.machine_code import cache_directory
from polyrhythm.hal.api import HalError

#: Where the sources and headers lie, for programs that compile them in.
HERE = Path(__file__).parent
#: The runner of static plans.
RUNNER = tuple(HERE / name for name in ("pr_check.c", "pr_module.c", "pr_open.c", "pr_plan.c", "pr_sha256.c"))
FLAGS = ("-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra")
LIBRARIES = ("-pthread", "-ldl")
_TIMEOUT_S = 120.0


def compiler() -> list[str] | None:
    """The C compiler and its arguments: ``$CC``, or the first of cc, gcc and clang; None if there is none."""
    try:
        chosen = shlex.split(os.environ.get("CC", ""))
    except ValueError:  # a quotation that does not end
        return None
    for name, *arguments in [chosen] if chosen else [["cc"], ["gcc"], ["clang"]]:
        if (path := shutil.which(name)) is not None:
            return [path, *arguments]
    return None


def compile_c(sources: Sequence[Path], flags: Sequence[str] = ("-shared",), *, name: str = "library") -> Path:
    """Compile and link C sources, or find what was made of them before.

    Args:
        flags: beside `FLAGS`.
        name: what the file is called, before its digest.

    Raises:
        HalError: there is no compiler, it refuses the sources, or the cache can't be written.
    """
    target = compiled(sources, flags, name=name)
    if target.is_file():
        return target
    found = compiler()
    if found is None:
        wanted = os.environ.get("CC") or "cc, gcc or clang"
        raise HalError(
            f"static plans need a C compiler once, to make their runner, and there is none ({wanted}): "
            "install one (`apt install gcc`), or set CC to it"
        )
    try:
        with replacing(target) as stream:
            command = [*found, *FLAGS, *flags, f"-I{HERE}", "-o", stream.name, *map(str, sources), *LIBRARIES]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
            if done.returncode:
                said = "\n".join(done.stderr.splitlines()[:8])
                raise HalError(f"{shlex.join(found)} does not compile the runner of static plans:\n{said}")
            Path(stream.name).chmod(0o755)
    except subprocess.TimeoutExpired:
        raise HalError(
            f"{shlex.join(found)} did not compile the runner of static plans in {_TIMEOUT_S:g} s"
        ) from None
    except OSError as problem:
        raise HalError(
            f"the cache of native code, {target.parent}, can't be written: {problem.strerror}; make room, "
            "look at its rights, or set XDG_CACHE_HOME"
        ) from problem
    return target


def compiled(sources: Sequence[Path], flags: Sequence[str] = ("-shared",), *, name: str = "library") -> Path:
    """Where `compile_c` puts what it makes of these sources; nothing may be there yet."""
    digest = hashlib.sha256(repr((platform.machine(), FLAGS, LIBRARIES, tuple(flags))).encode())
    for source in (*sources, *sorted(HERE.glob("*.h"))):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return cache_directory().with_name("native") / f"{name}-{digest.hexdigest()[:32]}"


def missing() -> str | None:
    """What this machine lacks to run static plans; None if nothing."""
    if compiled(RUNNER, name="runner").is_file() or compiler() is not None:
        return None
    return "a C compiler (cc, gcc or clang)"


@cache
def runner() -> ctypes.CDLL:
    """The runner of static plans; its functions let go of the interpreter lock.

    Raises:
        HalError: see `compile_c`; or it does not load.
    """
    try:
        return load(lambda: compile_c(RUNNER, name="runner"))
    except OSError as problem:
        raise HalError(
            f"the runner of static plans can't be loaded: {problem}; if nothing may be executed where it "
            "lies, set XDG_CACHE_HOME to another place"
        ) from None


def load(make: Callable[[], Path]) -> ctypes.CDLL:
    """The library that `make` makes, or finds made; one that does not load is made anew, once.

    Raises:
        OSError: nor does that.
    """
    path = make()
    try:
        return ctypes.CDLL(str(path))
    except OSError:
        path.unlink(missing_ok=True)  # a disk that was full once
        return ctypes.CDLL(str(make()))
