"""`check` for action chunks: can the module give the guidance asked for, and is there time to make them?"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from polyrhythm.bundle.signature import Entry
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RTC_MODES, Link, Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

_JACOBIANS = ("identity", "vjp")


def check_chunks(checker: Checker) -> None:
    """Everything about the module that drives the robot; the bundle is sound otherwise."""
    for module in checker.manifest.orchestration.modules:
        _guidance(checker, module)
    if checker.manifest.robot is None:
        return
    for link in checker.manifest.orchestration.links:
        if link.sink.owner == "robot":
            module = checker.manifest.orchestration.module(link.source.owner)
            _runtime_inputs(checker, module, link)
            if checker.manifest.orchestration.mode in RTC_MODES:
                _time(checker, module, link)
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
    wanted = _wanted(rtc)
    does = {entry.guidance for entry in checker.stages[module.id]} - {None}
    if does & set(wanted):
        return
    able = [
        entry.name
        for entry in checker.bundle.module(module.vmfb).entries.values()
        if entry.guidance in wanted
    ]
    method = " or ".join(wanted)
    checker.say(
        "PC014", path,
        f"{module.id} is to guide its chunks ({method}), but "
        + (f"its steps do {', '.join(sorted(map(str, does)))}" if does else "none of its stages can"),
        asked,
        f"a stage of {module.vmfb} that does {method}: " + (", ".join(able) or "it has none"),
        f"name `{able[0]}` in `entry`" if able
        else "build the module with a guided step (polyrhythm.compile.flow), or write `inpaint: none`",
    )  # fmt: skip


def _wanted(rtc: Rtc) -> tuple[str, ...]:
    if rtc.inpaint == "guided":
        return _JACOBIANS if rtc.jacobian is None else (rtc.jacobian,)
    return (str(rtc.inpaint),)


def _runtime_inputs(checker: Checker, module: Module, to_robot: Link) -> None:
    """The runtime's tensors have the shapes that the chunk has."""
    chunk = _output(checker.stages[module.id], to_robot.source.port)
    shapes = {
        "dt": (), "beta": (), "previous": chunk, "weights": chunk[:1] if len(chunk) == 2 else None,
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
        if shape != found.shape:
            fits = "nothing: the module gives single actions" if shape is None else f"f32{list(shape)}"
            checker.say(
                "PC005", ("orchestration", "links", position),
                f"{link.source} is {fits} but {link.sink} takes {found}", str(link.source), str(found),
                "build the module with the shapes of its chunk",
            )  # fmt: skip


def _output(stages: tuple[Entry, ...], name: str) -> tuple[int, ...]:
    return next(t.shape for entry in reversed(stages) for t in entry.outputs if t.name == name)


def _time(checker: Checker, module: Module, link: Link) -> None:
    """Whether the next chunk is there before the last one ends, by the planned cost."""
    robot, rtc = checker.manifest.robot, module.rtc or Rtc()
    shape = _output(checker.stages[module.id], link.source.port)
    cost_ns = sum(checker.costs_ns(module))
    if robot is None or len(shape) != 2 or not cost_ns:
        return
    horizon, tick_ns = shape[0], robot.control_period_ns
    delay, stride = ceil(cost_ns / tick_ns), round(module.period_ns / tick_ns)
    path = (*checker.path(module), "cost_ms")
    if rtc.swap == "boundary":
        plays_ns = horizon * tick_ns
        stall_ns = cost_ns if rtc.buffer_depth == 1 else max(Fraction(0), cost_ns - plays_ns)
        if stall_ns:
            buffers = "one buffer" if rtc.buffer_depth == 1 else f"{rtc.buffer_depth} buffers"
            checker.say(
                "PC016", path,
                f"the robot stalls for {float(stall_ns) / 1e6:g} ms at every boundary: making a chunk takes "
                f"{cost_ns / 1e6:g} ms, playing it {float(plays_ns) / 1e6:g} ms, with {buffers}",
                cost_ns / 1e6,
                "no stall: at least two buffers, and chunks that are made faster than they are played",
                "add a buffer" if rtc.buffer_depth == 1 else "make chunks longer, or faster",
                severity="note",
            )  # fmt: skip
        return
    most: int = max(0, min(stride, horizon - stride))
    if delay > most:
        checker.say(
            "PC015", path,
            f"a chunk of {horizon} ticks, a new one every {stride}: making it takes {delay} ticks "
            f"({cost_ns / 1e6:g} ms)",
            cost_ns / 1e6,
            f"delay <= stride <= horizon - delay, so at most {most} ticks "
            f"({float(most * tick_ns) / 1e6:g} ms)",
            "lower the cost (fewer steps, a smaller module), change `rate_hz`, or build longer chunks",
        )  # fmt: skip


def _step_limit(checker: Checker, module: Module) -> None:
    limit, robot = (module.rtc or Rtc()).max_step, checker.manifest.robot
    if limit is not None and robot is not None and len(limit) not in (1, size := robot.action.shape[0]):
        checker.say(
            "PC017", (*checker.path(module), "rtc", "max_step"),
            f"`max_step` has {len(limit)} numbers, an action has {size}", len(limit), f"1 or {size}",
            "give one number, or one for each dimension of the action",
        )  # fmt: skip
