"""What devices do, as values: buffers without contents, ranges of them, and steps that touch these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

PARAMETERS, DATA, MEMORY, INPUT, OUTPUT = "parameter", "data", "memory", "input", "output"


class Unplannable(ValueError):
    """What an operation would need at run time; `operation` is its name."""

    def __init__(self, operation: str, reason: str) -> None:
        super().__init__(f"{operation}: {reason}")
        self.operation = operation


@dataclass(eq=False, slots=True)
class Buffer:
    """Memory without contents.

    `kind` is one of `PARAMETERS` (`name` is its key), `DATA` (`content` is what it holds), `MEMORY` (made
    while running, undefined at first), `INPUT` and `OUTPUT` (the caller's, number `index`).
    """

    kind: str
    nbytes: int
    index: int = 0
    name: str = ""
    content: bytes = b""


class Range(NamedTuple):
    """`length` bytes of a buffer from `offset` on."""

    buffer: Buffer
    offset: int
    length: int

    def part(self, offset: int, length: int, operation: str) -> Range:
        """A range within this one."""
        if offset < 0 or length < 0 or offset + length > self.length:
            raise Unplannable(operation, f"bytes {offset} to {offset + length} of {self.length}")
        return Range(self.buffer, self.offset + offset, length)


class Step(NamedTuple):
    """One thing a device does: a dispatch, a fill of `bindings[0]`, or a copy of `bindings[0]` to `[1]`."""

    kind: str
    bindings: tuple[Range, ...]
    function: tuple[str, str] = ("", "")
    workgroups: tuple[int, int, int] = (1, 1, 1)
    constants: tuple[int, ...] = ()
    pattern: bytes = b""
