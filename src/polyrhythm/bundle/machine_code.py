"""Machine code made on this machine: a cache of compiled modules, found by what they were made from.

``$XDG_CACHE_HOME/polyrhythm/code`` (``~/.cache`` if that is not set) holds, for each portable source,
compiler version and CPU, a record ``KEY.json`` and the code it names by its digest, ``SHA256.vmfb``. All are
written beside their place and renamed, so a reader sees all or nothing; what does not fit its digest counts
as absent and is made again. Deleting the directory costs nothing but the time to compile.

Large weights are **packed**: the compiler lays matrices out anew for the CPU, and what would otherwise happen
whenever the code is loaded, into memory of its own, is done once and kept in ``SHA256.irpa``, which is mapped
like any weights. Such code takes that file in place of the bundle's weights, and its key holds their digests.

Reading needs neither IREE nor its compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.cpu import host
from polyrhythm.bundle.files import digest
from polyrhythm.bundle.lock import DIGEST

#: Raised whenever the compile room changes how it compiles.
RECIPE = 3
_MAX_RECORD_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class MachineCode:
    """Machine code that runs here: the file, what it was compiled with, and each entry's scratch in bytes.

    `loaded_bytes`: see `polyrhythm.bundle.lock`; None as long as nobody has loaded it. `packed`: the file of
    weights that it takes in place of the bundle's, if that is another one.
    """

    path: Path
    flags: tuple[str, ...]
    compiler: str
    scratch_bytes: Mapping[str, int]
    loaded_bytes: int | None = None
    packed: Path | None = None


@dataclass(frozen=True, slots=True)
class _Record:
    sha256: str
    size: int
    flags: Sequence[str]
    compiler: str
    scratch_bytes: Mapping[str, int]
    loaded_bytes: int | None = None
    packed: tuple[str, int] | None = None  # digest and size


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


def lookup(source_sha256: str, weights: Sequence[str] = ()) -> MachineCode | None:
    """The machine code for this CPU made from the source with that digest; None if there is no intact one.

    Args:
        weights: digests of the weights that are to be packed; none: code that takes them as they are.
    """
    record = _read_record(_place(source_sha256, weights))
    if record is None:
        return None
    path = cache_directory() / f"{record.sha256}.vmfb"
    packed = None if record.packed is None else cache_directory() / f"{record.packed[0]}.irpa"
    if not intact(path, record.sha256, record.size):
        return None
    if packed is not None and record.packed is not None and not _intact_weights(packed, *record.packed):
        return None
    return MachineCode(
        path, tuple(record.flags), record.compiler, dict(record.scratch_bytes), record.loaded_bytes, packed
    )


def note_loaded(source_sha256: str, loaded_bytes: int, weights: Sequence[str] = ()) -> None:
    """Keep what loading the code made from that source has allocated. Does nothing if it is not kept."""
    place = _place(source_sha256, weights)
    record = _read_record(place)
    if record is not None:
        _write_record(place, replace(record, loaded_bytes=loaded_bytes))


def store(
    source_sha256: str,
    content: bytes,
    *,
    flags: Sequence[str],
    scratch_bytes: Mapping[str, int],
    weights: Sequence[str] = (),
    packed: Path | None = None,
) -> MachineCode:
    """Keep `content`, made from the source with that digest for this CPU.

    Args:
        weights: see `lookup`.
        packed: a file in `cache_directory` with the packed weights, if they can be packed; it is renamed.
    """
    directory = cache_directory()
    directory.mkdir(parents=True, exist_ok=True)
    sha256 = hashlib.sha256(content).hexdigest()
    path = directory / f"{sha256}.vmfb"
    write_atomically(path, content)
    record = _Record(sha256, len(content), list(flags), compiler_version(), dict(scratch_bytes))
    if packed is not None:
        sha256 = digest(packed)
        record = replace(record, packed=(sha256, packed.stat().st_size))
        packed = packed.replace(directory / f"{sha256}.irpa")
    _write_record(_place(source_sha256, weights), record)
    return MachineCode(path, tuple(flags), record.compiler, dict(scratch_bytes), packed=packed)


def key(source_sha256: str, recipe: int = RECIPE, weights: Sequence[str] = ()) -> str:
    """What is made from that source by that recipe, with this compiler for this CPU, is found by this."""
    made_from = [source_sha256, recipe, host().identity, compiler_version(), *weights]
    return hashlib.sha256(json.dumps(made_from).encode()).hexdigest()


def intact(path: Path, sha256: str, size: int) -> bool:
    """Whether a file is what was written."""
    try:
        content = path.read_bytes() if path.stat().st_size == size else b""
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == sha256


def _intact_weights(path: Path, sha256: str, size: int) -> bool:
    """The same for a file that may be large."""
    try:
        return path.stat().st_size == size and digest(path) == sha256
    except OSError:
        return False


def _place(source_sha256: str, weights: Sequence[str]) -> Path:
    return cache_directory() / f"{key(source_sha256, weights=weights)}.json"


def _write_record(place: Path, record: _Record) -> None:
    write_atomically(place, json.dumps(asdict(record), indent=1, sort_keys=True).encode())


def _read_record(path: Path) -> _Record | None:
    try:
        with path.open("rb") as stream:
            record = _Record(**json.loads(stream.read(_MAX_RECORD_BYTES)))
        record = replace(record, flags=list(record.flags))
        if record.packed is not None:
            sha256, size = record.packed
            record = replace(record, packed=(sha256, size))
        files = [(record.sha256, record.size), *([record.packed] if record.packed else [])]
        sizes = [*record.scratch_bytes.values(), record.loaded_bytes or 0, *(size for _, size in files)]
        whole = all(isinstance(size, int) and size >= 0 for size in sizes) and isinstance(
            record.compiler, str
        )
        return record if whole and all(DIGEST.fullmatch(sha256) for sha256, _ in files) else None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
