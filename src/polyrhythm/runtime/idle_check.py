"""`check` for stages that nothing comes of: does a later stage, or a link, read what each of them gives?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.manifest.schema import Module
from polyrhythm.runtime.binding import Where, Wiring, wirings

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

#: Memory that somebody sees when the job is done.
_SEEN = ("own", "state", "pages")


def check_idle(checker: Checker) -> None:
    """PC025."""
    links = checker.manifest.orchestration.links
    for name, wiring in wirings(checker.manifest, checker.stages, checker.loops).items():
        read = {link.source.port for link in links if link.source.owner == name}
        # Of what nobody reads at all, or by another name (PC004), no stage is to blame.
        if read and read <= wiring.outputs.keys():
            busy = _busy(wiring)
            for stage in dict.fromkeys(s.entry.name for s in wiring.stages if s.entry.name not in busy):
                _say(checker, checker.manifest.orchestration.module(name), wiring, stage)


def _busy(wiring: Wiring) -> set[str]:
    """The stages that something comes of."""
    needed: set[Where] = set()
    found = set()
    for stage in reversed(wiring.stages):
        if any(where.kind in _SEEN or where in needed for where in stage.outputs):
            found.add(stage.entry.name)
            needed |= {*stage.inputs, *stage.entering}
    return found


def _say(checker: Checker, module: Module, wiring: Wiring, name: str) -> None:
    gives = next([t.name for t in s.entry.outputs] for s in wiring.stages if s.entry.name == name)
    takers = (s.entry for s in wiring.stages if s.entry.name != name)
    taker = next((entry.name for entry in takers if {t.name for t in entry.inputs} & {*gives}), None)
    checker.say(
        "PC025",
        (*checker.path(module), "entry"),
        f"stage {name} of {module.id} has no effect: nothing that a link reads is made of what it gives "
        f"({', '.join(gives)})",
        name,
        "stages that give what a later stage or a link reads",
        "leave it out, or link what it gives" if taker is None else f"name it before {taker}, which takes it",
        severity="note",
    )
