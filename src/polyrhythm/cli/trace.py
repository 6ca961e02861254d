"""`polyrhythm trace`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, print_json
from polyrhythm.cli._errors import FAILED


class What(StrEnum):
    """What is done with logs."""

    diff = "diff"


def verb(
    what: Annotated[What, typer.Argument(help="diff: where two recorded runs part.")],
    a: Annotated[
        Path, typer.Argument(metavar="A", help="A log of `run --record`.", exists=True, dir_okay=False)
    ],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another one.", exists=True, dir_okay=False)],
    as_json: JsonOption = False,
) -> None:
    """Compare recorded runs: the first event, or the first answer, that differs.

    Exit code 1 if they differ, or if one was spoilt and cannot be read to its end.
    """
    from polyrhythm.observe.replay import describe_diff, diff, tell_diff

    found = diff(a, b)
    if as_json:
        print_json(describe_diff(found))
    else:
        typer.echo(tell_diff(a.name, b.name, found))
    if not found.well:
        raise typer.Exit(FAILED)
