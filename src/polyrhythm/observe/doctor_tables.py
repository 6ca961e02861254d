"""What `polyrhythm doctor` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.hal.api import ANY_FORMAT
from polyrhythm.observe.tables import digits, table


def render_doctor(found: Mapping[str, Any]) -> RenderableType:
    """The examination as a table, then what to do about it."""
    made = table("this machine", "", "<")
    for name, value in _facts(found):
        made.add_row(name, value)
    if not found["advice"]:
        return Group(made, Text("Nothing is missing."))
    return Group(made, Text("Advice", style="bold"), *(Text(f"- {line}") for line in found["advice"]))


def _facts(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    cpu, may, packages = found["cores"], found["rights"], found["packages"]
    yield "processor", cpu["processor"] + (" (virtual)" if cpu["virtual"] else "")
    yield "usable cores", f"{', '.join(map(str, cpu['usable']))} of {cpu['here']}"
    yield "sharing a physical core", ", ".join(map(str, cpu["siblings"])) or "none known"
    yield "SCHED_FIFO", _yes(may["fifo"])
    yield "raise priority", _yes(may["nice"])
    limit = may["lock_limit_bytes"]
    yield "lock memory", _yes(may["lock"]) + ("" if limit is None else f" (up to {limit >> 10} KiB)")
    for name, driver in found["drivers"].items():
        opens = driver["error"] or ", ".join(driver["uris"]) or "nothing to open"
        lacks = "" if driver["error"] else "".join(f"; {what}" for what in driver["lacks"])
        yield (
            f"driver {name}",
            opens + ("" if name in driver["formats"] else _loads(driver["formats"])) + lacks,
        )
    yield "IREE runtime", packages["iree-base-runtime"] or "missing"
    yield "IREE compiler", packages["iree-base-compiler"] or "missing"
    yield "C compiler", found["c_compiler"] or "missing"
    for name, present in found["extras"].items():
        yield f"extra {name}", "present" if present else f"missing: pip install 'polyrhythm[{name}]'"
    yield "clock resolution", f"{found['clock_resolution_ns']} ns"
    slack_ns = found["timer_slack_ns"]
    yield "timer slack", "unknown" if slack_ns is None else f"{digits(slack_ns / 1000)} us"
    yield "switch interval", f"{digits(found['switch_interval_us'])} us"
    for name, key in (("late wake-up", "wake_us"), ("one call", "invoke_us")):
        measured = found["times"][key]
        if measured is None:
            yield name, "not measured: needs the compiler"
        else:
            yield name, _quantiles(measured)
    raised = found["times"]["wake_raised_us"]
    if raised is None:
        yield "late wake-up, raised", "no priority can be given"
    else:
        measured = {q: value for q, value in raised.items() if q != "priority"}
        yield f"late wake-up, {raised['priority']}", _quantiles(measured)


def _loads(formats: list[str]) -> str:
    return f" (loads {', '.join(formats)})" if formats and ANY_FORMAT not in formats else ""


def _quantiles(measured: Mapping[str, float]) -> str:
    return ", ".join(f"{q} {digits(value)} us" for q, value in measured.items())


def _yes(value: bool) -> str:
    return "yes" if value else "no"
