"""Checks of `power`: profiles change only what there is, and the levels of a source can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import MODULES, Draft, listed, suggest
from polyrhythm.manifest.power import FAST
from polyrhythm.manifest.schema import ROBOT
from polyrhythm.manifest.values import exact

PROFILES: Path = ("power", "profiles")
SOURCE: Path = ("power", "source")


def check_power(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about power profiles and what switches between them."""
    for name in draft.names(PROFILES):
        profile = (*PROFILES, name)
        yield from _known(draft, profile)
        yield from _dropped(draft, profile)
        yield from _two_rates(draft, profile)
        yield from _steps(draft, profile)
        yield from _contexts(draft, profile)
    yield from _profile_names(draft)
    yield from _source(draft)


def _known(draft: Draft, profile: Path) -> Iterator[Diagnostic]:
    """Names of modules, classes and devices."""
    classes = [draft.leaf(*module, "class") for module in draft.items(MODULES)]
    either = [*draft.ids, *(name for name in classes if name is not None)]
    drop = (*profile, "drop")
    devices = draft.names(("devices",)) or ["cpu"]
    wanted: list[tuple[Iterable[Path], list[str], str, bool]] = [
        (_keys(draft, (*profile, "rate_hz")), either, "module and no class", True),
        (_keys(draft, (*profile, "rate_scale")), either, "module and no class", True),
        (_one_or_many(draft, drop), either, "module and no class", False),
        (_keys(draft, (*profile, "steps")), draft.ids, "module", True),
        (_keys(draft, (*profile, "cost_scale")), devices, "device", True),
    ]
    for paths, known, what, key in wanted:
        for path in paths:
            name = path[-1] if key else draft.leaf(*path)
            judged = (what == "device" or draft.ids_known) and draft.is_sound(path)
            if judged and isinstance(name, str) and name not in known:
                yield draft.error(
                    "PM081", path, f"`{name}` is no {what}: the profile cannot change it",
                    allowed=listed(known), mend=suggest(name, known, "remove it"), key=key,
                )  # fmt: skip


def _dropped(draft: Draft, profile: Path) -> Iterator[Diagnostic]:
    path = (*profile, "drop")
    names = [draft.leaf(*place) for place in _one_or_many(draft, path)]
    if not names or not draft.ids_known:
        return
    dropped = [
        module_id
        for module in draft.items(MODULES)
        if (module_id := draft.leaf(*module, "id")) in names or draft.leaf(*module, "class") in names
    ]
    driving = {
        source.owner: (*link, "to")
        for link, source, sink in draft.links
        if source is not None and sink is not None and sink.owner == ROBOT
    }
    for name in dropped:
        if name in driving:
            yield draft.error(
                "PM082", path, f"the profile drops `{name}`, which drives the robot",
                allowed="modules that the robot can do without", also=[driving[name]],
                mend=f"lower its rate instead: `rate_scale: {{ {name}: 0.5 }}`",
            )  # fmt: skip
    if dropped and len(dropped) == len(draft.ids):
        yield draft.error(
            "PM088", path, "the profile drops every module",
            allowed="at least one module that runs", mend="leave out what has to go on",
        )  # fmt: skip


def _two_rates(draft: Draft, profile: Path) -> Iterator[Diagnostic]:
    rates, scales = (draft.names((*profile, key)) for key in ("rate_hz", "rate_scale"))
    for module in draft.items(MODULES):
        names = [draft.leaf(*module, key) for key in ("id", "class")]
        rate, scale = (next((n for n in names if n in table), None) for table in (rates, scales))
        if rate is not None and scale is not None:
            yield draft.error(
                "PM083", (*profile, "rate_scale", scale),
                f"`rate_hz` and `rate_scale` both give `{names[0]}` a rate",
                allowed="one of the two for each module", mend="remove one of them", key=True,
                also=[(*profile, "rate_hz", rate)],
            )  # fmt: skip


