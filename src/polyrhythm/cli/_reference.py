"""The page of all diagnostics as Markdown, made from the rooms' tables of codes.

python -m polyrhythm.cli._reference > docs/reference/diagnostics.md
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from polyrhythm.bundle import CODES as OF_FILES
from polyrhythm.compile import CODES as OF_BUILDING
from polyrhythm.compile.imports import CODES as OF_IMPORTING
from polyrhythm.hal.dsa import CODES as OF_PROGRAMS
from polyrhythm.manifest import CODES as OF_TEXT
from polyrhythm.runtime.check import CODES as OF_CHECKING
from polyrhythm.simulate.codes import CODES as OF_SIMULATING

TABLES: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("The text of the manifest", "PM", OF_TEXT),
    ("The files of a bundle", "PB", OF_FILES),
    ("What fits together", "PC", OF_CHECKING),
    ("Building", "PK", OF_BUILDING),
    ("Importing", "PI", OF_IMPORTING),
    ("Programs of a simulated accelerator", "PA", OF_PROGRAMS),
    ("Simulating", "PS", OF_SIMULATING),
)

_HEAD = """\
# Diagnostics

<!-- Made from the tables of codes by `python -m polyrhythm.cli._reference`; do not edit by hand. -->

Everything that is wrong with a manifest, a bundle or a policy description has a code. Each is told with its
place, the value found there, what is allowed and how to mend it. Codes are never reused for another meaning.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(*table) for table in TABLES)])


def _section(title: str, prefix: str, codes: Mapping[str, str]) -> str:
    rows = "\n".join(f"| {code} | {meaning} |" for code, meaning in codes.items())
    return f"## {title}: `{prefix}`\n\n| code | meaning |\n|---|---|\n{rows}\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
