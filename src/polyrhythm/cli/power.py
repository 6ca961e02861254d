"""`polyrhythm power`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from polyrhythm.cli._common import JsonOption, print_json, refuse_idle
from polyrhythm.cli._runs import MaybeRunArgument, WaitOption, fail_for, tell_waiting, title


def verb(
    run: MaybeRunArgument = None,
    profile: Annotated[
        str | None,
        typer.Argument(metavar="PROFILE", help="Change to it.", show_default="show the one in force"),
    ] = None,
    wait: WaitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the power profile of a run that is under way, or change it.

    A change is told when it is wholly in force: after one tick of the slowest module at most. Exit code 1 if
    it is not within `--wait`; with `--wait 0` nobody waits.
    """
    from polyrhythm.runtime.remote import WAIT_S, SetProfile, ask, find, runs
    from polyrhythm.runtime.run_folders import looked

    if profile is None:
        refuse_idle("without PROFILE", {"--wait": wait})
        there = [found for _, found in runs()] if run is None else [find(run)[1]]
        if as_json:
            print_json(there)
        else:
            typer.echo("\n".join(map(_line, there)) or f"no run is under way {looked()}")
        return
    assert run is not None
    wait_s = WAIT_S if wait is None else wait
    answer = ask(find(run)[0], SetProfile(profile=profile, wait_s=wait_s))
    if as_json:
        print_json(answer)
    came = answer["in_force"]
    fail_for(came["problem"])
    if came["at_s"] is None:
        tell_waiting(answer["run"], f"{profile} is asked for, and not wholly in force", wait_s, quiet=as_json)
        return
    if as_json:
        return
    tick = "" if came["tick"] is None else f" from control tick {came['tick']} on,"
    typer.echo(
        f"{title(answer['run'])}: {profile} is in force{tick} {came['at_s']:.3f} s after the beginning"
    )


def _line(run: Mapping[str, Any]) -> str:
    if not run["profiles"]:
        return f"{title(run)}: no power profiles"
    state = "" if run["settled"] else " (coming into force)"
    return f"{title(run)}: {run['profile']}{state}; there are {', '.join(run['profiles'])}"
