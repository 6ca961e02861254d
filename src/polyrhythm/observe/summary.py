"""The end of a run as one JSON-able dictionary, and as tables.

Everything that depends on a clock (durations, rates, ages) lies under the key ``times``; the rest of two
lockstep runs of the same command is equal, byte for byte. In real time counts differ too, as they must.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.chunks import Boundaries
from polyrhythm.observe import tables
from polyrhythm.observe.info import RunInfo
from polyrhythm.observe.island_table import island_table
from polyrhythm.observe.spread import Quantiles
from polyrhythm.observe.stats import CONTROL, Stats
from polyrhythm.observe.views import ModuleView, Snapshot
from polyrhythm.runtime.listener import EpisodeOver
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome

SCHEMA = 1
_Z95 = 1.959963984540054


def wilson95(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a success rate (Wilson 1927); (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    rate, z2 = successes / trials, _Z95**2
    centre = rate + z2 / (2 * trials)
    half = _Z95 * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2))
    scale = 1 + z2 / trials
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def summarise(info: RunInfo, outcome: Outcome, stats: Stats) -> dict[str, Any]:
    """Everything that there is to say about a finished run, ready for `json.dumps`."""
    view = stats.snapshot()
    island = None if outcome.island is None else dict(outcome.island)
    island_times = None if island is None else island.pop("times")
    return {
        "schema": SCHEMA,
        "bundle": {"name": info.name, "digest": info.digest},
        "run": {
            "clock": info.clock,
            "mode": info.schedule.mode.value,
            "seed": info.seed,
            "reason": outcome.reason,
            "complete": outcome.reason == "complete",
            "notes": list(outcome.notes),
            "undriven": outcome.undriven,
        },
        "tasks": _tasks(outcome.episodes),
        "episodes": [
            {
                "number": e.number,
                "task": e.task,
                "seed": e.seed,
                "success": e.success,
                "ticks": e.ticks,
                "held": e.held,
            }
            for e in outcome.episodes
        ],
        "modules": {
            name: _module(account, module)
            for name, module in view.modules.items()
            if (account := outcome.modules.get(name)) is not None
        },
        "links": {name: {"reads": ages.samples if ages else 0} for name, ages in view.ages.items()},
        "ports": {
            port: {
                "published": published,
                "superseded": outcome.superseded.get(port, 0),
                "drops": outcome.drops.get(port, {}),
            }
            for port, published in view.published.items()
        },
        "control": _control(view, outcome),
        "chunks": _chunks(view, outcome.boundaries),
        "kv": {name: asdict(account) for name, account in outcome.kv.items()},
        "power": _power(info, outcome),
        "swap": None if outcome.swap is None else asdict(outcome.swap),
        "island": island,
        "machine": info.machine,
        "times": {"ran_s": outcome.ran_ns / 1e9, **times_of(view), "island": island_times},
    }


def counts_of(view: Snapshot) -> dict[str, Any]:
    """The modules' counts while a run goes on, in the shape that the summary has at the end."""
    return {
        name: {
            "asked_hz": m.asked_hz,
            "finished": m.finished,
            "late": m.late,
            "deferred": m.deferred,
            "isolated": m.isolated,
            "drops": m.drops,
            "steps": _steps(m),
        }
        for name, m in view.modules.items()
    }


def times_of(view: Snapshot) -> dict[str, Any]:
    """Everything measured in time: what the summary has under ``times``."""
    control = view.control
    return {
        "running_s": view.running_ns / 1e9,
        "modules": {
            name: {
                "got_hz": m.got_hz,
                "response_ms": _ms(m.response),
                "stages_ms": {stage: _ms(q) for stage, q in m.stages.items()},
            }
            for name, m in view.modules.items()
        },
        "links": {name: {"age_ms": _ms(q)} for name, q in view.ages.items()},
        "sampling_ms": {name: _ms(q) for name, q in view.sampling.items()},
        "control": None
        if control is None
        else {
            "got_hz": control.got_hz,
            "jitter_ms": _ms(control.jitter),
            "robot_ms": _ms(control.robot),
        },
    }


def render(summary: Mapping[str, Any]) -> RenderableType:
    """A summary as tables for a terminal; takes what `summarise` gave or what was read back from JSON."""
    if summary.get("schema") != SCHEMA:
        raise ValueError(f"a summary of schema {summary.get('schema')!r}; this version reads {SCHEMA}")
    times = summary["times"]
    parts: list[RenderableType] = [_headline(summary)]
    parts += remarks(summary)
    if summary["tasks"]:
        parts.append(tables.tasks(summary["tasks"]))
    parts.append(tables.modules(summary["modules"], times["modules"]))
    if summary["links"]:
        parts.append(tables.links(summary["ports"], times["links"]))
    if summary["control"] is not None:
        parts.append(tables.control(summary["control"], times["control"]))
    if summary["chunks"] is not None:
        parts.append(tables.chunks(summary["chunks"]))
    if found := summary.get("kv"):
        parts.append(tables.paged(found))
    if summary.get("island") is not None:
        parts.append(island_table(summary["island"] | {"times": times["island"]}))
    return Group(*parts)


