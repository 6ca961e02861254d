"""The island of a bundle, where it is said and where it runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polyrhythm.island import Ports


def no_island() -> typer.BadParameter:
    """The bundle declares none."""
    return typer.BadParameter("its manifest has no `island`", param_hint="BUNDLE")


def ports_in_use(bundle: Path) -> Ports:
    """The ports of the bundle's island, which runs; ends the command if it does not."""
    from polyrhythm.island.live import running
    from polyrhythm.manifest import load_or_raise
    from polyrhythm.runtime.island import ports_of

    island = load_or_raise(bundle).island
    if island is None:
        raise no_island()
    ports = running(ports_of(island))
    if ports is None:
        typer.echo(f"no island runs at {ports_of(island)}", err=True)
        raise typer.Exit(1)
    return ports
