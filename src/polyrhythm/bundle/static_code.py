"""Static plans made on this machine, in the cache of machine code.

Beside the machine code of a source lie ``KEY.plan.json`` and what it names by digest: the plan,
``SHA256.plan``, and its kernels, ``SHA256.so`` (the plan itself names them too). What the kernels work on is
``SHA256.work.json``, under the digest of the plan. What does not fit its digest counts as absent.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from polyrhythm.bundle.atomic import write_atomically
from polyrhythm.bundle.lock import DIGEST, WORK
from polyrhythm.bundle.machine_code import cache_directory, intact, key

#: Raised whenever the compile room changes how it plans.
RECIPE = 3
_MAX_RECORD_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class StaticCode:
    """A static plan that runs here.

    Attributes:
        path, library: the plan and its kernels.
        scratch_bytes: the arena of every entry that has a plan.
        refused: why the other entries have none.
        state_bytes: what a loaded plan keeps beside its weights.
    """

    path: Path
    library: Path
    scratch_bytes: Mapping[str, int]
    refused: Mapping[str, str]
    state_bytes: int


@dataclass(frozen=True, slots=True)
class _Record:
    plan: str
    plan_size: int
    library: str
    library_size: int
    work: str
    work_size: int
    scratch_bytes: Mapping[str, int]
    refused: Mapping[str, str]
    state_bytes: int


def with_weights(source_sha256: str, weights: Sequence[str]) -> str:
    """What stands for a source whose plan holds its weights, files with those digests."""
    return hashlib.sha256("\n".join([source_sha256, *weights]).encode()).hexdigest()


def lookup(source_sha256: str) -> StaticCode | None:
    """The plan for this CPU made from the source with that digest; None if there is no intact one."""
    directory = cache_directory()
    record = _read_record(directory / _name(source_sha256))
    if record is None:
        return None
    path, library = directory / f"{record.plan}.plan", directory / f"{record.library}.so"
    if not intact(path, record.plan, record.plan_size):
        return None
    if not intact(library, record.library, record.library_size):
        return None
    if not intact(path.with_suffix(WORK), record.work, record.work_size):
        return None
    return StaticCode(path, library, dict(record.scratch_bytes), dict(record.refused), record.state_bytes)


def store(
    source_sha256: str,
    plan: bytes,
    library: bytes,
    work: bytes,
    *,
    scratch_bytes: Mapping[str, int],
    refused: Mapping[str, str],
    state_bytes: int,
) -> StaticCode:
    """Keep a plan, its kernels and what they work on, made from the source with that digest for this CPU."""
    directory = cache_directory()
    digests = [hashlib.sha256(content).hexdigest() for content in (plan, library, work)]
    path = directory / f"{digests[0]}.plan"
    write_atomically(path, plan)
    kernels = directory / f"{digests[1]}.so"
    write_atomically(kernels, library)
    write_atomically(path.with_suffix(WORK), work)
    record = _Record(
        digests[0], len(plan), digests[1], len(library), digests[2], len(work),
        dict(scratch_bytes), dict(refused), state_bytes,
    )  # fmt: skip
    text = json.dumps(asdict(record), indent=1, sort_keys=True)
    write_atomically(directory / _name(source_sha256), text.encode())
    return StaticCode(path, kernels, record.scratch_bytes, record.refused, state_bytes)


def _name(source_sha256: str) -> str:
    return f"{key(source_sha256, RECIPE)}.plan.json"


def _read_record(path: Path) -> _Record | None:
    try:
        with path.open("rb") as stream:
            record = _Record(**json.loads(stream.read(_MAX_RECORD_BYTES)))
        sizes = [record.state_bytes, *record.scratch_bytes.values()]
        whole = all(isinstance(size, int) and size >= 0 for size in sizes) and all(
            isinstance(why, str) for why in record.refused.values()
        )
        named = DIGEST.fullmatch(record.plan) and DIGEST.fullmatch(record.library)
        return record if whole and named else None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
