"""Models of others become bundles: one file (or a few) for each kind, and what they share.

An importer makes every file of a bundle in a `workplace`, holds every output against the framework that the
model comes from (`polyrhythm.compile.gate`), and ends with `write_bundle`. What it cannot take it refuses
with a `BuildError` that names the operation and the reason. `Report` is what it tells the user.
"""

from polyrhythm.compile.imports.codes import CODES
from polyrhythm.compile.imports.report import Report
from polyrhythm.compile.imports.write import check_new, write_bundle

__all__ = ["CODES", "Report", "check_new", "write_bundle"]
