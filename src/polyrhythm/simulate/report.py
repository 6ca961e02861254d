"""What a campaign tells: for machines and in words."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.observe.tables import digits, table
from polyrhythm.simulate.campaign import Result, Setting

SCHEMA = 1


def describe(
    name: str, setting: Setting, seed: int, result: Result, notes: tuple[str, ...]
) -> dict[str, Any]:
    """Everything, ready for `json.dumps`."""
    found = result.outcome
    simulated_s = found.simulated_ns / 1e9
    return {
        "schema": SCHEMA,
        "name": name,
        "ok": result.shrunk is None and not result.errors,
        "seed": seed,
        "trials": found.trials,
        "simulated_hours": simulated_s / 3600,
        "skipped_hours": found.skipped_ns / 3.6e12,
        "skipped_share": found.skipped_ns / found.simulated_ns if found.simulated_ns else 0.0,
        "out_share": found.out_ns / found.simulated_ns if found.simulated_ns else 0.0,
        "real_s": result.real_s,
        "times_real": simulated_s / result.real_s if result.real_s else 0.0,
        "events": found.events,
        "commands": found.commands,
        "strikes_per_hour": found.faults.total() / simulated_s * 3600 if simulated_s else 0.0,
        "often": setting.often,
        "events_per_s": found.events / result.real_s if result.real_s else 0.0,
        "faults": {kind: found.faults[kind] for kind in sorted(found.faults)},
        "drops": {reason: found.drops[reason] for reason in sorted(found.drops)},
        "contexts": {word: found.contexts[word] for word in sorted(found.contexts)},
        "profile_changes": found.profile_changes,
        "stopped_early": found.stopped_early,
        "jobs": found.jobs,
        "judged": found.judged,
        "oldest_action_ms": found.oldest_action_ns / 1e6,
        "responses": {
            module: {"worst_ms": took_ns / 1e6, "bound_ms": bound_ns / 1e6}
            for module, (took_ns, bound_ns) in sorted(found.worst.items())
        },
        "notes": list(notes),
        "failure": _failure(setting, result),
        "errors": result.errors,
    }


def _failure(setting: Setting, result: Result) -> dict[str, Any] | None:
    if result.shrunk is None:
        return None
    shrunk, failure = result.shrunk, result.shrunk.failure
    return {
        "seed": result.seed,
        "rule": failure.rule,
        "message": failure.message,
        "at_ns": failure.now_ns,
        "strikes": [str(injection) for injection in shrunk.injections],
        "length_ns": shrunk.length_ns,
        "trials_to_shrink": shrunk.trials,
        "last_events": list(failure.events),
        "replay": replay_command(setting, result),
    }


def replay_command(setting: Setting, result: Result) -> str:
    """What plays the failing trial again, as small as it was made."""
    assert result.shrunk is not None
    what = "--swarm" if setting.path is None else quote(str(setting.path))
    how = "" if setting.other is None else f" --with {quote(str(setting.other))}"
    how += " --random-costs" if setting.random_costs else ""
    how += " --every-event" if setting.every_event else ""
    costs = "" if (chosen := setting.costs) is None else f" --costs {quote(str(chosen.file))}"
    if chosen is not None:
        costs += f" --margin {float(chosen.margin)!r}" + " --foreign-costs" * chosen.foreign
        costs += f" --costs-at {chosen.at}" * (chosen.at != "max")
    strikes = ",".join(map(str, result.shrunk.injections))
    length = f"{result.shrunk.length_ns / 1e9:.9f}".rstrip("0").rstrip(".")
    return f'polyrhythm simulate {what}{costs}{how} --seed {result.seed} --length {length} --only "{strikes}"'


def render(found: Mapping[str, Any]) -> RenderableType:
    """What was simulated, what struck, and whether every rule held."""
    lines = [
        f"{found['name']}: {digits(found['simulated_hours'])} hours in {found['trials']} trials from seed "
        f"{found['seed']} on, in {found['real_s']:.1f} s: {found['times_real']:.0f} times real time with "
        f"{digits(found['strikes_per_hour'])} strikes an hour, {found['events']} events, "
        f"{found['events_per_s']:.0f} a second",
        f"played: {digits(found['simulated_hours'] - found['skipped_hours'])} hours; skipped: "
        f"{digits(found['skipped_hours'])} hours ({found['skipped_share']:.1%}) that came again as they were",
        f"with a module taken out for good: {found['out_share']:.1%} of it",
    ]
    parts: list[RenderableType] = [Text("\n".join(lines))]
    if found["faults"]:
        made = table("faults", "fault", "strikes")
        for kind, times in found["faults"].items():
            made.add_row(kind, str(times))
        parts.append(made)
    if found["drops"]:
        made = table("drops", "reason", "times")
        for reason, times in found["drops"].items():
            made.add_row(reason, str(times))
        parts.append(made)
    if found["responses"]:
        made = table("responses (ms)", "module", "worst", "bound")
        for module, m in found["responses"].items():
            made.add_row(module, digits(m["worst_ms"]), digits(m["bound_ms"]))
        parts.append(made)
    parts.append(Text("\n".join([*_account(found), *(f"note: {note}" for note in found["notes"])])))
    parts.append(Text("\n".join(_verdict(found))))
    return Group(*parts)


def _account(found: Mapping[str, Any]) -> list[str]:
    told = ", ".join(f"{word} {times}" for word, times in found["contexts"].items()) or "none"
    return [
        f"jobs: {found['jobs']} ended well, {found['judged']} judged by their bounds",
        f"contexts: {told}; power profile changed {found['profile_changes']} times; "
        f"{found['stopped_early']} trials stopped by a rule of the manifest",
        f"oldest action: {digits(found['oldest_action_ms'])} ms after its inputs were taken",
    ]


def _verdict(found: Mapping[str, Any]) -> list[str]:
    if found["ok"]:
        return ["every rule held"]
    errors, failure = [f"ERROR, {error}" for error in found["errors"]], found["failure"]
    if failure is None:
        return errors
    return [
        *errors,
        f"BROKEN at {failure['at_ns']} ns of seed {failure['seed']}: {failure['message']}",
        f"  rule: {failure['rule']}",
        f"  strikes that are needed ({failure['trials_to_shrink']} trials tried): "
        + (", ".join(failure["strikes"]) or "none"),
        "  last events:",
        *(f"    {event}" for event in failure["last_events"]),
        f"  replay: {failure['replay']}",
    ]
