"""The report's figures as plain Plotly dictionaries; what depends on light or dark is left to the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from polyrhythm.observe.score import Score
from polyrhythm.observe.spread import Spread
from polyrhythm.observe.stats import CONTROL, Stats
from polyrhythm.observe.tables import verdict as verdict_of
from polyrhythm.schedule.plan import SchedulePlan

Figure = dict[str, Any]

#: Okabe and Ito's colours, which stay apart for colour-blind readers; red is kept for what went wrong.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#b8a900", "#8c6bb1", "#7f7f7f")
WRONG = "#d62728"
_FIRST_VIEW_S = 2.0
#: What takes no time, as a robot in lockstep, would not be drawn at all.
_SHORTEST_NS = 500_000
_HISTOGRAM_BINS = 60


def colours(modules: Iterable[str]) -> dict[str, str]:
    """A colour for every module, and grey for the robot."""
    return {name: COLOURS[i % (len(COLOURS) - 1)] for i, name in enumerate(modules)} | {CONTROL: COLOURS[-1]}


def timeline(score: Score, modules: Iterable[str]) -> Figure:
    """The piano roll: a row for each stage, for control and for the observations; time in seconds."""
    palette, rows = colours(modules), list(score.rows)
    data: list[Figure] = []
    for row, bars in score.rows.items():
        colour = palette[score.owner[row]]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": row,
                "y": [row] * len(bars.start_ns),
                "base": [_seconds(score, start) for start in bars.start_ns],
                "x": [max(length, _SHORTEST_NS) / 1e9 for length in bars.length_ns],
                "text": bars.hover,
                "textposition": "none",
                "marker": {
                    "color": [WRONG if wrong else colour for wrong in bars.wrong],
                    "line": {"width": 0},
                },
                "hovertemplate": "<b>%{y}</b> at %{base:.4f} s<br>%{text}<extra></extra>",
            }
        )
    ends_s = [base + x for row in data for base, x in zip(row["base"], row["x"], strict=True)]
    ends_s += [_seconds(score, e.end_ns) for e in score.episodes]
    total_s = max(ends_s, default=_FIRST_VIEW_S)
    data.append(_drop_marks(score, rows))
    shapes, notes = _episode_bands(score)
    return {
        "data": data,
        "layout": {
            "barmode": "overlay",
            "bargap": 0.25,
            "height": 120 + 34 * len(rows),
            "showlegend": False,
            "dragmode": "pan",
            "shapes": shapes,
            "annotations": notes,
            "xaxis": {"title": {"text": "time (s)"}, "range": [-0.02, min(_FIRST_VIEW_S, total_s)]},
            "yaxis": {
                "categoryorder": "array",
                "categoryarray": rows[::-1],
                "fixedrange": True,
                "automargin": True,
            },
            "updatemenus": [_zoom_buttons(total_s)],
            "margin": {"t": 70, "r": 20, "b": 50},
        },
    }


def latencies(stats: Stats) -> Figure:
    """Response time of each module, with its deadline; side by side."""
    palette, layout, data = colours(stats.modules), _side_by_side(len(stats.modules)), []
    shapes = []
    for index, (name, module) in enumerate(stats.modules.items(), start=1):
        axis = "" if index == 1 else str(index)
        edges, counts = _rebin(module.response)
        data.append(
            {
                "type": "bar",
                "name": name,
                "x": [(left + right) / 2 for left, right in edges],
                "y": counts,
                "width": [right - left for left, right in edges],
                "marker": {"color": palette[name], "line": {"width": 0}},
                "xaxis": f"x{axis}",
                "yaxis": f"y{axis}",
                "hovertemplate": "%{x:.3f} ms: %{y} jobs<extra>" + name + "</extra>",
            }
        )
        deadline_ms = module.plan.deadline_ns / 1e6
        shapes.append(_upright(deadline_ms, f"x{axis}", f"y{axis} domain"))
        layout[f"xaxis{axis}"]["title"] = {"text": f"{name}: response (ms), deadline {deadline_ms:g} ms"}
        layout[f"xaxis{axis}"]["range"] = [0, 1.05 * max([deadline_ms, *(right for _, right in edges)])]
        layout[f"yaxis{axis}"]["title"] = {"text": "jobs"}
    return {"data": data, "layout": layout | {"shapes": shapes, "showlegend": False, "bargap": 0}}


def ages(score: Score, plan: SchedulePlan) -> Figure:
    """How old each link's tensor was when it was taken, over time; dashed where a `max_age_ms` stands."""
    limits = {
        f"{i.source} -> {m.id}.{i.name}": i.max_age_ns
        for m in plan.modules
        for i in m.inputs
        if i.max_age_ns is not None
    }
    data: list[Figure] = []
    for index, (link, points) in enumerate(sorted(score.ages.items())):
        colour = COLOURS[index % len(COLOURS)]
        times = [_seconds(score, at) for at, _ in points]
        data.append(
            {
                "type": "scattergl",
                "mode": "lines+markers",
                "marker": {"size": 3},
                "name": link,
                "legendgroup": link,
                "x": times,
                "y": [age / 1e6 for _, age in points],
                "line": {"color": colour, "width": 1},
                "hovertemplate": "%{y:.3f} ms at %{x:.4f} s<extra>" + link + "</extra>",
            }
        )
        if link in limits and times:
            limit_ms = limits[link] / 1e6
            data.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": f"{link}: max_age_ms {limit_ms:g}",
                    "legendgroup": link,
                    "showlegend": False,
                    "x": [times[0], times[-1]],
                    "y": [limit_ms, limit_ms],
                    "line": {"color": colour, "width": 1, "dash": "dash"},
                    "hovertemplate": f"max_age_ms {limit_ms:g}<extra>{link}</extra>",
                }
            )
    layout = {
        "height": 400,
        "xaxis": {"title": {"text": "time (s)"}},
        "yaxis": {"title": {"text": "age (ms)"}, "rangemode": "tozero"},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "margin": {"t": 10, "r": 10},
    }
    return {"data": data, "layout": layout}


