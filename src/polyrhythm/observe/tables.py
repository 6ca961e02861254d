"""The tables of a run, for the live display and for the summary. They take the summary's own dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

Json = Mapping[str, Any]


class Plain(Table):
    """Shows words as they are: what looks like rich's markup, or like an emoji's name, is somebody's name.

    What is to have a style comes as `Text`.
    """

    def add_row(self, *cells: str | Text) -> None:  # type: ignore[override]
        """One more row."""
        super().add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))


def table(title: str, *columns: str) -> Plain:
    """A table whose first column is text and whose other columns are numbers (``<`` in front: text)."""
    made = Plain(
        title=Text(title, "bold"), box=SIMPLE_HEAD, title_justify="left", pad_edge=False,
        show_header=any(column.removeprefix("<") for column in columns),
    )  # fmt: skip
    for position, column in enumerate(columns):
        left = position == 0 or column.startswith("<")
        made.add_column(Text(column.removeprefix("<")), justify="left" if left else "right", overflow="fold")
    return made


def tasks(found: Json) -> Table:
    """Success by task."""
    made = table("tasks", "task", "episodes", "succeeded", "rate", "95 %", "mean ticks")
    for name, task in found.items():
        succeeded, percent, interval = successes(task)
        made.add_row(
            name, str(task["episodes"]), succeeded,
            Text(percent, "green") if task["successes"] == task["episodes"] else percent,
            interval, f"{task['mean_ticks']:.0f}",
        )  # fmt: skip
    return made


def verdict(success: bool | None) -> str:
    """How an episode ended; a robot without a notion of success just ends it."""
    return "ended" if success is None else "succeeded" if success else "failed"


def successes(task: Json) -> tuple[str, str, str]:
    """Number, rate and its 95 % interval."""
    if task["successes"] is None:
        return "-", "-", "-"
    low, high = task["wilson95"]
    return str(task["successes"]), f"{task['rate']:.0%}", f"{low:.0%} .. {high:.0%}"


def modules(counts: Json, times: Json) -> Table:
    """Rates, response and drops by module; milliseconds."""
    # Only a flow has steps.
    steps = ["<steps"] if any(module["steps"] for module in counts.values()) else []
    # Only a module with a budget is deferred.
    deferred = ["deferred"] if any(module.get("deferred") for module in counts.values()) else []
    made = table(
        "modules (response in ms)", "module", "asked Hz", "got Hz", "p50", "p99", "max", "finished", "late",
        *deferred, *steps, "<drops",
    )  # fmt: skip
    for name, module in counts.items():
        measured = times.get(name, {})
        drops = Text(reasons(module["drops"]))
        if module["isolated"]:
            drops = Text.assemble((f"isolated: {module['isolated']}", "red"), " ", drops)
        late = str(module["late"])
        made.add_row(
            name, f"{module['asked_hz']:.4g}", rate(measured.get("got_hz"), module["asked_hz"]),
            *quantiles(measured.get("response_ms")), str(module["finished"]),
            Text(late, "yellow") if module["late"] else late,
            *([str(module.get("deferred", 0))] if deferred else []),
            *([steps_of(module["steps"])] if steps else []), drops,
        )  # fmt: skip
    return made


def paged(found: Json) -> Table:
    """Paged KV by module."""
    made = table("paged KV", "module", "tokens", "pages", "held at most", "shared", "full")
    for name, kv in found.items():
        counts = kv["tokens"], kv["pages"], kv["most_held"], kv["shared"], kv["full"]
        made.add_row(name, *map(str, counts))
    return made


def links(ports: Json, times: Json) -> Table:
    """Age at latch by link, milliseconds; versions published and never read by its source."""
    made = table(
        "links (age when taken, in ms)", "link", "reads", "p50", "p99", "max", "published", "unread", "<drops"
    )
    for name, link in times.items():
        ages = link["age_ms"]
        port = ports.get(name.partition(" -> ")[0], {})
        made.add_row(
            name, str(ages["count"] if ages else 0), *quantiles(ages),
            str(port.get("published", "-")), str(port.get("superseded", "-")),
            reasons(port.get("drops", {})),
        )  # fmt: skip
    return made


def control(counts: Json, times: Json) -> Table:
    """The robot's side: ticks, holds, and how late answers left."""
    made = table(
        "robot (jitter in ms)", "", "asked Hz", "got Hz", "ticks", "acts", "p50", "p99", "max",
        "<holds", "<drops",
    )  # fmt: skip
    made.add_row(
        "control", f"{counts['asked_hz']:.4g}", rate(times["got_hz"], counts["asked_hz"]),
        str(counts["ticks"]), str(counts["acts"]), *quantiles(times["jitter_ms"]),
        reasons(counts["holds"]), reasons(counts["drops"]),
    )  # fmt: skip
    return made


def chunks(found: Json) -> Table:
    """How action chunks were joined: the largest change of an action at a boundary, limits, stalls."""
    made = table(
        "chunks (stalls in control ticks)", "boundaries", "largest step", "limited", "limited inside",
        "stalls", "stalled", "longest",
    )  # fmt: skip
    stalls = str(found["stalls"])
    made.add_row(
        str(found["boundaries"]), largest_step(found), str(sum(found["limited"])),
        str(sum(found["limited_inside"])), Text(stalls, "yellow") if found["stalls"] else stalls,
        str(found["stalled_ticks"]), str(found["longest_stall_ticks"]),
    )  # fmt: skip
    return made


def largest_step(found: Json) -> str:
    """The largest step at a boundary of any dimension of the action."""
    return digits(max(found["largest_step"], default=0.0)) if found["boundaries"] else "-"


def steps_of(found: Json | None) -> str:
    """How many steps of those possible a chunk got in the mean, and at least."""
    return "-" if found is None else f"{digits(found['mean'])} of {found['full']}, min {found['min']}"


def reasons(counts: Mapping[str, int]) -> str:
    """``absent 2, overrun 1``, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {times}" for reason, times in ordered) or "-"


def rate(got_hz: float | None, asked_hz: float) -> str | Text:
    """The rate that was got; yellow if more than 1 % below what was asked."""
    if got_hz is None:
        return "-"
    text = f"{got_hz:.4g}"
    return Text(text, "yellow") if got_hz < 0.99 * asked_hz else text


def quantiles(found: Json | None) -> tuple[str, str, str]:
    """p50, p99 and maximum with three digits."""
    if found is None:
        return "-", "-", "-"
    return digits(found["p50"]), digits(found["p99"]), digits(found["max"])


def digits(value: float) -> str:
    """Three significant digits without an exponent: 0.0123, 1.23, 12.3, 1234."""
    if value == 0:
        return "0"
    magnitude = f"{value:.3g}"
    return (
        f"{value:.0f}"
        if "e" in magnitude and abs(value) >= 1
        else f"{float(magnitude):.6f}".rstrip("0").rstrip(".")
    )
