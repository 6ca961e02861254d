"""`polyrhythm import torch`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import MAX_HZ, JsonOption, bundle_place, console, number, tell_import


def verb(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="An exported program (.pt2), or a function that makes a module: package.module:function, "
            "file.py:function.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The bundle's directory.")],
    name: Annotated[
        str | None, typer.Option(help="What the bundle is called.", show_default="like the source")
    ] = None,
    rate_hz: Annotated[float, number("How often the manifest plans it.", least=0.001, most=MAX_HZ)] = 10,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="StableHLO and weights only; machine code is made at first use."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a bundle that is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """A PyTorch model, through torch.export and torch-mlir.

    Every output is held against PyTorch on random inputs. The bundle appears whole or not at all; its
    manifest runs the model by itself, and is meant to be edited (`polyrhythm lock` takes that over).
    """
    from polyrhythm.compile import progress_bar
    from polyrhythm.compile.imports.torch_import import import_torch

    out = bundle_place(out)
    with progress_bar(console(err=True)) as progress:
        report = import_torch(
            source, out, name=name, rate_hz=rate_hz, portable=portable, force=force, progress=progress
        )
    tell_import(report, out, as_json)
