"""`polyrhythm switch`."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, print_json, refuse_idle
from polyrhythm.cli._runs import RunArgument, WaitOption, fail_for, tell_waiting, title


def verb(
    run: RunArgument,
    context: Annotated[
        int | None,
        typer.Argument(metavar="CONTEXT", min=0, help="Its number.", show_default="show all that there are"),
    ] = None,
    wait: WaitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let another context of a run that is under way play, or show which there are.

    Exit code 1 if it does not within `--wait`; with `--wait 0` nobody waits.
    """
    from polyrhythm.runtime.remote import WAIT_S, Switch, ask, find

    if context is None:
        refuse_idle("without CONTEXT", {"--wait": wait})
    path, there = find(run)
    wait_s = WAIT_S if wait is None else wait
    answer = {"run": there} if context is None else ask(path, Switch(context=context, wait_s=wait_s))
    if as_json:
        print_json(answer)
    came = answer.get("context", {"state": "live", "problem": ""})
    fail_for(came["problem"])
    if came["state"] != "live":
        what = f"context {context} is asked for, and not live"
        tell_waiting(answer["run"], what, wait_s, quiet=as_json)
    elif not as_json:
        told = ", ".join(f"{number} {state}" for number, state in answer["run"]["contexts"].items())
        typer.echo(f"{title(answer['run'])}: {told}")
