"""Writes static plans; ``docs/reference/static-plan.md`` describes the file, ``hal/native`` reads it."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MAGIC = b"PRPLAN\r\n"
VERSION = 1
#: Version of the interface between kernels and whoever calls them.
LIBRARY_ABI = 6
HEADER_BYTES = 320
#: Bytes that the digest covers begin here.
DIGEST_END = 56
DATA, PARAMETER, STATE, ARENA, INPUT, OUTPUT = range(6)
DISPATCH, FILL, COPY = range(3)
NO_ALIAS = 0xFFFFFFFF
_ALIGNMENT = 64


class Binding(NamedTuple):
    """`length` bytes from `offset` on, of memory that `kind` and `index` name."""

    offset: int
    length: int
    kind: int
    number: int = 0


class PlanStep(NamedTuple):
    """`function` is an index; `bindings` as in `hal_program.Step`."""

    kind: int
    bindings: Sequence[Binding]
    function: int = 0
    workgroups: Sequence[int] = (1, 1, 1)
    constants: Sequence[int] = ()
    pattern: bytes = b""


class PlanTensor(NamedTuple):
    """An input or output; `alias` is the input that an output replaces."""

    name: str
    type: str
    nbytes: int
    alias: int = NO_ALIAS


@dataclass
class PlanEntry:
    """An entry, or with an empty name what runs once at the beginning; `refusal` says why it has no steps."""

    name: str
    declaration: str = ""
    refusal: str = ""
    inputs: Sequence[PlanTensor] = ()
    outputs: Sequence[PlanTensor] = ()
    steps: Sequence[PlanStep] = ()
    arena_bytes: int = 0


@dataclass
class PlanFile:
    """All of a plan.

    `functions` are (index of the executable, exported name), `parameters` (key, bytes), `executables`
    (name, offset, size) in the kernel library.
    """

    compiler: str
    arch: str
    features: Sequence[str]
    library: bytes
    executables: Sequence[tuple[str, int, int]]
    functions: Sequence[tuple[int, str]]
    parameters: Sequence[tuple[str, int]]
    entries: Sequence[PlanEntry]
    state_bytes: int
    data: bytes


@dataclass
class _Sections:
    strings: bytearray = field(default_factory=lambda: bytearray(b"\0"))
    known: dict[str, int] = field(default_factory=lambda: {"": 0})
    tensors: list[bytes] = field(default_factory=list)
    steps: list[bytes] = field(default_factory=list)
    bindings: list[bytes] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)

    def text(self, value: str) -> int:
        """Where a string lies."""
        if value not in self.known:
            self.known[value] = len(self.strings)
            self.strings += value.encode().replace(b"\0", b"?") + b"\0"
        return self.known[value]

    def entry(self, entry: PlanEntry) -> bytes:
        """The record of an entry, after those of its tensors and steps."""
        ranges = []
        for tensors in (entry.inputs, entry.outputs):
            ranges += [len(self.tensors), len(tensors)]
            self.tensors += [
                struct.pack("<QIIII", t.nbytes, self.text(t.name), self.text(t.type), t.alias, 0)
                for t in tensors
            ]
        ranges += [len(self.steps), len(entry.steps)]
        for step in entry.steps:
            self._step(step)
        names = (self.text(entry.name), self.text(entry.declaration), self.text(entry.refusal))
        return struct.pack("<10IQ", *names, *ranges, 0, entry.arena_bytes)

    def _step(self, step: PlanStep) -> None:
        first_binding, first_constant = len(self.bindings), len(self.constants)
        self.bindings += [struct.pack("<QQII", *binding) for binding in step.bindings]
        self.constants += step.constants
        pattern = int.from_bytes(step.pattern, "little")
        self.steps.append(
            struct.pack(
                "<12I", step.kind, step.function, *step.workgroups, first_binding, len(step.bindings),
                first_constant, len(step.constants), pattern, len(step.pattern), 0,
            )
        )  # fmt: skip


def dumps(plan: PlanFile) -> bytes:
    """The bytes of a plan; equal plans give equal bytes."""
    sections = _Sections()
    text = sections.text
    executables = [
        struct.pack("<QQII", offset, size, text(name), 0) for name, offset, size in plan.executables
    ]
    functions = [struct.pack("<II", executable, text(name)) for executable, name in plan.functions]
    parameters = [struct.pack("<QII", nbytes, text(key), 0) for key, nbytes in plan.parameters]
    entries = [sections.entry(entry) for entry in plan.entries]
    strings = [text(item) for item in (plan.compiler, plan.arch, ",".join(plan.features))]
    tables: list[tuple[bytes, int]] = [(bytes(sections.strings), len(sections.strings))]
    tables += [
        _table(records)
        for records in (
            executables, functions, parameters, entries, sections.tensors, sections.steps, sections.bindings,
        )
    ]  # fmt: skip
    constants = sections.constants
    tables += [
        (struct.pack(f"<{len(constants)}I", *constants), len(constants)),
        (plan.data, len(plan.data)),
    ]
    body, places = bytearray(), []
    for content, count in tables:
        body += bytes(-len(body) % _ALIGNMENT)
        places.append((HEADER_BYTES + len(body), count))
        body += content
    tail = hashlib.sha256(plan.library).digest()
    tail += struct.pack("<QQ4IQ", len(plan.library), plan.state_bytes, *strings, 0, 0)
    tail += b"".join(struct.pack("<QQ", *place) for place in places)
    tail += bytes(HEADER_BYTES - DIGEST_END - len(tail)) + body
    size = DIGEST_END + len(tail)
    return struct.pack("<8sIIQ", MAGIC, VERSION, LIBRARY_ABI, size) + hashlib.sha256(tail).digest() + tail


def _table(records: Iterable[bytes]) -> tuple[bytes, int]:
    found = list(records)
    return b"".join(found), len(found)
