"""`polyrhythm lock`."""

from __future__ import annotations

import typer

from polyrhythm.cli._common import BundleArgument


def verb(bundle: BundleArgument) -> None:
    """Take over an edited manifest into the bundle's lock.

    Only `manifest.yaml` and `link.yaml` may have changed; models and weights are verified as ever.
    """
    from polyrhythm.bundle import relock

    relock(bundle)
    typer.echo(f"{bundle.resolve().name}: locked")
