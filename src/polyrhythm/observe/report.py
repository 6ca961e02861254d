"""One HTML file that tells a run: readable without a network, in light and in dark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from math import isfinite
from pathlib import Path
from string import Template
from typing import Any

from rich.text import Text

from polyrhythm.bundle.atomic import replacing
from polyrhythm.observe import figures, tables
from polyrhythm.observe.files import need
from polyrhythm.observe.info import RunInfo
from polyrhythm.observe.island_table import island_rows
from polyrhythm.observe.recorder import Recorder
from polyrhythm.observe.score import Score, compose
from polyrhythm.observe.stats import Stats
from polyrhythm.observe.summary import remarks, went_well
from polyrhythm.observe.tables import digits, reasons

Json = Mapping[str, Any]


def write_report(path: Path | str, info: RunInfo, summary: Json, stats: Stats, recorder: Recorder) -> None:
    """Write the report of a finished run to `path`.

    Args:
        summary: what `polyrhythm.observe.summarise` gave.
        stats, recorder: the listeners that the run fed.

    Raises:
        MissingExtraError: the package `plotly` isn't installed.
    """
    score = compose(info.schedule, recorder, recorder.lost)
    drawn = _figures(score, info, stats)
    write_page(path, info.name, _sub(summary), _body(score, info, summary, drawn), drawn)


def write_page(
    path: Path | str, title: str, sub: str, body: Iterable[str], drawn: dict[str, figures.Figure]
) -> None:
    """Write one HTML file that needs nothing else.

    Args:
        title: plain text.
        sub, body: HTML; `sub` stands below the title.
        drawn: a figure for every ``<div>`` of the body by its id (`div`).

    Raises:
        MissingExtraError: the package `plotly` isn't installed.
    """
    plotly = need("plotly.offline", "observe", "an HTML report")
    page = Template(files("polyrhythm.observe").joinpath("page.html").read_text())
    text = page.substitute(
        title=escape(title), sub=sub, body="\n".join(body), figures=_script(drawn),
        plotlyjs=plotly.get_plotlyjs(),
    )  # fmt: skip
    with replacing(path) as file:
        file.write(text.encode())


def _figures(score: Score, info: RunInfo, stats: Stats) -> dict[str, figures.Figure]:
    drawn = {
        "timeline": figures.timeline(score, stats.modules),
        "latencies": figures.latencies(stats),
        "ages": figures.ages(score, info.schedule),
    }
    trajectory = figures.trajectory(score)
    return drawn if trajectory is None else drawn | {"trajectory": trajectory}


def _script(drawn: dict[str, figures.Figure]) -> str:
    """JSON that can stand inside a script element: no NaN, nothing that ends the element."""
    text = json.dumps(_finite(drawn), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _body(score: Score, info: RunInfo, summary: Json, drawn: Mapping[str, object]) -> Iterable[str]:
    yield _tiles(summary)
    if said := [_line(text) for text in remarks(summary)]:
        yield card("Remarks", "".join(said))
    hint = note("Drag to move, scroll to zoom, hover for ticks and ages. Red: failed, held or dropped.")
    yield card("Timeline", div("timeline") + hint + "".join(map(note, score.cuts)))
    yield card("Modules", _modules(summary))
    yield card("Response times", div("latencies"))
    yield card("Age of what links carried", div("ages") + _links(summary))
    if "trajectory" in drawn:
        yield card("What the robot did", div("trajectory"))
    if summary["tasks"]:
        yield card("Tasks", _tasks(summary))
    if summary["chunks"] is not None:
        yield card("Chunk boundaries", _chunks(summary["chunks"]))
    if found := summary.get("kv"):
        yield card("Paged KV", _paged(found))
    yield card("Drops and holds", _drops(summary))
    if (island := summary.get("island")) is not None:
        rows = [
            [name, str(value)] for name, value in island_rows(island | {"times": summary["times"]["island"]})
        ]
        yield card("Island, times in us", table(("", ""), rows, "prose"))
    yield card("Machine", _machine(info))
    if info.manifest:
        folded = f"<details><summary>Manifest</summary><pre>{escape(info.manifest)}</pre></details>"
        yield f'<section class="card">{folded}</section>'


def _sub(summary: Json) -> str:
    run, times = summary["run"], summary["times"]
    tone = "good" if went_well(summary) else "bad"
    return (
        f'<b class="{tone}">{escape(run["reason"])}</b> &middot; {times["ran_s"]:.1f} s of {run["clock"]}'
        f" &middot; mode {run['mode']} &middot; seed {run['seed']}"
    )


def _tiles(summary: Json) -> str:
    tiles = [("bad", "isolated", f"{name}: {why}") for name, why in _isolated(summary)]
    for name, task in summary["tasks"].items():
        if task["successes"] is None:
            tiles.append(("good", str(task["episodes"]), f"{name} ended"))
            continue
        tone = "good" if task["successes"] == task["episodes"] else "bad"
        tiles.append((tone, f"{task['successes']} of {task['episodes']}", f"{name} succeeded"))
    for name, module in summary["modules"].items():
        got_hz = summary["times"]["modules"][name]["got_hz"]
        served = got_hz is not None and got_hz >= 0.99 * module["asked_hz"]
        text = "-" if got_hz is None else f"{got_hz:.4g} Hz"
        tiles.append(("" if served else "bad", text, f"{name}, {module['asked_hz']:.4g} Hz asked"))
    if (control := summary["control"]) is not None:
        held = sum(control["holds"].values())
        tiles.append(("", str(control["ticks"]), f"control ticks, {held} held"))
    if (chunks := summary["chunks"]) is not None:
        stalls = chunks["stalls"]
        text = f"chunk boundaries, {stalls} stall{'s' * (stalls != 1)}"
        tiles.append(("bad" if stalls else "", str(chunks["boundaries"]), text))
    inner = "".join(
        f'<div class="tile"><b class="{tone}">{big}</b><span>{escape(text)}</span></div>'
        for tone, big, text in tiles
    )
    return f'<div class="tiles">{inner}</div>'


def _modules(summary: Json) -> str:
    rows, flows = [], any(module["steps"] for module in summary["modules"].values())
    for name, module in summary["modules"].items():
        times = summary["times"]["modules"][name]
        rows.append([
            name, f"{module['asked_hz']:.4g}", "-" if times["got_hz"] is None else f"{times['got_hz']:.4g}",
            *_quantiles(times["response_ms"]), module["released"], module["finished"], module["late"],
            sum(module["drops"].values()), module["under_way"], module["unexplained"], *_steps(module, flows),
        ])  # fmt: skip
        rows += [
            [f"  {stage}", "", "", *_quantiles(q), *[""] * (6 + flows)]
            for stage, q in times["stages_ms"].items()
        ]
    head = (
        "module, stage", "asked Hz", "got Hz", "p50 ms", "p99 ms", "max ms", "released", "finished", "late",
        "dropped", "under way", "unexplained", *["steps"] * flows,
    )  # fmt: skip
    out = "".join(_line(Text(f"{name} is isolated: {why}", "red")) for name, why in _isolated(summary))
    return (
        table(head, rows)
        + out
        + note(
            "A module: release to finish. A stage: execution. "
            "Released = finished + dropped + under way + unexplained."
            + " Steps: of those that a chunk may have, the mean and the fewest that were taken."
            * flows
        )
    )


def _isolated(summary: Json) -> list[tuple[str, str]]:
    """The modules that were taken out, and why."""
    return [(name, m["isolated"]) for name, m in summary["modules"].items() if m["isolated"]]


def _line(text: Text) -> str:
    """A line of the terminal's; what is red there is red here."""
    tone = ' class="bad"' if text.style == "red" else ""
    return f"<p{tone}>{escape(text.plain)}</p>"