def _steps(draft: Draft, profile: Path) -> Iterator[Diagnostic]:
    for module in draft.items(MODULES):
        name = draft.leaf(*module, "id")
        path = (*profile, "steps", name)
        cap, steps = draft.leaf(*path) if name is not None else None, draft.source.get((*module, "steps"))
        if not isinstance(cap, int) or not draft.is_sound((*module, "steps")):
            continue
        fast, full = _range(steps)
        if full is None or fast is None:
            yield draft.error(
                "PM084", path, f"`{name}` has no steps to be limited", allowed="modules with `steps`",
                mend="remove it, or give the module `steps`", key=True, also=[module],
            )  # fmt: skip
        elif not fast <= cap <= full:
            yield draft.error(
                "PM084", path, f"`{name}` takes {fast} to {full} steps, not {cap}",
                allowed=f"{fast} to {full}", mend=f"write `{FAST}`, or change `steps` of the module",
                also=[(*module, "steps")],
            )  # fmt: skip


def _range(steps: object) -> tuple[int | None, int | None]:
    """`fast` and `full` of a module's `steps`."""
    if isinstance(steps, dict):
        return steps.get("fast", steps.get("full")), steps.get("full")
    if isinstance(steps, list) and len(steps) == 2:
        return steps[0], steps[1]
    return (steps, steps) if isinstance(steps, int) else (None, None)


def _contexts(draft: Draft, profile: Path) -> Iterator[Diagnostic]:
    path = (*profile, "contexts")
    limit, there = draft.leaf(*path), draft.leaf("contexts") or 1
    if isinstance(limit, int) and draft.is_sound(("contexts",)) and limit > there:
        yield draft.error(
            "PM087", path, f"the profile allows {limit} contexts, and there are {there}",
            allowed=f"1 to {there}", mend="raise `contexts` of the manifest, or remove it here",
        )  # fmt: skip


def _profile_names(draft: Draft) -> Iterator[Diagnostic]:
    known = draft.names(PROFILES)
    levels = [(*level, "profile") for level in draft.items((*SOURCE, "levels"))]
    for path in [("power", "start"), *levels] if known else ():
        name = draft.leaf(*path)
        if isinstance(name, str) and name not in known:
            yield draft.error(
                "PM080", path, f"there is no profile `{name}`",
                allowed=listed(known), mend=suggest(name, known, f"declare it in `profiles`: `{name}: {{}}`"),
            )  # fmt: skip


def _source(draft: Draft) -> Iterator[Diagnostic]:
    kind = draft.leaf(*SOURCE, "kind")
    levels = list(draft.items((*SOURCE, "levels")))
    if kind in ("thermal", "battery") and not levels and draft.is_sound(SOURCE):
        numbers = "at: 20, back: 30" if kind == "battery" else "at: 80, back: 75"
        yield draft.error(
            "PM086", SOURCE, f"a {kind} source without levels never switches",
            allowed="at least one level", mend=f"add `levels: [{{ profile: NAME, {numbers} }}]`",
        )  # fmt: skip
    first: dict[object, Path] = {}
    for level in levels:
        at, back = exact(draft.leaf(*level, "at")), exact(draft.leaf(*level, "back"))
        if at in first:
            yield draft.error(
                "PM085", (*level, "at"), "two levels come into force at the same reading",
                allowed="each reading once", mend="change one of them, or remove it", also=[first[at]],
            )  # fmt: skip
        elif at is not None:
            first[at] = (*level, "at")
        falls = kind == "battery"
        if at is not None and back is not None and (back <= at if falls else back >= at):
            side = "above" if falls else "below"
            yield draft.error(
                "PM085", (*level, "back"),
                f"the level comes into force at {float(at):g} and would be left at {float(back):g}",
                allowed=f"`back` {side} `at`, so that a reading in between changes nothing",
                mend=f"write a number {side} {float(at):g}",
            )  # fmt: skip


def _keys(draft: Draft, path: Path) -> Iterator[Path]:
    yield from ((*path, name) for name in draft.names(path))


def _one_or_many(draft: Draft, path: Path) -> Iterator[Path]:
    """The items of a list, or the one value that stands for it."""
    items = list(draft.items(path))
    yield from items if items or draft.source.get(path) is None else [path]
