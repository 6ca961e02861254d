"""Static plans: a module as a list of kernel calls with their memory, for a runner that decides nothing.

    made = plan_source(text, where="policy.mlir")      # the portable source that the .vmfb comes from
    made.plan, made.library                            # two files; see docs/reference/static-plan.md
    made.work                                          # a third one, for devices that move memory themselves
    made.scratch_bytes["step"], made.refused           # one arena for each entry; what can't be, and why

The compiler stops at its HAL level, where a module is a host program around finished kernels. `hal_program`
runs that program on buffers without contents; what it submits are the steps of the plan. All memory that it
asks for on the way lies in one arena (`plan_memory`), the scratch of the entry.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from polyrhythm.bundle import Entry, LockedMachineCode
from polyrhythm.compile import plan_file as file
from polyrhythm.compile.hal_program import Evaluator
from polyrhythm.compile.hal_steps import DATA, INPUT, MEMORY, OUTPUT, Buffer, Range, Step, Unplannable
from polyrhythm.compile.iree_compiler import HOST, compile_to_hal, version
from polyrhythm.compile.kernel_facts import Kernel, kernels_of
from polyrhythm.compile.kernel_work import work_of
from polyrhythm.compile.plan_memory import ALIGNMENT, Lifetime, place
from polyrhythm.compile.reflection import describe
from polyrhythm.hal.drivers.iree_abi import layout

_KINDS = {"dispatch": file.DISPATCH, "fill": file.FILL, "copy": file.COPY}
#: What a runner has room for in one dispatch.
MAX_BINDINGS, MAX_CONSTANTS = 64, 256


@dataclass(frozen=True, slots=True)
class Memory:
    """Where the buffers of an entry lie in its arena, for whoever checks it."""

    lifetimes: tuple[Lifetime, ...]
    offsets: tuple[int, ...]
    nbytes: int


@dataclass(frozen=True, slots=True)
class StaticPlan:
    """A plan and its kernels, as files; `refused` says of entries without steps why they have none.

    `work` says what kernels work on; `state_bytes` is what the plan keeps between calls: weights in the order
    in which kernels read them.
    """

    plan: bytes
    library: bytes
    work: bytes
    flags: tuple[str, ...]
    target: LockedMachineCode
    scratch_bytes: Mapping[str, int]
    refused: Mapping[str, str]
    state_bytes: int
    memory: Mapping[str, Memory]
    steps: Mapping[str, int]


def plan_source(
    text: str,
    *,
    where: str,
    target: str = HOST,
    embedded: Mapping[str, bytes] | None = None,
    entries: Sequence[Entry] = (),
) -> StaticPlan:
    """Plan every entry of a portable source.

    Args:
        where: what diagnostics call it.
        target: see `compile_source`.
        embedded: weights to put into the plan itself, by name; for carriers that map no other file.
        entries: signatures of a module that does not say how its tensors are called.

    Raises:
        Refused, BuildError: see `compile_source`.
    """
    hal = compile_to_hal(text, where=where, target=target)  # says so if there is no compiler
    from iree.compiler import ir

    with ir.Context():
        module = ir.Module.parse(hal.text)
        known = {entry.name: entry for entry in entries}
        kernels = kernels_of(ir, hal.kernels)
        return _Planner(ir, module, kernels, hal.flags, hal.target, embedded or {}, known).plan(where)


@dataclass
class _Planner:
    ir: Any
    module: Any
    kernels: Mapping[str, Kernel]
    flags: tuple[str, ...]
    target: LockedMachineCode
    embedded: Mapping[str, bytes]
    known: Mapping[str, Entry]
    data: bytearray = field(default_factory=bytearray)
    parameters: dict[str, int] = field(default_factory=dict)
    functions: dict[tuple[int, str], int] = field(default_factory=dict)
    executables: dict[str, int] = field(default_factory=dict)
    places: dict[Buffer, file.Binding] = field(default_factory=dict)
    #: Embedded weights that are in `data` already.
    inside: dict[str, file.Binding] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)

    def plan(self, where: str) -> StaticPlan:
        evaluator = Evaluator(self.ir, self.module)
        library, executables = self._library(evaluator)
        names = evaluator.functions()
        helpers = {said.get("iree.abi.transients.size") for said in names.values()}
        public = [name for name in sorted(names) if name not in helpers and not name.endswith("$async")]
        described = {name: self.known.get(name) or _signature(name, names[name], where) for name in public}
        entries, state_bytes, broken = [], 0, ""
        try:
            start = evaluator.start()
            state_bytes = self._keep(evaluator, start)
            entries.append(file.PlanEntry("", steps=[self._step(step) for step in start]))
        except Unplannable as problem:
            broken = str(problem)
            entries.append(file.PlanEntry(""))
        for name in public:
            declaration = names[name].get("iree.abi.declaration", "")
            try:
                if broken:
                    raise Unplannable("util.initializer", broken)
                entries.append(self._entry(evaluator, described[name], names[name]))
            except Unplannable as problem:
                self.memory.pop(name, None)
                entries.append(file.PlanEntry(name, declaration, str(problem)[:400]))
        plan = file.PlanFile(
            version(), self.target.arch, self.target.features, library, executables,
            list(self.functions), list(self.parameters.items()), entries, state_bytes, bytes(self.data),
        )  # fmt: skip
        return StaticPlan(
            file.dumps(plan), library, work_of(plan, self.kernels), self.flags, self.target,
            scratch_bytes={entry.name: entry.arena_bytes for entry in entries[1:] if not entry.refusal},
            refused={entry.name: entry.refusal for entry in entries[1:] if entry.refusal},
            state_bytes=state_bytes,
            memory=self.memory,
            steps={entry.name: len(entry.steps) for entry in entries},
        )  # fmt: skip

    def _library(self, evaluator: Evaluator) -> tuple[bytes, list[tuple[str, int, int]]]:
        """All executables one after the other; one alone is the library as the compiler made it."""
        content = bytearray()
        found: list[tuple[str, int, int]] = []
        for name, variants in evaluator.binaries.items():
            for variant, binary in variants.items():
                content += bytes(-len(content) % ALIGNMENT)
                self.executables[f"{name}::{variant}"] = len(found)
                found.append((f"{name}::{variant}", len(content), len(binary)))
                content += binary
        return bytes(content), found

    def _keep(self, evaluator: Evaluator, steps: Sequence[Step]) -> int:
        """Place what the module keeps, and what it needs only at its start, in the state of the plan."""
        lasting = evaluator.lasting
        last = {buffer: len(steps) for buffer in lasting if buffer.kind == MEMORY}
        lifetimes = _lifetimes(steps, last=last)
        offsets, nbytes = place(list(lifetimes.values()))
        for buffer, offset in zip(lifetimes, offsets, strict=True):
            self.places[buffer] = file.Binding(offset, buffer.nbytes, file.STATE)
        self.memory[""] = Memory(tuple(lifetimes.values()), tuple(offsets), nbytes)
        return nbytes

    def _entry(self, evaluator: Evaluator, entry: Entry, said: Mapping[str, str]) -> file.PlanEntry:
        """Run an entry on buffers of its own and lay out what it did."""
        name = entry.name
        scratch_bytes = int(said.get("iree.abi.transients.size.constant", "0"))
        helper = said.get("iree.abi.transients.size")
        form = layout(replace(entry, scratch_bytes=scratch_bytes), said)
        if helper:
            scratch_bytes = evaluator.size(helper, len(form.arguments))
        if form.scalars:
            first = entry.inputs[min(form.scalars)].name
            raise Unplannable("util.func", f"input {first} is passed by value")
        buffers = {
            "input": [Buffer(INPUT, tensor.nbytes, index) for index, tensor in enumerate(entry.inputs)],
            "output": [Buffer(OUTPUT, tensor.nbytes, index) for index, tensor in enumerate(entry.outputs)],
            "scratch": [Buffer(MEMORY, scratch_bytes)],
        }
        arguments = [buffers[kind][index] for kind, index in form.arguments]
        steps, results = evaluator.call(name, [Range(item, 0, item.nbytes) for item in arguments])
        stored = [
            buffers["input"][form.aliases[index]] if index in form.aliases else output
            for index, output in enumerate(buffers["output"])
        ]
        steps = self._returned(steps, results, stored)
        lifetimes = _lifetimes(steps, without=self.places)
        offsets, arena_bytes = place(list(lifetimes.values()))
        own = {
            buffer: file.Binding(offset, buffer.nbytes, file.ARENA)
            for buffer, offset in zip(lifetimes, offsets, strict=True)
        }
        self.memory[name] = Memory(tuple(lifetimes.values()), tuple(offsets), arena_bytes)
        return file.PlanEntry(
            name,
            said.get("iree.abi.declaration", ""),
            inputs=[file.PlanTensor(item.name, str(item), item.nbytes) for item in entry.inputs],
            outputs=[
                file.PlanTensor(item.name, str(item), item.nbytes, form.aliases.get(index, file.NO_ALIAS))
                for index, item in enumerate(entry.outputs)
            ],
            steps=[self._step(step, own) for step in steps],
            arena_bytes=arena_bytes,
        )

    def _returned(
        self, steps: Sequence[Step], results: Sequence[Range], stored: Sequence[Buffer]
    ) -> list[Step]:
        """The steps with each result in the memory that the caller gives for it, copied there if need be."""
        if len(results) != len(stored):
            raise Unplannable("util.return", f"{len(results)} results of {len(stored)}")
        pairs = list(zip(results, stored, strict=True))
        moved: dict[Buffer, Buffer] = {}
        for (buffer, offset, _), target in pairs:
            own = buffer.kind == MEMORY and buffer not in self.places and buffer not in moved
            if own and target.kind == OUTPUT and (offset, buffer.nbytes) == (0, target.nbytes):
                moved[buffer] = target
        copies = [
            Step("copy", (result, Range(target, 0, target.nbytes)))
            for result, target in pairs
            if (moved.get(result.buffer, result.buffer), result.offset) != (target, 0)
        ]
        if any(step.bindings[1].buffer.kind == INPUT for step in copies):
            raise Unplannable("util.return", "an output that replaces an input is made elsewhere")
        return [
            step._replace(
                bindings=tuple(
                    item._replace(buffer=moved.get(item.buffer, item.buffer)) for item in step.bindings
                )
            )
            for step in [*steps, *copies]
        ]

    def _step(self, step: Step, own: Mapping[Buffer, file.Binding] | None = None) -> file.PlanStep:
        bindings = [self._binding(item, own or {}, step.kind) for item in step.bindings]
        if step.kind != "dispatch":
            return file.PlanStep(_KINDS[step.kind], bindings, pattern=step.pattern)
        if len(bindings) > MAX_BINDINGS or len(step.constants) > MAX_CONSTANTS:
            raise Unplannable("hal.command_buffer.dispatch", "it takes too many buffers or constants")
        executable, name = step.function
        key = (self.executables[executable], name)
        number = self.functions.setdefault(key, len(self.functions))
        return file.PlanStep(file.DISPATCH, bindings, number, step.workgroups, step.constants)

    def _binding(self, item: Range, own: Mapping[Buffer, file.Binding], kind: str) -> file.Binding:
        buffer = item.buffer
        place = own.get(buffer) or self.places.get(buffer) or self._placed(buffer)
        offset = place.offset + item.offset
        if not item.length:
            raise Unplannable("hal.command_buffer.dispatch", "it takes an empty buffer")
        if kind == "dispatch" and offset % ALIGNMENT:
            # Kernels are compiled for memory that begins at such an address.
            raise Unplannable(
                "hal.command_buffer.dispatch", f"it reads or writes from byte {offset} of a buffer"
            )
        return file.Binding(offset, item.length, place.kind, place.number)

    def _placed(self, buffer: Buffer) -> file.Binding:
        if buffer.kind in (INPUT, OUTPUT):
            return file.Binding(
                0, buffer.nbytes, file.INPUT if buffer.kind == INPUT else file.OUTPUT, buffer.index
            )
        if buffer.kind == MEMORY:
            raise Unplannable("util.global.load", "it reads memory that nobody has written")
        if buffer.name in self.inside:
            return self.inside[buffer.name]
        content = buffer.content if buffer.kind == DATA else self.embedded.get(buffer.name)
        if content is None:
            known = self.parameters.get(buffer.name, 0)
            self.parameters[buffer.name] = max(known, buffer.nbytes)
            index = list(self.parameters).index(buffer.name)
            found = file.Binding(0, buffer.nbytes, file.PARAMETER, index)
        else:
            if len(content) < buffer.nbytes:
                raise Unplannable("io_parameters.load", f"{buffer.name} has {len(content)} bytes")
            self.data += bytes(-len(self.data) % ALIGNMENT)
            found = file.Binding(len(self.data), len(content), file.DATA)
            self.data += content
            if buffer.name:
                self.inside[buffer.name] = found
        self.places[buffer] = found
        return found


def _signature(name: str, said: Mapping[str, str], where: str) -> Entry:
    function = describe(name, said, where)
    consumed = frozenset(function.consumed)
    return Entry(name, function.inputs, function.outputs, function.scratch_bytes, consumed)


def _lifetimes(
    steps: Sequence[Step], last: Mapping[Buffer, int] | None = None, without: Container[Buffer] = ()
) -> dict[Buffer, Lifetime]:
    """From the first step that touches memory of a plan to the last one, or to the one that `last` says."""
    found: dict[Buffer, Lifetime] = {}
    for index, step in enumerate(steps):
        for buffer, *_ in step.bindings:
            if buffer.kind == MEMORY and buffer.nbytes and buffer not in without:
                first = found[buffer].first if buffer in found else index
                found[buffer] = Lifetime(buffer.nbytes, first, (last or {}).get(buffer, index))
    return found
