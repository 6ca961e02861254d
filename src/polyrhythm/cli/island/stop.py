"""`polyrhythm island stop`."""

from __future__ import annotations

from polyrhythm.cli._common import BundleArgument
from polyrhythm.cli.island._there import ports_in_use


def verb(bundle: BundleArgument) -> None:
    """Let the island that runs end."""
    from polyrhythm.island.live import stop

    stop(ports_in_use(bundle))
