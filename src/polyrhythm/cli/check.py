"""`polyrhythm check`."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrhythm.cli._common import (
    BundleArgument,
    CostsOption,
    ForeignOption,
    JsonOption,
    MarginOption,
    console,
    cost_choice,
    print_json,
)
from polyrhythm.cli._errors import FAILED


def verb(
    bundle: BundleArgument,
    as_json: JsonOption = False,
    costs: CostsOption = None,
    margin: MarginOption = 1.2,
    foreign_costs: ForeignOption = False,
    explain: Annotated[
        str | None, typer.Option(metavar="MODULE", help="Walk through the sum behind a module's bound.")
    ] = None,
) -> None:
    """Check a bundle, prove its timing, show its plan.

    Manifest, files, signatures, links, rates, devices; all problems at once. Nothing runs. The proof takes
    costs from a cost file, or from `cost_ms` in the manifest.
    """
    from polyrhythm.manifest import render_all
    from polyrhythm.observe import proofs
    from polyrhythm.observe.blueprint import describe_check, render_plan, verdict
    from polyrhythm.runtime import check

    checked = check(bundle, cost_choice(costs, margin, foreign_costs))
    found = describe_check(checked) | {"proof": proofs.describe_proof(checked.proof)}
    if explain is not None and (known := proofs.names(checked.proof)) and explain not in known:
        raise typer.BadParameter(
            f"no module {explain!r}; there are {', '.join(known)}", param_hint="--explain"
        )
    if as_json:
        print_json(found)
    else:
        if checked.diagnostics:
            typer.echo(render_all(checked.diagnostics), err=True)
        if explain is not None:
            console().print(proofs.explain(checked.proof, explain))
        else:
            if found["plan"] is not None:
                console().print(render_plan(found["plan"]))
            if checked.proof is not None:
                console().print(proofs.render_proof(found["proof"]))
        typer.echo(verdict(bundle.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)
