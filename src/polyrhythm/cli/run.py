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
    refuse_idle,
    refuse_same,
)
from polyrhythm.cli._playing import (
    EpisodesOption,
    ProfileOption,
    QuietOption,
    RecordOption,
    ReportOption,
    SecondsOption,
    SeedOption,
    StatusOption,
    SummaryOption,
    TaskOption,
    TraceOption,
)

#: When a swap begins, in seconds, if nobody says.
SWAP_S = 1.0


def verb(
    bundle: BundleArgument,
    episodes: EpisodesOption = None,
    seconds: SecondsOption = None,
    task: TaskOption = None,
    lockstep: Annotated[
        bool, typer.Option("--lockstep", help="Virtual time: as fast as it goes, the same result every run.")
    ] = False,
    profile: ProfileOption = None,
    seed: SeedOption = 0,
    costs: CostsOption = None,
    margin: MarginOption = None,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = None,
    as_json: JsonOption = False,
    summary: SummaryOption = None,
    trace: TraceOption = None,
    report: ReportOption = None,
    record: RecordOption = None,
    status: StatusOption = None,
    swap_to: Annotated[
        Path | None,
        typer.Option(metavar="BUNDLE", help="Swap this one in while the robot is played.", file_okay=False),
    ] = None,
    swap_at: Annotated[
        float | None, number("When to begin with it, in seconds.", least=0.0, show_default=f"{SWAP_S:g}")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Run a bundle and tell what happened.

    It is checked first, and machine code for this machine is made if there is none yet. It plans with the
    costs that it was checked with: those of `--costs`, or of the manifest.
    """
    from polyrhythm.observe import render

    if swap_to is None:
        refuse_idle("without --swap-to", {"--swap-at": swap_at})
    refuse_same({"--summary": summary, "--trace": trace, "--report": report, "--record": record})
    performance = perform(
        bundle, episodes=episodes, seconds=seconds, tasks=tuple(task or ()), lockstep=lockstep, seed=seed,
        profile=profile, costs=cost_choice(costs, margin, foreign_costs, costs_at), summary_to=summary,
        trace=trace, report=report, record=record, status=status, quiet=quiet, swap_to=swap_to,
        swap_at=SWAP_S if swap_at is None else swap_at,
    )  # fmt: skip
    if as_json:
        print_json(performance.summary)
    else:
        console().print(render(performance.summary))
    exit_for(performance)
