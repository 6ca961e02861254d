"""What the verbs share that look at runs under way, or steer them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from polyrhythm.cli._common import number
from polyrhythm.cli._errors import FAILED

_RUN = "A run under way: its bundle's name or folder, or the number of its process."
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help=_RUN)]
MaybeRunArgument = Annotated[
    str | None, typer.Argument(metavar="RUN", help=_RUN, show_default="show all that there are")
]
WaitOption = Annotated[
    float | None, number("Wait so many seconds for it to happen.", least=0, most=3600, show_default="10")
]


def title(run: Mapping[str, Any]) -> str:
    """A run in a few words."""
    return f"{run['bundle']} (process {run['process']})"


def tell_waiting(run: Mapping[str, Any], what: str, wait_s: float, *, quiet: bool) -> None:
    """What was asked for has not happened: a failure, unless nobody waited for it.

    Args:
        what: in words, without how long.
        quiet: it has been said in JSON.
    """
    if wait_s:
        fail_for(f"{title(run)}: {what} after {wait_s:g} s")
    if not quiet:
        typer.echo(f"{title(run)}: {what} yet")


def fail_for(problem: str) -> None:
    """End here if there is a problem with what was asked for."""
    if problem:
        typer.echo(f"error: {problem}", err=True)
        raise typer.Exit(FAILED)
