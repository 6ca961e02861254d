"""Checks of modules, devices, rates and priorities against each other."""

from __future__ import annotations

from collections.abc import Iterator

from polyrhythm.manifest.artefact import ARTEFACT_KEYS
from polyrhythm.manifest.chunk_checks import check_chunks
from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import CONTROL_HZ, MODULES, OBSERVATIONS, QOS, Draft, counted, listed, suggest
from polyrhythm.manifest.explain import label
from polyrhythm.manifest.island_checks import POLICY, check_island
from polyrhythm.manifest.link_checks import check_links
from polyrhythm.manifest.memory_checks import check_memory
from polyrhythm.manifest.paging_checks import check_paging
from polyrhythm.manifest.power_checks import check_power
from polyrhythm.manifest.resource_checks import check_resources
from polyrhythm.manifest.schema import MODES, RESERVED_IDS, RUNNING_MODES
from polyrhythm.manifest.values import exact


def check(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions between the values of a text."""
    yield from _modes(draft)
    yield from _module_ids(draft)
    yield from _artefacts(draft)
    yield from _devices(draft)
    yield from _cores(draft)
    yield from _costs(draft)
    yield from _observation_rates(draft)
    yield from _module_rates(draft)
    yield from _deadlines(draft)
    yield from _priorities(draft)
    yield from _classes(draft)
    yield from check_links(draft)
    yield from check_chunks(draft)
    yield from check_paging(draft)
    yield from check_memory(draft)
    yield from check_power(draft)
    yield from check_resources(draft)
    yield from check_island(draft)


def _modes(draft: Draft) -> Iterator[Diagnostic]:
    mode = draft.leaf("orchestration", "mode")
    if mode in MODES and mode not in RUNNING_MODES:
        yield draft.note(
            "PM060",
            ("orchestration", "mode"),
            f"`mode: {mode}` is read and checked, but it does not run yet",
            allowed=f"{listed(RUNNING_MODES)} run",
            mend="write `mode: pipelined` to run this manifest now",
        )


def _module_ids(draft: Draft) -> Iterator[Diagnostic]:
    first: dict[str, Path] = {}
    for module in draft.items(MODULES):
        path = (*module, "id")
        module_id = draft.leaf(*path)
        if module_id in RESERVED_IDS:
            yield draft.error(
                "PM041",
                path,
                f"a module cannot be called `{module_id}`: in links that name means something else",
                allowed=f"any name but {listed(RESERVED_IDS)}",
                mend=f"write `{module_id}_model`",
            )
        elif module_id in first:
            yield draft.error(
                "PM040",
                path,
                f"two modules are called `{module_id}`",
                allowed="each id once",
                mend="give one of the two another id",
                also=[first[module_id]],
            )
        elif module_id is not None:
            first[module_id] = path


def _artefacts(draft: Draft) -> Iterator[Diagnostic]:
    allowed = "`vmfb: FILE` for a module of IREE, or `artefact: FILE` for one of any driver"
    for module in (*draft.items(MODULES), POLICY):
        given = draft.source.get(module)
        if not isinstance(given, dict) or draft.source.is_reported(module):
            continue
        named = [(*module, key) for key in ARTEFACT_KEYS if given.get(key) is not None]
        # A misspelt key is what was meant to be there.
        if not named and all(draft.is_sound((*module, key)) for key in ARTEFACT_KEYS):
            yield draft.error(
                "PM021",
                (*module, "vmfb"),
                f"`vmfb` is missing in {label(module, draft.source)}",
                allowed=allowed,
                mend="add `vmfb: dit.vmfb`, or `artefact: dit.onnx`",
            )
        elif len(named) > 1:
            yield draft.error(
                "PM056",
                named[1],
                "the module names its artefact twice",
                allowed=allowed,
                mend="remove one of the two",
                also=named[:1],
            )


def _devices(draft: Draft) -> Iterator[Diagnostic]:
    known = draft.names(("devices",))
    if not known and draft.source.get(("devices",)) is None and draft.is_sound(("devices",)):
        known = ["cpu"]
    for module in draft.items(MODULES):
        path = (*module, "device")
        device = draft.leaf(*path)
        if device is not None and known and device not in known:
            yield draft.error(
                "PM048",
                path,
                f"there is no device `{device}`",
                allowed=listed(known),
                mend=suggest(device, known, f"declare it: `devices: {{ {device}: {{ driver: iree }} }}`"),
            )


def _cores(draft: Draft) -> Iterator[Diagnostic]:
    for owner in (("robot",), *(("devices", name) for name in draft.names(("devices",)))):
        first: dict[int, Path] = {}
        for path in draft.items((*owner, "cores")):
            core = draft.leaf(*path)
            if core in first:
                yield draft.error(
                    "PM052",
                    path,
                    f"core {core} is given twice",
                    allowed="each core once",
                    mend="remove one of the two",
                    also=[first[core]],
                )
            elif core is not None:
                first[core] = path


def _costs(draft: Draft) -> Iterator[Diagnostic]:
    for module in draft.items(MODULES):
        path, entry_path = (*module, "cost_ms"), (*module, "entry")
        cost, entry = draft.leaf(*path), draft.leaf(*entry_path)
        if cost is None or not draft.is_sound(entry_path):
            continue
        costs = len(cost) if isinstance(cost, list) else 1
        stages = len(entry) if isinstance(entry, list) else 1
        if costs != stages:
            yield draft.error(
                "PM049",
                path,
                f"`cost_ms` has {counted(costs, 'number')} for {counted(stages, 'stage')}",
                allowed="one number for each stage that `entry` names; one number if `entry` is left out",
                mend=f"write {counted(stages, 'number')}, or name the stages in `entry`",
                also=[] if entry is None else [entry_path],
            )


def _observation_rates(draft: Draft) -> Iterator[Diagnostic]:
    control = draft.rate(*CONTROL_HZ)
    for name in draft.names(OBSERVATIONS):
        path = (*OBSERVATIONS, name, "rate_hz")
        hz = draft.rate(*path)
        if control is not None and hz is not None and hz > control:
            yield draft.error(
                "PM050",
                path,
                f"`{name}` is to be observed at {hz} Hz, above the control rate of {control} Hz",
                allowed=f"at most {control}",
                mend="lower it, or leave `rate_hz` out to observe at every control tick",
                also=[CONTROL_HZ],
            )


def _module_rates(draft: Draft) -> Iterator[Diagnostic]:
    control = draft.rate(*CONTROL_HZ)
    for module in draft.items(MODULES):
        path = (*module, "rate_hz")
        hz = draft.rate(*path)
        if control is not None and hz is not None and hz > control:
            yield draft.note(
                "PM064",
                path,
                f"the module runs at {hz} Hz, above the control rate of {control} Hz",
                allowed=f"at most {control}, unless the module serves more than the robot",
                mend="lower `rate_hz` if nothing needs it that often",
                also=[CONTROL_HZ],
            )


def _deadlines(draft: Draft) -> Iterator[Diagnostic]:
    for module in draft.items(MODULES):
        path = (*module, "deadline_ms")
        hz, deadline = draft.rate(*module, "rate_hz"), exact(draft.leaf(*path))
        if hz is not None and deadline is not None and deadline > 1000 / hz:
            period = f"{float(1000 / hz):g} ms"
            policy = draft.leaf(*module, "on_overrun") or "skip"
            yield draft.note(
                "PM063",
                path,
                f"the deadline comes after the next release, which comes after {period}",
                allowed=f"at most {period}, so that each tick is done before the next",
                mend=f"lower it if ticks may not overlap; `on_overrun: {policy}` handles those that do",
            )


def _priorities(draft: Draft) -> Iterator[Diagnostic]:
    named = draft.names(QOS)
    known = [*draft.ids, *_class_modules(draft)]
    for name in named if draft.ids_known else ():
        path = (*QOS, name)
        if name not in known and draft.is_sound(path):
            free = [candidate for candidate in known if candidate not in named]
            yield draft.note(
                "PM061",
                path,
                f"`{name}` is no module and no class: its priority has no effect",
                allowed=listed(known),
                mend=suggest(name, free, "leave it for a module that comes later, or remove it"),
                key=True,
            )


def _classes(draft: Draft) -> Iterator[Diagnostic]:
    named = draft.names(QOS)
    if draft.source.is_reported(QOS):
        return
    for name, module in _class_modules(draft).items():
        if name not in named:
            yield draft.note(
                "PM065",
                (*module, "class"),
                f"`qos` gives the class `{name}` no priority: its modules come last",
                allowed=listed(named) or "a class that `qos` names",
                mend=suggest(name, named, f"add `{name}` to `qos`"),
            )


def _class_modules(draft: Draft) -> dict[str, Path]:
    """The first module of each class."""
    classes: dict[str, Path] = {}
    for module in draft.items(MODULES):
        name = draft.leaf(*module, "class")
        if name is not None:
            classes.setdefault(name, module)
    return classes
