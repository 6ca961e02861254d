"""`polyrhythm inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, console, print_json


def verb(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A bundle, a .vmfb, a trace, a summary, a log or a cost file.", exists=True
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Tell what is in a file or bundle.

    A bundle's directory, a compiled module; a trace, a summary or a log of a run; what `profile` measured.
    """
    from polyrhythm.observe.inspection import inspect, render_inspection

    found = inspect(path)
    if as_json:
        print_json(found)
    else:
        console().print(render_inspection(found))
