"""Checks of `threads` and `budget`: keys that go together, and amounts that do."""

from __future__ import annotations

from collections.abc import Iterator

from polyrhythm.manifest.diagnostics import Diagnostic
from polyrhythm.manifest.draft import MODULES, Draft
from polyrhythm.manifest.values import exact


def check_resources(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about what devices and modules may take."""
    for device in draft.names(("devices",)):
        yield from _threads(draft, device)
    for module in draft.items(MODULES):
        budget = (*module, "budget")
        ms, period_ms = (exact(draft.leaf(*budget, key)) for key in ("ms", "period_ms"))
        if ms is not None and period_ms is not None and ms > period_ms:
            yield draft.error(
                "PM076",
                (*budget, "ms"),
                f"a budget of {float(ms):g} ms in every {float(period_ms):g} ms is more than there is",
                allowed=f"at most {float(period_ms):g}",
                mend="lower `ms`, or remove `budget`: the module then takes what its priority gives it",
                also=[(*budget, "period_ms")],
            )


def _threads(draft: Draft, device: str) -> Iterator[Diagnostic]:
    path = ("devices", device, "threads")
    threads = draft.source.get(path)
    if not isinstance(threads, dict) or not draft.is_sound(path):
        return
    fifo = threads.get("policy") == "fifo"
    foreign = "nice" if fifo else "priority"
    if foreign in threads:
        other = "other" if fifo else "fifo"
        yield draft.error(
            "PM075",
            (*path, foreign),
            f"`{foreign}` goes with `policy: {other}`, not with `policy: {'fifo' if fifo else 'other'}`",
            allowed="`policy: fifo` with `priority`, or `nice` alone",
            mend=f"write `policy: {other}`, or remove `{foreign}`",
        )
    elif fifo and "priority" not in threads:
        yield draft.error(
            "PM075",
            (*path, "policy"),
            "`policy: fifo` needs a `priority`",
            allowed="`policy: fifo` with `priority`, or `nice` alone",
            mend="add `priority: 20`",
        )
