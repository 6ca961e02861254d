"""`polyrhythm island`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

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
    number,
    planned,
    print_json,
)
from polyrhythm.cli._errors import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from polyrhythm.runtime import CostChoice

#: A runtime that dies more often than this is given up.
_MAX_RESTARTS = 5
#: The shortest run that `polyrhythm run` takes, in seconds.
_LEAST_S = 0.001
_FILES = "one for each start: FILE, FILE with `-1` before its suffix, and so on."


class Action(StrEnum):
    """What to do with an island."""

    status = "status"
    stop = "stop"
    run = "run"


def verb(
    action: Annotated[
        Action,
        typer.Argument(
            help="`status`: what it has counted, without disturbing it. `stop`: let it end. `run`: run the "
            "bundle under a supervisor, which starts the runtime again when it dies; the options of "
            "`polyrhythm run` below are for this."
        ),
    ],
    bundle: BundleArgument,
    seconds: Annotated[
        float | None, number("End after so many seconds, restarts included.", least=_LEAST_S)
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Episodes of each task, for each start.", show_default="as `run`"),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TASK", help="A task; may be given several times.", show_default="all of the robot's"
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The power profile to begin with.", show_default="the manifest's"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of episodes and noise.")] = 0,
    costs: CostsOption = None,
    margin: MarginOption = 1.2,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = "max",
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Write summaries as JSON, {_FILES}")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Write traces for ui.perfetto.dev, {_FILES}")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help=f"Write HTML reports, {_FILES}")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Write logs for `polyrhythm replay`, {_FILES}")
    ] = None,
    status: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve a page, JSON and metrics while it runs.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show nothing while it runs.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look at a bundle's island, stop it, or keep a runtime running on it."""
    if action is not Action.run:
        _look(bundle, as_json=as_json, end=action is Action.stop)
        return
    options: list[object] = ["--seed", seed, "--margin", margin, "--costs-at", costs_at]
    options += [part for name in task or () for part in ("--task", name)]
    values = {"--episodes": episodes, "--profile": profile, "--costs": costs, "--status": status}
    options += [part for option, value in values.items() if value is not None for part in (option, value)]
    options += ["--foreign-costs"] * foreign_costs + ["--quiet"] * quiet
    files = {"--summary": summary, "--trace": trace, "--report": report, "--record": record}
    wanted = {option: path for option, path in files.items() if path is not None}
    commands = _commands([bundle, *options], wanted, seconds)
    _run(bundle, cost_choice(costs, margin, foreign_costs, costs_at), commands, as_json)


def _look(bundle: Path, *, as_json: bool, end: bool) -> None:
    from polyrhythm.island import counts_of
    from polyrhythm.island.live import running, stop
    from polyrhythm.manifest import load_or_raise
    from polyrhythm.observe.island_table import island_table
    from polyrhythm.runtime.island import ports_of

    island = load_or_raise(bundle).island
    if island is None:
        raise typer.BadParameter("its manifest has no `island`", param_hint="BUNDLE")
    ports = running(ports_of(island))
    if ports is None:
        typer.echo(f"no island runs at {ports_of(island)}", err=True)
        raise typer.Exit(1)
    if end:
        stop(ports)
        return
    counts = counts_of(ports.read_record("counts"))
    if as_json:
        print_json(counts)
    else:
        console().print(island_table(counts))


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
            if left_s < _LEAST_S:
                return
            command += ["--seconds", str(left_s)]
        yield command


def _run(bundle: Path, costs: CostChoice | None, commands: Iterable[Sequence[str]], as_json: bool) -> None:
    from polyrhythm.island import LiveIsland, Supervisor
    from polyrhythm.runtime.island import playing
    from polyrhythm.runtime.play import stopping_on_signals

    plan = planned(bundle, costs)
    asked: list[str] = []
    # The signals before the island: one that comes while it starts is not to leave it behind.
    with stopping_on_signals(asked.append), playing(plan.bundle, lockstep=False, drives=False) as island:
        if not isinstance(island, LiveIsland):
            raise typer.BadParameter("its manifest has no `island`", param_hint="BUNDLE")
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
