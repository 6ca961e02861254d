"""`check` for inputs that a stage consumes: is what it may write over needed by nobody any more?

What a stage consumes and gives back under the same name is state, and stays where it is. Anything else that
it consumes may hold rubbish when its call ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.hal.binding import in_place
from polyrhythm.manifest.schema import Module
from polyrhythm.runtime.binding import Where, Wiring, wirings

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


def check_consumed(checker: Checker) -> None:
    """PC023, once for every tensor."""
    for name, wiring in wirings(checker.manifest, checker.stages, checker.loops).items():
        module = checker.manifest.orchestration.module(name)
        found: dict[Where, tuple[int, str]] = {}
        for index, where in _overwritten(wiring):
            if where not in found and (why := _needed(wiring, index, where)):
                found[where] = index, why
        for where, (index, why) in found.items():
            _say(checker, module, wiring, index, where, why)


def _overwritten(wiring: Wiring) -> list[tuple[int, Where]]:
    """What every stage consumes and does not give back."""
    return [
        (index, where)
        for index, stage in enumerate(wiring.stages)
        for position, (tensor, where) in enumerate(zip(stage.entry.inputs, stage.inputs, strict=True))
        if tensor.name in stage.entry.consumed and position not in in_place(stage.entry).values()
    ]


def _needed(wiring: Wiring, index: int, where: Where) -> str:
    """Who needs what stage `index` writes over; empty: nobody."""
    if where.kind == "link":
        return "others read the memory of this link, and the module itself if nothing newer has come"
    if where.kind in ("state", "pages"):
        return "the module keeps it from tick to tick"
    if where.kind == "own":
        return f"links read it as {where.key}"
    for later, stage in enumerate(wiring.stages[index + 1 :], index + 1):
        if where in stage.inputs:
            return f"stage {later} ({stage.entry.name}) reads it, too"
    return ""  # what the runtime feeds, it writes anew for every job


def _say(checker: Checker, module: Module, wiring: Wiring, index: int, where: Where, why: str) -> None:
    stage = wiring.stages[index]
    name = stage.entry.inputs[stage.inputs.index(where)].name
    links = checker.manifest.orchestration.links
    sinks = [(link.sink.owner, link.sink.port) for link in links]
    fed = where.kind == "link"
    checker.say(
        "PC023",
        ("orchestration", "links", sinks.index((module.id, name)), "to") if fed else checker.path(module),
        f"{module.id} may write over {name} (stage {index}, {stage.entry.name}, consumes it): {why}",
        f"{module.id}.{name}" if fed else name,
        "what a stage consumes is state that it gives back, or a tensor that it is the last to read",
        f"build {module.artefact} without {name!r} in the `consumed` of {stage.entry.name}",
    )
