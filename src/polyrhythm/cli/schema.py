"""`polyrhythm schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import filename


def verb(
    out: Annotated[Path | None, filename("Write to this file.", show_default="stdout")] = None,
) -> None:
    """Print the manifest's JSON Schema."""
    from polyrhythm.manifest import json_schema

    text = json.dumps(json_schema(), indent=2)
    if out is None:
        typer.echo(text)
    else:
        from polyrhythm.bundle.atomic import replacing

        with replacing(out) as file:
            file.write(text.encode() + b"\n")
