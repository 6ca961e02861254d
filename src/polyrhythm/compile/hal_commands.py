"""Commands: how operations that a device carries out become steps, once their operands are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from polyrhythm.compile.hal_numbers import fits, signed
from polyrhythm.compile.hal_steps import DATA, Buffer, Range, Step, Unplannable


@dataclass(eq=False, slots=True)
class Commands:
    """A command buffer; slots of its binding table are integers until it is executed."""

    steps: list[tuple[str, list[tuple[Any, int, int]], dict[str, Any]]] = field(default_factory=list)


class Unknown(NamedTuple):
    """A number that only a run can tell; `source` is the operation that reads it."""

    source: str


class Given:
    """An operation with the values of its operands, by the names that the dialect gives them."""

    __slots__ = ("name", "operands", "values", "view")

    def __init__(self, view: Any, operands: list[Any]) -> None:
        self.view, self.operands, self.name = view, operands, view.operation.name
        self.values = dict(zip(view.operands, operands, strict=True))

    @property
    def attributes(self) -> Any:
        return self.view.operation.attributes

    def __call__(self, operand: str) -> Any:
        return self.values[getattr(self.view, operand)]

    def each(self, operands: str) -> list[Any]:
        """The values of a group of operands."""
        return [self.values[item] for item in getattr(self.view, operands)]


class Recorder:
    """Keeps what is submitted, in order. `_OPERATION` with underscores handles that operation."""

    def __init__(self, ir: Any) -> None:
        self._ir = ir
        self._steps: list[Step] = []

    # -- values -------------------------------------------------------------------------------------------

    def _integer(self, value: Any, operation: str) -> int:
        if isinstance(value, int):
            return value
        if isinstance(value, Unknown):
            raise Unplannable(operation, f"it depends on a number of the device, read by {value.source}")
        raise Unplannable(operation, "it depends on something that is not an integer")

    def _range(self, value: Any, operation: str) -> Range:
        if not isinstance(value, Range):
            raise Unplannable(operation, "it takes something that is not a buffer")
        return value

    def _attribute(self, attribute: Any, operation: str) -> Any:
        ir = self._ir
        if isinstance(attribute, ir.BoolAttr):
            return int(attribute.value)
        if isinstance(attribute, ir.IntegerAttr):
            width = self._width(attribute.type)
            return signed(attribute.value, 64 if width is None else width)
        return Unknown(operation)

    def _width(self, kind: Any) -> int | None:
        ir = self._ir
        if isinstance(kind, ir.IndexType):
            return 64
        return kind.width if isinstance(kind, ir.IntegerType) else None

    def _text(self, operation: Any, attribute: str) -> str:
        found: str = self._ir.StringAttr(operation.attributes[attribute]).value
        return found

    def _data(self, content: bytes) -> Range:
        return Range(Buffer(DATA, len(content), content=content), 0, len(content))

    # -- commands -----------------------------------------------------------------------------------------

    def _hal_command_buffer_create(self, given: Given) -> Sequence[Any]:
        return [Commands()]

    def _hal_executable_lookup_function(self, given: Given) -> Sequence[Any]:
        path = self._ir.SymbolRefAttr(given.attributes["entry_point"]).value
        return [tuple(path)]

    def _hal_command_buffer_dispatch(self, given: Given) -> Sequence[Any]:
        path, name = given("entry_point"), given.name
        if not isinstance(path, tuple):
            raise Unplannable(name, "its function is chosen at run time")
        groups = tuple(self._integer(given(f"workgroup_{axis}"), name) for axis in "xyz")
        constants = tuple(self._integer(item, name) & 0xFFFFFFFF for item in given.each("constants"))
        bindings = [
            (buffer, self._integer(offset, name), self._integer(length, name))
            for buffer, offset, length in zip(
                given.each("binding_buffers"), given.each("binding_offsets"), given.each("binding_lengths"),
                strict=True,
            )
        ]  # fmt: skip
        more = {"function": (f"{path[0]}::{path[1]}", path[2]), "workgroups": groups, "constants": constants}
        self._record(given, "dispatch", bindings, more)
        return ()

    def _hal_command_buffer_fill_buffer(self, given: Given) -> Sequence[Any]:
        self._record(given, "fill", [self._target(given)], {"pattern": self._pattern(given)})
        return ()

    def _hal_command_buffer_copy_buffer(self, given: Given) -> Sequence[Any]:
        self._record(given, "copy", [self._source(given), self._target(given)], {})
        return ()

    def _hal_command_buffer_update_buffer(self, given: Given) -> Sequence[Any]:
        self._record(given, "copy", [(self._updated(given), 0, self._length(given)), self._target(given)], {})
        return ()

    def _hal_device_queue_execute(self, given: Given) -> Sequence[Any]:
        self._execute(given, [])
        return ()

    def _hal_device_queue_execute_indirect(self, given: Given) -> Sequence[Any]:
        table = [
            self._range(buffer, given.name).part(
                self._integer(offset, given.name), self._integer(length, given.name), given.name
            )
            for buffer, offset, length in zip(
                given.each("binding_buffers"), given.each("binding_offsets"), given.each("binding_lengths"),
                strict=True,
            )
        ]  # fmt: skip
        self._execute(given, table)
        return ()

    def _hal_device_queue_copy(self, given: Given) -> Sequence[Any]:
        self._submit("copy", [self._source(given), self._target(given)], {}, [], given.name)
        return ()

    def _hal_device_queue_fill(self, given: Given) -> Sequence[Any]:
        self._submit("fill", [self._target(given)], {"pattern": self._pattern(given)}, [], given.name)
        return ()

    def _hal_device_queue_update(self, given: Given) -> Sequence[Any]:
        source = (self._updated(given), 0, self._length(given))
        self._submit("copy", [source, self._target(given)], {}, [], given.name)
        return ()

    def _length(self, given: Given) -> int:
        return self._integer(given("length"), given.name)

    def _source(self, given: Given) -> tuple[Any, int, int]:
        offset = self._integer(given("source_offset"), given.name)
        return given("source_buffer"), offset, self._length(given)

    def _target(self, given: Given) -> tuple[Any, int, int]:
        offset = self._integer(given("target_offset"), given.name)
        return given("target_buffer"), offset, self._length(given)

    def _pattern(self, given: Given) -> bytes:
        width = self._width(given.view.pattern.type)
        value = self._integer(given("pattern"), given.name)
        if width is None or width not in (8, 16, 32):
            raise Unplannable(given.name, f"a pattern of {given.view.pattern.type}")
        return (value & ((1 << width) - 1)).to_bytes(width // 8, "little")

    def _updated(self, given: Given) -> Range:
        content, start = given("source_buffer"), self._integer(given("source_offset"), given.name)
        if not isinstance(content, bytes):
            raise Unplannable(given.name, "it writes something that is not a constant")
        return self._data(content[start : start + self._length(given)])

    def _record(self, given: Given, kind: str, bindings: list[tuple[Any, int, int]], more: Any) -> None:
        given("command_buffer").steps.append((kind, bindings, more))

    def _execute(self, given: Given, table: list[Range]) -> None:
        commands = given("command_buffer")
        if not isinstance(commands, Commands):
            raise Unplannable(given.name, "its commands are chosen at run time")
        for kind, bindings, more in commands.steps:
            self._submit(kind, bindings, more, table, given.name)

    def _submit(
        self, kind: str, bindings: list[tuple[Any, int, int]], more: Any, table: list[Range], name: str
    ) -> None:
        ranges = []
        for buffer, offset, length in bindings:
            if isinstance(buffer, int) and buffer >= len(table):
                raise Unplannable(name, f"slot {buffer} of {len(table)} is not bound")
            whole = table[buffer] if isinstance(buffer, int) else self._range(buffer, name)
            ranges.append(whole.part(offset, length, name))
        if not fits(more.get("workgroups", ())):
            raise Unplannable(name, f"{more['workgroups']} workgroups")
        if kind == "dispatch" or ranges[0].length:
            self._steps.append(Step(kind, tuple(ranges), **more))
