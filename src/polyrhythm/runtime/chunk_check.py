"""`check` for action chunks: can the module give the guidance asked for? Their time is in `time_check`."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from polyrhythm.bundle.signature import Entry
from polyrhythm.chunks.guidance import ALL_OR_NOTHING
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RTC_MODES, Link, Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

#: What of `rtc` says how a step is to guide; all of it reaches the step as inputs.
GUIDANCE = ("schedule", "beta", "overlap_end", "delay")
_JACOBIANS = ("identity", "vjp")
#: What the runtime knows only of the module that drives the robot.
_SPLICE = ("runtime.previous", "runtime.weights", "runtime.beta")


def check_chunks(checker: Checker) -> None:
    """Everything about the module that drives the robot; the bundle is sound otherwise."""
    for module in checker.manifest.orchestration.modules:
        _guidance(checker, module)
        _knobs(checker, module)
    if checker.manifest.robot is None:
        return
    _splice_inputs(checker)
    for link in checker.manifest.orchestration.links:
        if link.sink.owner == "robot":
            module = checker.manifest.orchestration.module(link.source.owner)
            _runtime_inputs(checker, module, link)
            if checker.manifest.orchestration.mode in RTC_MODES:
                _step_limit(checker, module)


def _guidance(checker: Checker, module: Module) -> None:
    """What the manifest asks for is what the module's steps do, in a mode that does it."""
    rtc = module.rtc
    if rtc is None or (asked := rtc.inpaint) in (None, "none"):
        return
    path = (*checker.path(module), "rtc", "inpaint")
    mode = checker.manifest.orchestration.mode
    if mode not in RTC_MODES:
        checker.say(
            "PC014", path, f"`mode: {mode}` does not guide chunks: `inpaint: {asked}` would have no effect",
            asked, "guidance in the modes " + " and ".join(RTC_MODES),
            "write `mode: rtc`, or `inpaint: none`",
        )  # fmt: skip
        return
    if rtc.swap == "boundary":
        checker.say(
            "PC014", path,
            f"`swap: boundary` plays every chunk to its end: nothing overlaps, `inpaint: {asked}` would "
            "have no effect",
            asked, "guidance with `swap: ready`", "write `swap: ready`, or `inpaint: none`",
        )  # fmt: skip
        return
    wanted = _wanted(rtc)
    does = {entry.guidance for entry in checker.stages[module.id]} - {None}
    if does & set(wanted):
        return
    able = [
        entry.name
        for entry in checker.bundle.module(module.artefact).entries.values()
        if entry.guidance in wanted
    ]
    method = " or ".join(wanted)
    checker.say(
        "PC014", path,
        f"{module.id} is to guide its chunks ({method}), but "
        + (f"its steps do {', '.join(sorted(map(str, does)))}" if does else "none of its stages can"),
        asked,
        f"a stage of {module.artefact} that does {method}: " + (", ".join(able) or "it has none"),
        f"name `{able[0]}` in `entry`" if able
        else "build the module with a guided step (polyrhythm.compile.flow), or write `inpaint: none`",
    )  # fmt: skip


def _knobs(checker: Checker, module: Module) -> None:
    """What is written down about guidance has an effect."""
    rtc, manifest = module.rtc, checker.manifest
    if rtc is None or manifest.orchestration.mode not in RTC_MODES:
        return
    does = {entry.guidance for entry in checker.stages[module.id] if entry.guidance is not None}
    fed = {link.source.port for link in manifest.orchestration.links if link.source.owner == "runtime"}
    for knob, reason in without_effect(rtc, does, fed).items():
        if knob in rtc.model_fields_set:
            value = getattr(rtc, knob)
            checker.say(
                "PC014", (*checker.path(module), "rtc", knob),
                f"{reason}: `{knob}: {value}` has no effect", value,
                "what the module's steps make use of",
                f"remove `{knob}`, or build the module with a guided step", severity="note",
            )  # fmt: skip


