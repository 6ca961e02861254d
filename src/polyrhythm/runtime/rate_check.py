"""Whether devices have the time that is asked of them, by costs and rates alone."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from polyrhythm.manifest.schema import Module
from polyrhythm.runtime.effort_check import check_budget
from polyrhythm.runtime.horizons import horizon, rtc_of, spaced_ns
from polyrhythm.runtime.partitions import check_ranked
from polyrhythm.runtime.proof import doubtful

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


class _Part(NamedTuple):
    """Of the time of a device, what a module needs."""

    share: Fraction
    module: Module


def check_rates(checker: Checker) -> None:
    """Say of each module that costs more than its deadline allows, and of each device that is asked for more
    time than there is. What is best effort asks for none: it takes what others leave. Nor does what is made
    on demand: when it is too slow the robot waits, and whether others are in time the proof says."""
    asked: dict[str, Fraction] = {}
    needed: dict[str, list[_Part]] = {}
    for module in checker.manifest.orchestration.modules:
        device, cost_ns = checker.manifest.device_of(module), checker.least_ns(module)
        every_ns = _asked_every_ns(checker, module, cost_ns)
        share = cost_ns / module.period_ns if every_ns is None else min(Fraction(1), cost_ns / every_ns)
        if (budget := module.budget) is not None:
            check_budget(checker, module)
            share = min(share, Fraction(budget.ns, budget.period_ns))
        elif every_ns is None:
            needed.setdefault(device, []).append(_Part(share, module))
            _cost(checker, module, cost_ns)
        asked[device] = asked.get(device, Fraction(0)) + share
    for device, parts in needed.items():
        _load(checker, device, parts)
    check_ranked(checker, asked)


def _cost(checker: Checker, module: Module, cost_ns: int) -> None:
    if cost_ns > module.deadline_ns:
        general = "lower `rate_hz`, raise `deadline_ms`, or make it cheaper"
        checker.say(
            "PC009", checker.cost_path(module),
            f"{module.id} costs {cost_ns / 1e6:g} ms, due after {module.deadline_ns / 1e6:g} ms",
            cost_ns / 1e6, f"at most {module.deadline_ns / 1e6:g}",
            "; ".join((*doubtful(checker.outliers, [module.id]), general)),
        )  # fmt: skip


def _load(checker: Checker, device: str, parts: list[_Part]) -> None:
    total = sum(part.share for part in parts)
    if total > 1:
        parts.sort(key=lambda part: -part.share)
        general = "lower rates, or move a module to another device"
        checker.say(
            "PC010", (*checker.path(parts[0].module), "rate_hz"),
            f"the modules on {device} need {float(total):.0%} of its time: "
            + ", ".join(f"{part.module.id} {float(part.share):.0%}" for part in parts),
            f"{float(total):.0%}", "at most 100%",
            "; ".join((*doubtful(checker.outliers, (part.module.id for part in parts)), general)),
        )  # fmt: skip


def _asked_every_ns(checker: Checker, module: Module, cost_ns: int) -> Fraction | None:
    """How often a chunk is made on demand, at most (as often as its rate says, if its length is not known);
    None if it is not."""
    manifest, rtc = checker.manifest, rtc_of(checker.manifest)
    if manifest.robot is None or rtc is None or rtc.swap != "boundary":
        return None
    outputs = {t.name: t for stage in checker.stages.get(module.id, ()) for t in stage.outputs}
    for link in manifest.orchestration.links:
        if link.sink.owner == "robot" and link.source.owner == module.id:
            if link.source.port not in outputs:
                return module.period_ns
            ticks = horizon(manifest, module, outputs[link.source.port])
            made_ns = cost_ns if rtc.buffer_depth == 1 else 0
            return spaced_ns(ticks, manifest.robot.control_period_ns, made_ns)
    return None
