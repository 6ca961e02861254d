"""What the kernels of a module work on: a file beside its static plan, for devices that move memory
themselves.

JSON, ``SHA256.work.json`` or ``NAME.work.json``, made by `polyrhythm.compile.kernel_work`::

    {"format": "polyrhythm.work", "version": 1,
     "entries": {ENTRY: {"memories": [[NAME, BYTES], ...],
                         "steps": [{"name": KERNEL, "flops": N, "reads": [[MEMORY, START, END], ...],
                                    "writes": [[MEMORY, START, END], ...]}, ...]}}}

Steps are those of the plan. ``MEMORY`` is an index; names are ``input.NAME``, ``output.NAME``,
``weight.NAME``, ``arena`` (what lives within one call), and what the module keeps and only reads:
``packed.NAME`` (a weight in another order), ``state.N`` and ``data.N``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrhythm.hal.api import HalError
from polyrhythm.hal.dsa.ranges import Span

FORMAT, VERSION = "polyrhythm.work", 1
ARENA = "arena"
_MAX_FILE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class WorkStep:
    """A kernel call: operations, and the bytes that it reads and writes."""

    name: str
    flops: int
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class WorkEntry:
    """An entry: its memories with their sizes, and its steps in order."""

    name: str
    memories: Mapping[str, int]
    steps: tuple[WorkStep, ...]

    @property
    def results(self) -> tuple[Span, ...]:
        """What outlives the call and is written by it."""
        written = dict.fromkeys(span.memory for step in self.steps for span in step.writes)
        return tuple(Span(name, 0, self.memories[name]) for name in written if name != ARENA)

    def moved_bytes(self, memory: str) -> int:
        """Bytes that one call reads of a memory, plus those that it writes: each byte at most once."""
        read = [span for step in self.steps for span in step.reads if span.memory == memory]
        written = [span for step in self.steps for span in step.writes if span.memory == memory]
        return _union(read) + _union(written)


def dumps(entries: Sequence[WorkEntry]) -> bytes:
    """The file; equal work gives equal bytes."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "entries": {entry.name: _packed(entry) for entry in entries},
        },
        separators=(",", ":"),
    ).encode()


def _packed(entry: WorkEntry) -> dict[str, Any]:
    number = {name: index for index, name in enumerate(entry.memories)}

    def spans(group: Sequence[Span]) -> list[list[int]]:
        return [[number[span.memory], span.start, span.end] for span in group]

    return {
        "memories": [[name, nbytes] for name, nbytes in entry.memories.items()],
        "steps": [
            {
                "name": step.name,
                "flops": step.flops,
                "reads": spans(step.reads),
                "writes": spans(step.writes),
            }
            for step in entry.steps
        ],
    }


def read_work(path: Path) -> dict[str, WorkEntry]:
    """The entries of a file.

    Raises:
        HalError: it can't be read, or is none.
    """
    try:
        with path.open("rb") as stream:
            data = json.loads(stream.read(_MAX_FILE_BYTES))
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise ValueError(f"it is not {FORMAT} {VERSION}")
        return {name: _entry(name, entry) for name, entry in data["entries"].items()}
    except OSError as error:
        raise HalError(f"{path}: {error.strerror}; a dsa device needs it beside the plan") from None
    except (
        ArithmeticError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        RecursionError,
    ) as error:
        raise HalError(f"{path} does not say what kernels work on: {error!r}"[:400]) from None


def _entry(name: str, data: Any) -> WorkEntry:
    memories = [(str(memory), int(nbytes)) for memory, nbytes in data["memories"]]

    def spans(group: Any) -> tuple[Span, ...]:
        found = [Span(memories[index][0], int(start), int(end)) for index, start, end in group]
        sizes = dict(memories)
        for span in found:
            if not 0 <= span.start < span.end <= sizes[span.memory]:
                raise ValueError(f"{span} is not within {sizes[span.memory]} bytes")
        return tuple(found)

    steps = tuple(
        WorkStep(str(item["name"]), max(0, int(item["flops"])), spans(item["reads"]), spans(item["writes"]))
        for item in data["steps"]
    )
    return WorkEntry(name, dict(memories), steps)


def _union(spans: Sequence[Span]) -> int:
    covered = end = 0
    for span in sorted(spans):
        covered += max(0, span.end - max(span.start, end))
        end = max(end, span.end)
    return covered