def trajectory(score: Score) -> Figure | None:
    """Where the hand went, in space if telemetry has ``hand_x``, ``_y``, ``_z``; else telemetry by tick."""
    if not score.paths:
        return None
    tasks = list(dict.fromkeys(path.episode.began.task for path in score.paths))
    if {"hand_x", "hand_y", "hand_z"} <= score.paths[0].telemetry.keys():
        return _in_space(score, tasks)
    return _by_tick(score, tasks)


def _in_space(score: Score, tasks: list[str]) -> Figure:
    data: list[Figure] = []
    for path in score.paths:
        began = path.episode.began
        colour = COLOURS[tasks.index(began.task) % len(COLOURS)]
        x, y, z = (path.telemetry[f"hand_{axis}"] for axis in "xyz")
        name = f"{began.task} #{began.number}"
        line = {"color": colour, "width": 5}
        over = path.episode.over
        ends = {"color": [colour, WRONG if over is None or over.success is False else colour], "size": [3, 6]}
        data.append(
            {"type": "scatter3d", "mode": "lines", "name": name, "x": x, "y": y, "z": z, "line": line}
        )
        data.append(
            {
                "type": "scatter3d", "mode": "markers",
                "x": [x[0], x[-1]], "y": [y[0], y[-1]], "z": [z[0], z[-1]],
                "text": ["start", "end"], "name": name, "showlegend": False,
                "marker": {**ends, "symbol": ["circle-open", "diamond"]},
            }
        )  # fmt: skip
    axes = {f"{axis}axis": {"title": {"text": f"{axis} (m)"}} for axis in "xyz"}
    return {
        "data": data,
        "layout": {"height": 520, "scene": {"aspectmode": "data", **axes}, "margin": {"t": 10, "b": 10}},
    }


def _by_tick(score: Score, tasks: list[str]) -> Figure:
    names = list(score.paths[0].telemetry)[:8]
    layout = _grid_layout(len(names), 150)
    data: list[Figure] = []
    for index, name in enumerate(names, start=1):
        axis = "" if index == 1 else str(index)
        layout[f"yaxis{axis}"]["title"] = {"text": name}
        for path in score.paths:
            began = path.episode.began
            data.append(
                {
                    "type": "scattergl", "mode": "lines", "y": path.telemetry.get(name, []),
                    "name": f"{began.task} #{began.number}", "legendgroup": began.task,
                    "showlegend": index == 1,
                    "line": {"color": COLOURS[tasks.index(began.task) % len(COLOURS)], "width": 1.5},
                    "xaxis": f"x{axis}", "yaxis": f"y{axis}",
                }
            )  # fmt: skip
    return {"data": data, "layout": layout}


