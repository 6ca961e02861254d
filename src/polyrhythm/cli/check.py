"""`polyrhythm check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from polyrhythm.runtime import Checked, TimeProof


def verb(
    bundle: BundleArgument,
    as_json: JsonOption = False,
    costs: CostsOption = None,
    margin: MarginOption = 1.2,
    foreign_costs: ForeignOption = False,
    explain: Annotated[
        str | None, typer.Option(metavar="MODULE", help="Walk through the sum behind a module's bound.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the proof under this power profile.")
    ] = None,
) -> None:
    """Check a bundle, prove its timing, show its plan.

    Manifest, files, signatures, links, rates, devices; all problems at once. Nothing runs. The proof takes
    costs from a cost file, or from `cost_ms` in the manifest.
    """
    from polyrhythm.manifest import render_all
    from polyrhythm.observe import power, proofs
    from polyrhythm.observe.blueprint import describe_check, render_plan, verdict
    from polyrhythm.runtime import check

    checked = check(bundle, cost_choice(costs, margin, foreign_costs))
    proof = checked.proof if profile is None else _under(checked, profile)
    found = describe_check(checked) | {
        "proof": proofs.describe_proof(proof),
        "power": power.describe_power(checked.power),
    }
    if explain is not None and (known := proofs.names(proof)) and explain not in known:
        raise typer.BadParameter(
            f"no module {explain!r}; there are {', '.join(known)}", param_hint="--explain"
        )
    if as_json:
        print_json(found)
    else:
        if checked.diagnostics:
            typer.echo(render_all(checked.diagnostics), err=True)
        if explain is not None:
            console().print(proofs.explain(proof, explain))
        else:
            if found["plan"] is not None:
                console().print(render_plan(found["plan"]))
            if proof is not None:
                console().print(proofs.render_proof(found["proof"]))
            if checked.power is not None:
                console().print(power.render_power(found["power"]))
        typer.echo(verdict(bundle.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)


def _under(checked: Checked, profile: str) -> TimeProof | None:
    """The proof under a power profile."""
    known = {} if checked.power is None else checked.power.profiles
    if profile not in known and checked.proof is not None:
        raise typer.BadParameter(
            f"no profile {profile!r}; there are {', '.join(known) or 'none'}", param_hint="--profile"
        )
    return known.get(profile)
