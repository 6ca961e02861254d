"""`polyrhythm simulate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import (
    AtOption,
    CostsOption,
    ForeignOption,
    JsonOption,
    MarginOption,
    console,
    cost_choice,
    number,
    print_json,
)
from polyrhythm.cli._errors import FAILED

#: Simulated hours, where nothing else says how long.
HOURS = 0.1


def _trials(hours: float | None, seconds: float | None, trial_s: float) -> int | None:
    """How many; None: as many as there is time for."""
    if hours is None and seconds is not None:
        return None
    return max(1, round((hours or HOURS) * 3600 / trial_s))


def verb(
    manifest: Annotated[
        Path | None,
        typer.Argument(
            metavar="[MANIFEST]",
            help="A bundle, a directory with one in bundle/, or a manifest alone.",
            exists=True,
        ),
    ] = None,
    hours: Annotated[
        float | None,
        number("Simulated hours.", least=1e-6, show_default=f"{HOURS}, or --seconds"),
    ] = None,
    seconds: Annotated[
        float | None, number("Begin no trial after so many seconds of real time.", least=0.001)
    ] = None,
    length: Annotated[
        float | None,
        number(
            "Seconds of a trial.",
            least=1e-9,
            show_default="60; in a swarm 0.3 to 6, and --hours counts 2",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first trial; the next ones follow.")] = 0,
    faults: Annotated[str, typer.Option(help="What strikes: all, none, or names with commas.")] = "all",
    only: Annotated[
        str | None,
        typer.Option(metavar="STRIKES", help="One trial with exactly these strikes: FAULT@NS, with commas."),
    ] = None,
    often: Annotated[
        float, number("How many times as often as usual faults strike.", least=1e-6, most=1e3)
    ] = 1.0,
    random_costs: Annotated[
        bool,
        typer.Option(
            "--random-costs", help="Draw what stages take for every tick, not for a period of the plan."
        ),
    ] = False,
    every_event: Annotated[
        bool, typer.Option("--every-event", help="Play also what comes again as it was.")
    ] = False,
    swarm: Annotated[
        bool, typer.Option("--swarm", help="Random plans, profiles and contexts instead of a manifest.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    fast: Annotated[
        bool, typer.Option("--fast", help="Compile the simulation, once, in a minute or two, for long runs.")
    ] = False,
    costs: CostsOption = None,
    margin: MarginOption = 1.2,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = "max",
    as_json: JsonOption = False,
) -> None:
    """Play a manifest on virtual time while faults strike, and check every rule after every event.

    The real scheduler, splice, ledger, profiles and contexts, with devices that only cost time. What they
    cost is drawn from the cost file, or from `cost_ms`. When a rule is broken the strikes are cut down to
    those that are needed, the command that plays them again is printed, and the exit code is 1.
    """
    from polyrhythm.simulate.compiled import NotCompiledError, restart

    if fast:
        try:
            restart(sys.argv[1:])
        except NotCompiledError as error:
            typer.echo(f"{error}\nwithout --fast it is played as it is", err=True)
            raise typer.Exit(FAILED) from None
    from polyrhythm.simulate.asked import (
        faults_of,
        nothing_asked,
        refuse_without_assertions,
        strikes_of,
        unfit,
    )
    from polyrhythm.simulate.campaign import Setting, opened, run
    from polyrhythm.simulate.report import describe, render

    refuse_without_assertions()
    if (manifest is None) != swarm:
        raise nothing_asked()
    setting = Setting(
        manifest,
        cost_choice(costs, margin, foreign_costs, costs_at),
        None if length is None else round(length * 1e9),
        faults_of(faults),
        None if only is None else strikes_of(only),
        often,
        random_costs,
        every_event,
    )
    name, notes = "swarm", tuple[str, ...]()
    if manifest is not None:
        piece = opened(manifest, setting.costs)
        name, notes = piece.name, (*piece.notes, *unfit(piece, setting.faults))
    trial_s = length or (2.0 if swarm else 60.0)
    trials = 1 if only is not None else _trials(hours, seconds, trial_s)
    result = run(setting, seed, trials=trials, seconds=seconds, jobs=jobs)
    found = describe(name, setting, seed, result, notes)
    if as_json:
        print_json(found)
    else:
        console().print(render(found))
    if not found["ok"]:
        raise typer.Exit(FAILED)
