"""What `check` tells about power profiles: every module under each, and the changes between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.observe.tables import digits, table
from polyrhythm.runtime import PowerProof, TimeProof
from polyrhythm.schedule.grid import NS_PER_S

Json = Mapping[str, Any]


def describe_power(power: PowerProof | None) -> dict[str, Any] | None:
    """All profiles ready for `json.dumps`, in milliseconds and hertz; None if there are none."""
    if power is None:
        return None
    return {
        "profiles": {
            name: _profile(proof) | {"dropped": list(power.dropped[name]), "contexts": power.contexts[name]}
            for name, proof in power.profiles.items()
        },
        "switches": {
            "in_any_order": power.all_switches,
            "not_proven": [
                {"between": list(pair), "modules": list(modules)} for pair, modules in power.loose.items()
            ],
        },
    }


def _profile(proof: TimeProof) -> dict[str, Any]:
    return {
        "complete": proof.complete,
        "punctual": proof.punctual,
        "modules": {
            name: {
                "rate_hz": float(NS_PER_S / judged.plan.period_ns),
                "feasible": judged.verdict.feasible,
                "bound_ms": _ms(judged.verdict.bound_ns),
                "deadline_ms": _ms(judged.verdict.deadline_ns),
                "slack_ms": _ms(judged.verdict.slack_ns),
            }
            for name, judged in proof.modules.items()
        },
        "unknown": list(proof.unknown),
    }


def _ms(value_ns: int | None) -> float | None:
    return None if value_ns is None else value_ns / 1e6


def render_power(found: Json) -> RenderableType:
    """One row a module, one column a profile: the slack, and the rate at which that is so."""
    profiles = found["profiles"]
    made = table("power profiles (slack in ms, at worst)", "module", *profiles)
    names = [n for p in profiles.values() for n in (*p["modules"], *p["unknown"], *p["dropped"])]
    for name in dict.fromkeys(names):
        made.add_row(name, *(_cell(profile, name) for profile in profiles.values()))
    return Group(made, Text("\n".join(_switches(found))))


def _cell(profile: Json, name: str) -> str | Text:
    if name in profile["dropped"]:
        return "dropped"
    if (module := profile["modules"].get(name)) is None:
        return "unknown"
    slack = "no bound" if module["slack_ms"] is None else digits(module["slack_ms"])
    text = f"{slack} at {digits(module['rate_hz'])} Hz"
    return text if module["feasible"] else Text(text, "red")


def _switches(found: Json) -> Iterator[str]:
    profiles, switches = found["profiles"], found["switches"]
    if len(profiles) == 1:
        return
    if switches["in_any_order"]:
        yield "time: changes between profiles make nobody late, in whatever order they come"
        return
    for pair in switches["not_proven"]:
        modules, pair_text = ", ".join(pair["modules"]), " and ".join(pair["between"])
        yield f"time: no proof for {modules} while changing between {pair_text}"
    if loose := [name for name, profile in profiles.items() if not profile["punctual"]]:
        yield f"time: no proof for changes to or from {', '.join(loose)}"
    yield "time: all other changes make nobody late, if one is complete before the next begins"
