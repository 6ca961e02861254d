"""`polyrhythm build`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import bundle_place, console
from polyrhythm.cli._errors import FAILED


def verb(
    policy: Annotated[
        Path,
        typer.Argument(
            metavar="POLICY.py", help="The policy's description; or a bundle, to cut it.", exists=True
        ),
    ],
    out: Annotated[Path, typer.Option(help="The bundle's directory.")],
    target_cpu: Annotated[
        str | None,
        typer.Option(
            help="The CPU to make machine code and static plans for.", show_default="this machine's"
        ),
    ] = None,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="StableHLO and weights only; machine code is made at first use."),
    ] = False,
    max_stage_ms: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[MODULE=]MS",
            help="Cut what takes longer here into stages; for one MODULE (or MODULE.ENTRY), or for all.",
        ),
    ] = None,
) -> None:
    """Compile a policy into a bundle.

    The bundle appears whole or not at all, and is checked at the end like `polyrhythm check` does; what that
    finds ends with exit code 1 and leaves the bundle where it is.
    """
    from polyrhythm.compile import build, cut_bundle, progress_bar
    from polyrhythm.manifest import render_all
    from polyrhythm.observe.blueprint import describe_check, verdict
    from polyrhythm.runtime import check

    if portable and target_cpu is not None:
        raise typer.BadParameter("a portable bundle holds no machine code: leave one of the two out")
    out = bundle_place(out)
    lines: list[str] = []
    with progress_bar(console(err=True)) as progress:
        if policy.is_dir():
            if portable or target_cpu is not None or not max_stage_ms:
                raise typer.BadParameter("a bundle can only be cut: give it `--max-stage-ms` alone")
            cut_bundle(policy, out, _limits(max_stage_ms), progress=progress, told=lines.append)
        else:
            build(
                policy, out, target_cpu=target_cpu, portable=portable, max_stage_ms=_limits(max_stage_ms),
                progress=progress, told=lines.append,
            )  # fmt: skip
    for line in lines:
        typer.echo(line, err=True)
    checked = check(out)
    found = describe_check(checked)
    if checked.diagnostics:
        typer.echo(render_all(checked.diagnostics), err=True)
    typer.echo(f"wrote {out}; `polyrhythm check {out}` shows its plan")
    typer.echo(verdict(out.resolve().name, found))
    if not found["ok"]:
        raise typer.Exit(FAILED)


def _limits(given: list[str] | None) -> float | dict[str, float] | None:
    """One number for all, or numbers by module."""
    found: dict[str, float] = {}
    for item in given or ():
        name, _, written = item.rpartition("=")
        try:
            found[name] = float(written)
        except ValueError:
            raise typer.BadParameter(
                f"{item!r} is neither a number of milliseconds nor MODULE=MS", param_hint="--max-stage-ms"
            ) from None
    if "" in found and len(found) > 1:
        raise typer.BadParameter(
            "give one number for all, or one for each module", param_hint="--max-stage-ms"
        )
    return found.get("", found or None)
