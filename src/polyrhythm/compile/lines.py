"""Which line of somebody's model an error comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from polyrhythm.manifest import Location

_HERE = str(Path(__file__).parent)


def frames_of(error: BaseException) -> list[tuple[str, int]]:
    """File and line of all that the error passed through, the innermost last."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def last_line(frames: Sequence[tuple[str, int]], others: Iterable[Path], path: str = "") -> Location | None:
    """The innermost line that is neither of this room nor below one of `others`."""
    not_theirs = (*map(str, others), _HERE, "<")
    for file, line in reversed(frames):
        if not file.startswith(not_theirs) and Path(file).is_file():
            text = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
            stripped = text.lstrip()
            return Location(
                file, line, 1 + len(text) - len(stripped), path, text.rstrip(), span=len(stripped.rstrip())
            )
    return None
