"""What kernels compute and touch, read from the compiler's last form of them before machine code.

There a kernel is a function of tensors: it loads slices of what it is bound to, computes with loops over
known extents, and stores slices. Operations are loop counts times the arithmetic in a loop's body;
conversions and index arithmetic don't count, whatever else does counts once. A slice that does not lie in one
piece, or where only a run knows, is taken whole, and a store to it reads as well, since it leaves bytes as
they were.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

_TENSOR = re.compile(r"tensor<((?:\d+x)*)([a-z]+\d*)>")
_MAP = re.compile(r"affine_map<\(([^)]*)\) -> \(([^)]*)\)>")
_BITS = re.compile(r"\d+")
#: Not arithmetic, or not the kernel's own.
_FREE = re.compile(r"arith\.(constant|index_cast|ext|trunc|sitofp|uitofp|fptosi|fptoui|bitcast)")
#: Operations for each element of what `linalg.softmax` gives: maximum, difference, power, sum, quotient.
_SOFTMAX = 5
_READ_ONLY = 1

Number = Callable[[Sequence[int]], int]


class Access(NamedTuple):
    """Bytes of a binding that a kernel reads or writes: `nbytes` from `offset` on, None: to the end.

    `offset` is a function of the constants that the kernel is launched with; None: the whole binding.
    """

    binding: int
    offset: Number | None
    nbytes: int | None
    writes: bool


@dataclass(slots=True)
class Kernel:
    """One kernel: its operations, and what it touches."""

    flops: int = 0
    accesses: list[Access] = field(default_factory=list)


class _Tensor(NamedTuple):
    shape: tuple[int, ...]
    element_bytes: int

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.element_bytes


def kernels_of(ir: Any, text: str) -> Mapping[str, Kernel]:
    """The kernels of a module in its ``executable-sources`` form, by name.

    Args:
        ir: `iree.compiler.ir`.
        text: the module.
    """
    module = ir.Module.parse(text)
    found = {}
    for function in _named(module.operation, "func.func"):
        name = ir.StringAttr(function.attributes["sym_name"]).value
        found[name] = _Reader(ir).read(function)
    return found


def _named(operation: Any, name: str) -> Iterator[Any]:
    """Operations of that name, but not what is inside of them."""
    for inner in _inside(operation):
        if inner.name == name:
            yield inner
        else:
            yield from _named(inner, name)


def _inside(operation: Any) -> Iterator[Any]:
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                yield view.operation


class _Reader:
    def __init__(self, ir: Any) -> None:
        self._ir = ir
        self._numbers: dict[Any, Number] = {}
        #: What is bound: its number, where it begins, its tensor if it is plain, whether it is only read.
        self._bound: dict[Any, tuple[int, Number | None, _Tensor | None, bool]] = {}
        self._kernel = Kernel()

    def read(self, function: Any) -> Kernel:
        for operation in _inside(function):
            self._operation(operation)
        return self._kernel

    def _operation(self, operation: Any) -> None:
        name = operation.name
        if name == "hal.interface.binding.subspan":
            self._subspan(operation)
        elif name in ("iree_tensor_ext.dispatch.tensor.load", "iree_tensor_ext.dispatch.tensor.store"):
            self._slice(operation, writes=name.endswith("store"))
        elif any(operand in self._bound for operand in operation.operands):
            for operand in operation.operands:
                if operand in self._bound:
                    self._whole(operand)
        elif name.startswith(("linalg.", "iree_linalg_ext.")):
            self._kernel.flops += self._flops(operation)
        elif not self._number(operation):
            for inner in _inside(operation):
                self._operation(inner)

    # -- numbers ------------------------------------------------------------------------------------------

    def _number(self, operation: Any) -> bool:
        """Whether the operation is one of those that compute where slices lie; then its results are known."""
        name, numbers = operation.name, self._numbers
        if name == "arith.constant":
            attribute = operation.attributes["value"]
            if isinstance(attribute, self._ir.IntegerAttr):
                known = int(attribute.value)
                numbers[operation.results[0]] = lambda constants: known
            return True
        if name == "hal.interface.constant.load":
            index = int(self._ir.IntegerAttr(operation.attributes["ordinal"]).value)
            numbers[operation.results[0]] = lambda constants: constants[index]
            return True
        given = [numbers.get(operand) for operand in operation.operands]
        if name == "util.assume.int" or name.startswith(("arith.index_cast", "arith.ext", "arith.trunc")):
            for result, value in zip(operation.results, given, strict=False):
                if value is not None:
                    numbers[result] = value
            return True
        pairs: Mapping[str, Callable[[int, int], int]] = {
            "arith.addi": int.__add__,
            "arith.muli": int.__mul__,
            "arith.shli": int.__lshift__,
            "arith.ori": int.__or__,
        }
        if name in pairs and len(given) == 2 and given[0] is not None and given[1] is not None:
            left, right, pair = given[0], given[1], pairs[name]
            numbers[operation.results[0]] = lambda constants: pair(left(constants), right(constants))
            return True
        return False

    # -- memory -------------------------------------------------------------------------------------------

    def _subspan(self, operation: Any) -> None:
        ir = self._ir
        binding = int(ir.IntegerAttr(operation.attributes["binding"]).value)
        flags = 0
        if "descriptor_flags" in operation.attributes:
            flags = int(ir.IntegerAttr(operation.attributes["descriptor_flags"]).value)
        offset = self._numbers.get(operation.operands[0]) if len(operation.operands) else lambda constants: 0
        result = operation.results[0]
        self._bound[result] = binding, offset, _tensor(str(result.type)), bool(flags & _READ_ONLY)

    def _slice(self, operation: Any, writes: bool) -> None:
        target = operation.operands[1 if writes else 0]
        if target not in self._bound:
            return
        binding, base, tensor, _ = self._bound[target]
        parts = [self._integers(operation, f"static_{name}") for name in ("offsets", "sizes", "strides")]
        if base is None or tensor is None or any(value < 0 for part in parts for value in part):
            self._whole(target, writes)
            return
        first, count, plain = _extent(tensor, *parts)
        begin = first * tensor.element_bytes
        access = Access(
            binding, lambda constants: base(constants) + begin, count * tensor.element_bytes, writes
        )
        self._kernel.accesses.append(access)
        if writes and not plain:
            self._kernel.accesses.append(access._replace(writes=False))

    def _whole(self, target: Any, writes: bool | None = None) -> None:
        """All of what is bound; None: in whatever way is allowed."""
        binding, base, tensor, only_read = self._bound[target]
        nbytes = None if tensor is None else tensor.nbytes
        access = Access(binding, base, nbytes, False)
        self._kernel.accesses.append(access)
        if writes or (writes is None and not only_read):
            self._kernel.accesses.append(access._replace(writes=True))

    def _integers(self, operation: Any, name: str) -> list[int]:
        return [int(value) for value in self._ir.DenseI64ArrayAttr(operation.attributes[name])]

    # -- arithmetic ---------------------------------------------------------------------------------------

    def _flops(self, operation: Any) -> int:
        shapes = [_tensor(str(operand.type)) for operand in operation.operands]
        results = sum(prod(t.shape) for r in operation.results if (t := _tensor(str(r.type))) is not None)
        if operation.name == "linalg.softmax":
            return _SOFTMAX * results
        if not len(operation.regions):
            return 0 if operation.name in ("linalg.pack", "linalg.unpack") else results
        each = sum(
            not _FREE.match(inner.name) for inner in _inside(operation) if inner.name.startswith(_ARITHMETIC)
        )
        if not each:
            return 0
        for name in ("indexing_maps", "linalg.memoized_indexing_maps"):
            if name in operation.attributes:
                extents = _extents(str(operation.attributes[name]), shapes)
                return each * prod(extents.values())
        return each * results


_ARITHMETIC = ("arith.", "math.")


def _extent(
    tensor: _Tensor, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> tuple[int, int, bool]:
    """Of a slice: its first element, elements from there to its last one, and whether all of these are
    its."""
    step, first, last = 1, 0, 0
    for extent, offset, size, stride in reversed(
        list(zip(tensor.shape, offsets, sizes, strides, strict=True))
    ):
        first += offset * step
        last += (offset + (size - 1) * stride) * step
        step *= extent
    count = last - first + 1
    return first, count, count == prod(sizes)


def _extents(maps: str, shapes: Sequence[_Tensor | None]) -> dict[str, int]:
    """How often each loop runs."""
    found: dict[str, int] = {}
    for (_, results), tensor in zip(_MAP.findall(maps), shapes, strict=False):
        names = [name.strip() for name in results.split(",")] if results else []
        if tensor is not None and len(names) == len(tensor.shape):
            found |= {
                name: extent for name, extent in zip(names, tensor.shape, strict=True) if name.isalnum()
            }
    return {name: extent for name, extent in found.items() if name.startswith("d")}


def _tensor(text: str) -> _Tensor | None:
    """The tensor of a type, if it is one of static shape that lies in rows."""
    match = _TENSOR.search(text)
    if match is None or text.startswith(("memref", "vector")):
        return None
    bits = _BITS.search(match[2])
    nbytes = max(1, int(bits[0]) // 8) if bits else 8
    return _Tensor(tuple(int(extent) for extent in match[1].split("x") if extent), nbytes)