def without_effect(rtc: Rtc, does: Set[str], fed: Set[str]) -> dict[str, str]:
    """Which of the numbers of `rtc` change nothing, and why.

    Args:
        rtc: what is asked for.
        does: the guidance that the module's stages do.
        fed: what of ``runtime`` is linked to it.
    """
    if rtc.inpaint == "none" or not does:
        return dict.fromkeys(GUIDANCE, "these chunks are not guided")
    if rtc.swap == "boundary":
        reason = "`swap: boundary` plays every chunk to its end"
        return dict.fromkeys(GUIDANCE, reason)
    found = {} if "beta" in fed else {"beta": "no link brings runtime.beta"}
    if does <= ALL_OR_NOTHING:
        reason = f"{' and '.join(sorted(does))} takes the given ticks as they are, and no others"
        found |= dict.fromkeys(("schedule", "overlap_end"), reason)
    return found


def _splice_inputs(checker: Checker) -> None:
    """Only the module that drives the robot has a chunk being played to be joined to."""
    links = checker.manifest.orchestration.links
    drives = {link.source.owner for link in links if link.sink.owner == "robot"}
    for position, link in enumerate(links):
        if str(link.source) in _SPLICE and link.sink.owner not in drives:
            checker.say(
                "PC014", ("orchestration", "links", position),
                f"{link.source} tells of the chunk that the robot plays; {link.sink.owner} does not make it",
                str(link.source), "the module that is linked to robot.action",
                f"remove the link, or link an output of {link.sink.owner} to robot.action",
            )  # fmt: skip


def _wanted(rtc: Rtc) -> tuple[str, ...]:
    if rtc.inpaint == "guided":
        return _JACOBIANS if rtc.jacobian is None else (rtc.jacobian,)
    return (str(rtc.inpaint),)


def _runtime_inputs(checker: Checker, module: Module, to_robot: Link) -> None:
    """The runtime's tensors have the shapes that the chunk has."""
    chunk = _output(checker.stages[module.id], to_robot.source.port)
    chunked = len(chunk) == 2
    shapes = {
        "dt": (), "beta": (),
        "previous": chunk if chunked else None, "weights": chunk[:1] if chunked else None,
    }  # fmt: skip
    for position, link in enumerate(checker.manifest.orchestration.links):
        if link.source.owner != "runtime" or link.sink.owner != module.id or link.source.port not in shapes:
            continue
        found = next(
            tensor
            for entry in checker.stages[module.id]
            for tensor in entry.inputs
            if tensor.name == link.sink.port
        )
        shape = shapes[link.source.port]
        where = ("orchestration", "links", position)
        if shape is None:
            checker.say(
                "PC005", where,
                f"{link.source} is nothing: {module.id} gives single actions, and {link.sink} takes {found}",
                str(link.source), f"{to_robot.source} of f32[horizon, size], a chunk",
                "remove the link, or build a module that gives chunks",
            )  # fmt: skip
        elif shape != found.shape:
            checker.say(
                "PC005", where, f"{link.source} is f32{list(shape)} but {link.sink} takes {found}",
                str(link.source), str(found), "build the module with the shapes of its chunk",
            )  # fmt: skip


def _output(stages: tuple[Entry, ...], name: str) -> tuple[int, ...]:
    return next(t.shape for entry in reversed(stages) for t in entry.outputs if t.name == name)


def _step_limit(checker: Checker, module: Module) -> None:
    limit, robot = (module.rtc or Rtc()).max_step, checker.manifest.robot
    if limit is not None and robot is not None and len(limit) not in (1, size := robot.action.shape[0]):
        checker.say(
            "PC017", (*checker.path(module), "rtc", "max_step"),
            f"`max_step` has {len(limit)} numbers, an action has {size}", len(limit), f"1 or {size}",
            "give one number, or one for each dimension of the action",
        )  # fmt: skip
