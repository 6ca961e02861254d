"""`polyrhythm island run`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from polyrhythm.cli._common import (
    AtOption,
    BundleArgument,
    CostsOption,
    ForeignOption,
    JsonOption,
    MarginOption,
    cost_choice,
    planned,
    print_json,
    refuse_same,
)
from polyrhythm.cli._errors import FAILED, INTERRUPTED
from polyrhythm.cli._playing import (
    LEAST_S,
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
from polyrhythm.cli.island._there import no_island

if TYPE_CHECKING:
    from polyrhythm.runtime import CostChoice

#: A runtime that dies more often than this is given up.
_MAX_RESTARTS = 5


def verb(
    bundle: BundleArgument,
    seconds: SecondsOption = None,
    episodes: EpisodesOption = None,
    task: TaskOption = None,
    profile: ProfileOption = None,
    seed: SeedOption = 0,
    costs: CostsOption = None,
    margin: MarginOption = None,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = None,
    summary: SummaryOption = None,
    trace: TraceOption = None,
    report: ReportOption = None,
    record: RecordOption = None,
    status: StatusOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run a bundle under a supervisor, which starts the runtime again when it dies.

    The options are those of `polyrhythm run`: episodes are for each start, seconds for all of them together.
    Files are one for each start: FILE, FILE with `-1` before its suffix, and so on.
    """
    choice = cost_choice(costs, margin, foreign_costs, costs_at)
    options: list[object] = ["--seed", seed]
    options += [part for name in task or () for part in ("--task", name)]
    values = {
        "--episodes": episodes, "--profile": profile, "--status": status, "--costs": costs,
        "--margin": margin, "--costs-at": costs_at,
    }  # fmt: skip
    options += [part for option, value in values.items() if value is not None for part in (option, value)]
    options += ["--foreign-costs"] * foreign_costs + ["--quiet"] * quiet
    files = {"--summary": summary, "--trace": trace, "--report": report, "--record": record}
    refuse_same(files)
    wanted = {option: path for option, path in files.items() if path is not None}
    commands = _commands([bundle, *options], wanted, seconds)
    _run(bundle, choice, commands, as_json)


def _commands(
    arguments: Sequence[object], files: Mapping[str, Path], seconds: float | None
) -> Iterator[list[str]]:
    """The runtime's command lines: the first, and those of its restarts, each for the time that is left."""
    began_s = monotonic()
    for start in range(1 + _MAX_RESTARTS):
        command = [sys.executable, "-m", "polyrhythm", "run", *map(str, arguments)]
        for option, path in files.items():
            command += [option, str(path.with_stem(f"{path.stem}-{start}") if start else path)]
        if seconds is not None:
            left_s = seconds - (monotonic() - began_s) if start else seconds
            if left_s < LEAST_S:
                return
            command += ["--seconds", str(left_s)]
        yield command


def _run(bundle: Path, costs: CostChoice | None, commands: Iterable[Sequence[str]], as_json: bool) -> None:
    from polyrhythm.island import LiveIsland, Supervisor
    from polyrhythm.runtime.island import playing
    from polyrhythm.runtime.signals import stopping_on_signals

    plan = planned(bundle, costs)
    asked: list[str] = []
    # The signals before the island: one that comes while it starts is not to leave it behind.
    with stopping_on_signals(asked.append), playing(plan.bundle, lockstep=False, drives=False) as island:
        if not isinstance(island, LiveIsland):
            raise no_island()
        found = Supervisor(
            island, commands, stopped=lambda: bool(asked), say=lambda line: typer.echo(line, err=True),
            stdout=sys.stderr.fileno() if as_json else None,
        ).run()  # fmt: skip
    if as_json:
        print_json(found.to_dict())
    if found.stopped:
        raise typer.Exit(INTERRUPTED)
    if found.island_deaths or found.exits[-1] < 0:
        raise typer.Exit(FAILED)
    if found.exits[-1]:
        raise typer.Exit(found.exits[-1])
