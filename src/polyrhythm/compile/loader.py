"""Verifies a bundle for a runtime that is busy, in a process of its own.

``python -m polyrhythm.compile.loader BUNDLE``

Whatever takes long or may go wrong with a new bundle happens here: reading and hashing every file, compiling
machine code for this machine, checking. It runs at the lowest priority, and whatever becomes of it, the
process that plays is untouched. The answer is one line of JSON on standard output: ``{"digests": [...]}`` as
`polyrhythm.bundle.files.digests` gives them, or ``{"problems": [...]}``, texts.
"""

from __future__ import annotations

import json
import os
import sys

from polyrhythm.bundle import BundleError, open_bundle
from polyrhythm.bundle.files import digests
from polyrhythm.compile.codes import BuildError
from polyrhythm.compile.machine import prepare
from polyrhythm.runtime import check


def answer(path: str) -> dict[str, object]:
    """What is known of the bundle at `path`, with machine code made if it had none."""
    try:
        bundle = open_bundle(path)
        if bundle.missing:
            prepare(bundle)
    except (BundleError, BuildError) as error:
        return {"problems": [diagnostic.render() for diagnostic in error.diagnostics if diagnostic.is_error]}
    checked = check(path)
    if checked.plan is None:
        return {
            "problems": [diagnostic.render() for diagnostic in checked.diagnostics if diagnostic.is_error]
        }
    return {"digests": digests()}


def main() -> int:
    """Answer for the bundle named on the command line."""
    os.nice(19)
    print(json.dumps(answer(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
