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
_SCRIPTS = {name: Path(f"benchmarks/{name}.py") for name in ("orchestration", "drivers")}


class Bench(StrEnum):
    """What can be measured."""

    chunks = "chunks"
    drivers = "drivers"
    orchestration = "orchestration"


def verb(
    what: Annotated[
        Bench,
        typer.Argument(
            help="chunks: action chunks under delay, in Kinetix. drivers: one model through every driver "
            "that takes it. orchestration: a slow and a fast model in one process, one after the other, and "
            "in a process each."
        ),
    ],
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]",
            help="drivers: mlp, flow_head, resnet, or an ONNX file of static shapes.",
            show_default="mlp",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Less: the smallest stride of each delay, fewer episodes, seconds."),
    ] = False,
    episodes: Annotated[
        int | None, typer.Option(help="chunks: episodes a cell.", min=1, show_default="256, quick 128")
    ] = None,
    case: Annotated[list[str] | None, typer.Option(help="chunks: only this case; may be repeated.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="DRIVER", help="drivers: only this one; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the table goes.", show_default="out/ and what is measured")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table; not for chunks.")] = False,
) -> None:
    """Measure closed loops whose chunks come late, drivers, or ways to run several models.

    Needs a checkout of Polyrhythm. `chunks` runs in an environment of its own, because the simulator needs
    an older JAX; what is already in its output directory is kept, so an interrupted run goes on where it
    stopped.
    """
    if what is not Bench.chunks and (episodes or case):
        raise typer.BadParameter("only `chunks` has episodes and cases")
    if what is not Bench.drivers and (model or only):
        raise typer.BadParameter("only `drivers` has a model and drivers to choose from; `chunks` has cases")
    if what is Bench.chunks and as_json:
        raise typer.BadParameter("`chunks` writes files only", param_hint="--json")
    script = _SCRIPTS.get(what, _EXAMPLE / "grid.py")
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
    command += [part for name in only or () for part in ("--only", name)]
    command += [model] if model else []
    if subprocess.run(command, check=False).returncode:
        raise typer.Exit(FAILED)
