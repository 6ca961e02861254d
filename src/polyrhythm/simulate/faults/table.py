"""The faults as a table in Markdown: `python -m polyrhythm.simulate.faults.table`."""

from __future__ import annotations

import sys

from polyrhythm.simulate.faults import FAULTS


def table_of_faults() -> str:
    """One row a fault, without the head."""
    rows = (f"| `{f.name}` | {f.what.rstrip('.')} | every {f.every_s:g} s |" for f in FAULTS.values())
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table_of_faults())
