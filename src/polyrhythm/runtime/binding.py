"""How the stages of a module are wired: where every input comes from and where every output goes.

Stages of one module pass tensors by name: an input named like an output of an earlier stage reads it. All
other inputs are the module's own, fed by links; the last stage to produce a name gives the module's output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.binding import in_place
from polyrhythm.manifest.schema import ROBOT, Link, Manifest, Module
from polyrhythm.schedule import Loop

Kind = Literal["link", "runtime", "free", "state", "pages", "own", "inner"]


class Where(NamedTuple):
    """Where a stage finds or leaves a tensor.

    =========== ===================================================== ==========================
    kind        the memory                                             `key`
    =========== ===================================================== ==========================
    ``link``    the slot latched for an input                          the input's name
    ``runtime`` what the runtime writes for every job                  the input's name
    ``free``    memory that the caller may write (an unlinked input)   the input's name
    ``state``   what the module updates in place, tick after tick      the input's name
    ``pages``   the same, where all contexts have theirs: paged KV     the input's name
    ``own``     the slot that the job writes                           the port, ``module.name``
    ``inner``   memory of the module alone                             ``stage:name``
    =========== ===================================================== ==========================
    """

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class Stage:
    """One entry function with its wiring, in the order of its signature.

    `entering`: where the inputs are found if this is the first step of a loop that the job takes.
    """

    entry: Entry
    inputs: tuple[Where, ...]
    outputs: tuple[Where, ...]
    entering: tuple[Where, ...]


class Clash(NamedTuple):
    """Two stages (or a stage and the module's input) disagree about a tensor."""

    stage: int
    name: str
    wanted: Tensor
    found: Tensor


@dataclass(frozen=True, slots=True)
class Wiring:
    """A module's stages as a whole."""

    stages: tuple[Stage, ...]
    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]
    inner: dict[str, Tensor]
    clashes: tuple[Clash, ...] = field(default=())


def outer_inputs(entries: Sequence[Entry]) -> tuple[dict[str, Tensor], list[Clash]]:
    """The module's own inputs by name, and what doesn't fit together between its stages."""
    made: dict[str, Tensor] = {}
    outer: dict[str, Tensor] = {}
    clashes = []
    for index, entry in enumerate(entries):
        for tensor in entry.inputs:
            known = made.get(tensor.name) or outer.setdefault(tensor.name, tensor)
            if known != tensor:
                clashes.append(Clash(index, tensor.name, tensor, known))
        made |= {tensor.name: tensor for tensor in entry.outputs}
    return outer, clashes


def resident(entries: Sequence[Entry]) -> set[str]:
    """The tensors that some stage updates in place: they stay where they are from tick to tick."""
    return {entry.outputs[index].name for entry in entries for index in in_place(entry)}


def links_of(manifest: Manifest) -> tuple[Link, ...]:
    """The links that are played: without a robot, none that goes to it or comes from it."""
    return tuple(
        link
        for link in manifest.orchestration.links
        if manifest.robot is not None or ROBOT not in (link.source.owner, link.sink.owner)
    )


def wirings(
    manifest: Manifest, stages: Mapping[str, Sequence[Entry]], loops: Mapping[str, Loop]
) -> dict[str, Wiring]:
    """The wiring of every module whose `stages` are known."""
    links, modules = links_of(manifest), manifest.orchestration.modules
    linked = {str(link.source) for link in links}
    linked |= {f"{m.id}.{m.kv.tokens}" for m in modules if m.kv is not None}
    return {
        m.id: wire(m.id, stages[m.id], linked, _kinds(m, links), loops.get(m.id))
        for m in modules
        if m.id in stages
    }


def _kinds(module: Module, links: Iterable[Link]) -> dict[str, Kind]:
    kinds: dict[str, Kind] = {
        link.sink.port: "runtime" if link.source.owner == "runtime" else "link"
        for link in links
        if link.sink.owner == module.id
    }
    if (kv := module.kv) is not None:
        kinds |= {kv.pool: "pages", kv.table: "runtime", kv.length: "runtime"}
    return kinds


def wire(
    module: str, entries: Sequence[Entry], linked: set[str], kinds: dict[str, Kind], loop: Loop | None = None
) -> Wiring:
    """Wire the stages of `module`.

    Args:
        entries: the entry of every stage, in order.
        linked: the ports (``module.name``) that some link, or the runtime, reads.
        kinds: of the module's own inputs that something feeds: ``link``, ``runtime`` or ``pages``.
        loop: which of the stages are one step taken again and again.
    """
    outer, clashes = outer_inputs(entries)
    last = {t.name: i for i, entry in enumerate(entries) for t in entry.outputs}
    states = resident(entries)
    made: dict[str, Where] = {}
    inner: dict[str, Tensor] = {}
    stages = []
    before: dict[str, Where] = {}
    for index, entry in enumerate(entries):
        if loop is not None and index == loop.first:
            before = dict(made)
        looped = loop is not None and loop.first <= index < loop.first + loop.full
        inputs, entering = (
            tuple(
                found.get(t.name) or Where(kinds.get(t.name, "state" if t.name in states else "free"), t.name)
                for t in entry.inputs
            )
            for found in (made, before if looped else made)
        )
        outputs = []
        replaced = in_place(entry)
        for position, tensor in enumerate(entry.outputs):
            port = f"{module}.{tensor.name}"
            if position in replaced:
                outputs.append(inputs[replaced[position]])
            elif port in linked and last[tensor.name] == index:
                outputs.append(Where("own", port))
            else:
                outputs.append(Where("inner", f"{index}:{tensor.name}"))
                inner[f"{index}:{tensor.name}"] = tensor
            made[tensor.name] = outputs[-1]
        stages.append(Stage(entry, inputs, tuple(outputs), entering))
    outputs_by_name = {t.name: t for entry in entries for t in entry.outputs}
    return Wiring(tuple(stages), outer, outputs_by_name, inner, tuple(clashes))
