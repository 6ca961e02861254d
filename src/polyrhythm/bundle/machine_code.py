"""Machine code made on this machine: a cache of compiled modules, found by what they were made from.

``$XDG_CACHE_HOME/polyrhythm/code`` (``~/.cache`` if that is not set) holds, for each portable source,
compiler version and CPU, a record ``KEY.json`` and the code it names by its digest, ``SHA256.vmfb``. Both are
written beside their place and renamed, so a reader sees all or nothing; what does not fit its digest counts
as absent and is made again. Deleting the directory costs nothing but the time to compile.

Reading needs neither IREE nor its compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.cpu import host

#: Raised whenever the compile room changes how it compiles.
RECIPE = 2
_MAX_RECORD_BYTES = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class MachineCode:
    """Machine code that runs here: the file, what it was compiled with, and each entry's scratch in bytes.

    `loaded_bytes`: see `polyrhythm.bundle.lock`; None as long as nobody has loaded it.
    """

    path: Path
    flags: tuple[str, ...]
    compiler: str
    scratch_bytes: Mapping[str, int]
    loaded_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class _Record:
    sha256: str
    size: int
    flags: Sequence[str]
    compiler: str
    scratch_bytes: Mapping[str, int]
    loaded_bytes: int | None = None


def cache_directory() -> Path:
    """Where machine code is kept; it may not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification says to ignore a relative path.
    root = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return root / "polyrhythm" / "code"


def compiler_version() -> str:
    """The version of the installed compiler, or of the runtime, which is released together with it."""
    for package in ("iree-base-compiler", "iree-base-runtime"):
        with contextlib.suppress(PackageNotFoundError):
            return version(package)
    return "none"


def lookup(source_sha256: str) -> MachineCode | None:
    """The machine code for this CPU made from the source with that digest; None if there is no intact one."""
    directory = cache_directory()
    record = _read_record(directory / f"{key(source_sha256)}.json")
    if record is None:
        return None
    path = directory / f"{record.sha256}.vmfb"
    if not intact(path, record.sha256, record.size):
        return None
    return MachineCode(
        path, tuple(record.flags), record.compiler, dict(record.scratch_bytes), record.loaded_bytes
    )


def note_loaded(source_sha256: str, loaded_bytes: int) -> None:
    """Keep what loading the code made from that source has allocated. Does nothing if it is not kept."""
    directory = cache_directory()
    place = directory / f"{key(source_sha256)}.json"
    record = _read_record(place)
    if record is not None:
        text = json.dumps(asdict(replace(record, loaded_bytes=loaded_bytes)), indent=1, sort_keys=True)
        write_atomically(place, text.encode())


def store(
    source_sha256: str, content: bytes, *, flags: Sequence[str], scratch_bytes: Mapping[str, int]
) -> MachineCode:
    """Keep `content`, made from the source with that digest for this CPU."""
    directory = cache_directory()
    directory.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(content).hexdigest()
    record = _Record(digest, len(content), list(flags), compiler_version(), dict(scratch_bytes))
    path = directory / f"{digest}.vmfb"
    write_atomically(path, content)
    text = json.dumps(asdict(record), indent=1, sort_keys=True)
    write_atomically(directory / f"{key(source_sha256)}.json", text.encode())
    return MachineCode(path, tuple(flags), record.compiler, dict(scratch_bytes))


def key(source_sha256: str, recipe: int = RECIPE) -> str:
    """What is made from that source by that recipe, with this compiler for this CPU, is found by this."""
    made_from = [source_sha256, recipe, host().identity, compiler_version()]
    return hashlib.sha256(json.dumps(made_from).encode()).hexdigest()


def intact(path: Path, sha256: str, size: int) -> bool:
    """Whether a file is what was written."""
    try:
        content = path.read_bytes() if path.stat().st_size == size else b""
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == sha256


def _read_record(path: Path) -> _Record | None:
    try:
        with path.open("rb") as stream:
            data = json.loads(stream.read(_MAX_RECORD_BYTES))
        record = _Record(**data)
        sizes = [*record.scratch_bytes.values(), record.loaded_bytes or 0]
        whole = all(isinstance(size, int) and size >= 0 for size in sizes)
        return record if whole and _DIGEST.fullmatch(record.sha256) else None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