def _drop_marks(score: Score, rows: list[str]) -> Figure:
    last_row = {score.owner[row]: row for row in rows}
    shown = [(d, last_row.get(d.what) or (d.what if d.what in rows else None)) for d in score.drops]
    seen = [(d, row) for d, row in shown if row is not None]
    return {
        "type": "scattergl",
        "mode": "markers",
        "name": "drops",
        "x": [_seconds(score, d.at_ns) for d, _ in seen],
        "y": [row for _, row in seen],
        "text": [f"{d.reason} x {d.times}" + (f"<br>{d.detail[:200]}" if d.detail else "") for d, _ in seen],
        "marker": {"symbol": "x", "size": 9, "color": WRONG},
        "hovertemplate": "<b>%{y}</b> drop: %{text}<extra></extra>",
    }


def _episode_bands(score: Score) -> tuple[list[Figure], list[Figure]]:
    shapes, notes = [], []
    for index, episode in enumerate(score.episodes[:200]):
        began, over = episode.began, episode.over
        start_s, end_s = _seconds(score, began.now_ns), _seconds(score, episode.end_ns)
        band = {
            "type": "rect",
            "layer": "below",
            "xref": "x",
            "yref": "paper",
            "x0": start_s,
            "x1": end_s,
            "y0": 0,
            "y1": 1,
        }
        shapes.append(
            {**band, "line": {"width": 0}, "fillcolor": "#888888", "opacity": 0.12 if index % 2 else 0.05}
        )
        verdict = "cut short" if over is None else verdict_of(over.success)
        notes.append(
            {
                "x": start_s, "y": 1, "xref": "x", "yref": "paper", "xanchor": "left", "yanchor": "bottom",
                "showarrow": False, "text": f"{began.task} #{began.number}: {verdict}", "font": {"size": 11},
            }
        )  # fmt: skip
    return shapes, notes


def _zoom_buttons(total_s: float) -> Figure:
    views = [("0.5 s", 0.5), ("2 s", 2.0), ("10 s", 10.0), ("all", total_s)]
    return {
        "type": "buttons", "direction": "right", "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom",
        "pad": {"b": 22}, "showactive": False,
        "buttons": [
            {"label": label, "method": "relayout", "args": [{"xaxis.range": [-0.02, seconds]}]}
            for label, seconds in views
        ],
    }  # fmt: skip


def _side_by_side(columns: int) -> Figure:
    """`columns` pairs of axes, at most three in a row."""
    per_row = min(columns, 3)
    rows = -(-columns // per_row)
    layout: Figure = {"height": 20 + 210 * rows, "margin": {"t": 10, "r": 10, "b": 30}}
    for index in range(columns):
        axis = "" if index == 0 else str(index + 1)
        row, column = divmod(index, per_row)
        left, top = column / per_row, 1 - row / rows
        layout[f"xaxis{axis}"] = {"anchor": f"y{axis}", "domain": [left, left + 1 / per_row - 0.08]}
        layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "domain": [top - 1 / rows + 0.25 / rows, top]}
    return layout


def _grid_layout(rows: int, height: int) -> Figure:
    """`rows` pairs of axes, one above the other."""
    layout: Figure = {"height": 60 + height * rows, "margin": {"t": 20}}
    gap = 0.28 / max(rows, 1)
    for index in range(1, rows + 1):
        axis = "" if index == 1 else str(index)
        top = 1 - (index - 1) / rows
        layout[f"xaxis{axis}"] = {"anchor": f"y{axis}"}
        layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "domain": [max(0.0, top - 1 / rows + gap), top]}
    return layout


def _rebin(spread: Spread) -> tuple[list[tuple[float, float]], list[int]]:
    """At most `_HISTOGRAM_BINS` bins of equal width, in milliseconds."""
    bins = spread.bins()
    if not bins:
        return [], []
    low, high = bins[0][0], max(bins[-1][1], bins[0][0] + 1)
    width = (high - low) / _HISTOGRAM_BINS
    counts = [0] * _HISTOGRAM_BINS
    for left, right, samples in bins:
        counts[min(_HISTOGRAM_BINS - 1, int(((left + right) / 2 - low) / width))] += samples
    edges = [((low + i * width) / 1e6, (low + (i + 1) * width) / 1e6) for i in range(_HISTOGRAM_BINS)]
    return edges, counts


def _upright(at: float, xref: str, yref: str) -> Figure:
    line = {"color": WRONG, "width": 1.5, "dash": "dash"}
    return {"type": "line", "xref": xref, "yref": yref, "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line}


def _seconds(score: Score, at_ns: int) -> float:
    return (at_ns - score.first_ns) / 1e9