def went_well(summary: Mapping[str, Any]) -> bool:
    """The run is complete, and what drives the robot was in it to the end."""
    return summary["run"]["complete"] and undriven(summary) is None


def undriven(summary: Mapping[str, Any]) -> str | None:
    """Why nothing drives the robot any more; None if something does."""
    name = summary["run"].get("undriven")
    if name is None:
        return None
    return f"{name}, which drives the robot, is isolated: {summary['modules'][name]['isolated']}"


def remarks(summary: Mapping[str, Any]) -> Iterator[Text]:
    """What no table holds, a line each: notes, the power profile, what came of a swap."""
    yield from (Text(f"note: {note}", style="yellow") for note in summary["run"].get("notes", ()))
    if (power := summary.get("power")) is not None:
        yield Text(_power_line(power))
    if (swap := summary.get("swap")) is not None:
        yield _swap_line(swap)


def _headline(summary: Mapping[str, Any]) -> Text:
    run = summary["run"]
    episodes = len(summary["episodes"])
    played = f", {episodes} episode{'s' * (episodes != 1)}" if summary["control"] is not None else ""
    text = Text(f"{summary['bundle']['name']}: ", style="bold")
    text.append(run["reason"], style="green" if went_well(summary) else "red")
    text.append(
        f"{played}, {summary['times']['ran_s']:.1f} s of {run['clock']}",
        style="not bold",
    )
    return text


def _power_line(power: Mapping[str, Any]) -> str:
    """``power profile saver at the end, after 2 changes``."""
    changes = "1 change" if power["changes"] == 1 else f"{power['changes']} changes"
    missed = f"; the source could not be read {power['unreadable']} times" if power["unreadable"] else ""
    return f"power profile {power['profile']} at the end, after {changes}{missed}"


def _swap_line(swap: Mapping[str, Any]) -> Text:
    """``other was swapped in``; or why not."""
    if swap["played"]:
        return Text(f"{swap['bundle']} was swapped in")
    return Text(f"{swap['bundle']} was not swapped in: {swap['reason']}", style="red")


def _tasks(episodes: list[EpisodeOver]) -> dict[str, Any]:
    found: dict[str, list[EpisodeOver]] = {}
    for episode in episodes:
        found.setdefault(episode.task, []).append(episode)
    tasks = {}
    for task, played in found.items():
        known = any(e.success is not None for e in played)
        successes = sum(bool(e.success) for e in played)
        low, high = wilson95(successes, len(played))
        tasks[task] = {
            "episodes": len(played),
            "successes": successes if known else None,
            "rate": successes / len(played) if known else None,
            "wilson95": [round(low, 6), round(high, 6)] if known else None,
            "mean_ticks": sum(e.ticks for e in played) / len(played),
        }
    return tasks


def _module(account: ModuleOutcome, view: ModuleView) -> dict[str, Any]:
    explained = account.finished + sum(account.drops.values()) + account.under_way
    return {
        "asked_hz": view.asked_hz,
        "released": account.released,
        "finished": account.finished,
        "late": account.late,
        "stale_used": account.stale_used,
        "shifted": account.shifted,
        "deferred": account.deferred,
        "under_way": account.under_way,
        "drops": account.drops,
        "unexplained": account.released - explained,
        "isolated": (view.isolated or "isolated") if account.isolated else None,
        "steps": _steps(view),
    }


def _steps(view: ModuleView) -> dict[str, float | int] | None:
    if (steps := view.steps) is None:
        return None
    return {"full": steps.full, "fast": steps.fast, "min": steps.least, "mean": round(steps.mean, 6)}


def _control(view: Snapshot, outcome: Outcome) -> dict[str, Any] | None:
    if view.control is None:
        return None
    return {
        "asked_hz": view.control.asked_hz,
        "ticks": view.control.acts + sum(view.control.holds.values()),
        "acts": view.control.acts,
        "holds": dict(sorted(view.control.holds.items())),
        "drops": outcome.drops.get(CONTROL, {}),
    }


def _chunks(view: Snapshot, found: Boundaries) -> dict[str, Any] | None:
    """How chunks were joined; None if there was not one. Lists are by dimension of the action."""
    if view.control is None or not view.control.acts:
        return None
    return {
        "boundaries": found.count,
        "largest_step": found.largest_step,
        "limited": found.limited,
        "limited_inside": found.limited_inside,
        "stalls": found.stalls,
        "stalled_ticks": found.stalled_ticks,
        "longest_stall_ticks": found.longest_stall_ticks,
    }


def _power(info: RunInfo, outcome: Outcome) -> dict[str, Any] | None:
    """The power profile at the end; None if there are none."""
    if not info.schedule.profiles:
        return None
    return {
        "profile": outcome.profile,
        "changes": outcome.profile_changes,
        "unreadable": outcome.unreadable,
    }


def _ms(quantiles: Quantiles | None) -> dict[str, float | int] | None:
    return None if quantiles is None else quantiles.to_ms()
