"""What a compiled entry point takes and gives: the facts that links, arenas and calls are checked against."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

#: Bytes of one element, by the dtype names that manifests, locks and specs use.
DTYPE_BYTES = {
    "f64": 8, "f32": 4, "f16": 2, "bf16": 2,
    "i64": 8, "i32": 4, "i16": 2, "i8": 1,
    "u64": 8, "u32": 4, "u16": 2, "u8": 1,
    "bool": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tensor:
    """A named tensor of static shape; ``dtype`` is a key of `DTYPE_BYTES`."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Size in bytes, dense and row-major."""
        return DTYPE_BYTES[self.dtype] * prod(self.shape)

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry function of a module.

    Outputs and scratch are owned by the caller: `scratch_bytes` (may be 0) is what a call needs beside
    its inputs and outputs. `consumed` names inputs that the call is allowed to overwrite.
    `guidance` is the method by which it draws a flow toward a target (see `polyrhythm.chunks.guidance`).
    """

    name: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    scratch_bytes: int = 0
    consumed: frozenset[str] = frozenset()
    guidance: str | None = None
