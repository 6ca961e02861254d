"""Whether policies and budgets do what whoever wrote them may expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.manifest.schema import Module

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


def check_policies(checker: Checker) -> None:
    """`sequential` plays one job after the other, whatever the devices say."""
    if checker.manifest.orchestration.mode != "sequential":
        return
    for name, device in checker.manifest.devices.items():
        if device.policy != "fixed":
            checker.say(
                "PC043", ("devices", name, "policy"),
                "`mode: sequential` runs what was released first, on whatever device: `policy` has no effect",
                device.policy, "a policy in the other modes", "choose another `mode`, or remove `policy`",
                severity="note",
            )  # fmt: skip


def check_budget(checker: Checker, module: Module) -> None:
    """Of a module with a budget: stages that overrun it always, and a deadline that is not looked at."""
    budget, costs = module.budget, checker.known_ns(module) or ()
    assert budget is not None
    longest_ns = max(costs, default=0)
    if longest_ns > budget.ns:
        checker.say(
            "PC044", (*checker.path(module), "budget", "ms"),
            f"a stage of {module.id} takes {longest_ns / 1e6:g} ms: it overruns every time, and the next one "
            f"waits for {-(-longest_ns // budget.ns)} periods", budget.ns / 1e6,
            f"at least {longest_ns / 1e6:g}, or smaller stages",
            "cut the module into smaller stages, or raise `ms` and `period_ms` together", severity="note",
        )  # fmt: skip
    if module.deadline_ms is not None:
        checker.say(
            "PC045", (*checker.path(module), "deadline_ms"),
            f"{module.id} has a budget, so it is best effort: its deadline is counted, not proven",
            float(module.deadline_ms), "a budget without a deadline, or a deadline without a budget",
            "remove one of the two", severity="note",
        )  # fmt: skip
