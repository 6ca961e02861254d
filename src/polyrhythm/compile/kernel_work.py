"""What the steps of a static plan work on, for devices that move memory themselves (`hal.dsa.work`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polyrhythm.compile import plan_file as file
from polyrhythm.compile.kernel_facts import Access, Kernel
from polyrhythm.hal.dsa.ranges import Span
from polyrhythm.hal.dsa.work import ARENA, WorkEntry, WorkStep, dumps

#: What a module keeps as one piece of memory, and what its parts are called.
_PIECES = {file.STATE: "state", file.DATA: "data"}


def work_of(plan: file.PlanFile, kernels: Mapping[str, Kernel]) -> bytes:
    """The work of every entry that has steps, as a file."""
    start, *entries = plan.entries
    touched = {
        entry.name: [_touched(step, plan, kernels) for step in entry.steps]
        for entry in entries
        if not entry.refusal
    }
    pieces = _pieces(touched.values())
    names = _packed([_touched(step, plan, kernels, loading=True) for step in start.steps], plan, pieces)
    return dumps(
        [
            _entry(entry, plan, touched[entry.name], pieces, names)
            for entry in entries
            if entry.name in touched
        ]
    )


#: A range, and whether it is written.
_Touch = tuple[file.Binding, bool]
#: Name, operations, and what is touched.
_Step = tuple[str, int, list[_Touch]]


def _touched(
    step: file.PlanStep, plan: file.PlanFile, kernels: Mapping[str, Kernel], loading: bool = False
) -> _Step:
    """The name of a step, its operations, and the ranges that it touches.

    What a module makes when it is loaded (`loading`) is only read afterwards.
    """
    if step.kind == file.FILL:
        return "fill", 0, [(step.bindings[0], True)]
    if step.kind == file.COPY:
        return "copy", 0, [(step.bindings[0], False), (step.bindings[1], True)]
    name = plan.functions[step.function][1]
    kernel = kernels.get(name)
    if kernel is None:  # nothing is known of it: it may do anything
        kernel = Kernel(
            0, [Access(i, None, None, w) for i in range(len(step.bindings)) for w in (False, True)]
        )
    found = []
    for access in kernel.accesses:
        binding = step.bindings[access.binding]
        offset = 0 if access.offset is None else access.offset(step.constants)
        left = binding.length - offset
        nbytes = left if access.nbytes is None or access.offset is None else min(access.nbytes, left)
        lasting = binding.kind in (*_PIECES, file.PARAMETER)
        if nbytes > 0 and not (access.writes and lasting and not loading):
            found.append((binding._replace(offset=binding.offset + offset, length=nbytes), access.writes))
    return name, kernel.flops, list(dict.fromkeys(found))


def _pieces(entries: Iterable[Sequence[_Step]]) -> dict[int, list[tuple[int, int]]]:
    """What of the memory that a module keeps is used together: (start, end), by kind, rising."""
    used: dict[int, set[tuple[int, int]]] = {kind: set() for kind in _PIECES}
    for steps in entries:
        for _, _, touches in steps:
            for binding, _ in touches:
                if binding.kind in used:
                    used[binding.kind].add((binding.offset, binding.offset + binding.length))
    found: dict[int, list[tuple[int, int]]] = {}
    for kind, ranges in used.items():
        merged = found.setdefault(kind, [])
        for start, end in sorted(ranges):
            if merged and start < merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
    return found


def _packed(
    start: Sequence[_Step], plan: file.PlanFile, pieces: Mapping[int, list[tuple[int, int]]]
) -> dict[tuple[int, int], str]:
    """Names for pieces of the state: of the weight that each is made from when the module is loaded."""
    names: dict[tuple[int, int], str] = {}
    for _, _, touches in start:
        weights = {plan.parameters[b.number][0] for b, writes in touches if b.kind == file.PARAMETER}
        for binding, writes in touches:
            for piece in pieces[file.STATE] if writes and binding.kind == file.STATE else ():
                if piece[0] < binding.offset + binding.length and binding.offset < piece[1]:
                    name = f"packed.{'+'.join(sorted(weights)) or 'made'}"
                    names.setdefault(piece, name if name not in names.values() else f"{name}@{piece[0]}")
    return names


def _entry(
    entry: file.PlanEntry,
    plan: file.PlanFile,
    steps: Sequence[_Step],
    pieces: Mapping[int, list[tuple[int, int]]],
    names: Mapping[tuple[int, int], str],
) -> WorkEntry:
    memories: dict[str, int] = {}

    def span(binding: file.Binding) -> Span:
        memory, nbytes, begin = _memory(binding, entry, plan, pieces, names)
        memories[memory] = nbytes
        return Span(memory, binding.offset - begin, binding.offset - begin + binding.length)

    made = [
        WorkStep(
            name,
            flops,
            tuple(span(binding) for binding, writes in touches if not writes),
            tuple(span(binding) for binding, writes in touches if writes),
        )
        for name, flops, touches in steps
    ]
    return WorkEntry(entry.name, memories, tuple(made))


def _memory(
    binding: file.Binding,
    entry: file.PlanEntry,
    plan: file.PlanFile,
    pieces: Mapping[int, list[tuple[int, int]]],
    names: Mapping[tuple[int, int], str],
) -> tuple[str, int, int]:
    """The memory that a binding lies in: its name, its size, and where it begins."""
    match binding.kind:
        case file.PARAMETER:
            key, nbytes = plan.parameters[binding.number]
            return f"weight.{key}", nbytes, 0
        case file.ARENA:
            return ARENA, entry.arena_bytes, 0
        case file.INPUT:
            return f"input.{entry.inputs[binding.number].name}", entry.inputs[binding.number].nbytes, 0
        case file.OUTPUT:
            return f"output.{entry.outputs[binding.number].name}", entry.outputs[binding.number].nbytes, 0
    start, end = next(p for p in pieces[binding.kind] if p[0] <= binding.offset < p[1])
    name = _PIECES[binding.kind]
    named = names.get((start, end)) if binding.kind == file.STATE else None
    return named or f"{name}.{start}", end - start, start
