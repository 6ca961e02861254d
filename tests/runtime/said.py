"""What is said of a bundle, with the same paths everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from polyrhythm.manifest import Diagnostic, render_all


def rendered(diagnostics: Iterable[Diagnostic], root: Path) -> str:
    """Diagnostics as text; files below `root` by their names there."""
    return render_all(diagnostics).replace(f"{root.resolve()}/", "")
