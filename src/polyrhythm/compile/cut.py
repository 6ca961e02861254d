"""Cutting an entry between two of its operations: one entry becomes several that give the same.

The operations of an entry stand in an order in which each comes after those whose results it reads. A cut at
position p gives what stands before p to one stage and the rest to the next. Whatever is made before p and
read behind it *crosses* the cut: the earlier stage gives it as an output, and every later stage that reads it
takes it as an input of that name, which is how stages are wired (`polyrhythm.runtime.binding`).

- Weights are arguments of every stage, hence one global of the module. What depends on weights and constants
  only is made again in every stage that reads it: the compiler computes it when the module is loaded.
- Inputs are read by name in whichever stage needs them. A result of the entry is given by the stage that
  makes it, but not before the last stage that reads an input of the same name.
- A product is not parted from what reads it: multiplied and added in one go, a number is rounded once, and
  twice if it has to be stored in between.
- State that the entry updates in place passes from stage to stage under its own name and stays where it lies.
  No cut is where two versions of it are in use, or where it is seen in another shape.

Everything is done on the IR through the compiler's MLIR bindings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod, sqrt
from typing import Any

from polyrhythm.bundle import DTYPE_BYTES, Entry, Tensor
from polyrhythm.compile.codes import missing_extra
from polyrhythm.compile.replace import made_by, reads
from polyrhythm.compile.source import Lowered, tensor_of
from polyrhythm.hal.binding import in_place

#: What an operation is guessed to cost before anything is measured: only proportions count.
_NS_PER_FLOP, _NS_PER_BYTE = 1 / 40, 1 / 20
_VIEWS = (
    "stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.transpose", "stablehlo.slice",
)  # fmt: skip
_NOTHING = ("stablehlo.reshape", "stablehlo.constant")
#: An operation that gives something else every time must not be done twice.
_NOT_AGAIN = ("stablehlo.rng", "stablehlo.custom_call")

#: A value of the block: argument (-1, its number), or result (operation, its number).
Value = tuple[int, int]


@dataclass(frozen=True)
class _Operation:
    name: str
    what: str
    reads: tuple[Value, ...]
    tensors: tuple[Tensor | None, ...]
    guess_ns: float
    free: bool


@dataclass
class Cuttable:
    """An entry that can be cut.

    Attributes:
        name: of the entry; its stages are ``name.0``, ``name.1``, ...
        costs: a guess for every operation, in proportion only.
        crossing: for every position, the bytes that cross a cut there; None: no cut can be there.
    """

    name: str
    lowered: Lowered
    costs: list[float] = field(init=False)
    crossing: list[int | None] = field(init=False)

    def __post_init__(self) -> None:
        self._text, self._operations, self._results = _read(self.lowered)
        self._weights = len(self.lowered.weights)
        self._last_read = self._last_reads()
        outputs = tuple(self._tensor_of(value) or Tensor("", "u8", ()) for value in self._results)
        named = tuple(Tensor(n, t.dtype, t.shape) for n, t in zip(self.lowered.outputs, outputs, strict=True))
        entry = Entry(self.name, tuple(self.lowered.inputs), named, consumed=self.lowered.consumed)
        self._kept = {named[index].name: self._chain(index, at) for index, at in in_place(entry).items()}
        self._due = {name: self._due_at(name, value) for name, value in self._outputs()}
        self.costs = [0.0 if op.free else op.guess_ns for op in self._operations]
        self.crossing = [self._bytes_across(p) for p in range(len(self._operations) + 1)]

    def describe(self, index: int) -> str:
        """An operation in words, for example ``stablehlo.dot_general -> tensor<80x512xf32>``."""
        return self._operations[index].what

    def cut(self, positions: Sequence[int]) -> dict[str, Lowered]:
        """The stages, in order. `positions` rise, and `crossing` is not None at any of them."""
        bounds = list(pairwise([0, *positions, len(self._operations)]))
        return {f"{self.name}.{i}": self._stage(bounds, i) for i in range(len(bounds))}

    # -- what crosses --------------------------------------------------------------------------------------

    def _outputs(self) -> Iterator[tuple[str, Value]]:
        return zip(self.lowered.outputs, self._results, strict=True)

    def _tensor_of(self, value: Value) -> Tensor | None:
        if value[0] >= 0:
            return self._operations[value[0]].tensors[value[1]]
        return self.lowered.inputs[value[1] - self._weights] if value[1] >= self._weights else None

    def _last_reads(self) -> dict[Value, int]:
        return {value: i for i, op in enumerate(self._operations) for value in op.reads}

    def _input(self, name: str) -> Value:
        names = [tensor.name for tensor in self.lowered.inputs]
        return (-1, self._weights + names.index(name)) if name in names else (-1, -1)

    def _due_at(self, name: str, value: Value) -> int:
        """The operation from whose stage on the output is given."""
        if name in self._kept:
            return value[0]
        if value[0] < 0 or self._operations[value[0]].free or self._input(name) in self._results:
            return len(self._operations) - 1
        return max(value[0], self._last_read.get(self._input(name), -1))

    def _chain(self, index: int, position: int) -> list[int]:
        """The operations that update an input in place, first to last."""
        found: list[int] = []
        value = self._results[index]
        while value[0] >= 0:
            found.append(value[0])
            value = self._operations[value[0]].reads[0]
        return found[::-1] if value == (-1, self._weights + position) else []

    def _across(self, p: int) -> dict[Value, int]:
        """What is made before `p` and needed behind it -> the last operation that needs it."""
        last = dict(self._last_read)
        for name, value in self._outputs():
            last[value] = max(last.get(value, -1), self._due[name])
        return {
            value: until
            for value, until in last.items()
            if 0 <= value[0] < p <= until and not self._operations[value[0]].free
        }

    def _bytes_across(self, p: int) -> int | None:
        if not (any(self.costs[:p]) and any(self.costs[p:])):
            return None
        across = self._across(p)
        for name, chain in self._kept.items():
            done = [i for i in chain if i < p]
            versions = {(i, 0) for i in chain}
            if not done:
                continue
            now = self._operations[done[-1]].tensors[0]
            wanted = next(t for t in self.lowered.inputs if t.name == name)
            old = versions - {(done[-1], 0)}
            late = self._last_read.get(self._input(name), -1) >= p
            if now is None or (now.dtype, now.shape) != (wanted.dtype, wanted.shape) or late:
                return None
            if any(value in across for value in old):
                return None
        nbytes = 0
        for value in across:
            tensor = self._tensor_of(value)
            if tensor is None or self._is_product(value):
                return None
            nbytes += tensor.nbytes
        return nbytes

    def _is_product(self, value: Value) -> bool:
        """Whether a value, perhaps seen in another shape, is numbers multiplied one by one."""
        operation = self._operations[value[0]]
        while operation.name in _VIEWS and operation.reads[0][0] >= 0:
            operation = self._operations[operation.reads[0][0]]
        return operation.name == "stablehlo.multiply"

    # -- a stage -------------------------------------------------------------------------------------------

    def _name(self, value: Value, bounds: Sequence[tuple[int, int]]) -> str:
        """What a value that crosses is called: like the output that it is, or after where it is made."""
        for name, chain in self._kept.items():
            if value[0] in chain:
                return name
        begin, end = next(b for b in bounds if b[0] <= value[0] < b[1])
        for name, result in self._outputs():
            if result == value and begin <= self._due[name] < end:
                return name
        taken = {*self.lowered.outputs, *(tensor.name for tensor in self.lowered.inputs)}
        found = f"{self.name}.{value[0]}" + (f".{value[1]}" if value[1] else "")
        while found in taken:
            found += "_"
        return found

    def _stage(self, bounds: Sequence[tuple[int, int]], stage: int) -> Lowered:
        begin, end = bounds[stage]
        gives = self._gives(bounds, stage)
        own = {i for i in range(begin, end) if not self._operations[i].free}
        # Free operations that these read, and those that they read in turn.
        todo = [v for i in own for v in self._operations[i].reads] + [v for _, v in gives]
        while todo:
            made, _ = todo.pop()
            if made >= 0 and self._operations[made].free and made not in own:
                own.add(made)
                todo += self._operations[made].reads
        read = {v for i in own for v in self._operations[i].reads} | {v for _, v in gives}
        arguments = sorted(v for v in read if v[0] < 0 and v[1] >= self._weights)
        taken = sorted(v for v in read if v[0] >= 0 and v[0] not in own)
        tensors = [self.lowered.inputs[v[1] - self._weights] for v in arguments]
        for value in taken:
            tensor = self._tensor_of(value)
            assert tensor is not None
            tensors.append(Tensor(self._name(value, bounds), tensor.dtype, tensor.shape))
        names = [name for name, _ in gives]
        return Lowered(
            self._write(sorted(own), arguments, taken, [value for _, value in gives]),
            self.lowered.weights,
            tuple(tensors),
            tuple(names),
            self._consumed(begin, end, arguments, taken, tensors, names),
            self.lowered.guidance,
        )

    def _gives(self, bounds: Sequence[tuple[int, int]], stage: int) -> list[tuple[str, Value]]:
        """The outputs of a stage: results that are due, and what later stages read."""
        begin, end = bounds[stage]
        gives = [(name, value) for name, value in self._outputs() if begin <= self._due[name] < end]
        for name, chain in self._kept.items():
            if name not in dict(gives) and (done := [i for i in chain if begin <= i < end]):
                gives.append((name, (done[-1], 0)))
        for value in sorted(self._across(end)):
            if value[0] >= begin and (name := self._name(value, bounds)) not in dict(gives):
                gives.append((name, value))
        return gives

    def _consumed(
        self,
        begin: int,
        end: int,
        arguments: Sequence[Value],
        taken: Sequence[Value],
        tensors: Sequence[Tensor],
        gives: Sequence[str],
    ) -> frozenset[str]:
        """What the stage may write over: what it updates, and what it is the last to read."""
        found = set()
        results = {value for _, value in self._outputs()}
        for value, tensor in zip([*arguments, *taken], tensors, strict=True):
            if tensor.name in self._kept:
                last = tensor.name in gives
            elif value[0] < 0:
                until = len(self._operations) - 1 if value in results else self._last_read[value]
                last = tensor.name in self.lowered.consumed and until < end
            else:
                last = value not in results and self._last_read[value] < end
            if last:
                found.add(tensor.name)
        return frozenset(found)

    def _write(
        self, kept: Sequence[int], arguments: Sequence[Value], taken: Sequence[Value], gives: Sequence[Value]
    ) -> str:
        """The stage as a StableHLO module of its own."""
        from iree.compiler import ir

        with ir.Context() as context, ir.Location.unknown(context):
            module = ir.Module.parse(self._text)
            main = _main(ir, module)
            block = main.regions[0].blocks[0]
            *operations, last = list(block.operations)
            values: dict[Value, Any] = {(-1, i): argument for i, argument in enumerate(block.arguments)}
            for index, operation in enumerate(operations):
                values |= {(index, j): result for j, result in enumerate(operation.results)}
            for value in taken:
                argument = block.add_argument(values[value].type, ir.Location.unknown())
                values[value].replace_all_uses_with(argument)
                values[value] = argument
            with ir.InsertionPoint(last):
                ir.Operation.create(last.name, operands=[values[value] for value in gives])
            last.operation.erase()
            wanted = set(kept)
            for index in reversed(range(len(operations))):
                if index not in wanted:
                    operations[index].operation.erase()
            held = {*range(self._weights), *(number for _, number in arguments)}
            for number in reversed(range(self._weights + len(self.lowered.inputs))):
                if number not in held:
                    block.erase_argument(number)
            results = [operand.type for operand in list(block.operations)[-1].operands]
            inputs = [argument.type for argument in block.arguments]
            main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
            for name in ("arg_attrs", "res_attrs"):
                if name in main.attributes:
                    del main.attributes[name]
            module.operation.verify()
            return str(module.operation.get_asm(enable_debug_info=False))


# -- reading ------------------------------------------------------------------------------------------------


def _main(ir: Any, module: Any) -> Any:
    return next(
        op for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == "main"
    )


def _read(lowered: Lowered) -> tuple[str, list[_Operation], list[Value]]:
    """The entry with all calls inlined: its text, its operations, its results."""
    try:
        from iree.compiler import ir, passmanager
    except ImportError as error:
        raise missing_extra("iree-base-compiler", "compile", "cutting into stages") from error
    with ir.Context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(lowered.text)
        passmanager.PassManager.parse("builtin.module(inline)").run(module.operation)
        block = _main(ir, module).regions[0].blocks[0]
        *operations, last = list(block.operations)
        index = {hash(operation.operation): i for i, operation in enumerate(operations)}
        found: list[_Operation] = []
        for operation in operations:
            values = tuple(_values(block, index, reads(operation)))
            free = operation.name not in _NOT_AGAIN and all(
                found[made].free if made >= 0 else number < len(lowered.weights) for made, number in values
            )
            tensors = tuple(tensor_of(ir, "", result.type) for result in operation.results)
            what = f"{operation.name} -> {', '.join(str(result.type) for result in operation.results)}"
            found.append(_Operation(operation.name, what, values, tensors, _guess_ns(ir, operation), free))
        results = list(_values(block, index, last.operands))
        return str(module.operation.get_asm(enable_debug_info=False)), found, results


def _values(block: Any, index: dict[int, int], operands: Sequence[Any]) -> Iterator[Value]:
    """Those of the operands that belong to the block itself, not to the inside of an operation."""
    for operand in operands:
        maker = made_by(operand)
        if maker is not None:
            if (at := index.get(hash(maker.operation))) is not None:
                yield at, operand.result_number
        elif operand.owner == block:
            yield -1, operand.arg_number


def _guess_ns(ir: Any, operation: Any) -> float:
    """Arithmetic of matrix products, and bytes read and written by everything."""
    if operation.name in _NOTHING:
        return 0.0
    inside = sum(
        _guess_ns(ir, inner) for region in operation.regions for b in region.blocks for inner in b.operations
    )
    shapes = [tensor_of(ir, "", value.type) for value in (*operation.operands, *operation.results)]
    nbytes = sum(shape.nbytes for shape in shapes if shape is not None)
    return nbytes * _NS_PER_BYTE + _flops(operation.name, shapes) * _NS_PER_FLOP + inside


def _flops(name: str, shapes: Sequence[Tensor | None]) -> float:
    if name not in ("stablehlo.dot_general", "stablehlo.convolution") or None in shapes:
        return 0.0
    left, right, out = (tensor for tensor in shapes if tensor is not None)
    if name == "stablehlo.convolution":
        outgoing = max(right.shape[0], right.shape[-1])
        return 2.0 * _size(out) * _size(right) / outgoing
    # With one contracted axis, what the ranks have in common beyond it are batches, which lead in the result.
    batches = max(0, len(left.shape) + len(right.shape) - len(out.shape) - 2)
    batch = prod(out.shape[:batches])
    return 2.0 * sqrt(_size(left) * _size(right) * _size(out) / batch)


def _size(tensor: Tensor) -> int:
    return tensor.nbytes // DTYPE_BYTES[tensor.dtype]
