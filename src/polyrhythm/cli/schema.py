"""`polyrhythm schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import filename, written
from polyrhythm.cli._errors import BAD_INPUT


def verb(
    out: Annotated[Path | None, filename("Write to this file.", show_default="stdout")] = None,
) -> None:
    """Print the manifest's JSON Schema."""
    from polyrhythm.manifest import json_schema

    text = json.dumps(json_schema(), indent=2)
    if out is None:
        typer.echo(text)
    else:
        from polyrhythm.bundle.atomic import write_atomically

        if not written(out, lambda path: write_atomically(path, text.encode() + b"\n")):
            raise typer.Exit(BAD_INPUT)
