"""What the island has counted, as a table: for the summary of a run and for `polyrhythm island status`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from polyrhythm.island import LOST_WORDS
from polyrhythm.observe.tables import digits, reasons, table

Json = Mapping[str, Any]

_TIMES = {
    "late wake-up": "wake_us",
    "execution": "execution_us",
    "due to command": "response_us",
    "age of the target": "age_us",
}


def island_table(counts: Json) -> Table:
    """The dictionary of `polyrhythm.island.counts_of`; times in microseconds."""
    made = table("island (times in us)", "", "<")
    for name, value in island_rows(counts):
        made.add_row(name, value)
    return made


def export_table(name: str, sizes: Mapping[str, int]) -> Table:
    """The files of an exported island, with their bytes."""
    made = table(f"island in {name}", "file", "KiB")
    for file, nbytes in (dict(sizes) | {"all together": sum(sizes.values())}).items():
        made.add_row(file, digits(nbytes / 1024))
    return made


def island_rows(counts: Json) -> Iterator[tuple[str, str | Text]]:
    """The rows of `island_table`."""
    missed = Text(str(counts["missed"]), "yellow" if counts["missed"] else "")
    yield "periods", Text.assemble(f"{counts['periods']}, missed ", missed)
    for name in counts["lost"]:
        yield "runs without", Text(LOST_WORDS[name], "yellow")
    yield "on the ladder", f"{counts['rung']} now; entered: {_some(counts['entered'])}"
    yield "targets", f"{counts['targets']}, refused: {_some(counts['targets_refused'])}"
    yield "runtimes", f"{counts['writers']}, one after the other"
    yield "states", f"{counts['states']}, refused: {_some(counts['states_refused'])}"
    yield "blind", f"{counts['blind']['periods']} periods, entered {counts['blind']['entered']}"
    yield "limited", _some(counts["limited"])
    if (policy := counts["policy"])["runs"] or policy["late"]:
        yield "policy", f"{policy['runs']} runs, late {policy['late']}, of these given up {policy['dropped']}"
    if (second := counts["second"])["taken"]:
        yield "second thread", f"{second['taken']} workgroups, left at work {second['left']} times"
    if counts["not_finite"]:
        yield "not finite", Text(str(counts["not_finite"]), "red")
    if counts["ports_lost"]:
        yield "ports", Text("cut short: nobody can be heard", "red")
    for name, key in _TIMES.items():
        if (found := counts["times"][key]) is not None:
            yield name, ", ".join(f"{q.replace('_', '.')} {digits(value)}" for q, value in found.items())


def _some(counts: Mapping[str, int]) -> str:
    return reasons({name: times for name, times in counts.items() if times})
