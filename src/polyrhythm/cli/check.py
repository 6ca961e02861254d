"""`polyrhythm check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyrhythm.cli._common import (
    AtOption,
    CostsOption,
    ForeignOption,
    JsonOption,
    MarginOption,
    console,
    cost_choice,
    print_json,
    refuse_idle,
)
from polyrhythm.cli._errors import FAILED

if TYPE_CHECKING:
    from polyrhythm.runtime import Checked, CostChoice, TimeProof


def verb(
    bundle: Annotated[
        Path,
        typer.Argument(
            metavar="BUNDLE", help="The bundle's directory; with --plan also a manifest.", exists=True
        ),
    ],
    as_json: JsonOption = False,
    costs: CostsOption = None,
    margin: MarginOption = None,
    foreign_costs: ForeignOption = False,
    costs_at: AtOption = None,
    explain: Annotated[
        str | None, typer.Option(metavar="MODULE", help="Walk through the sum behind a module's bound.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the proof under this power profile.")
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Judge a manifest alone, by the numbers written in it.")
    ] = False,
    beside: Annotated[
        list[Path] | None,
        typer.Option(metavar="OTHER", help="Another bundle in this machine; any number.", exists=True),
    ] = None,
    swap_to: Annotated[
        Path | None,
        typer.Option(metavar="OTHER", help="A bundle that takes over while this one is there.", exists=True),
    ] = None,
) -> None:
    """Check a bundle, prove its timing and its memory, show its plan.

    Manifest, files, signatures, links, rates, devices, bytes; all problems at once. Nothing runs. The proof
    takes costs from a cost file, or from `cost_ms` in the manifest.
    """
    from polyrhythm.manifest import render_all
    from polyrhythm.observe import ledgers, power, proofs
    from polyrhythm.observe.blueprint import describe_check, render_plan, verdict
    from polyrhythm.runtime import check_together

    for path in (bundle, *(beside or ()), *([] if swap_to is None else [swap_to])):
        if path.is_file() and not plan:
            raise typer.BadParameter(f"{path} is a file; --plan judges a manifest alone")
    given = {"--explain": explain if as_json else None}
    refuse_idle("with --json, which gives the terms of every sum", given)
    if plan and costs is not None:
        raise typer.BadParameter("--plan goes by the numbers in the manifest", param_hint="--costs")
    checked = _checked(bundle, plan, cost_choice(costs, margin, foreign_costs, costs_at))
    if beside:
        checked = check_together(checked, [_checked(path, plan) for path in beside], "beside")
    if swap_to is not None:
        checked = check_together(checked, [_checked(swap_to, plan)], "swap")
    proof = checked.proof if profile is None else _under(checked, profile)
    found = describe_check(checked) | {
        "proof": proofs.describe_proof(proof),
        "memory": ledgers.describe_memory(checked.memory),
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
            console().print(ledgers.render_memory(found["memory"]))
        typer.echo(verdict(bundle.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)


def _checked(path: Path, plan: bool, costs: CostChoice | None = None) -> Checked:
    from polyrhythm.runtime import check, check_plan

    return check_plan(path) if plan else check(path, costs)


def _under(checked: Checked, profile: str) -> TimeProof | None:
    """The proof under a power profile."""
    known = {} if checked.power is None else checked.power.profiles
    if profile not in known and checked.proof is not None:
        raise typer.BadParameter(
            f"no profile {profile!r}; there are {', '.join(known) or 'none'}", param_hint="--profile"
        )
    return known.get(profile)
