"""`polyrhythm tune`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from polyrhythm.cli._common import JsonOption, print_json
from polyrhythm.cli._runs import RunArgument, title


def verb(
    run: RunArgument,
    knobs: Annotated[
        list[str],
        typer.Argument(
            metavar="KNOB=VALUE",
            help="`steps`, `schedule`, `beta`, `overlap_end`, `delay`, as in the manifest's `rtc`.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Make the action chunks of a run that is under way differently, from the next one on."""
    from polyrhythm.runtime.remote import Tune, ask, find

    changes = dict(map(_change, knobs))
    answer = ask(find(run)[0], Tune(knobs=changes))
    if as_json:
        print_json(answer)
    else:
        told = ", ".join(f"{knob} {json.dumps(value)}" for knob, value in answer["tuned"].items())
        typer.echo(f"{title(answer['run'])}: {told}")


def _change(text: str) -> tuple[str, Any]:
    knob, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not KNOB=VALUE", param_hint="KNOB=VALUE")
    try:
        return knob, json.loads(value)
    except ValueError:
        return knob, value
