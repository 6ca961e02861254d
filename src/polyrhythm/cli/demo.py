"""`polyrhythm demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import console, exit_for, perform
from polyrhythm.cli._errors import BAD_INPUT, FAILED

_BUNDLE = Path("examples/dual_system/bundle")


def verb(
    bundle: Annotated[
        Path | None,
        typer.Option(
            help="Another bundle.", exists=True, file_okay=False, show_default="examples/dual_system/bundle"
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where report and trace go.")] = Path("out/demo"),
) -> None:
    """See two models drive a simulated robot.

    One episode of each task in real time, then what happened, in words, as a report and as a trace.
    """
    from polyrhythm.observe import in_words, render

    where = bundle or _example()
    if where is None:
        typer.echo(f"error: there is no {_BUNDLE} here; run this in a checkout or give --bundle", err=True)
        raise typer.Exit(BAD_INPUT)
    report, trace = out / "report.html", out / "trace.pftrace"
    played = perform(where, episodes=1, lockstep=False, seed=0, trace=trace, report=report, quiet=False)
    summary = played.summary
    console().print(render(summary))
    typer.echo(in_words(summary))
    typer.echo(f"\nThe report: {report}\nThe trace, for https://ui.perfetto.dev: {trace}")
    exit_for(played)
    successes = [episode["success"] for episode in summary["episodes"]]  # None: the robot knows no success
    if not successes or False in successes:
        raise typer.Exit(FAILED)


def _example() -> Path | None:
    """The example's bundle, from the working directory or from the checkout that this package lies in."""
    checkout = Path(__file__).resolve().parents[3]
    return next((path for path in (_BUNDLE, checkout / _BUNDLE) if path.is_dir()), None)
