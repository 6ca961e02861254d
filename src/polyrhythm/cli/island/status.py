"""`polyrhythm island status`."""

from __future__ import annotations

from polyrhythm.cli._common import BundleArgument, JsonOption, console, print_json
from polyrhythm.cli.island._there import ports_in_use


def verb(bundle: BundleArgument, as_json: JsonOption = False) -> None:
    """Tell what the island that runs has counted, without disturbing it."""
    from polyrhythm.island import counts_of
    from polyrhythm.observe.island_table import island_table

    counts = counts_of(ports_in_use(bundle).read_record("counts"))
    if as_json:
        print_json(counts)
    else:
        console().print(island_table(counts))
