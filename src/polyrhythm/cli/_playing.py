"""The options of the verbs that play a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import filename, number

#: The shortest run, in seconds.
LEAST_S = 0.001
#: Noise is drawn from 64 bits, and episodes count up from the seed.
MAX_SEED = 2**63 - 1

EpisodesOption = Annotated[
    int | None,
    typer.Option(min=1, help="Episodes of each task.", show_default="one, or what fits into --seconds"),
]
SecondsOption = Annotated[float | None, number("End after so many seconds.", least=LEAST_S)]
TaskOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TASK", help="A task; may be given several times.", show_default="all of the robot's"
    ),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The power profile to begin with.", show_default="the manifest's"),
]
SeedOption = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Seed of episodes and noise.")]
SummaryOption = Annotated[Path | None, filename("Write the summary as JSON to this file.")]
TraceOption = Annotated[Path | None, filename("Write a trace for ui.perfetto.dev to this file.")]
ReportOption = Annotated[Path | None, filename("Write an HTML report to this file.")]
RecordOption = Annotated[
    Path | None, filename("Write a log that `polyrhythm replay` plays again to this file.")
]
StatusOption = Annotated[
    str | None, typer.Option(metavar="HOST:PORT", help="Serve a page, JSON and metrics while it runs.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show nothing while it runs.")]