def _steps(module: Json, flows: bool) -> list[str]:
    return [tables.steps_of(module["steps"])] * flows


def _links(summary: Json) -> str:
    rows = [
        [name, summary["links"][name]["reads"], *_quantiles(link["age_ms"])]
        for name, link in summary["times"]["links"].items()
    ]
    return table(("link", "reads", "p50 ms", "p99 ms", "max ms"), rows)


def _tasks(summary: Json) -> str:
    rows = [
        [name, t["episodes"], *tables.successes(t), f"{t['mean_ticks']:.0f}"]
        for name, t in summary["tasks"].items()
    ]  # fmt: skip
    return table(("task", "episodes", "succeeded", "rate", "95 % interval", "mean ticks"), rows)


def _paged(found: Json) -> str:
    rows = [
        [name, kv["tokens"], kv["pages"], kv["most_held"], kv["shared"], kv["full"]]
        for name, kv in found.items()
    ]
    head = "module", "tokens appended", "pages", "held at most", "pages shared", "times full"
    return table(head, rows)


def _chunks(found: Json) -> str:
    rows = [
        [f"dimension {index}", digits(step), limited, inside]
        for index, (step, limited, inside) in enumerate(
            zip(found["largest_step"], found["limited"], found["limited_inside"], strict=True)
        )
    ]
    head = "of the action", "largest step at a boundary", "limited there", "limited inside"
    stalls, ticks, longest = found["stalls"], found["stalled_ticks"], found["longest_stall_ticks"]
    ran_out = f"{stalls} times, {ticks} control ticks in all, {longest} at the longest" if stalls else "never"
    return table(head, rows) + note(
        f"{found['boundaries']} times another chunk took over. A step is the change of the action from one "
        f"control tick to the next, as executed. The robot ran out of actions: {ran_out}."
    )


def _drops(summary: Json) -> str:
    found = {name: module["drops"] for name, module in summary["modules"].items()}
    found |= {name: port["drops"] for name, port in summary["ports"].items()}
    if (control := summary["control"]) is not None:
        found |= {"control": control["drops"], "control: holds": control["holds"]}
    rows = [[name, sum(counts.values()), reasons(counts)] for name, counts in found.items() if counts]
    return (
        table(("of", "times", "reasons"), rows, "prose")
        if rows
        else "<p>None: everything that was asked for happened.</p>"
    )


def _machine(info: RunInfo) -> str:
    facts = [(name, value) for name, value in info.machine.items() if name != "packages"]
    facts += info.machine.get("packages", {}).items()
    facts += [("bundle digest", info.digest)] if info.digest else []
    return table(("", ""), [[name, str(value)] for name, value in facts], "prose")


def table(head: tuple[str, ...], rows: list[list[Any]], kind: str = "") -> str:
    """An HTML table; `kind` is a CSS class: ``prose`` aligns to the left."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    text = f'<table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'
    return f'<div class="scroll">{text}</div>'


def _cell(value: object) -> str:
    text = escape(str(value))
    return "&nbsp;&nbsp;&nbsp;" + text.strip() if text.startswith("  ") else text


def _quantiles(found: Json | None) -> list[str]:
    return ["-"] * 3 if found is None else [digits(found[key]) for key in ("p50", "p99", "max")]


def card(title: str, inner: str) -> str:
    """A section of a page: a plain title above HTML."""
    return f'<section class="card"><h2>{title}</h2>{inner}</section>'


def note(text: str) -> str:
    """A paragraph of plain text, in small print."""
    return f'<p class="note">{escape(text)}</p>'


def div(name: str) -> str:
    """Where the figure of that name is drawn."""
    return f'<div id="{name}"></div>'
