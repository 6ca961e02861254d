"""A summary in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from polyrhythm.observe.summary import undriven
from polyrhythm.observe.tables import digits


def in_words(summary: Mapping[str, Any]) -> str:
    """A few sentences on what happened: tasks, rates, drops, holds."""
    return "\n".join(_lines(summary))


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    control = summary["control"]
    for episode in summary["episodes"]:
        verdict = {True: "succeeded", False: "did not succeed", None: "ended"}[episode["success"]]
        lasted = "" if control is None else f" after {episode['ticks'] / control['asked_hz']:.1f} s"
        ticks = f"{episode['ticks']} control ticks, {episode['held']} held"
        yield f"{episode['task']}: {verdict}{lasted} ({ticks})."
    for name, module in summary["modules"].items():
        yield _module(name, module, summary["times"]["modules"][name])
    if (chunks := summary["chunks"]) is not None and chunks["boundaries"]:
        stalls, ticks = chunks["stalls"], chunks["stalled_ticks"]
        times = "once" if stalls == 1 else f"{stalls} times"
        ran_out = (
            f"ran out of actions {times}, for {ticks} control ticks in all" if stalls else "never had to wait"
        )
        yield f"Another chunk took over {chunks['boundaries']} times; the robot {ran_out}."
    if (why := undriven(summary)) is not None:
        yield f"{why}."
    if not summary["run"]["complete"]:
        yield f"The run ended early: {summary['run']['reason']}."


def _module(name: str, module: Mapping[str, Any], times: Mapping[str, Any]) -> str:
    got_hz, response = times["got_hz"], times["response_ms"]
    if got_hz is None or response is None:
        return f"{name} never finished a tick."
    dropped = sum(module["drops"].values())
    drops = f", {dropped} of {module['released']} ticks dropped" if dropped else ""
    late = f", {module['late']} late" if module["late"] else ""
    return (
        f"{name} ran at {got_hz:.4g} Hz ({module['asked_hz']:.4g} asked), "
        f"{digits(response['p50'])} ms a tick, {digits(response['max'])} ms at most{late}{drops}."
    )
