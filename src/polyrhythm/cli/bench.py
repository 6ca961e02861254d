"""`polyrhythm bench`."""

from __future__ import annotations

import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._errors import BAD_INPUT, FAILED

_EXAMPLE = Path("examples/kinetix")
_ORCHESTRATION = Path("benchmarks/orchestration.py")


class Bench(StrEnum):
    """What can be measured."""

    chunks = "chunks"
    orchestration = "orchestration"


def verb(
    what: Annotated[
        Bench,
        typer.Argument(
            help="chunks: action chunks under delay, in Kinetix. orchestration: a slow and a fast model in "
            "one process, one after the other, and in a process each."
        ),
    ],
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Less: the smallest stride of each delay, fewer episodes, seconds."),
    ] = False,
    episodes: Annotated[
        int | None, typer.Option(help="chunks: episodes a cell.", min=1, show_default="256, quick 128")
    ] = None,
    case: Annotated[list[str] | None, typer.Option(help="chunks: only this case; may be repeated.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the table goes.", show_default="out/ and what is measured")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="orchestration: JSON instead of a table.")] = False,
) -> None:
    """Measure closed loops whose chunks come late, or ways to run several models.

    Needs a checkout of Polyrhythm. `chunks` runs in an environment of its own, because the simulator needs
    an older JAX; what is already in its output directory is kept, so an interrupted run goes on where it
    stopped.
    """
    if what is Bench.orchestration and (episodes or case):
        raise typer.BadParameter("only `chunks` has episodes and cases")
    if what is Bench.chunks and as_json:
        raise typer.BadParameter("`chunks` writes files only", param_hint="--json")
    script = _EXAMPLE / "grid.py" if what is Bench.chunks else _ORCHESTRATION
    checkout = next(
        (c for c in (Path.cwd(), Path(__file__).resolve().parents[3]) if (c / script).is_file()), None
    )
    if checkout is None:
        typer.echo(f"error: there is no {script} here; run this in a checkout of Polyrhythm", err=True)
        raise typer.Exit(BAD_INPUT)
    python = Path(sys.executable)
    if what is Bench.chunks and not (python := checkout / ".venv-kinetix" / "bin" / "python").exists():
        typer.echo(
            f"error: the simulator is not installed, there is no {python}: run {_EXAMPLE / 'setup'}",
            err=True,
        )
        raise typer.Exit(BAD_INPUT)
    command = [str(python), str(checkout / script), "--out", str(out or Path("out") / what)]
    command += ["--quick"] if quick else []
    command += ["--json"] if as_json else []
    command += ["--episodes", str(episodes)] if episodes else []
    command += [part for name in case or () for part in ("--case", name)]
    if subprocess.run(command, check=False).returncode:
        raise typer.Exit(FAILED)
