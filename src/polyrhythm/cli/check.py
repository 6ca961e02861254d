"""`polyrhythm check`."""

from __future__ import annotations

import typer

from polyrhythm.cli._common import BundleArgument, JsonOption, console, print_json
from polyrhythm.cli._errors import FAILED


def verb(bundle: BundleArgument, as_json: JsonOption = False) -> None:
    """Check a bundle and show its plan.

    Manifest, files, signatures, links, rates, devices; all problems at once. Nothing runs.
    """
    from polyrhythm.manifest import render_all
    from polyrhythm.observe.blueprint import describe_check, render_plan, verdict
    from polyrhythm.runtime import check

    checked = check(bundle)
    found = describe_check(checked)
    if as_json:
        print_json(found)
    else:
        if checked.diagnostics:
            typer.echo(render_all(checked.diagnostics), err=True)
        if found["plan"] is not None:
            console().print(render_plan(found["plan"]))
        typer.echo(verdict(bundle.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)
