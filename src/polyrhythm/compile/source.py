"""From lowered functions to the portable source of a module: StableHLO text, wrapped for IREE.

Each entry comes as a StableHLO module whose function ``main`` takes the weights first and the inputs after
them. All entries of a module become one MLIR module:

- a weight is a global that all entries share and that a parameter file backs; no weight bytes pass through
  MLIR. Only those that some entry uses are there.
- every entry takes its inputs, then one tensor of storage per output, then the scratch buffer: the caller
  owns all memory, and a call allocates nothing::

      func.func public @step(%x: tensor<16x4xf32>, %dt: tensor<f32>,
                             %out: tensor<16x4xf32> {iree.abi.output = 0 : index},
                             %scratch: !hal.buffer {iree.abi.transients}) -> tensor<16x4xf32>

- an output with the name, dtype and shape of a consumed input gets no storage of its own: the input is
  marked as its storage, and the call updates it where it lies (`polyrhythm.hal.binding.in_place`). The
  compiler does not know that both are one memory: what `polyrhythm.compile.replace` finds unsafe is refused.
- IREE may use the memory of an input for an intermediate result if it sees no later use of that input
  (iree-org/iree#16168). So every input that the entry does not consume is used once more, by an optimization
  barrier that generates no code. Where the compiler wanted to overwrite it, it now works on a copy in the
  scratch; everywhere else nothing changes.

The work is done on the IR through the compiler's own MLIR bindings, which know StableHLO, not on its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.reflection import INPUTS, OUTPUTS
from polyrhythm.compile.replace import why_not
from polyrhythm.compile.weights import dtype_name
from polyrhythm.hal.binding import in_place

#: Scope that the parameters of all modules are in.
SCOPE = "model"

_ELEMENTS = {
    "f64": "f64", "f32": "f32", "f16": "f16", "bf16": "bf16", "i1": "bool",
    "i64": "i64", "i32": "i32", "i16": "i16", "i8": "i8",
    "ui64": "u64", "ui32": "u32", "ui16": "u16", "ui8": "u8",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lowered:
    """An entry as the framework lowered it.

    Attributes:
        text: a StableHLO module; its function ``main`` takes `weights`, then the inputs.
        weights: names of the leading arguments.
        inputs: as declared; `text` has to agree.
        outputs: names of the results.
        consumed: inputs that need no protection.
        guidance: see `EntrySource`.
        changes: what the front end wrote otherwise than the framework, for people.
    """

    text: str
    weights: Sequence[str]
    inputs: Sequence[Tensor]
    outputs: Sequence[str]
    consumed: frozenset[str] = frozenset()
    guidance: str | None = None
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """The portable source of a module.

    `outputs` gives each entry's outputs, `operations` the StableHLO operations by kind.
    """

    text: str
    outputs: Mapping[str, tuple[Tensor, ...]]
    operations: Mapping[str, int]


def merge(
    entries: Mapping[str, Lowered],
    parameters: Mapping[str, np.ndarray],
    *,
    where: str = "",
    without_scratch: frozenset[str] = frozenset(),
) -> Source:
    """One module with all entries.

    Args:
        parameters: the weights that `Lowered.weights` names.
        where: what diagnostics call the module.
        without_scratch: entries that get no scratch argument: the device allocates what they need.

    Raises:
        BuildError: PK005 for an entry that disagrees with its declaration; all entries are looked at.
    """
    try:
        from iree.compiler import ir
    except ImportError as error:
        raise missing_extra("iree-base-compiler", "compile", "making a bundle") from error
    found: list[BuildError] = []
    with ir.Context() as context, ir.Location.unknown(context):
        module = ir.Module.create()
        weights = _Weights(ir, module, parameters)
        outputs, functions = {}, []
        for name, lowered in entries.items():
            try:
                merger = _Merger(ir, name, lowered, f"{where}.{name}".strip("."))
                outputs[name] = merger.outputs
                functions.extend(merger.finish(weights, scratch=name not in without_scratch))
            except BuildError as error:
                found.append(error)
        if found:
            raise BuildError(*(diagnostic for error in found for diagnostic in error.diagnostics))
        for function in functions:
            module.body.append(function)
        module.operation.verify()
        text = module.operation.get_asm(enable_debug_info=False)
        return Source(text, outputs, _count(ir, module))


class _Weights:
    """The weights of a module, as globals that appear once they are used."""

    def __init__(self, ir: Any, module: Any, parameters: Mapping[str, np.ndarray]) -> None:
        self._ir, self._module, self._parameters = ir, module, parameters
        self._known: set[str] = set()

    def tensor(self, name: str) -> Tensor:
        """The weight as a tensor."""
        array = self._parameters[name]
        return Tensor(name, dtype_name(array.dtype) or str(array.dtype), array.shape)

    def symbol(self, name: str, kind: Any) -> str:
        """The symbol of a weight. No entry is called like it: their names contain no ``$``."""
        symbol = f"${name}"
        if name not in self._known:
            self._known.add(name)
            text = f'util.global private @"{symbol}" = #flow.parameter.named<"{SCOPE}"::"{name}"> : {kind}'
            self._module.body.append(self._ir.Operation.parse(text))
        return symbol


class _Merger:
    """Turns the module of one entry into functions of the module that holds all of them."""

    def __init__(self, ir: Any, name: str, lowered: Lowered, path: str) -> None:
        self._ir, self.name, self.lowered, self.path = ir, name, lowered, path
        try:
            self.module = ir.Module.parse(lowered.text)
        except ir.MLIRError as error:
            message = f"the compiler does not read what the framework wrote: {error}"[:2000]
            mend = "leave shardings out, or install the versions of constraints.txt"
            raise BuildError(
                problem("PK011", "policy", message, None, "StableHLO that both know", mend, path=path)
            ) from error
        self._symbols = {
            ir.StringAttr(op.attributes["sym_name"]).value: op for op in self.module.body.operations
        }
        self._main = self._symbols["main"]
        self._kind = ir.FunctionType(ir.TypeAttr(self._main.attributes["function_type"]).value)
        self.outputs = self._check()
        signature = Entry(name, tuple(lowered.inputs), self.outputs, consumed=lowered.consumed)
        self._replaced = in_place(signature)
        self._check_replaced()

    def finish(self, weights: _Weights, *, scratch: bool) -> list[Any]:
        """The entry and its private helpers, detached from their module."""
        ir = self._ir
        for symbol, operation in self._symbols.items():
            # Helpers of different entries may have the same name and differ.
            renamed = self.name if symbol == "main" else f"{self.name}${symbol}"
            ir.SymbolTable.replace_all_symbol_uses(symbol, renamed, self.module.operation)
            ir.SymbolTable.set_symbol_name(operation, renamed)
            visibility = "public" if symbol == "main" else "private"
            operation.attributes["sym_visibility"] = ir.StringAttr.get(visibility)
        self._load(weights)
        self._guard()
        self._own(scratch)
        return [operation.detach_from_parent() for operation in list(self.module.body.operations)]

    @property
    def _block(self) -> Any:
        return self._main.regions[0].blocks[0]

    def _load(self, weights: _Weights) -> None:
        """Load the weights where they were arguments."""
        ir, block = self._ir, self._block
        with ir.InsertionPoint.at_block_begin(block):
            for name, argument in zip(self.lowered.weights, list(block.arguments), strict=False):
                wanted = weights.tensor(name)
                if self._tensor(name, argument.type) != wanted:
                    message = f"parameter {name!r} is {wanted} and was lowered as {argument.type}"
                    raise self._contradiction(message, str(wanted), "lower it with the parameters it gets")
                if any(True for _ in argument.uses):
                    symbol = ir.FlatSymbolRefAttr.get(weights.symbol(name, argument.type))
                    load = ir.Operation.create(
                        "util.global.load", results=[argument.type], attributes={"global": symbol}
                    )
                    argument.replace_all_uses_with(load.result)
        for _ in self.lowered.weights:
            block.erase_argument(0)

    def _own(self, scratch: bool) -> None:
        """Give the entry arguments for what the caller owns, and names for all of its tensors."""
        ir, main, block = self._ir, self._main, self._block
        inputs = list(self._kind.inputs)[len(self.lowered.weights) :]
        results = list(self._kind.results)
        attributes = [ir.DictAttr.get({}) for _ in inputs]
        extra = []
        for index, result in enumerate(results):
            storage = ir.DictAttr.get({"iree.abi.output": ir.IntegerAttr.get(ir.IndexType.get(), index)})
            if index in self._replaced:
                attributes[self._replaced[index]] = storage
            else:
                attributes.append(storage)
                extra.append(result)
        if scratch:
            extra.append(ir.Type.parse("!hal.buffer"))
            attributes.append(ir.DictAttr.get({"iree.abi.transients": ir.UnitAttr.get()}))
        for item in extra:
            block.add_argument(item, ir.Location.unknown())
        main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([*inputs, *extra], results))
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)
        # The module itself says how its tensors are called.
        names = {INPUTS: (tensor.name for tensor in self.lowered.inputs), OUTPUTS: self.lowered.outputs}
        main.attributes["iree.reflection"] = ir.DictAttr.get(
            {key: ir.StringAttr.get(",".join(items)) for key, items in names.items()}
        )
        if "res_attrs" in main.attributes:
            del main.attributes["res_attrs"]

    def _guard(self) -> None:
        """One more use of every input that has to stay as it is."""
        ir, block = self._ir, self._block
        guarded = []
        with ir.InsertionPoint.at_block_begin(block):
            for argument, tensor in zip(block.arguments, self.lowered.inputs, strict=True):
                if tensor.name in self.lowered.consumed:
                    continue
                if tensor.dtype[0] == "u":
                    # The barrier knows no unsigned numbers; to the compiler this is the same memory.
                    signless = ir.IntegerType.get_signless(int(tensor.dtype[1:]))
                    kind = ir.RankedTensorType.get(argument.type.shape, signless)
                    cast = ir.Operation.create("stablehlo.bitcast_convert", [kind], [argument])
                    guarded.append(cast.result)
                else:
                    guarded.append(argument)
            if guarded:
                kinds = [value.type for value in guarded]
                ir.Operation.create("util.optimization_barrier", results=kinds, operands=guarded)

    def _check(self) -> tuple[Tensor, ...]:
        """The outputs, after a comparison of everything with the declaration."""
        lowered = self.lowered
        arguments, results = list(self._kind.inputs), list(self._kind.results)
        if len(arguments) != len(lowered.weights) + len(lowered.inputs):
            raise self._contradiction(
                f"it was lowered with {len(arguments)} arguments",
                f"{len(lowered.weights)} weights and {len(lowered.inputs)} inputs",
                "lower it with unused arguments kept",
            )
        for tensor, argument in zip(lowered.inputs, arguments[len(lowered.weights) :], strict=True):
            found = self._tensor(tensor.name, argument)
            if found != tensor:
                raise self._contradiction(
                    f"input {tensor.name!r} is declared {tensor} and lowered as {found}", str(tensor), _WIDE
                )
        if len(results) != len(lowered.outputs):
            raise self._contradiction(
                f"it returns {len(results)} arrays, and `outputs` names {len(lowered.outputs)}",
                "one name per result, in order",
                f"name them: {', '.join(str(result) for result in results)}"
                if results
                else "return an array for every name",
            )
        return tuple(
            self._tensor(name, result) for name, result in zip(lowered.outputs, results, strict=True)
        )

    def _check_replaced(self) -> None:
        """Whether every output that replaces an input can be written over it."""
        block = self._block
        results = list(block.operations)[-1].operands
        for index, position in self._replaced.items():
            reason = why_not(block, block.arguments[len(self.lowered.weights) + position], results[index])
            if reason:
                name = self.outputs[index].name
                raise self._contradiction(
                    f"output {name!r} replaces the input of that name, which it consumes, but {reason}",
                    "the input with rows written into it (`.at[rows].set(...)`, `dynamic_update_slice`), and "
                    "nothing that reads it as it was before and is not needed for those rows",
                    f"do not consume {name!r}, or give the output another name",
                )

    def _tensor(self, name: str, kind: Any) -> Tensor:
        if not isinstance(kind, self._ir.RankedTensorType):
            raise self._contradiction(f"{name!r} is {kind}", "tensors of static shape", "return arrays")
        tensor = tensor_of(self._ir, name, kind)
        if tensor is None:
            raise self._contradiction(
                f"{name!r} is {kind}",
                "static shapes without zeros of " + ", ".join(_ELEMENTS.values()),
                "convert it",
            )
        return tensor

    def _contradiction(self, message: str, allowed: str, mend: str) -> BuildError:
        return BuildError(problem("PK005", "policy", message, None, allowed, mend, path=self.path))


def tensor_of(ir: Any, name: str, kind: Any) -> Tensor | None:
    """A value of MLIR type `kind` as a tensor of that name; None if no module can take or give it."""
    if not isinstance(kind, ir.RankedTensorType):
        return None
    element = _ELEMENTS.get(str(kind.element_type))
    if element is None or not kind.has_static_shape or 0 in kind.shape:
        return None
    return Tensor(name, element, tuple(kind.shape))


_WIDE = "declare what the framework makes of it (JAX has no 64-bit numbers unless `jax_enable_x64` is set)"


def _count(ir: Any, module: Any) -> dict[str, int]:
    """StableHLO operations by kind."""
    found: Counter[str] = Counter()

    def visit(operation: Any) -> Any:
        if operation.name.split(".")[0] in ("stablehlo", "chlo"):
            found[operation.name] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return dict(sorted(found.items()))
