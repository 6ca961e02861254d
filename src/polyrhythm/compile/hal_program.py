"""What a compiled module does on its device, as steps: the host's part, carried out while compiling.

At the HAL level a module is a host program that records dispatches, fills and copies into command buffers
and submits them. Its shapes are static, so all that it computes (sizes, offsets, how often a loop runs) is
known now: `Evaluator` runs it on integers and on buffers without contents, and keeps what it submits.
Where it would need a number from a buffer to go on, or does what has no place in such a list, it stops with
`Unplannable`, which names the operation.

Run on MLIR's own objects (`iree.compiler.ir`), never on text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from polyrhythm.compile.hal_commands import Given, Recorder, Unknown
from polyrhythm.compile.hal_constants import constant_bytes
from polyrhythm.compile.hal_numbers import COMPARE, CONVERT, PAIRS, signed
from polyrhythm.compile.hal_steps import MEMORY, PARAMETERS, Buffer, Range, Step, Unplannable

#: How many host operations an entry may run; a loop that is longer is no static plan.
MAX_OPERATIONS = 1_000_000


class _Token(NamedTuple):
    """A device, fence, executable: something that is only passed on."""

    name: str


_DEVICE, _NULL = _Token("device"), _Token("null")
#: Operations without an effect on a device that runs one thing after the other; their results are passed on.
_TOKENS = frozenset({
    "hal.fence.create", "hal.fence.join", "hal.device.allocator", "hal.memory_type", "hal.buffer_usage",
    "hal.element_type", "hal.encoding_type", "hal.executable.create", "hal.buffer_view.element_type",
})  # fmt: skip
_NOTHING = frozenset({
    "hal.buffer_view.assert", "hal.buffer.assert", "hal.device.queue.dealloca", "hal.device.queue.barrier",
    "hal.command_buffer.execution_barrier", "hal.command_buffer.finalize", "hal.device.queue.flush",
    "hal.fence.signal", "hal.command_buffer.begin_debug_group", "hal.command_buffer.end_debug_group",
})  # fmt: skip


class Evaluator(Recorder):
    """Runs the host's part of a module at the HAL level.

    Args:
        ir: `iree.compiler.ir`.
        module: the module, as ``--compile-to=hal`` gives it.
    """

    def __init__(self, ir: Any, module: Any) -> None:
        super().__init__(ir)
        self._symbols: dict[str, Any] = {}
        self._initializers: list[Any] = []
        self._executables: dict[str, Mapping[str, bytes]] = {}
        for view in module.body.operations:
            operation = view.operation
            if operation.name == "util.initializer":
                self._initializers.append(operation)
            elif operation.name == "hal.executable":
                self._executables[self._text(operation, "sym_name")] = dict(self._binaries(operation))
            elif "sym_name" in operation.attributes:
                self._symbols[self._text(operation, "sym_name")] = operation
        self._globals: dict[str, Any] = {}
        self._left = 0
        self._starting = True

    @property
    def binaries(self) -> Mapping[str, Mapping[str, bytes]]:
        """Kernel libraries by executable and variant."""
        return self._executables

    @property
    def lasting(self) -> frozenset[Buffer]:
        """Buffers that the module keeps."""
        return frozenset(value.buffer for value in self._globals.values() if isinstance(value, Range))

    def functions(self) -> Mapping[str, Mapping[str, str]]:
        """Functions for callers and what they say of themselves, as a running module would."""
        found = {}
        for name, operation in self._symbols.items():
            if operation.name == "util.func" and "iree.reflection" in operation.attributes:
                said = operation.attributes["iree.reflection"]
                found[name] = {item.name: self._reflected(item.attr) for item in said}
        return found

    def start(self) -> list[Step]:
        """What the module does once, when it is loaded."""
        self._starting = True
        self._begin()
        for name, operation in self._symbols.items():
            if operation.name == "util.global" and "initial_value" in operation.attributes:
                self._globals[name] = self._attribute(operation.attributes["initial_value"], "util.global")
        for operation in self._initializers:
            self._region(operation, [])
        return self._steps

    def call(self, name: str, arguments: Sequence[Range]) -> tuple[list[Step], list[Range]]:
        """What a function does with these buffers, and those that it returns; after `start`."""
        self._starting = False
        self._begin()
        results = self._region(self._symbols[name], list(arguments))
        for result in results:
            if not isinstance(result, Range):
                raise Unplannable("util.return", "the result is not a tensor")
        return self._steps, results

    def size(self, name: str, count: int) -> int:
        """The number of a function of `count` buffers that only computes one, such as the size of scratch."""
        self._begin()
        nothing = Range(Buffer(MEMORY, 0), 0, 0)
        (result,) = self._region(self._symbols[name], [nothing] * count)
        return self._integer(result, "util.return")

    def _begin(self) -> None:
        self._steps, self._left = [], MAX_OPERATIONS

    # -- control ------------------------------------------------------------------------------------------

    def _region(self, operation: Any, arguments: list[Any]) -> list[Any]:
        """Run a function or an initializer to its return."""
        values: dict[Any, Any] = {}
        block = operation.regions[0].blocks[0]
        while True:
            values.update(zip(block.arguments, arguments, strict=True))
            for view in block.operations:
                self._left -= 1
                if self._left < 0:
                    raise Unplannable(view.operation.name, f"more than {MAX_OPERATIONS} steps of the host")
                name = view.operation.name
                if name == "util.return":
                    return [values[item] for item in view.operands]
                if name == "cf.br":
                    block, arguments = view.successors[0], [values[item] for item in view.operands]
                    break
                if name == "cf.cond_br":
                    taken = self._integer(values[view.condition], name)
                    block = view.successors[0 if taken else 1]
                    given = view.trueDestOperands if taken else view.falseDestOperands
                    arguments = [values[item] for item in given]
                    break
                results = self._operation(view, name, [values[item] for item in view.operands])
                values.update(zip(view.operation.results, results, strict=True))

    def _operation(self, view: Any, name: str, operands: list[Any]) -> Sequence[Any]:
        if name in _TOKENS:
            if name == "hal.executable.create" and len(view.constants):
                raise Unplannable(name, "the executable takes constants when it is loaded")
            return [_Token(name)] * len(view.operation.results)
        if name in _NOTHING:
            return ()
        if name.startswith("arith."):
            return [self._arithmetic(view, name, operands)]
        handler: Callable[..., Sequence[Any]] | None = getattr(self, "_" + name.replace(".", "_"), None)
        if handler is None:
            raise Unplannable(name, "a static plan has nothing like it")
        return handler(Given(view, operands))

    def _arithmetic(self, view: Any, name: str, operands: list[Any]) -> Any:
        kind = view.operation.results[0].type
        if name == "arith.constant":
            return self._attribute(view.operation.attributes["value"], name)
        for operand in operands if name != "arith.select" else operands[:1]:
            if isinstance(operand, Unknown):
                return operand
        if name == "arith.select":
            return operands[1] if self._integer(operands[0], name) else operands[2]
        width, short = self._width(kind), name.removeprefix("arith.")
        given = self._width(view.operation.operands[0].type)
        if width is None or given is None or not all(isinstance(operand, int) for operand in operands):
            raise Unplannable(name, f"arithmetic on {kind}")
        if short == "cmpi":
            predicate = self._ir.IntegerAttr(view.operation.attributes["predicate"]).value
            return int(COMPARE[predicate](operands[0], operands[1], given))
        if short in CONVERT:
            return signed(CONVERT[short](operands[0], given), width)
        if short in PAIRS and not (short.startswith(("div", "rem", "ceil")) and operands[1] == 0):
            return signed(PAIRS[short](operands[0], operands[1], width), width)
        raise Unplannable(name, f"arithmetic on {kind}")

    def _reflected(self, attribute: Any) -> str:
        ir = self._ir
        if isinstance(attribute, ir.StringAttr):
            found: str = attribute.value
            return found
        if isinstance(attribute, ir.FlatSymbolRefAttr):
            return str(attribute.value)
        return str(attribute.value) if isinstance(attribute, ir.IntegerAttr) else str(attribute)

    def _binaries(self, executable: Any) -> list[tuple[str, bytes]]:
        found = []
        for view in executable.regions[0].blocks[0].operations:
            if view.operation.name == "hal.executable.binary":
                content = bytes(memoryview(view.operation.attributes["data"]))
                found.append((self._text(view.operation, "sym_name"), content))
            elif view.operation.name != "hal.executable_end":
                raise Unplannable(view.operation.name, "the executable is not one of machine code")
        return found

    # -- util, cf -----------------------------------------------------------------------------------------

    def _util_null(self, given: Given) -> Sequence[Any]:
        return [_NULL]

    def _util_cmp_eq(self, given: Given) -> Sequence[Any]:
        return [int(given.operands[0] == given.operands[1])]

    def _util_optimization_barrier(self, given: Given) -> Sequence[Any]:
        return given.operands

    def _util_global_load(self, given: Given) -> Sequence[Any]:
        name = self._ir.FlatSymbolRefAttr(given.attributes["global"]).value
        return [self._globals.get(name, _NULL)]

    def _util_global_store(self, given: Given) -> Sequence[Any]:
        name = self._ir.FlatSymbolRefAttr(given.attributes["global"]).value
        if not self._starting:
            raise Unplannable(given.name, f"the module keeps another @{name} after each call")
        self._globals[name] = given.operands[0]
        return ()

    def _util_call(self, given: Given) -> Sequence[Any]:
        callee = self._ir.FlatSymbolRefAttr(given.attributes["callee"]).value
        target = self._symbols.get(callee)
        if target is None or not target.regions[0].blocks:
            raise Unplannable(given.name, f"@{callee} is not in the module")
        return self._region(target, given.operands)

    def _util_status_check_ok(self, given: Given) -> Sequence[Any]:
        status = self._integer(given.operands[0], given.name)
        if status:
            said = (
                self._ir.StringAttr(given.attributes["message"]).value
                if "message" in given.attributes
                else ""
            )
            raise Unplannable(given.name, said or f"status {status}")
        return ()

    def _util_buffer_constant(self, given: Given) -> Sequence[Any]:
        attribute = given.attributes["value"]
        content = constant_bytes(self._ir, attribute)
        if content is None:
            raise Unplannable(given.name, f"a constant of another kind: {str(attribute)[:60]}")
        return [content]

    def _cf_assert(self, given: Given) -> Sequence[Any]:
        if not self._integer(given.operands[0], given.name):
            raise Unplannable(given.name, self._ir.StringAttr(given.attributes["msg"]).value)
        return ()

    # -- devices and memory -------------------------------------------------------------------------------

    def _hal_devices_count(self, given: Given) -> Sequence[Any]:
        return [1]

    def _hal_devices_get(self, given: Given) -> Sequence[Any]:
        return [_DEVICE]

    def _hal_device_query(self, given: Given) -> Sequence[Any]:
        """This is a local device, and it runs what the compiler made for one."""
        known = given.view.category.value in ("hal.device.id", "hal.executable.format")
        default = given.attributes.get("default_value")
        return [int(known), 1 if known else self._attribute(default, given.name)]

    def _hal_fence_await(self, given: Given) -> Sequence[Any]:
        return [0]

    def _hal_device_queue_alloca(self, given: Given) -> Sequence[Any]:
        nbytes = self._integer(given("result_size"), given.name)
        return [Range(Buffer(MEMORY, nbytes), 0, nbytes)]

    _hal_allocator_allocate = _hal_device_queue_alloca

    def _hal_allocator_import(self, given: Given) -> Sequence[Any]:
        content = given("source")
        offset, length = (self._integer(given(name), given.name) for name in ("offset", "length"))
        if not isinstance(content, bytes):
            raise Unplannable(given.name, "it imports something that is not a constant")
        return [1, self._data(content[offset : offset + length])]

    def _hal_buffer_length(self, given: Given) -> Sequence[Any]:
        return [self._range(given.operands[0], given.name).length]

    def _hal_buffer_subspan(self, given: Given) -> Sequence[Any]:
        offset, length = (self._integer(given(name), given.name) for name in ("source_offset", "length"))
        return [self._range(given("source_buffer"), given.name).part(offset, length, given.name)]

    def _hal_buffer_load(self, given: Given) -> Sequence[Any]:
        return [Unknown(given.name)]

    def _hal_buffer_view_buffer(self, given: Given) -> Sequence[Any]:
        return [self._range(given.operands[0], given.name)]

    def _hal_buffer_view_create(self, given: Given) -> Sequence[Any]:
        for extent in given.view.shape:
            self._integer(given.values[extent], given.name)
        offset, length = (self._integer(given(f"source_{name}"), given.name) for name in ("offset", "length"))
        return [self._range(given("source_buffer"), given.name).part(offset, length, given.name)]

    def _io_parameters_load(self, given: Given) -> Sequence[Any]:
        """Operands: device, affinity, wait, signal, scope, keys, offsets, memory type, usage, lengths."""
        sizes = list(self._ir.DenseI32ArrayAttr(given.attributes["operandSegmentSizes"]))
        ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
        _, _, _, _, _, keys, offsets, _, _, lengths = (
            given.operands[end - size : end] for end, size in zip(ends, sizes, strict=True)
        )
        found = []
        for key, offset, length in zip(keys, offsets, lengths, strict=True):
            start, nbytes = self._integer(offset, given.name), self._integer(length, given.name)
            buffer = Buffer(PARAMETERS, start + nbytes, name=bytes(key).decode())
            found.append(Range(buffer, start, nbytes))
        return found
