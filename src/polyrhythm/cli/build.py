"""`polyrhythm build`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import console
from polyrhythm.cli._errors import FAILED


def verb(
    policy: Annotated[
        Path,
        typer.Argument(metavar="POLICY.py", help="The policy's description.", exists=True, dir_okay=False),
    ],
    out: Annotated[Path, typer.Option(help="The bundle's directory.")],
    target_cpu: Annotated[
        str | None, typer.Option(help="The CPU to make machine code for.", show_default="this machine's")
    ] = None,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="StableHLO and weights only; machine code is made at first use."),
    ] = False,
) -> None:
    """Compile a policy into a bundle.

    The bundle appears whole or not at all, and is checked at the end like `polyrhythm check` does; what that
    finds ends with exit code 1 and leaves the bundle where it is.
    """
    from polyrhythm.compile import build, progress_bar
    from polyrhythm.manifest import render_all
    from polyrhythm.observe.blueprint import describe_check, verdict
    from polyrhythm.runtime import check

    if portable and target_cpu is not None:
        raise typer.BadParameter("a portable bundle holds no machine code: leave one of the two out")
    with progress_bar(console(err=True)) as progress:
        build(policy, out, target_cpu=target_cpu, portable=portable, progress=progress)
    checked = check(out)
    found = describe_check(checked)
    if checked.diagnostics:
        typer.echo(render_all(checked.diagnostics), err=True)
    typer.echo(f"wrote {out}; `polyrhythm check {out}` shows its plan")
    typer.echo(verdict(out.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)
