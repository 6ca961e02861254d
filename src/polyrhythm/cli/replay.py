"""`polyrhythm replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, print_json
from polyrhythm.cli._errors import FAILED


def verb(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="What `run --record` wrote.", exists=True, dir_okay=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """Play a recorded run again: does the scheduler give the same commands?

    Needs neither the bundle nor its devices nor the robot. Exit code 1 at the first event that is answered
    differently now, or if the log was spoilt and cannot be read to its end.
    """
    from polyrhythm.observe.replay import describe_replay, replay, tell_replay

    found = replay(log)
    if as_json:
        print_json(describe_replay(found))
    else:
        typer.echo(tell_replay(log.name, found))
    if not found.well:
        raise typer.Exit(FAILED)
