"""What `polyrhythm profile` prints."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.observe.tables import digits, table
from polyrhythm.runtime.costs import SUSPICIOUS, CostFile, Measured


def render_costs(found: CostFile) -> RenderableType:
    """Every stage alone and with the others, in milliseconds, and what to make of it."""
    made = table(
        "stages (ms, dispatch included)", "module", "<stage", "alone p50", "p99", "max", "samples",
        "with others p50", "p99", "max", "samples",
    )  # fmt: skip
    for name, module in found.modules.items():
        for stage in module.stages:
            made.add_row(name, stage.stage, *_cells(stage.alone), *_cells(stage.loaded))
    late = _cells(found.release)
    lines = [
        "a release is heard of so late (ms): p50 {}, p99 {}, max {}, of {}".format(*late),
        f"on {found.machine}, IREE {found.packages.get('iree-base-runtime', 'unknown')}",
    ]
    if odd := list(_odd(found)):
        lines.append(
            f"The longest of {', '.join(odd)} took {SUSPICIOUS} times the median or more: if something "
            "else keeps this machine busy, measure again without it. The proof takes maxima as they are."
        )
    return Group(made, Text("\n".join(lines)))


def _cells(measured: Measured) -> tuple[str, str, str, str]:
    times = (digits(value / 1e6) for value in (measured.p50_ns, measured.p99_ns, measured.max_ns))
    return *times, str(measured.samples)  # type: ignore[return-value]


def _odd(found: CostFile) -> Iterator[str]:
    for name, module in found.modules.items():
        for stage in module.stages:
            if stage.times("max") >= SUSPICIOUS:
                yield f"{name} {stage.stage}"
