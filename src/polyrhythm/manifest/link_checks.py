"""Checks of links: their two ends exist, none ends where another does, and they can be served in order."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from polyrhythm.manifest.diagnostics import Diagnostic, Path, nearest
from polyrhythm.manifest.draft import LINKS, OBSERVATIONS, Draft, listed
from polyrhythm.manifest.schema import ROBOT, ROBOT_SINKS, RUNTIME, RUNTIME_SOURCES
from polyrhythm.manifest.values import Endpoint

_MAX_CIRCLES = 8
_MAX_PLACES = 8


def check_links(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions between links, modules and the robot."""
    for link, start, end in draft.links:
        if start is not None:
            yield from _source(draft, (*link, "from"), start)
        if end is not None:
            yield from _sink(draft, (*link, "to"), end)
        if start is not None and end is not None:
            yield from _moves(draft, (*link, "from"), start, end)
    yield from _shared_sinks(draft)
    yield from _stale_policies(draft)
    yield from _circles(draft)
    yield from _unused_observations(draft)


def _source(draft: Draft, path: Path, end: Endpoint) -> Iterator[Diagnostic]:
    if end.owner == RUNTIME:
        if end.port not in RUNTIME_SOURCES:
            yield draft.error(
                "PM045",
                path,
                f"the runtime does not give `{end.port}`",
                allowed=listed(f"runtime.{name}" for name in RUNTIME_SOURCES),
                mend=f"write `runtime.{nearest(end.port, RUNTIME_SOURCES) or RUNTIME_SOURCES[0]}`",
            )
    elif end.owner != ROBOT:
        yield from _module_end(draft, path, end, [*draft.ids, ROBOT, RUNTIME])
    elif _has_no_robot(draft):
        yield _robot_needed(draft, path, end)
    elif not draft.source.is_reported(OBSERVATIONS):
        known = draft.names(OBSERVATIONS)
        if end.port not in known:
            guess = nearest(end.port, known)
            yield draft.error(
                "PM043",
                path,
                f"the robot has no observation `{end.port}`",
                allowed=listed(f"robot.{name}" for name in known) or "none: `robot.observations` is empty",
                mend=f"write `robot.{guess}`" if guess else f"add `{end.port}` to `robot.observations`",
            )


def _sink(draft: Draft, path: Path, end: Endpoint) -> Iterator[Diagnostic]:
    if end.owner not in (ROBOT, RUNTIME):
        yield from _module_end(draft, path, end, [*draft.ids, ROBOT])
    elif end.owner == RUNTIME or end.port not in ROBOT_SINKS:
        yield draft.error(
            "PM045",
            path,
            "no link can end at the runtime"
            if end.owner == RUNTIME
            else f"the robot does not take `{end.port}`",
            allowed="`module.input` or `robot.action`",
            mend="write `robot.action`",
        )
    elif _has_no_robot(draft):
        yield _robot_needed(draft, path, end)


def _moves(draft: Draft, path: Path, start: Endpoint, end: Endpoint) -> Iterator[Diagnostic]:
    """What moves the robot is made by a module: its rate says how often, its deadline when."""
    if end.owner == ROBOT and end.port in ROBOT_SINKS and start.owner in (ROBOT, RUNTIME):
        yield draft.error(
            "PM057",
            path,
            f"`{start}` comes from no module, and only a module can move the robot",
            allowed="`module.output`",
            mend=f"link `{start}` to a module, and an output of that module to `{end}`",
        )


def _module_end(draft: Draft, path: Path, end: Endpoint, known: list[str]) -> Iterator[Diagnostic]:
    if end.owner in draft.ids:
        return
    guess = nearest(end.owner, known)
    # While some module has no readable id, a name that is like no other may well be that module's.
    if guess or draft.ids_known:
        yield draft.error(
            "PM042",
            path,
            f"there is no module `{end.owner}`",
            allowed=listed(known),
            mend=f"write `{guess}.{end.port}`"
            if guess
            else f"use one of these, or add a module `{end.owner}`",
        )


def _has_no_robot(draft: Draft) -> bool:
    return draft.source.get((ROBOT,)) is None and draft.is_sound((ROBOT,))


def _robot_needed(draft: Draft, path: Path, end: Endpoint) -> Diagnostic:
    return draft.error(
        "PM044",
        path,
        f"`{end}` needs a robot, and the manifest has none",
        allowed="links between modules, as long as there is no `robot`",
        mend="add `robot:` with `use`, `control_hz`, `observations` and `action`",
    )


def _shared_sinks(draft: Draft) -> Iterator[Diagnostic]:
    first: dict[Endpoint, Path] = {}
    for link, _, end in draft.links:
        path = (*link, "to")
        if end in first:
            yield draft.error(
                "PM046",
                path,
                f"two links end at `{end}`",
                allowed="one link for each port that takes a tensor",
                mend="remove one of the two links, or let it end at another port",
                also=[first[end]],
            )
        elif end is not None:
            first[end] = path


def _stale_policies(draft: Draft) -> Iterator[Diagnostic]:
    for link in draft.items(LINKS):
        path, age = (*link, "on_stale"), (*link, "max_age_ms")
        policy = draft.leaf(*path)
        if policy is not None and draft.source.get(age) is None and draft.is_sound(age):
            yield draft.error(
                "PM047",
                path,
                f"`on_stale: {policy}` has no effect: nothing says when the tensor is stale",
                allowed="`on_stale` together with `max_age_ms`",
                mend="add `max_age_ms: 500` to the link, or remove `on_stale`",
            )


def _circles(draft: Draft) -> Iterator[Diagnostic]:
    links = {
        (start.owner, end.owner): link
        for link, start, end in draft.links
        if start and end and start.owner in draft.ids and end.owner in draft.ids
    }
    for _ in range(_MAX_CIRCLES):
        circle = _find_circle(list(links))
        if not circle:
            return
        used = sorted((links.pop(pair) for pair in pairwise(circle)), key=lambda link: int(link[-1]))
        yield draft.error(
            "PM051",
            (*used[-1], "to"),
            f"the links go in a circle: {' -> '.join(_shortened(circle))}",
            allowed="a module runs once all of its inputs are there: in a circle none could be the first",
            mend="remove one of these links",
            also=[(*link, "to") for link in used[:-1][:_MAX_PLACES]],
        )


def _shortened(circle: list[str]) -> list[str]:
    return circle if len(circle) <= _MAX_PLACES else [*circle[: _MAX_PLACES - 2], "...", circle[-1]]


def _find_circle(pairs: list[tuple[str, str]]) -> list[str]:
    """A circle in a directed graph, its first name repeated at the end; empty if there is none."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for start, end in pairs:
        sorter.add(end, start)
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _unused_observations(draft: Draft) -> Iterator[Diagnostic]:
    starts = [start for _, start, _ in draft.links]
    if not draft.links_known or None in starts or draft.source.is_reported(LINKS):
        return
    used = {start.port for start in starts if start is not None and start.owner == ROBOT}
    declared = draft.names(OBSERVATIONS)
    if not used.issubset(declared):
        return  # the wrong name in a link probably means one of these
    for name in declared:
        path = (*OBSERVATIONS, name)
        if name not in used and not draft.source.is_reported(path):
            yield draft.note(
                "PM062",
                path,
                f"no link takes the observation `{name}`",
                allowed=f"a link `from: robot.{name}`",
                mend="add a link, or remove the observation so that it costs no time",
                key=True,
            )
