"""Which cores this machine has. Their numbers may have gaps: a core that is off line keeps its own."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

#: What Linux says, as in ``0-3,5``.
ONLINE = Path("/sys/devices/system/cpu/online")


def online_cores() -> tuple[int, ...]:
    """The numbers of the cores that are on line, ascending; from 0 on where the system doesn't say."""
    try:
        ends = [part.partition("-") for part in ONLINE.read_text().strip().split(",")]
        return tuple(core for first, _, last in ends for core in range(int(first), int(last or first) + 1))
    except (OSError, ValueError):
        return tuple(range(os.cpu_count() or 1))


def cores_text() -> str:
    """They, for people: ``0 to 3, 5``."""
    runs = (list(run) for _, run in groupby(enumerate(online_cores()), lambda at: at[1] - at[0]))
    return ", ".join(f"{run[0][1]} to {run[-1][1]}" if len(run) > 1 else str(run[0][1]) for run in runs)
