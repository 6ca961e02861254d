"""`polyrhythm lock`."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrhythm.cli._common import BundleArgument


def verb(
    bundle: BundleArgument,
    modules: Annotated[
        bool,
        typer.Option(
            "--modules", help="Take over all that is in the directory, such as modules made elsewhere."
        ),
    ] = False,
) -> None:
    """Take over an edited manifest into the bundle's lock.

    Only `manifest.yaml` and `link.yaml` may have changed; models and weights are verified as ever. With
    `--modules`, a directory of a manifest and compiled modules from elsewhere becomes a bundle.
    """
    if modules:
        from polyrhythm.compile import lock_existing

        lock_existing(bundle)
    else:
        from polyrhythm.bundle import relock

        relock(bundle)
    typer.echo(f"{bundle.resolve().name}: locked")
