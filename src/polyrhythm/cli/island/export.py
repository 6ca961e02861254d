"""`polyrhythm island export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import BundleArgument, JsonOption, console, planned, print_json
from polyrhythm.cli.island._there import no_island


def verb(
    bundle: BundleArgument,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new directory.")],
    target_cpu: Annotated[
        str | None, typer.Option(help="The CPU that it is for.", show_default="this machine's")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the island to a directory that needs neither Python nor IREE to run, and tell its sizes.

    Its README says how to start it. For another CPU than this machine's, a policy needs a bundle that was
    built with the same `--target-cpu`.
    """
    from polyrhythm.observe.island_table import export_table
    from polyrhythm.runtime.island_export import export_island

    plan = planned(bundle)
    if plan.bundle.manifest.island is None:
        raise no_island()
    sizes = export_island(plan.bundle, out, target_cpu)
    if as_json:
        print_json({"files": sizes, "bytes": sum(sizes.values())})
    else:
        console().print(export_table(out.name, sizes))
