"""From the portable source of a module back to its entries: what `merge` has joined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polyrhythm.bundle import Entry
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.source import Lowered, tensor_of
from polyrhythm.compile.weights import numpy_dtype


def restore(
    text: str, entries: Mapping[str, Entry], where: str
) -> tuple[dict[str, Lowered], dict[str, np.ndarray]]:
    """The entries of a module, and its weights as arrays that have dtype and shape but no content.

    Args:
        text: the source, as `merge` writes it.
        entries: what the lock says of them.
        where: what diagnostics call the module.

    Raises:
        BuildError: PK043, another source.
    """
    try:
        from iree.compiler import ir
    except ImportError as error:
        raise missing_extra("iree-base-compiler", "compile", "cutting a bundle") from error
    with ir.Context() as context, ir.Location.unknown(context):
        try:
            weights: dict[str, np.ndarray] = {}
            # In the order of the source: joined again, they are the same text.
            names = [_symbol(ir, operation) for operation in ir.Module.parse(text).body.operations]
            if missing := sorted({*entries} - {*names}):
                raise ValueError(f"it has no {', '.join(missing)}")
            lowered = {name: _entry(ir, text, entries[name], weights) for name in names if name in entries}
        except (ir.MLIRError, KeyError, IndexError, ValueError) as error:
            message = f"its source is not as the build writes it: {error}"[:1000]
            allowed, mend = "a source that `polyrhythm build` made", "build the bundle from its description"
            raise BuildError(problem("PK043", where, message, None, allowed, mend)) from error
    return lowered, weights


def _symbol(ir: Any, operation: Any) -> str:
    return str(ir.StringAttr(operation.attributes["sym_name"]).value)


def _entry(ir: Any, text: str, entry: Entry, weights: dict[str, np.ndarray]) -> Lowered:
    module = ir.Module.parse(text)
    for operation in list(module.body.operations):
        symbol = _symbol(ir, operation)
        if symbol.startswith(f"{entry.name}$"):
            helper = symbol.removeprefix(f"{entry.name}$")
            ir.SymbolTable.replace_all_symbol_uses(symbol, helper, module.operation)
            ir.SymbolTable.set_symbol_name(operation, helper)
        elif symbol == entry.name:
            ir.SymbolTable.set_symbol_name(operation, "main")
            main = operation
        elif operation.name != "util.global":
            operation.operation.erase()
    block = main.regions[0].blocks[0]
    while len(block.arguments) > len(entry.inputs):  # storage of outputs, and scratch
        block.erase_argument(len(entry.inputs))
    _unguard(block)
    names = _arguments_for_weights(ir, block, weights)
    inputs = [argument.type for argument in block.arguments]
    # Weights are arguments again, and come first.
    count = len(entry.inputs)
    for argument in list(block.arguments)[:count]:
        moved = block.add_argument(argument.type, ir.Location.unknown())
        argument.replace_all_uses_with(moved)
    for _ in range(count):
        block.erase_argument(0)
    results = [operand.type for operand in list(block.operations)[-1].operands]
    kind = ir.FunctionType.get([*inputs[count:], *inputs[:count]], results)
    main.attributes["function_type"] = ir.TypeAttr.get(kind)
    for name in ("arg_attrs", "res_attrs", "iree.reflection"):
        if name in main.attributes:
            del main.attributes[name]
    for operation in list(module.body.operations):
        if operation.name == "util.global":
            operation.operation.erase()
    module.operation.verify()
    return Lowered(
        module.operation.get_asm(enable_debug_info=False), names, entry.inputs,
        tuple(tensor.name for tensor in entry.outputs), entry.consumed, entry.guidance,
    )  # fmt: skip


def _unguard(block: Any) -> None:
    """Take away the uses that keep inputs as they are: the build adds its own."""
    for operation in reversed(list(block.operations)):
        unused = not any(True for result in operation.results for _ in result.uses)
        guard = operation.name == "util.optimization_barrier"
        if unused and (guard or operation.name == "stablehlo.bitcast_convert"):
            operation.operation.erase()


def _arguments_for_weights(ir: Any, block: Any, weights: dict[str, np.ndarray]) -> list[str]:
    """Give the block an argument for every weight that it loads; their names, in order."""
    names = []
    for operation in list(block.operations):
        if operation.name != "util.global.load":
            continue
        name = ir.FlatSymbolRefAttr(operation.attributes["global"]).value.removeprefix("$")
        tensor = tensor_of(ir, name, operation.results[0].type)
        if tensor is None:
            raise ValueError(f"weight {name!r} is {operation.results[0].type}")
        weights[name] = np.broadcast_to(np.zeros((), numpy_dtype(tensor.dtype)), tensor.shape)
        names.append(name)
        argument = block.add_argument(operation.results[0].type, ir.Location.unknown())
        operation.results[0].replace_all_uses_with(argument)
        operation.operation.erase()
    return names
