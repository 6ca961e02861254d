"""Checks of `island`: a robot to serve, a ladder that rises, limits that leave something."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import CONTROL_HZ, Draft
from polyrhythm.manifest.island import Island, Ladder
from polyrhythm.manifest.values import exact

ISLAND: Path = ("island",)
LADDER: Path = (*ISLAND, "ladder_ms")
POLICY: Path = (*ISLAND, "policy")
_RATE = Fraction(Island.model_fields["rate_hz"].default)


def check_island(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about the island."""
    if not isinstance(draft.source.get(ISLAND), dict):
        return
    if draft.source.get(("robot",)) is None and draft.is_sound(("robot",)):
        yield draft.error(
            "PM110",
            ISLAND,
            "an island turns a robot's actions into torques, and the manifest has no robot",
            allowed="`island` together with `robot`",
            mend="add `robot:`, or remove `island`",
            key=True,
        )
    yield from _ladder(draft)
    yield from _limits(draft)
    yield from _rates(draft)
    yield from _policy(draft)


def _ladder(draft: Draft) -> Iterator[Diagnostic]:
    ages = {}
    for step, field in Ladder.model_fields.items():
        age = exact(draft.leaf(*LADDER, step))
        ages[step] = Fraction(field.default) if age is None else age
        if not draft.is_sound((*LADDER, step)):
            return
    for (before, low), (after, high) in pairwise(ages.items()):
        if low >= high:
            yield draft.error(
                "PM111",
                LADDER,
                f"`{after}` ({float(high):g} ms) does not come after `{before}` ({float(low):g} ms)",
                allowed="ages that rise: `extrapolate` < `decelerate` < `hold` < `stop`",
                mend=f"write more than {float(low):g} for `{after}`, or less for `{before}`",
            )
            return
    control = draft.rate(*CONTROL_HZ)
    if control is not None and ages["extrapolate"] <= (period := 1000 / control):
        yield draft.error(
            "PM114",
            LADDER,
            f"a target counts as old after {float(ages['extrapolate']):g} ms, and the next one comes after "
            f"{float(period):g} ms",
            allowed=f"`extrapolate` above the control period of {float(period):g} ms",
            mend=f"write `extrapolate: {float(3 * period):g}`, so that a late target or two do no harm",
            also=[CONTROL_HZ],
        )


def _limits(draft: Draft) -> Iterator[Diagnostic]:
    for name in draft.names((*ISLAND, "joints")):
        path = (*ISLAND, "joints", name, "position")
        limits = draft.leaf(*path)
        if isinstance(limits, list) and len(limits) == 2:
            low, high = exact(limits[0]), exact(limits[1])
            if low is not None and high is not None and low >= high:
                yield draft.error(
                    "PM112",
                    path,
                    f"`{name}` can be nowhere: its lowest position is {float(low):g}, "
                    f"its highest {float(high):g}",
                    allowed="the lower limit first, below the higher",
                    mend=f"write `[{float(high):g}, {float(low):g}]`"
                    if low > high
                    else "write two different numbers",
                )


def _rates(draft: Draft) -> Iterator[Diagnostic]:
    path = (*ISLAND, "rate_hz")
    control, hz = draft.rate(*CONTROL_HZ), draft.rate(*path) or _RATE
    if control is not None and draft.is_sound(path) and hz < control:
        yield draft.error(
            "PM113",
            path if draft.source.get(path) is not None else ISLAND,
            f"the island runs at {hz} Hz, and the robot's actions come at {control} Hz",
            allowed=f"at least the control rate, {control}",
            mend="raise the island's `rate_hz`, or lower `control_hz`",
            also=[CONTROL_HZ],
        )


def _policy(draft: Draft) -> Iterator[Diagnostic]:
    if not isinstance(draft.source.get(POLICY), dict):
        return
    if draft.source.get((*ISLAND, "network")) is not None:
        yield draft.error(
            "PM120",
            POLICY,
            "the island has a network, and a policy in its place",
            allowed="`network` or `policy`",
            mend="remove one of them",
            also=[(*ISLAND, "network")],
            key=True,
        )
    hz, budget = draft.rate(*ISLAND, "rate_hz") or _RATE, exact(draft.leaf(*POLICY, "budget_ms"))
    period_ms = 1000 / hz
    if budget is not None and draft.is_sound((*ISLAND, "rate_hz")) and budget >= period_ms:
        yield draft.error(
            "PM121",
            (*POLICY, "budget_ms"),
            f"the policy may take {float(budget):g} ms of a period of {float(period_ms):g} ms: that leaves "
            "nothing for the PD",
            allowed=f"less than {float(period_ms):g} ms",
            mend=f"write `budget_ms: {float(period_ms * 3 / 4):g}`, or lower the island's `rate_hz`",
        )
    second, core = draft.leaf(*POLICY, "second_core"), draft.leaf(*ISLAND, "core")
    if second is None or not draft.is_sound((*ISLAND, "core")):
        return
    if core is None:
        yield draft.error(
            "PM122",
            (*POLICY, "second_core"),
            "the policy's second thread has a core, and the island has none: it could run on that one too, "
            "and each thread would wait for the other",
            allowed="`second_core` together with `core` of the island",
            mend=f"add `core: {0 if second else 1}` to `island`, or remove `second_core`",
        )
    elif core == second:
        yield draft.error(
            "PM123",
            (*POLICY, "second_core"),
            f"the policy's second thread would run on core {core}, as the island does: each would wait for "
            "the other",
            allowed=f"any core but {core}",
            mend="name another core, or remove `second_core`",
            also=[(*ISLAND, "core")],
        )
