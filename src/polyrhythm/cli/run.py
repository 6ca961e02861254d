"""`polyrhythm run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import (
    AtOption,
    BundleArgument,
    CostsOption,
    ForeignOption,
    JsonOption,
    MarginOption,
    console,
    cost_choice,
    exit_for,
    number,
    perform,
    print_json,
)


def verb(
    bundle: BundleArgument,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Episodes of each task.", show_default="one, or what fits into --seconds"),
    ] = None,
    seconds: Annotated[float | None, number("End after so many seconds.", least=0.001)] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TASK", help="A task; may be given several times.", show_default="all of the robot's"
        ),
    ] = None,
    lockstep: Annotated[
        bool, typer.Option("--lockstep", help="Virtual time: as fast as it goes, the same result every run.")
    ] = False,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The power profile to begin with.", show_default="the manifest's"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of episodes and noise.")] = 0,
    costs: CostsOption = None,
    margin: MarginOption = 1.2,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = "max",
    as_json: JsonOption = False,
    summary: Annotated[Path | None, typer.Option(help="Write the summary as JSON to this file.")] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Write a trace for ui.perfetto.dev to this file.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write a log that `polyrhythm replay` plays again to this file.")
    ] = None,
    status: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve a page, JSON and metrics while it runs.")
    ] = None,
    swap_to: Annotated[
        Path | None,
        typer.Option(metavar="BUNDLE", help="Swap this one in while the robot is played.", file_okay=False),
    ] = None,
    swap_at: Annotated[
        float, number("When to begin with it, in seconds.", least=0.0, show_default=True)
    ] = 1.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show nothing while it runs.")] = False,
) -> None:
    """Run a bundle and tell what happened.

    It is checked first, and machine code for this machine is made if there is none yet. It plans with the
    costs that it was checked with: those of `--costs`, or of the manifest.
    """
    from polyrhythm.observe import render

    performance = perform(
        bundle, episodes=episodes, seconds=seconds, tasks=tuple(task or ()), lockstep=lockstep, seed=seed,
        profile=profile, costs=cost_choice(costs, margin, foreign_costs, costs_at), summary_to=summary,
        trace=trace, report=report, record=record, status=status, quiet=quiet, swap_to=swap_to,
        swap_at=swap_at,
    )  # fmt: skip
    if as_json:
        print_json(performance.summary)
    else:
        console().print(render(performance.summary))
    exit_for(performance)
