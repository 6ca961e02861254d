"""`polyrhythm island`."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from polyrhythm.cli._common import BundleArgument, JsonOption, console, number, planned, print_json


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
            "bundle under a supervisor, which starts the runtime again when it dies."
        ),
    ],
    bundle: BundleArgument,
    seconds: Annotated[float | None, number("With `run`: end after so long.", least=0.001)] = None,
    task: Annotated[str | None, typer.Option(help="With `run`: the task.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Look at a bundle's island, stop it, or keep a runtime running on it."""
    if action is Action.run:
        _run(bundle, seconds, task, as_json)
        return
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
    if action is Action.stop:
        stop(ports)
        ports.unlink()
        return
    counts = counts_of(ports.read_record("counts"))
    if as_json:
        print_json(counts)
    else:
        console().print(island_table(counts))


def _run(bundle: BundleArgument, seconds: float | None, task: str | None, as_json: bool) -> None:
    from polyrhythm.island import LiveIsland, Supervisor
    from polyrhythm.runtime.island import playing

    plan = planned(bundle)
    with playing(plan.bundle, lockstep=False) as island:
        if not isinstance(island, LiveIsland):
            raise typer.BadParameter("its manifest has no `island`", param_hint="BUNDLE")
        command = [sys.executable, "-m", "polyrhythm", "run", str(bundle)]
        command += ["--seconds", str(seconds)] if seconds is not None else []
        command += ["--task", task] if task is not None else []
        report = Supervisor(
            island, command, say=lambda line: typer.echo(line, err=True),
            stdout=sys.stderr.fileno() if as_json else None,
        ).run()  # fmt: skip
    if as_json:
        print_json(report.to_dict())
    if report.exits[-1] or report.island_deaths:
        raise typer.Exit(1)
