"""Whether an output may be written over the input that it replaces.

The compiler orders what depends on each other, but does not know that the two share memory. So the output has
to be the input with parts written over, one write after the other, and whatever else reads a state in between
has to be needed for the write that ends this state: then it comes first in any order.
"""

from __future__ import annotations

from typing import Any

#: Operations whose result is their first operand, some of it overwritten.
_WRITES = ("stablehlo.dynamic_update_slice", "stablehlo.scatter")
#: Operations whose result is their operand, seen in another shape.
_VIEWS = ("stablehlo.reshape",)


def why_not(block: Any, argument: Any, result: Any) -> str | None:
    """Why `result` cannot be written over `argument` of the MLIR block that returns it; None if it can."""
    value = result
    while value != argument:
        operation = made_by(value)
        if operation is None:
            return "it is another input"
        if operation.name not in (*_WRITES, *_VIEWS):
            return f"it comes from {operation.name}, not from writing parts of that input"
        value = operation.operands[0]
        if operation.name in _WRITES:
            late = _late_reader(block, operation, _whole(value))
            if late is not None:
                return f"a {late} may read what it was before, after it was written over"
    return None


def made_by(value: Any) -> Any:
    """The operation with this result; None for the argument of a block."""
    return value.owner if hasattr(value.owner, "operands") else None


def _whole(value: Any) -> Any:
    """The value that `value` is a view of."""
    operation = made_by(value)
    while operation is not None and operation.name in _VIEWS:
        value = operation.operands[0]
        operation = made_by(value)
    return value


def _late_reader(block: Any, write: Any, state: Any) -> str | None:
    """The name of an operation that reads `state` and is not needed for `write`, which overwrites it."""
    needed = _needed(block, write)
    values = [state]
    while values:
        for use in values.pop().uses:
            user = _outermost(use.owner, block)
            if user.name in _VIEWS:
                values.append(user.results[0])
            elif user != write and hash(user.operation) not in needed:
                return str(user.name)
    return None


def _needed(block: Any, operation: Any) -> set[int]:
    """Hashes of all operations of `block` whose results `operation` depends on."""
    found: set[int] = set()
    todo = [operation]
    while todo:
        for operand in reads(todo.pop()):
            maker = made_by(operand)
            if maker is not None:
                maker = _outermost(maker, block)
                if hash(maker.operation) not in found:
                    found.add(hash(maker.operation))
                    todo.append(maker)
    return found


def reads(operation: Any) -> list[Any]:
    """Operands, those of what is inside of the operation included."""
    found = list(operation.operands)
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                found.extend(reads(inner))
    return found


def _outermost(operation: Any, block: Any) -> Any:
    """The operation of `block` that is `operation` or contains it."""
    while operation.operation.block != block:
        operation = operation.operation.parent
    return operation
