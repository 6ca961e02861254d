"""Progress of builds and compiles, as tasks of a `rich.progress.Progress` that the caller shows, or not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


def progress_bar(console: Console | None = None) -> Progress:
    """The look of our progress bars; use it as a context manager."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        console=console,
    )


class Steps:
    """Counts steps in one task of `progress`; silent without one."""

    def __init__(self, progress: Progress | None, total: int, description: str) -> None:
        self._progress = progress
        self._task = None if progress is None else progress.add_task(description, total=total)

    @contextlib.contextmanager
    def step(self, description: str) -> Iterator[None]:
        """One step, shown while it lasts and counted when it succeeds."""
        if self._progress is None or self._task is None:
            yield
            return
        self._progress.update(self._task, description=description)
        yield
        self._progress.advance(self._task)

    def done(self, description: str) -> None:
        """Say what came of it."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=description)
