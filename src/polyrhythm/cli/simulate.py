"""`polyrhythm simulate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

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
    refuse_idle,
)
from polyrhythm.cli._errors import FAILED

if TYPE_CHECKING:
    from polyrhythm.simulate.campaign import Setting

#: Simulated hours, where nothing else says how long.
HOURS = 0.1
#: Seconds of a trial, and those of a scenario of the swarm on average.
TRIAL_S, SCENARIO_S = 60.0, 2.0
#: From so many hours on trials are longer, and faults strike more rarely: quiet stretches are skipped.
LONG_HOURS, LONG_TRIAL_S, LONG_OFTEN = 1.0, 600.0, 0.01

ManifestArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="[MANIFEST]",
        help="A bundle, a directory with one in bundle/, or a manifest alone.",
        exists=True,
    ),
]
WithOption = Annotated[
    Path | None,
    typer.Option(
        "--with", metavar="OTHER", help="What contexts are loaded with and swapped to as well.", exists=True
    ),
]
HoursOption = Annotated[
    float | None, number("Simulated hours.", least=1e-6, show_default=f"{HOURS}, or --seconds")
]
SecondsOption = Annotated[
    float | None, number("Begin no trial after so many seconds of real time.", least=0.001)
]
LengthOption = Annotated[
    float | None,
    number(
        "Seconds of a trial.",
        least=1e-9,
        show_default=f"{TRIAL_S:.0f}, from --hours {LONG_HOURS:.0f} on {LONG_TRIAL_S:.0f}; in a swarm 0.3 to "
        f"6, and --hours counts {SCENARIO_S:.0f}",
    ),
]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of the first trial; the next ones follow.")]
FaultsOption = Annotated[
    str | None, typer.Option(help="What strikes: all, none, or names with commas.", show_default="all")
]
OnlyOption = Annotated[
    str | None,
    typer.Option(metavar="STRIKES", help="One trial with exactly these strikes: FAULT@NS, with commas."),
]
OftenOption = Annotated[
    float | None,
    number(
        "How many times as often as usual faults strike.",
        least=1e-6,
        most=1e3,
        show_default=f"1, from --hours {LONG_HOURS:.0f} on {LONG_OFTEN}",
    ),
]
RandomCostsOption = Annotated[
    bool,
    typer.Option(
        "--random-costs", help="Draw what stages take for every tick, not for a period of the plan."
    ),
]
EveryEventOption = Annotated[
    bool, typer.Option("--every-event", help="Play also what comes again as it was.")
]
SwarmOption = Annotated[
    bool, typer.Option("--swarm", help="Random plans, profiles and contexts instead of a manifest.")
]
JobsOption = Annotated[int, typer.Option(min=1, help="Processes.")]
FastOption = Annotated[
    bool, typer.Option("--fast", help="Compile the simulation, once, in a minute or two, for long runs.")
]


class Extent(NamedTuple):
    """How much is played: seconds of a trial (None: by its scenario), how often faults strike, and how many
    trials (None: as many as there is time for)."""

    length_s: float | None
    often: float
    trials: int | None


def extent(
    hours: float | None,
    seconds: float | None,
    length: float | None,
    often: float | None,
    *,
    swarm: bool,
    only: bool,
) -> Extent:
    """What the options ask for; what they leave open depends on how long it is to be."""
    if only:
        return Extent(length, often or 1.0, 1)
    if not swarm and length is None and often is None and (hours or 0.0) >= LONG_HOURS:
        length, often = LONG_TRIAL_S, LONG_OFTEN
    trials = None
    if hours is not None or seconds is None:
        trial_s = length or (SCENARIO_S if swarm else TRIAL_S)
        trials = max(1, round((hours or HOURS) * 3600 / trial_s))
    return Extent(length, often or 1.0, trials)


def verb(
    manifest: ManifestArgument = None,
    other: WithOption = None,
    hours: HoursOption = None,
    seconds: SecondsOption = None,
    length: LengthOption = None,
    seed: SeedOption = 0,
    faults: FaultsOption = None,
    only: OnlyOption = None,
    often: OftenOption = None,
    random_costs: RandomCostsOption = False,
    every_event: EveryEventOption = False,
    swarm: SwarmOption = False,
    jobs: JobsOption = 1,
    fast: FastOption = False,
    costs: CostsOption = None,
    margin: MarginOption = None,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a manifest on virtual time while faults strike, and check every rule after every event.

    The real scheduler, splice, ledger, profiles and contexts, with devices that only cost time. What they
    cost is drawn from the cost file, or from `cost_ms`. When a rule is broken the strikes are cut down to
    those that are needed, the command that plays them again is printed, and the exit code is 1.
    """
    if only is not None:
        given = {"--hours": hours, "--seconds": seconds, "--faults": faults, "--often": often}
        refuse_idle("with --only", given)
    if swarm:
        refuse_idle("with --swarm, which makes its costs up", {"--costs": costs})
    if fast:
        _compile()
    from polyrhythm.simulate.asked import ALL, faults_of, refuse, strikes_of
    from polyrhythm.simulate.campaign import Setting

    refuse(manifest, other, swarm=swarm)
    much = extent(hours, seconds, length, often, swarm=swarm, only=only is not None)
    setting = Setting(
        manifest,
        cost_choice(costs, margin, foreign_costs, costs_at),
        None if much.length_s is None else round(much.length_s * 1e9),
        faults_of(faults or ALL),
        None if only is None else strikes_of(only),
        much.often,
        random_costs,
        every_event,
        other,
    )
    _play(setting, seed, much.trials, seconds, jobs, as_json=as_json)


def _compile() -> None:
    """Go on in a process that has the simulation compiled."""
    from polyrhythm.simulate.compiled import NotCompiledError, restart

    try:
        restart(sys.argv[1:])
    except NotCompiledError as error:
        typer.echo(f"{error}\nwithout --fast it is played as it is", err=True)
        raise typer.Exit(FAILED) from None


def _play(
    setting: Setting, seed: int, trials: int | None, seconds: float | None, jobs: int, *, as_json: bool
) -> None:
    from polyrhythm.simulate.asked import unfit
    from polyrhythm.simulate.campaign import opened, run
    from polyrhythm.simulate.report import describe, render

    name, notes = "swarm", tuple[str, ...]()
    if setting.path is not None:
        piece = opened(setting.path, setting.costs, setting.other)
        name, notes = piece.name, (*piece.notes, *unfit(piece, setting.faults))
    result = run(setting, seed, trials=trials, seconds=seconds, jobs=jobs)
    found = describe(name, setting, seed, result, notes)
    if as_json:
        print_json(found)
    else:
        console().print(render(found))
    if not found["ok"]:
        raise typer.Exit(FAILED)
