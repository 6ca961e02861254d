"""`polyrhythm profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import BundleArgument, JsonOption, console, filename, number, print_json, written
from polyrhythm.cli._errors import BAD_INPUT, RefusedError


def verb(
    bundle: BundleArgument,
    seconds: Annotated[
        float, number("Of each measurement: every module alone, then all together.", least=0.001)
    ] = 5.0,
    out: Annotated[Path | None, filename("Write a cost file, for `check --costs`.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what every stage of a bundle takes on this machine.

    Alone and with the other modules running, pinned as the manifest says, on the real clock. Let nothing else
    keep the machine busy meanwhile.
    """
    from polyrhythm.bundle import open_bundle
    from polyrhythm.compile import prepare, progress_bar
    from polyrhythm.observe.cost_tables import render_costs
    from polyrhythm.runtime import check, write_costs
    from polyrhythm.runtime.profiling import profile

    checked = check(bundle)
    if checked.proof is None:  # what does not fit in time can be measured all the same
        raise RefusedError(checked.diagnostics)
    opened = open_bundle(bundle)
    if opened.missing:
        with progress_bar(console(err=True)) as progress:
            prepare(opened, progress)
        opened = open_bundle(bundle)
    costs = profile(opened, seconds, lambda line: typer.echo(line, err=True))
    if as_json:
        print_json(costs.model_dump(mode="json"))
    else:
        console().print(render_costs(costs))
    if not written(out, lambda path: write_costs(costs, path)):
        raise typer.Exit(BAD_INPUT)
    if out is not None and not as_json:
        typer.echo(f"wrote {out}")
