"""`polyrhythm switch`."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, print_json
from polyrhythm.cli._runs import RunArgument, WaitOption, fail_for, title


def verb(
    run: RunArgument,
    context: Annotated[
        int | None,
        typer.Argument(metavar="CONTEXT", min=0, help="Its number.", show_default="show all that there are"),
    ] = None,
    wait: WaitOption = 10.0,
    as_json: JsonOption = False,
) -> None:
    """Let another context of a run that is under way play, or show which there are."""
    from polyrhythm.runtime.remote import Switch, ask, find

    path, there = find(run)
    answer = {"run": there} if context is None else ask(path, Switch(context=context, wait_s=wait))
    if as_json:
        print_json(answer)
    fail_for(answer.get("context", {}).get("problem", ""))
    if not as_json:
        told = ", ".join(f"{number} {state}" for number, state in answer["run"]["contexts"].items())
        typer.echo(f"{title(answer['run'])}: {told}")
