"""Checks of `rtc` and `steps`: what is said there can all be had at once, and has an effect."""

from __future__ import annotations

from collections.abc import Iterator

from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import MODULES, Draft, listed
from polyrhythm.manifest.schema import RTC_MODES


def check_chunks(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about how chunks are made and joined."""
    mode_path = ("orchestration", "mode")
    mode = draft.leaf(*mode_path) or "pipelined"
    for module in draft.items(MODULES):
        yield from _steps(draft, (*module, "steps"))
        rtc = (*module, "rtc")
        if not isinstance(draft.source.get(rtc), dict):
            continue
        yield from _jacobian(draft, rtc)
        yield from _one_buffer(draft, rtc)
        if mode not in RTC_MODES and draft.is_sound(mode_path):
            yield draft.note(
                "PM066",
                rtc,
                f"`mode: {mode}` plays the newest chunk as it comes: `rtc` has no effect",
                allowed=f"`rtc` in the modes {listed(RTC_MODES)}",
                mend="write `mode: rtc`, or remove `rtc`",
                key=True,
            )


def _steps(draft: Draft, path: Path) -> Iterator[Diagnostic]:
    steps = draft.source.get(path)
    if isinstance(steps, list) and len(steps) == 2:
        fast, full = steps
    elif isinstance(steps, dict):
        fast, full = steps.get("fast"), steps.get("full")
    else:
        return
    if isinstance(fast, int) and isinstance(full, int) and fast > full:
        yield draft.error(
            "PM053",
            path,
            f"at least {fast} steps are asked for, and at most {full}",
            allowed="`fast` no greater than `full`",
            mend=f"write `{{ full: {fast}, fast: {full} }}`",
        )


def _jacobian(draft: Draft, rtc: Path) -> Iterator[Diagnostic]:
    jacobian, inpaint = draft.leaf(*rtc, "jacobian"), draft.leaf(*rtc, "inpaint")
    if jacobian is not None and inpaint != "guided" and draft.is_sound((*rtc, "inpaint")):
        yield draft.error(
            "PM054",
            (*rtc, "jacobian"),
            f"`jacobian: {jacobian}` belongs to `inpaint: guided`",
            allowed="`jacobian` together with `inpaint: guided`",
            mend="write `inpaint: guided`, or remove `jacobian`",
        )


def _one_buffer(draft: Draft, rtc: Path) -> Iterator[Diagnostic]:
    depth, swap = draft.leaf(*rtc, "buffer_depth"), draft.leaf(*rtc, "swap") or "ready"
    if depth == 1 and swap == "ready":
        yield draft.error(
            "PM055",
            (*rtc, "buffer_depth"),
            "with one buffer no chunk can be made while another plays",
            allowed="at least 2, or `swap: boundary`, where the robot waits between chunks",
            mend="write `buffer_depth: 2`, or add `swap: boundary`",
        )
