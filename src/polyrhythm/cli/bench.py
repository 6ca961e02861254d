"""`polyrhythm bench`."""

from __future__ import annotations

import subprocess
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._errors import BAD_INPUT, FAILED

_EXAMPLE = Path("examples/kinetix")


class Bench(StrEnum):
    """What can be measured."""

    chunks = "chunks"


def verb(
    what: Annotated[Bench, typer.Argument(help="chunks: action chunks under delay, in Kinetix.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Only the smallest stride of each delay, and fewer episodes.")
    ] = False,
    episodes: Annotated[
        int | None, typer.Option(help="Episodes a cell.", min=1, show_default="256, quick 128")
    ] = None,
    case: Annotated[list[str] | None, typer.Option(help="Only this case; may be repeated.")] = None,
    out: Annotated[Path, typer.Option(help="Where table and plot go.")] = Path("out/chunks"),
) -> None:
    """Measure what a closed loop keeps when every chunk comes late.

    Runs in an environment of its own, because the simulator needs an older JAX. What is already in the output
    directory is kept, so an interrupted run goes on where it stopped.
    """
    checkout = next(
        (c for c in (Path.cwd(), Path(__file__).resolve().parents[3]) if (c / _EXAMPLE).is_dir()), None
    )
    if checkout is None:
        typer.echo(f"error: there is no {_EXAMPLE} here; run this in a checkout of Polyrhythm", err=True)
        raise typer.Exit(BAD_INPUT)
    python = checkout / ".venv-kinetix" / "bin" / "python"
    if not python.exists():
        typer.echo(
            f"error: the simulator is not installed, there is no {python}: run {_EXAMPLE / 'setup'}",
            err=True,
        )
        raise typer.Exit(BAD_INPUT)
    command = [str(python), str(checkout / _EXAMPLE / "grid.py"), "--out", str(out)]
    command += ["--quick"] if quick else []
    command += ["--episodes", str(episodes)] if episodes else []
    command += [part for name in case or () for part in ("--case", name)]
    if subprocess.run(command, check=False).returncode:
        raise typer.Exit(FAILED)
