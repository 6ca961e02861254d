"""`check` for what power profiles drop: can everybody else do without it?

What a dropped module has published stays until the episode ends. In the next one there is nothing of it, and
who reads from it has no input: each of its ticks is dropped as ``absent``, and so on along the links.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyrhythm.manifest.schema import ROBOT, Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


def check_drops(checker: Checker) -> None:
    """Every profile; the bundle is sound otherwise."""
    power = checker.manifest.power
    for name, profile in {} if power is None else power.profiles.items():
        modules = checker.manifest.orchestration.modules
        dropped = {m.id for m in modules if profile.drops(m.id, m.class_)}
        if dropped:
            _profile(checker, name, dropped, [m for m in modules if m.id not in dropped])


def _profile(checker: Checker, name: str, dropped: set[str], kept: Sequence[Module]) -> None:
    path = ("power", "profiles", name, "drop")
    links = checker.manifest.orchestration.links
    driver = next((link.source.owner for link in links if link.sink.owner == ROBOT), None)
    without = set(dropped)  # a value, from the next episode on
    for _ in kept:  # along the links, however long they are
        without |= {link.sink.owner for link in links if link.source.owner in without} - {ROBOT}
    for module in kept:
        bare = [link for link in links if link.sink.owner == module.id and link.source.owner in without]
        if not bare:
            continue
        link = next((link for link in bare if link.on_stale in ("hold", "stop")), bare[0])
        said = f"the profile drops {', '.join(sorted(dropped))}, and {link.sink} reads {link.source}"
        if module.id == driver or link.on_stale in ("hold", "stop"):
            ends = "no action" if module.id == driver else f"`on_stale: {link.on_stale}`"
            checker.say(
                "PC050", path, f"{said}: {ends} for the robot", link.source.owner,
                "modules that the robot can do without",
                "lower a rate instead (`rate_scale`), or change what is read",
            )  # fmt: skip
        else:
            checker.say(
                "PC051", path,
                f"{said}: from the next episode on every tick of {module.id} is dropped as `absent`",
                link.source.owner, "inputs that somebody gives; the last value serves until the episode ends",
                f"drop {module.id} as well", severity="note",
            )  # fmt: skip
